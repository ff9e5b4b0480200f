import { act, fireEvent, screen } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { tickets } from '#features/crm/support/contract.ts'
import { Bell } from '#features/panel/bell/web/Bell.tsx'
import { notices } from '#features/panel/notices/contract.ts'
import { anyTask } from '#features/tasks/tasks/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { queries } from '#web/api/queries.ts'
import { addPopovers, asked, renderPage } from '#web/dom.testing.tsx'
import { useAfterLoad } from '#web/parts/useAfterLoad.ts'
import { storeSession } from '#web/session.ts'

afterEach(() => void vi.useRealTimers())
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

function signIn(): void {
  storeSession({
    token: 'token',
    user: { id: 7, first_name: 'Ada', last_name: 'Berg', role_id: 1, avatar: null },
    products: [{ id: 1, name: 'Atlas', status: 1 } as never],
    user_product: [1],
    user_permissions: ['all_tickets_list', 'view_task_is_notified'],
  })
}

/** Answers the request for both counts. */
function answerBoth(ticket_count: number, task_count: number): void {
  const { address, body, answer } = asked.at(-1)!
  expect(address).toContain('/admin/reads')
  const counts: object[] = [
    { ticket_count, unread_tickets: [] },
    { task_count, tasks: [] },
  ]
  expect((body as { reads: { path: string }[] }).reads.map(({ path }) => path)).toEqual([
    tickets.unread.path,
    anyTask.unnotified.path,
  ])
  answer(200, { replies: counts.map((count) => ({ status: 200, body: count })) })
}

test('the bell counts as soon as the page has loaded, and not before', async () => {
  signIn()
  const Page = () => {
    useQuery(queryOptionsFor(notices.count))
    return <Bell isLoaded={useAfterLoad()} />
  }
  await renderPage(Page)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await pass(60_000)
  expect(asked.map(({ address }) => address)).toEqual([expect.stringContaining('notices')])
  asked[0]!.answer(200, { count: 0 })
  await pass(1000)
  expect(asked).toHaveLength(2)
  answerBoth(3, 2)
  await pass(0)
  expect(screen.getByRole('button', { name: 'Notifications, 5 new' })).toBeTruthy()
})

test.each([
  [0, 2, 'Tasks'],
  [3, 2, 'Support'],
  [0, 0, 'Support'],
])('with %i unread tickets and %i tasks, the bell opens on %s', async (ticket_count, task_count, tab) => {
  signIn()
  addPopovers()
  await renderPage(() => <Bell isLoaded />)
  fireEvent.click(await screen.findByRole('button', { name: /^Notifications/ }))
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  answerBoth(ticket_count, task_count)
  if (ticket_count + task_count > 0)
    await screen.findByRole('button', { name: `Notifications, ${ticket_count + task_count} new` })
  const shownTab = async () => (await screen.findByRole('tab', { selected: true })).textContent
  await vi.waitFor(async () => expect(await shownTab()).toMatch(tab))
  // The tab stays when its last ticket is read.
  await act(async () =>
    queries.setQueryData(queryOptionsFor(tickets.unread).queryKey, { ticket_count: 0, unread_tickets: [] }),
  )
  expect(await shownTab()).toMatch(tab)
})
