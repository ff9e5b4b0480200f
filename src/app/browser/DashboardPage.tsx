import { ShownArticles } from '#features/cms/articles/announcing/web/ShownArticles.tsx'
import { commentsOfDay } from '#features/cms/articles/comments/web/commentsOfDay.ts'
import { NextDemosCard } from '#features/crm/leads/demos/web/NextDemosCard.tsx'
import { sessionsOfDay } from '#features/crm/leads/demos/web/sessionsOfDay.ts'
import { followUpsOfDay } from '#features/crm/leads/follow-ups/web/followUpsOfDay.tsx'
import { FollowUpCards, LeadsByStatusCard } from '#features/crm/leads/numbers/web/LeadNumbers.tsx'
import { NewLeadsTile } from '#features/crm/leads/numbers/web/NewLeadsTile.tsx'
import { remindersOfDay } from '#features/crm/organizations/web/remindersOfDay.tsx'
import { TrialsTile } from '#features/crm/organizations/web/TrialsTile.tsx'
import { NewQuickTaskButton } from '#features/crm/quick-tasks/web/NewQuickTaskButton.tsx'
import { quickTasksOfDay } from '#features/crm/quick-tasks/web/quickTasksOfDay.tsx'
import {
  FirstResponseTile,
  NewTicketsTile,
  TicketsPerWeekCard,
} from '#features/crm/support/web/TicketNumbers.tsx'
import { ticketsOfDay } from '#features/crm/support/web/ticketsOfDay.ts'
import { Dashboard, type DashboardRow } from '#features/panel/dashboard/web/Dashboard.tsx'
import { MyDay } from '#features/panel/dashboard/web/MyDay.tsx'
import { mentionsOfDay } from '#features/panel/notices/web/mentionsOfDay.tsx'
import { tasksOfDay } from '#features/tasks/tasks/web/tasksOfDay.ts'
import { WorkloadCard } from '#features/tasks/tasks/web/WorkloadCard.tsx'
import type { DaySource } from '#web/dashboard/daySource.ts'
import { registered } from '#web/shell/page.ts'

/*
 * Tiles and cards on the dashboard, in display order, and what My day shows. Each fetches its own data and
 * renders nothing if the viewer cannot see that data.
 */
const tiles = [NewLeadsTile, NewTicketsTile, FirstResponseTile, TrialsTile]
const sourcesOfDay: readonly DaySource[] = [
  followUpsOfDay,
  ticketsOfDay,
  mentionsOfDay,
  sessionsOfDay,
  quickTasksOfDay,
  ...tasksOfDay,
  commentsOfDay,
  remindersOfDay,
]
const Waiting = () => <MyDay sources={sourcesOfDay} action={<NewQuickTaskButton />} />
const rows: readonly DashboardRow[] = [
  { wide: [Waiting, LeadsByStatusCard], narrow: [TicketsPerWeekCard, NextDemosCard, WorkloadCard] },
  FollowUpCards,
  ShownArticles,
]

const otherPages = registered.pages.flatMap(({ name, path, shortcut }) =>
  shortcut ? [{ label: name, icon: shortcut, to: path }] : [],
)

export const DashboardPage = () => <Dashboard tiles={tiles} rows={rows} otherPages={otherPages} />
