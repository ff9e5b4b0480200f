import { act, renderHook, waitFor } from '@testing-library/react'
import { QueryClientProvider, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { records } from '#shared/record.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { refetchedBy, refetchShowing } from '#web/api/refetch.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { asked, holdRequests, settle, signIn } from '#web/dom.testing.tsx'

const list = endpoint({
  method: 'GET',
  path: '/things',
  shows: ['contract', 'mails'],
  summary: 'Lists things.',
  access: 'signed-in',
  response: z.object({ ids: z.array(z.number()) }),
})
const remove = endpoint({
  method: 'POST',
  path: '/things/remove',
  summary: 'Removes a thing.',
  access: 'signed-in',
  body: z.object({ id: z.number() }),
})

const one = endpoint({
  method: 'GET',
  path: '/things/{id}',
  shows: ['contract'],
  summary: 'Gets a thing.',
  access: 'signed-in',
  params: z.object({ id: z.number() }),
  response: z.object({ name: z.string() }),
})
const change = endpoint({
  method: 'POST',
  path: '/things/change',
  summary: 'Changes a thing.',
  access: 'signed-in',
})
beforeEach(() => {
  queries.clear()
  holdRequests()
  signIn([])
})

/** A list of 1, 2, and 3, from which rows are removed optimistically. */
async function open() {
  const { result } = renderHook(
    () => ({
      ids: useQuery(queryOptionsFor(list)).data?.ids,
      remove: useSend(remove, {
        optimisticUpdate: ({ body: { id } }, client) =>
          patchCachedReplies(client, list, ({ ids }) => ({ ids: ids.filter((one) => one !== id) })),
      }).send,
    }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  )
  asked[0]!.answer(200, { ids: [1, 2, 3] })
  await waitFor(() => expect(result.current.ids).toEqual([1, 2, 3]))
  const removing = (id: number) => act(async () => void result.current.remove({ body: { id } }))
  const answer = async (
    index: number,
    status: number,
    body: unknown,
    changed: readonly string[] = ['contract'],
  ) => {
    asked[index]!.answer(status, body, status === 200 ? changed : [])
    await settle()
  }
  return { ids: () => result.current.ids, removing, answer }
}
const reads = () => asked.filter(({ method }) => method === 'GET').length

test('of two optimistic updates, the answer of the first does not bring back the row of the second', async () => {
  const { ids, removing, answer } = await open()
  await removing(1)
  await removing(2)
  expect(ids()).toEqual([3])
  await answer(1, 200, {})
  expect([reads(), ids()]).toEqual([1, [3]])
  await answer(2, 200, {})
  expect(reads()).toBe(2)
  await answer(3, 200, { ids: [3, 4] })
  expect(ids()).toEqual([3, 4])
})

test('a refetch for another reason waits for the answer of an optimistic update, also of a failed one', async () => {
  const { ids, removing, answer } = await open()
  await removing(1)
  refetchShowing(queries, ['contract'])
  await settle()
  expect([reads(), ids()]).toEqual([1, [2, 3]])
  await answer(1, 500, { message: 'Something went wrong.' })
  expect([reads(), ids()]).toEqual([2, [1, 2, 3]])

  refetchShowing(queries, ['contract'])
  await settle()
  expect(reads()).toBe(3)
})

test('a request that is never answered holds refetches up for ten seconds only', async () => {
  const { ids, removing } = await open()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await removing(1)
  refetchShowing(queries, ['contract'])
  await act(() => vi.advanceTimersByTimeAsync(9_000))
  expect([reads(), ids()]).toEqual([1, [2, 3]])
  await act(() => vi.advanceTimersByTimeAsync(2_000))
  expect(reads()).toBe(2)
})

test('a request of a closed page that was never answered holds nothing up', async () => {
  const { removing } = await open()
  await removing(1)
  queries.clear()
  holdRequests()
  const after = await open()
  refetchShowing(queries, ['contract'])
  await settle()
  expect([reads(), after.ids()]).toEqual([2, [1, 2, 3]])
})

/** A page with the list and one of its things, and what sends writes. */
async function openBoth() {
  const { result } = renderHook(
    () => ({
      list: useQuery(queryOptionsFor(list)),
      one: useQuery(queryOptionsFor(one, { params: { id: 1 } })),
      change: useSend(change).send,
    }),
    {
      wrapper: ({ children }: { children: ReactNode }) => (
        <QueryClientProvider client={queries}>{children}</QueryClientProvider>
      ),
    },
  )
  asked[0]!.answer(200, { ids: [1, 2] })
  asked[1]!.answer(200, { name: 'First' })
  await waitFor(() => expect(result.current.one.data).toBeDefined())
  asked.length = 0
  const sent = async (send: () => Promise<unknown>, status: number, changed: readonly string[]) => {
    await act(async () => void send())
    asked[0]!.answer(status, { message: 'Done.' }, changed)
    await settle()
    return asked.slice(1).map(({ address }) => address)
  }
  return {
    changing: (status: number, changed: readonly string[]) =>
      sent(() => result.current.change(), status, changed),
  }
}

test('a write refetches what shows records that it changed, each once', async () => {
  const { changing } = await openBoth()
  expect(await changing(200, ['contract', 'mails'])).toEqual(['/api/things', '/api/things/1'])
})

test('a write of other records refetches nothing else', async () => {
  const { changing } = await openBoth()
  expect(await changing(200, ['mails'])).toEqual(['/api/things'])
})

test('a write that changed nothing refetches nothing', async () => {
  const { changing } = await openBoth()
  expect(await changing(200, [])).toEqual([])
})

test('a repeated request, whose changes are unknown, refetches whatever shows records', async () => {
  const { changing } = await openBoth()
  expect(await changing(200, ['*'])).toEqual(['/api/things', '/api/things/1'])
})

test('a conflict refetches whatever shows records; input that was refused does not', async () => {
  const { changing } = await openBoth()
  expect(await changing(409, [])).toEqual(['/api/things', '/api/things/1'])
  asked.length = 0
  expect(await changing(422, [])).toEqual([])
})

test('the page of a record that was moved to the trash is not refetched, its list is', async () => {
  const { changing } = await openBoth()
  expect(await changing(200, ['contract;lists'])).toEqual(['/api/things'])
})

test('data that stays when others change it is refetched after a write of this tab', () => {
  const shown = { shows: ['contract', 'terms'], live: false } as const
  expect(refetchedBy(shown)).toEqual({ shows: ['contract', 'terms'], hears: [] })
  expect(refetchedBy({ shows: shown.shows }).hears).toEqual(['contract'])
})

test('the input of a read can decide what it shows', () => {
  expect(refetchedBy(records.history, { params: { type: 'lead', id: 1 } })).toEqual({
    shows: ['*', 'leads'],
    hears: ['leads'],
  })
})

test('a first answer that was on its way when something changed is followed by another request', async () => {
  const { result } = renderHook(() => useQuery(queryOptionsFor(list)).data?.ids, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    ),
  })
  await settle()
  expect(reads()).toBe(1)
  act(() => refetchShowing(queries, ['contract']))
  await settle()
  expect(reads()).toBe(1)
  asked[0]!.answer(200, { ids: [1, 2, 3] })
  await settle()
  expect(reads()).toBe(2)
  asked[1]!.answer(200, { ids: [1, 2] })
  await waitFor(() => expect(result.current).toEqual([1, 2]))
  await settle()
  expect(reads()).toBe(2)
})
