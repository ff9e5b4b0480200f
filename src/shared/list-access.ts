import type { Permission } from '#shared/access.ts'
import { anyOf, type Access } from '#shared/endpoint.ts'
import { articleKinds, type ArticleKindName } from '#shared/article-kinds.ts'

const ofKind = (name: ArticleKindName): Permission => articleKinds[name].key

/** Access to every list that has saved views: a shared view tells what its author searched for. */
export const listAccess = {
  'admin log': 'admin_users_log_list',
  'admin users': 'admin_users_list',
  'assigned-quick-tasks': 'signed-in',
  'banned users': 'all_users_list',
  brochure: ofKind('brochure'),
  'case-study': ofKind('case-study'),
  categories: 'categories_list',
  comments: 'latest_comments_list',
  contracts: 'contract_list',
  'designer-tasks': 'designer_task_list',
  'development-tasks': 'task_list',
  event: ofKind('event'),
  'faq-categories': 'faq_view',
  faqs: 'all_faq_list',
  leads: 'lead_list',
  'login log': 'login_logs_view',
  'master users': 'all_users_list',
  'my-quick-tasks': 'signed-in',
  notifications: 'all_notifications_list',
  onboarding: 'onboarding_list',
  organizations: 'all_organization_list',
  posts: anyOf('all_posts_list', 'unpublished_post_list'),
  progress: 'view_task_progress',
  'support-requests': 'support_view',
  tags: 'signed-in',
  terms: 'term_condition_list',
  tickets: 'all_tickets_list',
  'user-guide': ofKind('user-guide'),
  users: 'all_users_list',
  webinar: ofKind('webinar'),
} as const satisfies Record<string, Access>

export type ListName = keyof typeof listAccess
