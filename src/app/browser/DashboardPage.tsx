import { ShownArticles } from '#features/cms/articles/announcing/web/ShownArticles.tsx'
import { NextDemosCard } from '#features/crm/leads/demos/web/NextDemosCard.tsx'
import { MyReminders } from '#features/crm/leads/follow-ups/web/MyReminders.tsx'
import { LeadNumbers } from '#features/crm/leads/numbers/web/LeadNumbers.tsx'
import { DueCard } from '#features/crm/organizations/web/DueCard.tsx'
import { MyQuickTasksCard } from '#features/crm/quick-tasks/web/MyQuickTasksCard.tsx'
import { UnreadTicketsCard } from '#features/crm/support/web/UnreadTicketsCard.tsx'
import { Dashboard, type DashboardRow } from '#features/panel/dashboard/web/Dashboard.tsx'
import { MyTasksCards } from '#features/tasks/tasks/web/MyTasksCards.tsx'
import { registered } from '#web/shell/page.ts'

/**
 * Cards on the dashboard, in display order. Each fetches its own data and renders nothing if the viewer
 * cannot see that data.
 */
const rows: readonly DashboardRow[] = [
  MyReminders,
  [MyQuickTasksCard, UnreadTicketsCard, DueCard, NextDemosCard, MyTasksCards],
  ShownArticles,
  LeadNumbers,
]

const otherPages = registered.pages.flatMap(({ name, path, shortcut }) =>
  shortcut ? [{ label: name, icon: shortcut, to: path }] : [],
)

export const DashboardPage = () => <Dashboard rows={rows} otherPages={otherPages} />
