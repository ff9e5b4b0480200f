// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultGrants, guardDenied, mayOpen, roleIds, type RoleId } from '#shared/access.ts'
import { router } from '#app/browser/router.tsx'
import { pages } from '#app/browser/features.ts'
import { clearAfterLogout, clearBeforeLogout, storeSession } from '#web/session.ts'
import { linksOf, menuOf, visibleMenu } from '#web/shell/menu.ts'

/*
 * The pages' code and data are left out: only where each URL leads is tested here. The tour (e2e/tour.e2e.ts)
 * opens every page itself.
 */

const { showMessage } = vi.hoisted(() => ({ showMessage: vi.fn(async () => {}) }))
vi.mock('#web/message/messages.ts', () => ({ showMessage }))
vi.mock('#web/shell/lazy.tsx', async (load) => ({
  ...(await load<object>()),
  lazyPage: () => () => null,
  lazyPart: () => () => null,
}))
vi.mock('#app/browser/features.ts', async (load) => {
  const { pages: all } = await load<{ pages: readonly object[] }>()
  return { pages: all.map((page) => ({ ...page, component: () => null, prepare: undefined })) }
})

const products = [1, 2, 3, 4].map((id) => ({ id, slug: `p${id}`, name: `Product ${id}`, status: 1 }))

function signIn(role_id: RoleId): void {
  storeSession({
    token: 'token',
    user: { id: 7, first_name: 'Ada', last_name: 'Berg', role_id, avatar: null },
    products,
    user_product: [1, 2, 3, 4],
    user_permissions: defaultGrants[role_id],
  })
}

/** Opens a URL and returns the path where it leads. */
async function open(address: string): Promise<string> {
  await router.navigate({ href: address })
  return router.state.location.pathname
}

beforeEach(() => {
  clearBeforeLogout()
  clearAfterLogout()
  showMessage.mockClear()
})

/** Every page of the panel, each with an example of its parameters. */
const addresses = pages.map(({ path }) => path.replaceAll(/\$\w+/g, '1'))

describe.each(roleIds)('role %i', (role) => {
  test('opens every item of its menu', async () => {
    signIn(role)
    const viewer = { id: 7, role_id: role, permissions: new Set(defaultGrants[role]), products: [1] }
    const items = linksOf(visibleMenu(menuOf(pages), viewer, 1)).map(({ to }) => to)
    expect(items.length).toBeGreaterThan(0)
    for (const item of items) {
      await open(item)
      expect(router.state.location.href).toBe(item)
    }
    expect(showMessage).not.toHaveBeenCalled()
  })

  test('is redirected from every other page to the dashboard, with a message', async () => {
    signIn(role)
    const refused = addresses.filter((address) => !mayOpen(role, address))
    for (const [index, address] of refused.entries()) {
      expect(await open(address)).toBe('/dashboard')
      expect(showMessage).toHaveBeenCalledTimes(index + 1)
    }
    if (refused.length) expect(showMessage).toHaveBeenLastCalledWith(guardDenied)
    const allowed = addresses.filter((address) => mayOpen(role, address))
    for (const address of allowed) expect(await open(address)).toBe(address)
    expect(showMessage).toHaveBeenCalledTimes(refused.length)
  })
})

test('without a session, every page leads to the sign-in page, which leads back', async () => {
  for (const address of addresses) {
    expect(await open(address)).toBe('/login')
    expect(router.state.location.search).toEqual({ from: address })
  }
  signIn(2)
  expect(await open('/login')).toBe('/dashboard')
})

test('a hovered link that leads to a refused page shows no message', async () => {
  signIn(2)
  await open('/dashboard')
  await router.preloadRoute({ to: '/users' as never })
  expect(showMessage).not.toHaveBeenCalled()
})

test('URLs without a page show the same page to every role', async () => {
  for (const role of [0, 2] as const) {
    signIn(role)
    for (const address of ['/nothing-here', '/demo-leads-x', '/users/no/such/page', '/settings/x'])
      expect(await open(address)).toBe(address)
  }
  expect(await open('/')).toBe('/dashboard')
})

test('dashboards are in the menu by role and product', () => {
  const dashboards = (role_id: RoleId, product: number) =>
    linksOf(
      visibleMenu(
        menuOf(pages),
        { id: 7, role_id, permissions: new Set(defaultGrants[role_id]), products: [product] },
        product,
      ),
    )
      .map(({ label }) => label)
      .filter((label) => label === 'CRM dashboard' || label === 'CMS dashboard')
  for (const role of roleIds) {
    const crm = [2, 4, 6, 7, 10, 11].includes(role) ? ['CRM dashboard'] : []
    const cms = role === 3 ? ['CMS dashboard'] : []
    if (crm.length + cms.length || [0, 1, 3, 5].includes(role))
      expect(dashboards(role, 1), String(role)).toEqual([...crm, ...cms])
    expect(dashboards(role, 2), String(role)).toEqual([])
  }
})
