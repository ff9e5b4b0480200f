import { ShownArticles } from '#features/cms/articles/announcing/web/ShownArticles.tsx'
import { PendingCommentsTile } from '#features/cms/articles/comments/web/PendingCommentsTile.tsx'
import { commentsOfDay } from '#features/cms/articles/comments/web/commentsOfDay.ts'
import { PostsPublishedTile, UnpublishedPostsTile } from '#features/cms/articles/posts/web/PostTiles.tsx'
import { NextDemosCard } from '#features/crm/leads/demos/web/NextDemosCard.tsx'
import { sessionsOfDay } from '#features/crm/leads/demos/web/sessionsOfDay.ts'
import { followUpsOfDay } from '#features/crm/leads/follow-ups/web/followUpsOfDay.tsx'
import { FollowUpCards, LeadsByStatusCard } from '#features/crm/leads/numbers/web/LeadNumbers.tsx'
import { NewLeadsTile, WonLeadsTile } from '#features/crm/leads/numbers/web/LeadTiles.tsx'
import { remindersOfDay } from '#features/crm/organizations/web/remindersOfDay.tsx'
import { TrialsEndingCard, TrialsTile } from '#features/crm/organizations/web/TrialNumbers.tsx'
import { NewQuickTaskButton } from '#features/crm/quick-tasks/web/NewQuickTaskButton.tsx'
import { quickTasksOfDay } from '#features/crm/quick-tasks/web/quickTasksOfDay.tsx'
import {
  FirstResponseTile,
  NewTicketsTile,
  OpenTicketsTile,
  TicketsPerWeekCard,
} from '#features/crm/support/web/TicketNumbers.tsx'
import { ticketsOfDay } from '#features/crm/support/web/ticketsOfDay.ts'
import { Dashboard, type DashboardRow } from '#features/panel/dashboard/web/Dashboard.tsx'
import { MyDay } from '#features/panel/dashboard/web/MyDay.tsx'
import { mentionsOfDay } from '#features/panel/notices/web/mentionsOfDay.tsx'
import { HoursThisWeekTile } from '#features/tasks/progress/web/HoursTile.tsx'
import { tasksOfDay } from '#features/tasks/tasks/web/tasksOfDay.ts'
import {
  DueThisWeekTile,
  InReviewTile,
  OverdueTasksTile,
  TasksDeliveredTile,
  TasksPerWeekCard,
} from '#features/tasks/tasks/web/TaskNumbers.tsx'
import { WorkloadCard } from '#features/tasks/tasks/web/WorkloadCard.tsx'
import type { DaySource } from '#web/dashboard/daySource.ts'
import { registered } from '#web/shell/page.ts'

/*
 * Tiles and cards on the dashboard, in display order, and what My day shows. Each fetches its own data and
 * renders nothing if the viewer cannot see that data.
 */
const tiles = [
  NewLeadsTile,
  WonLeadsTile,
  NewTicketsTile,
  OpenTicketsTile,
  FirstResponseTile,
  TrialsTile,
  DueThisWeekTile,
  OverdueTasksTile,
  InReviewTile,
  HoursThisWeekTile,
  TasksDeliveredTile,
  PostsPublishedTile,
  UnpublishedPostsTile,
  PendingCommentsTile,
]
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
  {
    wide: [Waiting, LeadsByStatusCard, TasksPerWeekCard],
    narrow: [TicketsPerWeekCard, TrialsEndingCard, NextDemosCard, WorkloadCard],
  },
  FollowUpCards,
  ShownArticles,
]

const otherPages = registered.pages.flatMap(({ name, path, shortcut }) =>
  shortcut ? [{ label: name, icon: shortcut, to: path }] : [],
)

export const DashboardPage = () => <Dashboard tiles={tiles} rows={rows} otherPages={otherPages} />
