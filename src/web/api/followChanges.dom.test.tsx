import { act, renderHook } from '@testing-library/react'
import { QueryClientProvider, useQueries } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import type { LiveName } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { followChanges } from '#web/api/followChanges.ts'
import { queries } from '#web/api/queries.ts'
import { asked, signIn } from '#web/dom.testing.tsx'
import type { listen } from '#web/live.ts'

const readOf = <const Path extends string, const Rest extends object>(path: Path, rest: Rest) =>
  endpoint({
    method: 'GET',
    path,
    summary: 'Lists things.',
    access: 'signed-in',
    response: z.object({}),
    ...rest,
  })
const contracts = readOf('/contracts', { shows: ['contract'] })
const both = readOf('/both', { shows: ['contract', 'mails'] })
const quiet = readOf('/quiet', { shows: ['contract'], live: false })
const history = readOf('/history', { shows: () => ['*', 'leads'] as const })
const all = [contracts, both, quiet, history]
type Read = (typeof all)[number]

/** The live connection as the page uses it. */
type Listener = Parameters<typeof listen>
let listeners: Listener[] = []
let reconnect = () => {}
const connection = {
  listen: (...listener: Listener) => {
    listeners.push(listener)
    return () => {
      listeners = listeners.filter((one) => one !== listener)
    }
  },
  onReconnect: (handler: () => void) => {
    reconnect = handler
    return () => {}
  },
}
const channelOf = (name: LiveName) => `private-records.${name}`
const joined = () => listeners.map(([channel]) => channel.replace('private-records.', '')).toSorted()
/** Others change something: as from the server, which doesn't name the channel of an event. */
const change = (name: LiveName) => {
  for (const [, , handler] of listeners) handler({ type: name, ids: [1] })
}

beforeEach(() => {
  listeners = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  onTestFinished(() => void vi.useRealTimers())
  signIn(['contract_list', 'lead_detail'])
  onTestFinished(followChanges(queries, connection))
})

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
/** Lets everything that is due happen, including what it starts. */
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await wait(1)
}

/** A page with some of the reads, which the server has answered. */
async function open(shown: readonly Read[] = all) {
  const { rerender, unmount } = renderHook(
    ({ reads }: { reads: readonly Read[] }) =>
      useQueries({
        queries: all.map((read) => ({ ...queryOptionsFor(read), enabled: reads.includes(read) })),
      }),
    {
      initialProps: { reads: shown },
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  )
  await settle()
  await answer()
  return { show: (reads: readonly Read[]) => rerender({ reads }), unmount }
}

/** Answers all requests; returns their addresses. */
async function answer() {
  const now = asked.splice(0)
  for (const one of now) one.answer(200, {})
  await settle()
  return now.map(({ address }) => address.replace('/api', '')).toSorted()
}
const refetched = async () => {
  await wait(200)
  return answer()
}

test('data on a page is refetched when others change it, and not when they change something else', async () => {
  await open()
  change('mails')
  expect(await refetched()).toEqual(['/both'])
  change('contract')
  expect(await refetched()).toEqual(['/both', '/contracts'])
  change('leads')
  expect(await refetched()).toEqual(['/history'])
  change('task')
  expect(await refetched()).toEqual([])
})

test('changes of one moment refetch what shows them once', async () => {
  await open([both])
  change('contract')
  await wait(100)
  change('contract')
  change('mails')
  await wait(100)
  expect(asked).toEqual([])
  expect(await refetched()).toEqual(['/both'])
})

test('the tab listens to what its pages have loaded as long as it has their data', async () => {
  const { show, unmount } = await open([contracts, quiet])
  expect(joined()).toEqual(['contract'])
  show([both, history])
  await settle()
  expect(joined()).toEqual(['contract', 'leads', 'mails'])
  await answer()
  unmount()
  await settle()
  expect(joined()).toEqual(['contract', 'leads', 'mails'])
  await wait(5 * 60_000)
  await settle()
  expect(joined()).toEqual([])
})

test('data of a page that was left is requested again only at the next visit, if it changed', async () => {
  const { show } = await open([contracts])
  show([])
  await settle()
  change('mails')
  await wait(200)
  show([contracts])
  await settle()
  expect(asked).toEqual([])
  show([])
  await settle()
  change('contract')
  expect(await refetched()).toEqual([])
  show([contracts])
  await settle()
  expect(await answer()).toEqual(['/contracts'])
})

test('viewers listen only to what they can see, also after their permissions changed', async () => {
  signIn(['lead_detail'])
  await open()
  expect(joined()).toEqual(['leads', 'mails'])
  act(() => signIn(['contract_list']))
  await settle()
  expect(joined()).toEqual(['contract', 'mails'])
})

test('data on a page is refetched after a reconnect', async () => {
  await open([contracts, quiet])
  reconnect()
  expect(await refetched()).toEqual(['/contracts'])
})

/** The server lets the page listen, and says how long ago the last change was. */
const join = (name: LiveName, msSinceLast?: number) => {
  for (const [channel, , , onJoined] of listeners)
    if (channel === channelOf(name)) onJoined?.(true, msSinceLast)
}

test('data that was read before a change that the page has missed is refetched', async () => {
  await open([contracts])
  join('contract')
  expect(await refetched()).toEqual([])
  await wait(20_000)
  join('contract', 30_000)
  expect(await refetched()).toEqual([])
  join('contract', 10_000)
  expect(await refetched()).toEqual(['/contracts'])
})
