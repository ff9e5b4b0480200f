import { Suspense, type ReactNode } from 'react'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
  type HistoryState,
} from '@tanstack/react-router'
import { act, render, type RenderResult } from '@testing-library/react'
import { vi } from 'vitest'
import type { Permission } from '#shared/access.ts'
import { changedHeader } from '#shared/changed.ts'
import { queries } from '#web/api/queries.ts'
import { storeSession } from '#web/session.ts'

/** A request that a test answers when it chooses to. */
export interface Asked {
  method: string
  /** Path with its query string. */
  address: string
  body: unknown
  signal: AbortSignal | undefined
  /** @param changed names of what a write changed, as in the header of its reply */
  answer: (status: number, body: unknown, changed?: readonly string[]) => void
}

/** The requests that the code under test has sent since the test began, in the order they were sent. */
export const asked: Asked[] = []

/** Starts recording requests; each waits until the test answers it. */
export function holdRequests(): void {
  asked.length = 0
  vi.stubGlobal('fetch', (address: string, { method = 'GET', body, signal }: RequestInit = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')))
    asked.push({
      method,
      address,
      body: typeof body === 'string' ? JSON.parse(body) : body,
      signal: signal ?? undefined,
      answer: (status, reply, changed = []) => {
        const headers: Record<string, string> = changed.length ? { [changedHeader]: changed.join() } : {}
        resolve(
          status === 204
            ? new Response(null, { status, headers })
            : Response.json(reply, { status, headers }),
        )
      },
    })
    return promise
  })
}

/** Signs in an admin user who has product 1 and these permissions. */
export function signIn(permissions: readonly Permission[], products = [{ id: 1, name: 'Atlas' }]): void {
  storeSession({
    token: 'token',
    user: { id: 7, first_name: 'Ada', last_name: 'Berg', role_id: 2, avatar: null },
    products: products.map((product) => ({ ...product, status: 1 }) as never),
    user_product: products.map(({ id }) => id),
    user_permissions: permissions,
  })
}

/** Renders a page at an address, with everything that a page in the panel finds around it. */
export async function renderPage(Page: () => ReactNode, address = '/'): Promise<RenderResult & { go: Go }> {
  const root = createRootRoute()
  const page = createRoute({ getParentRoute: () => root, path: '$', component: Page })
  const router = createRouter({
    routeTree: root.addChildren([page]),
    history: createMemoryHistory({ initialEntries: [address] }),
  })
  await router.load()
  const shown = render(
    <MantineProvider env="test">
      <QueryClientProvider client={queries}>
        <Suspense>
          <RouterProvider router={router} />
        </Suspense>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...shown, go: (to, state) => router.navigate({ to, ...(state ? { state } : {}) }) }
}
type Go = (address: string, state?: HistoryState) => Promise<void>

/**
 * Lets everything that is due happen, including what it starts: promises, and timers without a delay. The number
 * of turns decides, not the speed of the machine.
 */
export const settle = () =>
  act(async () => {
    for (let turn = 0; turn < 10; turn += 1) await new Promise((done) => setTimeout(done, 0))
  })

/** Waits for the next request that has not been looked at yet, so that answers can be given in any order. */
export async function nextRequest(index: number): Promise<Asked> {
  return vi.waitFor(() => {
    const found = asked[index]
    if (!found) throw new Error(`Only ${asked.length} requests were sent.`)
    return found
  }, 30_000)
}

/** Adds the native popovers that the window lacks: they only open and close, and give back the focus. */
export function addPopovers(): void {
  const openers = new WeakMap<HTMLElement, Element | null>()
  Object.assign(HTMLElement.prototype, {
    showPopover(this: HTMLElement) {
      openers.set(this, document.activeElement)
    },
    hidePopover(this: HTMLElement) {
      const opener = openers.get(this)
      if (opener instanceof HTMLElement && this.contains(document.activeElement)) opener.focus()
      this.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'closed' }))
    },
  })
}
