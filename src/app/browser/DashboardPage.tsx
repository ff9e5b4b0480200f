import { can, isAdminRole, type Permission } from '#shared/access.ts'
import { prepare, sourcesOfDay, usePreparedNumbers } from '#app/browser/dashboardData.ts'
import { ShownArticles } from '#features/cms/articles/announcing/web/ShownArticles.tsx'
import { PendingCommentsTile } from '#features/cms/articles/comments/web/PendingCommentsTile.tsx'
import { PostsPublishedTile, UnpublishedPostsTile } from '#features/cms/articles/posts/web/PostTiles.tsx'
import { NextDemosCard } from '#features/crm/leads/demos/web/NextDemosCard.tsx'
import { FollowUpCards, LeadsByStatusCard } from '#features/crm/leads/numbers/web/LeadNumbers.tsx'
import { NewLeadsTile, UntouchedLeadsTile, WonLeadsTile } from '#features/crm/leads/numbers/web/LeadTiles.tsx'
import { MyNumbersCard } from '#features/crm/leads/report/web/MyNumbersCard.tsx'
import { TrialsEndingCard, TrialsTile } from '#features/crm/organizations/web/TrialNumbers.tsx'
import { NewQuickTaskButton } from '#features/crm/quick-tasks/web/NewQuickTaskButton.tsx'
import { OpenTicketsCard } from '#features/crm/support/web/OpenTicketsCard.tsx'
import {
  FirstResponseTile,
  NewTicketsTile,
  OpenTicketsTile,
  TicketsPerWeekCard,
} from '#features/crm/support/web/TicketNumbers.tsx'
import { AuditCard } from '#features/panel/dashboard/web/AuditCard.tsx'
import type { Parts } from '#features/panel/dashboard/web/cards.ts'
import { Dashboard } from '#features/panel/dashboard/web/Dashboard.tsx'
import { MyDay } from '#features/panel/dashboard/web/MyDay.tsx'
import { Shortcuts } from '#features/panel/dashboard/web/Shortcuts.tsx'
import { taskRoles } from '#features/tasks/tasks/rules.ts'
import { HoursThisWeekTile } from '#features/tasks/progress/web/HoursTile.tsx'
import { HoursTodayCard } from '#features/tasks/progress/web/HoursTodayCard.tsx'
import { MissingHoursLine } from '#features/tasks/progress/web/MissingHoursLine.tsx'
import {
  DueThisWeekTile,
  InReviewTile,
  OverdueTasksTile,
  TasksDeliveredTile,
  TasksPerWeekCard,
} from '#features/tasks/tasks/web/TaskNumbers.tsx'
import { askOwnTasks } from '#features/tasks/tasks/web/tasksOfDay.ts'
import { WorkloadCard } from '#features/tasks/tasks/web/WorkloadCard.tsx'
import type { Person } from '#web/session.ts'
import { registered } from '#web/shell/page.ts'

const needs = (permission: Permission) => (viewer: Person) => can(viewer, permission)
const listsTasks = (viewer: Person) => can(viewer, 'task_list') || can(viewer, 'designer_task_list')
const worksOnTasks = (viewer: Person) => listsTasks(viewer) && taskRoles.includes(viewer.role_id)
const reportsHours = (viewer: Person) =>
  worksOnTasks(viewer) && can(viewer, 'task_list') && can(viewer, 'view_task_tab_report')

const Waiting = () => <MyDay sources={sourcesOfDay} action={<NewQuickTaskButton />} />

const otherPages = registered.pages.flatMap(({ name, path, shortcut }) =>
  shortcut ? [{ label: name, icon: shortcut, to: path }] : [],
)
const TeamWorkload = () => (
  <WorkloadCard>
    <MissingHoursLine />
  </WorkloadCard>
)
const OwnHoursToday = () => <HoursTodayCard askTasks={askOwnTasks} />
const AllShortcuts = () => <Shortcuts otherPages={otherPages} />

const ofLeads = needs('lead_list')
const ofTickets = needs('all_tickets_list')
const ofOrganizations = needs('all_organization_list')
const ofPosts = needs('all_posts_list')

const crm = ['crm'] as const
const cms = ['cms'] as const
const both = [...crm, ...cms]

/*
 * Tiles and cards on the dashboard by place, in the default order. Each fetches its own data and renders nothing
 * if the viewer cannot see that data.
 */
const parts: Parts = {
  tiles: [
    { id: 'new-leads', name: 'New leads', Part: NewLeadsTile, alsoOn: crm, mayShow: ofLeads },
    { id: 'won', name: 'Won', Part: WonLeadsTile, alsoOn: crm, mayShow: ofLeads },
    {
      id: 'untouched-leads',
      name: 'Untouched leads',
      Part: UntouchedLeadsTile,
      alsoOn: crm,
      mayShow: ofLeads,
    },
    { id: 'new-tickets', name: 'New tickets', Part: NewTicketsTile, alsoOn: crm, mayShow: ofTickets },
    { id: 'open-tickets', name: 'Open tickets', Part: OpenTicketsTile, alsoOn: crm, mayShow: ofTickets },
    {
      id: 'first-response',
      name: 'First response',
      Part: FirstResponseTile,
      alsoOn: crm,
      mayShow: ofTickets,
    },
    { id: 'on-trial', name: 'On trial', Part: TrialsTile, alsoOn: crm, mayShow: ofOrganizations },
    { id: 'due-this-week', name: 'Due this week', Part: DueThisWeekTile, mayShow: worksOnTasks },
    { id: 'overdue', name: 'Overdue', Part: OverdueTasksTile, mayShow: worksOnTasks },
    { id: 'in-review', name: 'In review', Part: InReviewTile, mayShow: worksOnTasks },
    {
      id: 'hours-this-week',
      name: 'Hours this week',
      Part: HoursThisWeekTile,
      mayShow: (viewer) => worksOnTasks(viewer) && can(viewer, 'view_task_progress'),
    },
    { id: 'tasks-delivered', name: 'Tasks delivered', Part: TasksDeliveredTile, mayShow: listsTasks },
    {
      id: 'posts-published',
      name: 'Posts published',
      Part: PostsPublishedTile,
      alsoOn: cms,
      mayShow: ofPosts,
    },
    {
      id: 'unpublished-posts',
      name: 'Unpublished posts',
      Part: UnpublishedPostsTile,
      alsoOn: cms,
      mayShow: ofPosts,
    },
    {
      id: 'pending-comments',
      name: 'Pending comments',
      Part: PendingCommentsTile,
      alsoOn: cms,
      mayShow: needs('latest_comments_list'),
    },
  ],
  wide: [
    { id: 'my-day', name: 'My day', Part: Waiting, alsoOn: both },
    {
      id: 'leads-by-status',
      name: 'Leads by status',
      Part: LeadsByStatusCard,
      alsoOn: crm,
      mayShow: ofLeads,
    },
    { id: 'tasks-per-week', name: 'Tasks delivered per week', Part: TasksPerWeekCard, mayShow: listsTasks },
  ],
  narrow: [
    { id: 'hours-today', name: 'My hours today', Part: OwnHoursToday, mayShow: reportsHours },
    { id: 'tickets-per-week', name: 'Tickets', Part: TicketsPerWeekCard, alsoOn: crm, mayShow: ofTickets },
    {
      id: 'open-tickets-by-assignee',
      name: 'Open tickets by assignee',
      Part: OpenTicketsCard,
      alsoOn: crm,
      mayShow: ofTickets,
    },
    {
      id: 'trials-ending',
      name: 'Trials ending',
      Part: TrialsEndingCard,
      alsoOn: crm,
      mayShow: ofOrganizations,
    },
    {
      id: 'upcoming-sessions',
      name: 'Upcoming sessions',
      Part: NextDemosCard,
      alsoOn: crm,
      mayShow: ofLeads,
    },
    { id: 'workload', name: 'Workload', Part: TeamWorkload, mayShow: needs('task_list') },
  ],
  full: [
    { id: 'my-numbers', name: 'My numbers', Part: MyNumbersCard, alsoOn: crm, mayShow: ofLeads },
    { id: 'follow-ups', name: 'Follow-ups', Part: FollowUpCards, alsoOn: crm, mayShow: ofLeads },
    { id: 'news', name: 'News for the team', Part: ShownArticles, alsoOn: both },
  ],
  half: [
    { id: 'shortcuts', name: 'Shortcuts', Part: AllShortcuts, alsoOn: both },
    {
      id: 'recent-changes',
      name: 'Recent changes',
      Part: AuditCard,
      mayShow: ({ role_id }) => isAdminRole(role_id),
    },
  ],
}

export const prepareDashboard = prepare

export function DashboardPage() {
  usePreparedNumbers()
  return <Dashboard parts={parts} />
}
