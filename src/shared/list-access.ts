import { adminsOnly, anyOf, type Access } from '#shared/endpoint.ts'
import { articleKindNames, type ArticleKindName } from '#shared/article-kinds.ts'
import { recordTypeNames, recordTypes, rightOn, type RecordType } from '#shared/records.ts'

/** The lists that aren't those of a record type, or that require other access than its records. */
const otherLists = {
  'admin log': 'admin_users_log_list',
  'assigned-quick-tasks': 'signed-in',
  'banned users': 'all_users_list',
  'designer-tasks': 'designer_task_list',
  'development-tasks': 'task_list',
  'faq-categories': 'faq_view',
  faqs: 'all_faq_list',
  'follow-ups': 'lead_list',
  leads: 'lead_list',
  'login log': 'login_logs_view',
  'master users': 'all_users_list',
  'my-quick-tasks': 'signed-in',
  onboarding: 'onboarding_list',
  outbox: adminsOnly,
  posts: anyOf('all_posts_list', 'unpublished_post_list'),
  progress: 'view_task_progress',
  'support-requests': 'support_view',
  terms: 'term_condition_list',
  tickets: 'all_tickets_list',
  'unsorted-emails': 'all_tickets_view',
  users: 'all_users_list',
} as const satisfies Record<string, Access>

/** A record type's list has the plural of the type as its name; that of a kind of article, its path. */
export type ListName =
  | keyof typeof otherLists
  | ArticleKindName
  | (typeof recordTypes)[Exclude<RecordType, ArticleKindName>]['many']

const isKind = (type: string) => (articleKindNames as readonly string[]).includes(type)

/** Access to every list that has saved views: a shared view tells what its author searched for. */
export const listAccess: Readonly<Record<string, Access>> = {
  ...Object.fromEntries(
    recordTypeNames.map((type) => [isKind(type) ? type : recordTypes[type].many, rightOn(type, 'read')]),
  ),
  ...otherLists,
}
