import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Locator, type Page, type Request } from '@playwright/test'
import type { Permission } from '#shared/access.ts'
import { cast } from '#server/db/seed/cast.ts'
import { panel } from './panel.ts'

export const password = 'demo-password'

/** Signs in through the form and waits for the dashboard. */
export async function signIn(page: Page, user: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Username').fill(user)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(/\/dashboard$/)
}

/** Signs in without the form and its password, for tests that are not about signing in. */
export async function asUser(page: Page, user: string): Promise<void> {
  const token = await panel().openSession(user)
  // An address of the panel without a page of it, which would notice the change of its user.
  await page.goto('/favicon.png')
  await page.evaluate(
    async ([username, access_token]) => {
      const answer = await fetch('/api/auth/admin-user', {
        headers: { Authorization: `Bearer ${access_token}` },
      })
      if (!answer.ok) throw new Error(await answer.text())
      const { user: person, products, user_product, user_permissions } = await answer.json()
      const stored = {
        access_token,
        role: person.role_id,
        admin_id: person.id,
        f_name: person.first_name,
        l_name: person.last_name,
        avatar: '',
        products,
        user_product,
        user_permissions,
        user_name: username,
        product: 1,
      }
      for (const [key, value] of Object.entries(stored))
        localStorage.setItem(key, typeof value === 'object' ? JSON.stringify(value) : String(value))
    },
    [user, token] as const,
  )
}

/**
 * Creates leads through the API, so that tests of a file do not interfere with each other's leads; returns
 * their IDs.
 */
export async function enterLeads(page: Page, ...leads: object[]): Promise<number[]> {
  return page.evaluate(async (bodies) => {
    const ids: number[] = []
    for (const body of bodies) {
      const answer = await fetch('/api/admin/users/save-demo-requests', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify({ lead_for: 1, ...body }),
      })
      if (!answer.ok) throw new Error(await answer.text())
      ids.push(((await answer.json()) as { data: { lead_id: number } }).data.lead_id)
    }
    return ids
  }, leads)
}

/**
 * Changes a role's permissions through an admin user's page. The tests of a file share the panel, so choose a
 * role that no other test of the file uses.
 */
export async function changeGrants(
  admin: Page,
  role_id: number,
  change: { grant?: Permission[]; revoke?: Permission[] },
): Promise<void> {
  await admin.evaluate(
    async (body) => {
      const answer = await fetch('/api/admin/roles/change-permissions', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    { role_id, ...change },
  )
}

/** Facts of the record whose page is shown. */
export const properties = (page: Page): Locator => page.getByRole('complementary', { name: 'Properties' })

/** Chooses one of the rare actions on the record whose page is shown. */
export async function chooseFromMore(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

export const roleOf = (user: string): number => cast.find((one) => one.user_name === user)!.role_id

/** Calls the API as the page's user. */
export const api = (page: Page, method: string, path: string, body?: object): Promise<any> =>
  page.evaluate(
    async ([how, at, sent]) => {
      const answer = await fetch(`/api${at}`, {
        method: how,
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        ...(sent ? { body: JSON.stringify(sent) } : {}),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return answer.json()
    },
    [method, path, body] as const,
  )

/** Returns the first organizations that match a query and that the page's user can see. */
export const findOrganizations = async (
  page: Page,
  query: string,
): Promise<{ organization_id: number; name: string; trial_end_date: string | null }[]> =>
  (await api(page, 'GET', `/admin/users/all-organizations-data?${query}`)).data

/** Chooses an organization by typing part of its name, as in every form and filter. */
export async function chooseOrganization(field: Locator, name: string): Promise<void> {
  await field.fill(name)
  await field.page().getByRole('option', { name, exact: true }).click()
}

export const row = (page: Page, name: string): Locator =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
export const leadCell = (page: Page, company: string): Locator =>
  page.getByRole('link', { name: company, exact: true })

/** Searches for an option in a field and chooses it. */
export async function chooseFound(field: Locator, name: string): Promise<void> {
  await field.fill(name)
  await field.page().getByRole('option', { name, exact: true }).click()
  await expect(field).toHaveValue(name)
}

/** Undo in the line below a list or in a record's history, which stays, unlike a toast. */
export const undoLast = (page: Page): Locator =>
  page.locator('#main').getByRole('button', { name: 'Undo' }).first()

/** Finds Undo in a toast, and points at it, so that the toast stays until the mouse leaves it. */
export async function holdUndo(page: Page, message: string): Promise<Locator> {
  const undo = page.getByRole('alert').filter({ hasText: message }).getByRole('button', { name: 'Undo' })
  await undo.hover()
  return undo
}

/** Drops or pastes files onto an element; Playwright has no function for this. */
export const bringFiles = (
  target: Locator,
  way: 'drop' | 'paste',
  files: readonly { name: string; type: string; bytes: Buffer }[],
): Promise<void> =>
  target.evaluate(
    (element, [how, brought]) => {
      const data = new DataTransfer()
      for (const { name, type, content } of brought)
        data.items.add(
          new File([Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0))], name, { type }),
        )
      const { left, top } = element.getBoundingClientRect()
      const given = { bubbles: true, cancelable: true, clientX: left + 5, clientY: top + 5 }
      element.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { dataTransfer: data, ...given })
          : new ClipboardEvent('paste', { clipboardData: data, ...given }),
      )
    },
    [way, files.map(({ name, type, bytes }) => ({ name, type, content: bytes.toString('base64') }))] as const,
  )

/**
 * Expects no violations of any axe rule, with no rule disabled: the palest colors have enough contrast, every
 * field has a name, and nothing traps keyboard focus.
 * @param only the rule to check, for a page that has passed the others in another theme
 */
export async function expectAccessible(page: Page, only?: 'color-contrast'): Promise<void> {
  // Wait for animations: toasts and modals fade in, and semitransparent text has less contrast.
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((one) => one.playState !== 'running' || one.effect?.getTiming().iterations === Infinity),
  )
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const violations = await page.evaluate(async (rule) => {
    // The only frames are emails, which run no scripts; axe would send messages to them and wait for a
    // response.
    const { violations: found } = await (
      globalThis as unknown as {
        axe: {
          run: (options: { iframes: false; runOnly?: string[] }) => Promise<{
            violations: { id: string; help: string; nodes: { html: string; failureSummary: string }[] }[]
          }>
        }
      }
    ).axe.run({ iframes: false, ...(rule ? { runOnly: [rule] } : {}) })
    return found.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} — ${node.failureSummary}`),
    }))
  }, only)
  expect(violations, page.url()).toEqual([])
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Returns a check that fails if the page logged an error or a warning, or threw; `but` matches messages that
 * the test itself causes.
 */
export function expectQuietConsole(page: Page, but?: RegExp): () => void {
  const said: string[] = []
  page.on('console', (message) => {
    if (but?.test(message.text())) return
    // The browser itself logs rejected requests; the test checks how the page handles them.
    if (
      ['error', 'warning'].includes(message.type()) &&
      !message.text().startsWith('Failed to load resource')
    )
      said.push(message.text())
  })
  page.on('pageerror', (error) => said.push(error.message))
  return () => expect(said).toEqual([])
}

/** Returns a function that waits until the page's requests are answered and none has followed for 150 ms. */
export function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>()
  let changedAt = performance.now()
  const note = (request: Request, isOpen: boolean) => {
    if (isOpen) open.add(request)
    else open.delete(request)
    changedAt = performance.now()
  }
  page.on('request', (request) => note(request, true))
  page.on('requestfinished', (request) => note(request, false))
  page.on('requestfailed', (request) => note(request, false))
  return () =>
    expect.poll(() => open.size === 0 && performance.now() - changedAt > 150, { intervals: [50] }).toBe(true)
}

/**
 * Watches the server's responses when a page joins channels: `connected` resolves when the first one
 * succeeds, and `refused` returns how many were rejected.
 */
export function watchJoins(page: Page): { connected: Promise<void>; refused: () => number } {
  let refused = 0
  const connected = new Promise<void>((done) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"joined":true')) done()
        if (String(payload).includes('"joined":false')) refused += 1
      }),
    )
  })
  return { connected, refused: () => refused }
}
