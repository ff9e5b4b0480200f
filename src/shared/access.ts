import { isWithin } from '#shared/products.ts'

/*
 * Roles and permissions, defined once: the server enforces them, the browser derives its menu, route guards,
 * and buttons from them, the reference seed writes them to the database, and the tests iterate over them.
 */

/** The 14 roles by ID (A §6). 0 is a valid role ID, so never test a role for truthiness. */
export const roles = {
  0: { name: 'Super Admin', policyName: 'super_admin' },
  1: { name: 'Admin', policyName: 'admin' },
  2: { name: 'CRM' },
  3: { name: 'Editor' },
  4: { name: 'Support' },
  5: { name: 'Data Entry' },
  6: { name: 'Digital Marketing' },
  7: { name: 'ADH', policyName: 'adh' },
  8: { name: 'Development Lead', policyName: 'development_lead' },
  9: { name: 'Developer', policyName: 'developer' },
  10: { name: 'CSM', policyName: 'csm' },
  11: { name: 'ADH Helper', policyName: 'adh_helper' },
  12: { name: 'QA', policyName: 'qa' },
  13: { name: 'Designer' },
} as const satisfies Record<number, { name: string; policyName?: string }>

export type RoleId = keyof typeof roles
export const roleIds = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13] as const satisfies readonly RoleId[]
export const isRoleId = (value: unknown): value is RoleId => roleIds.includes(value as RoleId)

/**
 * Returns whether a role is 0 or 1, which can open the settings menu, manage permissions, and edit other
 * people's profiles.
 */
export const isAdminRole = (role: RoleId): boolean => role === 0 || role === 1

/**
 * Every permission name in the specification, in the order of its lists (A §6, B §6); the misspelling
 * `pripority` comes from the specification.
 */
export const permissionGroups = {
  CRM: ['crm_view'],
  Leads: [
    'lead_list',
    'lead_detail',
    'lead_reject',
    'lead_select_pripority',
    'lead_create',
    'lead_edit',
    'lead_create_organization',
    'lead_create_website',
    'lead_send_prospection_mail',
    'lead_prospection_question',
  ],
  Onboarding: ['onboarding_list', 'onboarding_on_hold', 'onboarding_send_attachment_link'],
  Organizations: [
    'organization_view',
    'all_organization_list',
    'all_organization_update_status',
    'all_organization_note',
    'all_organization_email',
  ],
  Users: ['users_view', 'all_users_list'],
  Notifications: ['notifications_view', 'send_new_list', 'all_notifications_list'],
  Support: ['support_view', 'all_tickets_list', 'all_tickets_view', 'all_tickets_delete'],
  CMS: ['cms_view', 'media_list'],
  Blog: [
    'blog_view',
    'post_view',
    'categories_list',
    'new_post_list',
    'unpublished_post_list',
    'all_posts_create',
    'all_posts_delete',
    'all_posts_list',
  ],
  FAQ: ['faq_view', 'new_faq_list', 'all_faq_list'],
  'Comments and search appearance': ['latest_comments_list', 'tag_setting_list'],
  'Content types': ['case_study', 'new_case_study', 'event', 'brochure', 'webinar', 'user_guide'],
  Development: [
    'development_view',
    'development_all',
    'task_list',
    'view_delivery_calendar',
    'view_task_progress',
    'task_developer_filter',
    'add_task',
    'edit_task',
    'view_task_assign_to',
    'delete_task',
    'view_task_extend_due_date_history',
    'view_task',
    'view_task_is_notified',
    'view_task_notify',
    'view_task_tab_report',
    'task_issue',
  ],
  Designer: [
    'view_designer',
    'designer_task_list',
    'designer_view_delivery_calendar',
    'designer_add_task',
    'designer_edit_task',
    'designer_view_task_assign_to',
    'designer_delete_task',
    'designer_view_task',
    'designer_view_task_extend_due_date_history',
  ],
  Admin: ['admin_view', 'dashboard_list'],
  'Admin users': [
    'admin_users_list',
    'admin_users_search',
    'admin_users_filter_type',
    'admin_users_filter_team',
  ],
  Logs: ['logs_view', 'login_logs_view', 'admin_users_log_list'],
  'Terms and contracts': ['term_condition_list', 'term_condition_create', 'contract_list'],
  Settings: ['setting_view', 'admin_portal_list', 'calendly_widget_list'],
} as const

export type Permission = (typeof permissionGroups)[keyof typeof permissionGroups][number]
export const permissions: readonly Permission[] = Object.values(permissionGroups).flat()
export const isPermission = (value: unknown): value is Permission => permissions.includes(value as Permission)

const { Leads, Onboarding, Organizations, Users, Support, Blog, FAQ, Development, Designer } =
  permissionGroups
const content = [
  ...permissionGroups.CMS,
  ...Blog,
  ...FAQ,
  ...permissionGroups['Comments and search appearance'],
  ...permissionGroups['Content types'],
] as const
const terms = ['admin_view', ...permissionGroups['Terms and contracts']] as const
const tasksTicketsOrganizations = [
  'crm_view',
  ...Support,
  ...Organizations,
  ...Development,
  ...Designer,
] as const

/**
 * Permissions of each role in a new panel; from then on, they are kept in the database
 * (docs/product.md#roles-and-permissions).
 */
export const defaultGrants: Record<RoleId, readonly Permission[]> = {
  0: permissions,
  1: permissions,
  2: ['crm_view', ...Leads, ...Onboarding],
  3: [...content, ...terms],
  4: [
    'crm_view',
    ...Support,
    ...Users,
    ...Organizations,
    'view_task',
    'view_task_is_notified',
    'view_task_notify',
  ],
  5: ['crm_view', ...Onboarding, 'development_view', 'development_all', 'task_list', 'view_task'],
  6: ['crm_view', ...Leads],
  7: tasksTicketsOrganizations,
  8: Development,
  9: Development,
  10: [...tasksTicketsOrganizations, ...Onboarding, ...Users],
  11: tasksTicketsOrganizations,
  12: ['development_view', 'development_all', 'task_list', 'view_task', 'task_issue'],
  13: Designer,
}

/** Roles that can open only some sections (A §6); every other role can open every route. */
const sectionsOfRole: Partial<Record<RoleId, readonly string[]>> = {
  2: ['/demo-leads', '/on-boarding'],
  5: ['/on-boarding', '/common/development'],
  6: ['/demo-leads'],
  12: ['/development-tasks', '/common/development'],
}

/**
 * Paths open to all roles: a denial redirects to the dashboard, which must not be denied as well
 * (docs/spec-gaps.md G30).
 */
const openToAll = ['/', '/dashboard', '/login']

/**
 * Returns whether the route guard lets a role open a known client path (A §6); it does not handle unknown
 * paths.
 */
export function mayOpen(role: RoleId, path: string): boolean {
  const sections = sectionsOfRole[role]
  if (!sections || openToAll.includes(path)) return true
  return sections.some((section) => isWithin(path, section))
}

export interface HasPermissions {
  permissions: ReadonlySet<Permission>
}

/** Returns whether a viewer has a permission. */
export const can = (viewer: HasPermissions | undefined, permission: Permission): boolean =>
  viewer?.permissions.has(permission) ?? false

export const guardDenied = 'Access denied! You are not allowed to access this page'
