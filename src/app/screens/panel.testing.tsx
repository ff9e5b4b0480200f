import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import {
  act,
  configure,
  fireEvent,
  getConfig,
  render,
  screen,
  waitFor,
  within,
  type BoundFunctions,
} from '@testing-library/react'
import type { queries as elementQueries } from '@testing-library/react'
import { expect, onTestFinished, vi } from 'vitest'
import type { z } from 'zod'
import type { RoleId } from '#shared/access.ts'
import { reads } from '#shared/reads.contract.ts'
import { pages } from '#app/browser/features.ts'
import { router } from '#app/browser/router.tsx'
import type { TestApp } from '#app/testing/start.testing.ts'
import { queries } from '#web/api/queries.ts'
import { addPopovers } from '#web/dom.testing.tsx'
import { endTypeAhead } from '#web/keys/typeAhead.ts'
import { forgetToasts } from '#web/message/toast.testing.ts'
import { forgetViewer } from '#web/record/forgetViewer.ts'
import { clearAfterLogout, clearBeforeLogout, storeSession, type SignedIn } from '#web/session.ts'
import { registered } from '#web/shell/page.ts'
import { theme } from '#web/theme.ts'

/*
 * Opens the whole panel in a simulated browser: all routes, and a server with its own database answers every
 * request. There is no layout, no styles, and no live connection: what depends on these is a journey in e2e/.
 */

/** A request that the panel has sent. */
export interface SentRequest {
  method: string
  /** Path with its query string, without `/api`. */
  path: string
  headers: Headers
  body: unknown
  /** Status of the answer; undefined until it arrives. */
  status: number | undefined
  /** Whether it is one of several reads in one request, which is listed before them. */
  isPart?: true
}

interface Answer {
  status: number
  body?: unknown
}
type Answering = (request: SentRequest, forward: () => Promise<Response>) => Given | Promise<Given>
type Given = Answer | Response

export interface OpenPanel {
  /** Requests sent since the panel was opened, in order. */
  sent: SentRequest[]
  /**
   * Answers matching requests instead of the server until the returned function is called. If `answer` is a
   * promise, the request waits for it; if it throws, the request fails as if the server had not answered.
   * `forward` asks the server.
   */
  intercept: (method: string, path: RegExp, answer: Answering) => () => void
  /** Opens another address of the panel, as a link does. */
  go: (address: string) => Promise<void>
  /** Returns the current address: path and query string. */
  address: () => string
  /** Opens the same address again, as a reload or a new tab does. The browser’s storage is kept. */
  reload: () => void
  /** Queries within the element with the role `main`, that is, the page without menu and header. */
  main: () => BoundFunctions<typeof elementQueries>
}

/**
 * Opens the panel as a member of the cast, or signed out if `who` is undefined; it is closed when the test
 * ends.
 */
export async function openPanel(
  app: TestApp,
  who: string | RoleId | undefined,
  address: string,
): Promise<OpenPanel> {
  // The simulated browser has no styles: asking whether each element is hidden would cost time for nothing.
  configure({ defaultHidden: true })
  // A page renders by itself when an answer arrives, and not only in act().
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: false })
  vi.useFakeTimers({ toFake: ['Date'], now: app.clock.now() })
  onTestFinished(() => {
    // A key that still waits for a part of this page would take the keys of the next test's page.
    endTypeAhead()
    configure({ defaultHidden: false })
    Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true })
    vi.useRealTimers()
  })
  const { sent, intercept } = connect(app)
  setUpWindow()
  // The files of a worker share these: other tests have separate pages, and toasts outlive their test.
  registered.pages = pages
  forgetToasts()
  clearBeforeLogout()
  clearAfterLogout()
  forgetViewer()
  if (who !== undefined) {
    const client = app.as(who)
    const { status, ...session } = await client.get('/auth/admin-user')
    if (status !== 200) throw new Error(`The session of ${who} was refused with ${status}.`)
    storeSession({ ...(session as unknown as SignedIn), token: client.token })
  }
  // The router of an earlier test would wait until what it rendered is on the page, which is closed.
  router.startTransition = async (load) => {
    load()
    return false
  }
  // Not in act(): if the page never loaded, it would never end, and hide what later tests render.
  const go = (to: string) => getConfig().asyncWrapper(() => router.navigate({ href: to }))
  await go(address)
  await router.load()
  let shown = show()
  const reload = () => {
    shown.unmount()
    forgetToasts()
    queries.clear()
    shown = show()
  }
  const main = () => within(document.querySelector('main')!)
  return { sent, intercept, go, address: () => router.state.location.href, reload, main }
}

const show = () =>
  render(
    <MantineProvider env="test" theme={theme}>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )

/** Gives the window the size of a desktop, what index.html has (a title, the element for menus), and popovers. */
function setUpWindow(): void {
  const { happyDOM } = globalThis as unknown as {
    happyDOM: { setViewport: (size: { width: number; height: number }) => void }
  }
  happyDOM.setViewport({ width: 1366, height: 900 })
  if (!document.querySelector('title')) document.head.append(document.createElement('title'))
  document.title = 'Admin Panel'
  if (!document.querySelector('#overlays')) {
    const overlays = document.createElement('section')
    overlays.id = 'overlays'
    document.body.append(overlays)
  }
  addPopovers()
}

/** Sends the browser's requests to the app. */
function connect({ app }: TestApp): Pick<OpenPanel, 'sent' | 'intercept'> {
  const sent: SentRequest[] = []
  const answers: { method: string; path: RegExp; answer: Answering }[] = []
  const answering = ({ method, path }: SentRequest) =>
    answers.findLast((one) => one.method === method && one.path.test(path))
  const answerFor = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { method = 'GET', signal } = init
    const path = address.replace(/^\/api/, '')
    // The live connection begins with the configuration: without it, there is none.
    if (path === '/config') return new Promise<Response>(() => {})
    const headers = new Headers(init.headers)
    const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : init.body
    const request: SentRequest = { method, path, headers, body, status: undefined }
    const parts = partsOf(request)
    // A read that the test itself answers is sent alone, as after a failed request for several.
    if (parts.some(answering)) throw new TypeError('Failed to fetch')
    sent.push(request, ...parts)
    const other = answering(request)
    const forward = () => ask(app, address, init, headers)
    const reply = other ? responseOf(await other.answer(request, forward)) : await forward()
    // Also of a read that was canceled because another write changed its data.
    request.status = reply.status
    const { replies = [] } = parts.length > 0 ? ((await reply.clone().json()) as Replies) : {}
    for (const [index, part] of parts.entries()) part.status = replies[index]?.status ?? reply.status
    signal?.throwIfAborted()
    return reply
  }
  let closed = false
  onTestFinished(() => void (closed = true))
  const send: typeof answerFor = async (address, init) => {
    try {
      return await answerFor(address, init)
    } finally {
      // A failure after the end of the test must not show a toast on the page of the next one.
      if (closed) await new Promise(() => {})
    }
  }
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('XMLHttpRequest', uploadsBy(send))
  return {
    sent,
    intercept: (method, path, answer) => {
      const one = { method, path, answer }
      answers.push(one)
      return () => void answers.splice(answers.indexOf(one), 1)
    },
  }
}

interface Replies {
  replies?: { status: number }[]
}

/** Returns the reads of a request for several. */
function partsOf({ path: address, headers, body: sent }: SentRequest): SentRequest[] {
  if (address !== reads.together.path) return []
  return (sent as z.output<typeof reads.together.body>).reads.map(({ path, query, body }) => ({
    method: body ? 'POST' : 'GET',
    path: query ? `${path}?${query}` : path,
    headers,
    body,
    status: undefined,
    isPart: true,
  }))
}

/** Returns a class for uploads that sends them like other requests. */
const uploadsBy = (send: (address: string, init: RequestInit) => Promise<Response>) =>
  class extends EventTarget {
    readonly upload = new EventTarget()
    status = 0
    responseText = ''
    #replied = new Headers()
    #address = ''
    #init: RequestInit = {}
    readonly #headers = new Headers()
    readonly #end = new AbortController()

    open(method: string, address: string): void {
      this.#address = address
      this.#init = { method, headers: this.#headers, signal: this.#end.signal }
    }
    setRequestHeader(name: string, value: string): void {
      this.#headers.set(name, value)
    }
    getResponseHeader(name: string): string | null {
      return this.#replied.get(name)
    }
    abort(): void {
      this.#end.abort()
      this.dispatchEvent(new Event('abort'))
    }
    async send(body: FormData): Promise<void> {
      try {
        const reply = await send(this.#address, { ...this.#init, body })
        this.responseText = await reply.text()
        this.status = reply.status
        this.#replied = reply.headers
        this.dispatchEvent(new Event('load'))
      } catch {
        if (!this.#end.signal.aborted) this.dispatchEvent(new Event('error'))
      }
    }
  }

function responseOf(given: Given): Response {
  if (given instanceof Response) return given
  const { status, body } = given
  return body === undefined ? new Response(null, { status }) : Response.json(body, { status })
}

async function ask(
  app: TestApp['app'],
  url: string,
  { method = 'GET', body }: RequestInit,
  headers: Headers,
): Promise<Response> {
  const encoded = body === undefined || body === null ? undefined : new Response(body)
  const type = encoded?.headers.get('content-type')
  if (type && !headers.has('content-type')) headers.set('content-type', type)
  const {
    statusCode,
    rawPayload,
    headers: said,
  } = await app.http.inject({
    method: method as 'GET',
    url,
    headers: Object.fromEntries(headers.entries()),
    ...(encoded ? { payload: Buffer.from(await encoded.arrayBuffer()) } : {}),
  })
  const answered = new Headers()
  for (const [name, value] of Object.entries(said)) if (value !== undefined) answered.set(name, String(value))
  return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
    status: statusCode,
    headers: answered,
  })
}

/** Waits until every request has been answered, and checks that none was refused for lack of permission. */
export async function expectNoneRefused({ sent }: Pick<OpenPanel, 'sent'>): Promise<void> {
  await waitFor(() => expect(sent.filter(({ status }) => status === undefined)).toEqual([]))
  expect(sent.filter(({ status }) => status === 403)).toEqual([])
}

/** Replaces the text of a field, as typing does: text in a field without the focus comes from the browser. */
export const fill = (field: HTMLElement, value: string): void => {
  act(() => field.focus())
  fireEvent.change(field, { target: { value } })
}

/** Chooses files in a file input. */
export const chooseFiles = (input: HTMLElement, ...files: File[]): void =>
  void fireEvent.change(input, { target: { files } })

/** Chooses an option of a select, by its value or its text, once it is offered: options often load after their field. */
export async function choose(find: () => HTMLElement, option: string): Promise<void> {
  const [field, value] = await waitFor(() => {
    const select = find() as HTMLSelectElement
    const found = [...select.options].find(({ value: own, text }) => own === option || text === option)
    if (!found) throw new Error(`“${option}” is not among the options of the select.`)
    return [select, found.value] as const
  })
  fireEvent.change(field, { target: { value } })
}

/** Opens the box of a filter with choices, and returns it. */
export async function openChoices(
  scope: Pick<BoundFunctions<typeof elementQueries>, 'findByRole'>,
  label: string,
) {
  fireEvent.click(await scope.findByRole('button', { name: new RegExp(`^${label}: `) }))
  return within(await screen.findByRole('dialog', { name: label }))
}

/** Turns choices of a filter on or off, and closes its box. */
export async function filterByChoices(
  scope: Pick<BoundFunctions<typeof elementQueries>, 'findByRole'>,
  label: string,
  ...names: string[]
): Promise<void> {
  const box = await openChoices(scope, label)
  for (const name of names) fireEvent.click(await box.findByRole('checkbox', { name }))
  fireEvent.keyDown(box.getByRole('group', { name: label }), { key: 'Escape' })
  await waitFor(() => expect(screen.queryByRole('dialog', { name: label })).toBeNull())
}

/** Searches for an option in a field and chooses it. */
export async function chooseFound(field: HTMLElement, name: string): Promise<void> {
  fill(field, name)
  fireEvent.click(await screen.findByRole('option', { name }))
}

/** Skips the waits before uploads are sent again. */
export function skipRetryWaits(): void {
  const later = globalThis.setTimeout
  const skip = (work: () => void, ms?: number) => later(work, [1000, 3000, 9000].includes(ms ?? 0) ? 0 : ms)
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(skip)
}

/** Writes into a rich text field, whose editor loads with the first focus. */
export async function write(name: string, text: string): Promise<void> {
  const field = await screen.findByRole('textbox', { name })
  act(() => field.focus())
  const box = await waitFor(() => {
    const found = screen.getByRole('textbox', { name })
    expect(found.getAttribute('contenteditable')).toBe('true')
    return found as HTMLElement & { editor: { commands: { insertContent: (html: string) => boolean } } }
  })
  act(() => void box.editor.commands.insertContent(text))
}

/** Presses a key, where the focus is unless an element is given. */
export const press = (
  key: string,
  held: { ctrlKey?: boolean; shiftKey?: boolean } = {},
  at: Element = document.activeElement ?? document.body,
): void => void fireEvent.keyDown(at, { key, ...held })

/** Returns a check that fails if the page logged an error or a warning since. */
export function expectQuietConsole(): () => void {
  const said = (['error', 'warn'] as const).map((level) => vi.spyOn(console, level))
  return () => expect(said.flatMap(({ mock }) => mock.calls)).toEqual([])
}

/** Clicks the first Undo of the page, in the line below a list or in a record’s history. */
export async function undoLast(): Promise<void> {
  const page = within(document.querySelector<HTMLElement>('#main')!)
  fireEvent.click((await page.findAllByRole('button', { name: 'Undo' }))[0]!)
}

/**
 * Clicks Undo of the action whose message, or line below the list, begins with this text. A message stays for 2.5 s; most
 * pages repeat it in that line a moment later, which stays.
 */
export async function clickUndo(of: RegExp): Promise<void> {
  const undo = await waitFor(() => {
    const all = screen.getAllByRole('button', { name: 'Undo' })
    const found = all.findLast(({ parentElement }) => of.test(parentElement!.textContent))
    if (!found)
      throw new Error(`Undo is offered for ${String(all.map((one) => one.parentElement!.textContent))}.`)
    return found
  })
  fireEvent.click(undo)
}
