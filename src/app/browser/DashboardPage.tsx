import { ShownArticles } from '#features/cms/articles/announcing/web/ShownArticles.tsx'
import { NextDemosCard } from '#features/crm/leads/demos/web/NextDemosCard.tsx'
import { MyReminders } from '#features/crm/leads/follow-ups/web/MyReminders.tsx'
import { FollowUpCards, LeadsByStatusCard } from '#features/crm/leads/numbers/web/LeadNumbers.tsx'
import { NewLeadsTile } from '#features/crm/leads/numbers/web/NewLeadsTile.tsx'
import { DueCard } from '#features/crm/organizations/web/DueCard.tsx'
import { TrialsTile } from '#features/crm/organizations/web/TrialsTile.tsx'
import { MyQuickTasksCard } from '#features/crm/quick-tasks/web/MyQuickTasksCard.tsx'
import {
  FirstResponseTile,
  NewTicketsTile,
  TicketsPerWeekCard,
} from '#features/crm/support/web/TicketNumbers.tsx'
import { UnreadTicketsCard } from '#features/crm/support/web/UnreadTicketsCard.tsx'
import { Dashboard, type DashboardRow } from '#features/panel/dashboard/web/Dashboard.tsx'
import { MyTasksCards } from '#features/tasks/tasks/web/MyTasksCards.tsx'
import { registered } from '#web/shell/page.ts'

/*
 * Tiles and cards on the dashboard, in display order. Each fetches its own data and renders nothing if the
 * viewer cannot see that data.
 */
const tiles = [NewLeadsTile, NewTicketsTile, FirstResponseTile, TrialsTile]
const rows: readonly DashboardRow[] = [
  {
    wide: [MyReminders, MyQuickTasksCard, UnreadTicketsCard, MyTasksCards, LeadsByStatusCard],
    narrow: [TicketsPerWeekCard, NextDemosCard, DueCard],
  },
  FollowUpCards,
  ShownArticles,
]

const otherPages = registered.pages.flatMap(({ name, path, shortcut }) =>
  shortcut ? [{ label: name, icon: shortcut, to: path }] : [],
)

export const DashboardPage = () => <Dashboard tiles={tiles} rows={rows} otherPages={otherPages} />
