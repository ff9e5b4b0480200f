import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { guardDenied, mayOpen } from '#shared/access.ts'
import { dashboardPages } from '#features/dashboard/web/routes.ts'
import { leadPages } from '#features/leads/web/routes.ts'
import { outboxPages } from '#features/outbox/web/routes.ts'
import { settingsPages } from '#features/settings/web/routes.ts'
import { fromQueryString, toQueryString } from '#web/api/query-string.ts'
import { viewer } from '#web/session.ts'
import { lazyPage } from '#web/shell/lazy.tsx'
import { showMessage } from '#web/shell/messages.ts'
import type { Page } from '#web/shell/page.ts'
import { PageError } from '#web/shell/PageError.tsx'

/*
 * Every address of the panel (A §2, B §2). A feature exports its pages from `web/routes.ts`; what is not built is a row
 * that names its area. Literal children win over parameters, whatever the order.
 */

const notBuiltYet = lazyPage(() => import('#web/shell/NotBuiltYet.tsx'), 'NotBuiltYet')

const unbuilt = (area: string, rows: readonly (readonly [path: string, name: string])[]): Page[] =>
  rows.map(([path, name]) => ({ path, name, area, component: notBuiltYet }))

const contentKind = (path: string, one: string, many: string): Page[] =>
  unbuilt(many, [
    [path, many],
    [`${path}/create`, `New ${one}`],
    [`${path}/edit/$slug`, `Edit ${one}`],
    [`${path}/$slug`, one],
  ])

const pages: readonly Page[] = [
  ...dashboardPages,
  ...settingsPages,
  ...outboxPages,
  ...leadPages,
  ...unbuilt('Onboarding', [
    ['/on-boarding', 'Onboarding'],
    ['/on-boarding/demo-leads-schedule', 'Next schedule'],
    ['/on-boarding/$detail/$company/$id', 'Onboarding details'],
  ]),
  ...unbuilt('Organizations', [
    ['/organizations/all-organizations', 'Organizations'],
    ['/organizations/document/$user_name/$organization_id', 'Organization documents'],
    ['/organizations/detail/$user_name/$user/$organization_id', 'Organization details'],
  ]),
  ...unbuilt('Users', [
    ['/users', 'Users'],
    ['/users/banned', 'Banned users'],
    ['/users/log', 'Login log'],
    ['/users/admin-log', 'Admin user log'],
    ['/users/master', 'Master Users'],
    ['/users/master/add', 'Add a master user'],
  ]),
  ...unbuilt('Notifications', [
    ['/notifications', 'Notifications'],
    ['/notifications/new', 'Send a notification'],
    ['/notifications/update-notification/$notification', 'Update a notification'],
  ]),
  ...unbuilt('Support', [
    ['/support', 'Support tickets'],
    ['/support/generate', 'Generate a ticket'],
    ['/support/ticket/$ticket/$org_id', 'Ticket'],
    ['/support-requests', 'Support requests'],
    ['/support-requests/create', 'New support request'],
    ['/support-requests/request/$request/$org_id', 'Support request'],
  ]),
  ...unbuilt('Quick task', [
    ['/quick-task/my-task', 'My tasks'],
    ['/quick-task/assigned-task', 'Assigned tasks'],
  ]),
  ...unbuilt('Admin users', [['/admin-users', 'Admin users']]),
  ...unbuilt('The scheduling-widget setting', [['/calendly-widget-settings', 'Scheduling widget']]),
  ...unbuilt('Customer view', [['/customer-view', 'Customer view']]),
  ...unbuilt('Blog', [
    ['/categories', 'Categories'],
    ['/categories/$category/posts', 'Posts of a category'],
    ['/tags', 'Tags'],
    ['/tags/$tag/posts', 'Posts of a tag'],
    ['/posts', 'Posts'],
    ['/posts/unpublished', 'Unpublished posts'],
    ['/posts/new-post', 'New post'],
    ['/posts/update-post/$post', 'Edit post'],
    ['/posts/$post', 'Post'],
  ]),
  ...unbuilt('FAQ', [
    ['/faqcategories', 'FAQ categories'],
    ['/faqcategories/$category/posts', 'FAQs of a category'],
    ['/faqs', 'FAQs'],
    ['/faqs/new-faq', 'New FAQ'],
    ['/faqs/update-faq/$FAQ', 'Edit FAQ'],
    ['/faqs/$FAQ', 'FAQ'],
  ]),
  ...unbuilt('Comments', [['/comments', 'Latest comments']]),
  ...unbuilt('Media', [['/media', 'Media']]),
  ...unbuilt('Meta tags', [['/meta-tag-setting', 'Meta tags']]),
  ...contentKind('/case-study', 'Case study', 'Case studies'),
  ...contentKind('/user-guide', 'User guide', 'User guides'),
  ...contentKind('/event', 'Event', 'Events'),
  ...contentKind('/brochure', 'Brochure', 'Brochures'),
  ...contentKind('/webinar', 'Webinar', 'Webinars'),
  ...unbuilt('Terms & conditions', [
    ['/term&conditions', 'Terms & conditions'],
    ['/term&conditions/new-terms', 'New terms'],
    ['/term&conditions/$term', 'Terms'],
  ]),
  ...unbuilt('Customer contracts', [
    ['/customer-contracts', 'Customer contracts'],
    ['/customer-contracts/new-contract', 'New contract'],
    ['/customer-contracts/update-contract/$contract', 'Edit contract'],
  ]),
  ...unbuilt('Tasks', [
    ['/tasks', 'Tasks'],
    ['/common/development/task', 'All development'],
    ['/common/development/task/$task_type', 'Development tasks of a type'],
    ['/common/designer/task', 'All design'],
    ['/common/designer/task/$task_type', 'Designer tasks of a type'],
    ['/development-tasks', 'Development tasks'],
    ['/development-tasks/schedular', 'Delivery calendar'],
    ['/designer-tasks', 'Designer tasks'],
    ['/designer-tasks/designerschedular', 'Delivery calendar'],
  ]),
  ...unbuilt('The progress report', [['/progress-report', 'Progress report']]),
]

/** A page whose data takes longer is shown without them. */
const longestPrepareMs = 400
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Addresses without a page of their own (docs/spec-gaps.md G147). */
const redirects = { '/': '/dashboard', '/organizations': '/organizations/all-organizations', '/quick-task': '/quick-task/my-task' } as const

const root = createRootRoute({ component: Outlet })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyPage(() => import('#features/session/web/LoginPage.tsx'), 'LoginPage'),
  beforeLoad: () => {
    if (viewer()) throw redirect({ to: '/dashboard', replace: true })
  },
})

const panel = createRoute({
  getParentRoute: () => root,
  id: 'panel',
  component: lazyPage(() => import('#app/Panel.tsx'), 'Panel'),
  beforeLoad: ({ location }) => {
    if (!viewer()) throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { from: location.href }, replace: true })
  },
})

const pageRoutes = pages.map(({ path, name, area, component, prepare }) =>
  createRoute({
    getParentRoute: () => panel,
    path,
    component,
    staticData: { name, area },
    beforeLoad: ({ location, preload }) => turnAway(location.pathname, preload),
    loader: async ({ location }) => {
      // The route's component says what is wrong with code that does not come.
      const ask = await prepare?.().catch(() => undefined)
      if (ask) await Promise.race([ask(location.search), wait(longestPrepareMs)])
    },
  }),
)

const redirectRoutes = Object.entries(redirects).map(([path, to]) =>
  createRoute({
    getParentRoute: () => panel,
    path,
    beforeLoad: () => {
      throw redirect({ to, replace: true })
    },
  }),
)

const notFoundPage = lazyPage(() => import('#web/shell/NotFoundPage.tsx'), 'NotFoundPage')
// An address that leads nowhere is not the guard's business: every signed-in role sees the same page (docs/spec-gaps.md G146).
const notFound = createRoute({ getParentRoute: () => panel, path: '/$', component: notFoundPage, staticData: { name: 'Not Found - 404' } })

/** The guard: by role alone (A §6). Pages whose data needs a permission show nothing without it. */
function turnAway(path: string, isPreload: boolean): void {
  const who = viewer()
  if (!who || mayOpen(who.role_id, path)) return
  // A link under the pointer is only being prepared.
  if (!isPreload) void showMessage(guardDenied)
  throw redirect({ to: '/dashboard', replace: true })
}

export const router = createRouter({
  routeTree: root.addChildren([login, panel.addChildren([...pageRoutes, ...redirectRoutes, notFound])]),
  parseSearch: fromQueryString,
  stringifySearch: (search) => {
    const text = toQueryString(search)
    return text ? `?${text}` : ''
  },
  // `/term%26conditions` is the same address (docs/spec-gaps.md G47).
  rewrite: {
    input: ({ url }) => {
      if (/^\/term%26conditions(?=\/|$)/i.test(url.pathname)) url.pathname = url.pathname.replace(/%26/i, '&')
      return url
    },
  },
  pathParamsAllowedCharacters: ['&'],
  defaultPreload: 'intent',
  defaultErrorComponent: PageError,
  defaultNotFoundComponent: notFoundPage,
  scrollRestoration: false,
})
