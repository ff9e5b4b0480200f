import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { guardDenied, mayOpen } from '#shared/access.ts'
import { pages } from '#app/browser/features.ts'
import { fromQueryString, toQueryString } from '#web/api/query-string.ts'
import { defaultView, viewer } from '#web/session.ts'
import { lazyPage } from '#web/shell/lazy.tsx'
import { showMessage } from '#web/message/messages.ts'
import { registered } from '#web/shell/page.ts'
import { PageError } from '#web/states/PageError.tsx'

/** Every route of the panel (A §2, B §2): the features' pages, the sign-in page, and redirects. */
registered.pages = pages
registered.afterSignIn = async () => (await import('#app/browser/afterSignIn.ts')).loadAfterSignIn()

/** If loading a page's data takes longer than this, the page is shown without it. */
const longestPrepareMs = 400
const wait = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** Redirects for URLs that have no page (docs/spec-gaps.md G147). */
const redirects = {
  '/': '/dashboard',
  '/organizations': '/organizations/all-organizations',
  '/quick-task': '/quick-task/my-task',
} as const

const root = createRootRoute({ component: Outlet })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyPage(() => import('#features/panel/session/web/LoginPage.tsx'), 'LoginPage'),
  beforeLoad: ({ search }) => {
    // A link for setting a password may be for a user other than the one signed in.
    if (viewer() && !('invitation' in search)) throw redirect({ to: '/dashboard', replace: true })
  },
})

const panel = createRoute({
  getParentRoute: () => root,
  id: 'panel',
  component: lazyPage(() => import('#app/browser/Panel.tsx'), 'Panel'),
  beforeLoad: ({ location }) => {
    if (!viewer())
      throw redirect({
        to: '/login',
        search: location.pathname === '/' ? {} : { from: location.href },
        replace: true,
      })
  },
})

const pageRoutes = pages.map(({ path, name, component, prepare }) =>
  createRoute({
    getParentRoute: () => panel,
    path,
    component,
    staticData: { name },
    beforeLoad: ({ location, preload, cause }) => {
      guardRoute(location.pathname, preload)
      if (cause === 'enter') applyDefaultView(location.pathname, location.search)
    },
    loader: async ({ location }) => {
      // Errors are ignored here: the route's component reports code that fails to load.
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
// Unknown URLs bypass the guard: all signed-in users see the same page, regardless of role (docs/spec-gaps.md
// G146).
const notFound = createRoute({
  getParentRoute: () => panel,
  path: '/$',
  component: notFoundPage,
  staticData: { name: 'Not Found - 404' },
})

/**
 * Redirects viewers whose role cannot open a path (A §6). Permissions are checked by the pages, which show
 * nothing to viewers who lack them.
 */
function guardRoute(path: string, isPreload: boolean): void {
  const who = viewer()
  if (!who || mayOpen(who.role_id, path)) return
  // Preloading a hovered link must not show a message.
  if (!isPreload) void showMessage(guardDenied)
  throw redirect({ to: '/dashboard', replace: true })
}

/**
 * Redirects to the viewer's default saved view of a list when the list is opened from another page without
 * filters in the URL.
 */
function applyDefaultView(path: string, search: Record<string, unknown>): void {
  const view = Object.keys(search).length === 0 ? defaultView(path) : undefined
  if (view && Object.keys(view).length > 0) throw redirect({ to: path, search: view, replace: true })
}

export const router = createRouter({
  routeTree: root.addChildren([login, panel.addChildren([...pageRoutes, ...redirectRoutes, notFound])]),
  parseSearch: fromQueryString,
  stringifySearch: (search) => {
    const text = toQueryString(search)
    return text ? `?${text}` : ''
  },
  // `/term%26conditions` is the same URL as `/term&conditions` (docs/spec-gaps.md G47).
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
