import { act, fireEvent, screen, within } from '@testing-library/react'
import IconAt from '@tabler/icons-react/dist/esm/icons/IconAt.mjs'
import { beforeEach, expect, test, vi } from 'vitest'
import { MyDay } from '#features/panel/dashboard/web/MyDay.tsx'
import { notices } from '#features/panel/notices/contract.ts'
import { queries } from '#web/api/queries.ts'
import { DayDone, DaySnooze } from '#web/dashboard/DayActions.tsx'
import { daySource, type DayItem, type DayPart } from '#web/dashboard/daySource.ts'
import { asked, nextRequest, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { addDays } from '#shared/dates.ts'
import { today } from '#web/time.ts'

const [done, snoozed] = [vi.fn(), vi.fn()]
beforeEach(() => void [done, snoozed].map((mock) => mock.mockClear()))

/** An item as the test's requests answer it. */
interface Answered {
  title: string
  days: number
  since?: string
  hasDialog?: boolean
}
const item = (title: string, days: number, more: Partial<Answered> = {}): Answered => ({
  title,
  days,
  ...more,
})

const read = (reply: unknown): DayPart => {
  const { items, total } = reply as { items: Answered[]; total: number }
  return { total, items: items.map(itemOf) }
}
function itemOf({ title, days, since, hasDialog }: Answered): DayItem {
  const day = addDays(today(), days)
  return {
    key: title,
    title,
    detail: 'Follow-up',
    when: since === undefined ? { day } : { since },
    ...(hasDialog ? { dialog: () => <p role="dialog">{`Dialog of ${title}`}</p> } : {}),
    actions: (
      <>
        <DayDone name={title} onDone={() => done(title)} />
        <DaySnooze name={title} day={day} onSnooze={(chosen) => snoozed(title, chosen)} />
      </>
    ),
  }
}

/** Answers with the first items of a list, and with its total. */
const followUps = daySource({
  name: 'Follow-ups',
  icon: IconAt,
  endpoint: notices.list,
  input: () => [{ query: {} }],
  all: () => '/follow-ups',
  read,
})
const mentions = daySource({
  name: 'Mentions',
  icon: IconAt,
  endpoint: notices.count,
  input: () => [],
  read,
})
const sources = [followUps, mentions]

async function open(parts: Record<'follow' | 'mention', { items: Answered[]; total: number }>) {
  signIn([])
  await renderPage(() => <MyDay sources={sources} />)
  const together = await nextRequest(0)
  together.answer(200, {
    replies: [
      { status: 200, body: parts.follow },
      { status: 200, body: parts.mention },
    ],
  })
  await settle()
}
const none = { items: [], total: 0 }
const region = () => screen.getByRole('region', { name: /^My day/ })
const titles = (group: string) =>
  within(screen.getByRole('region', { name: group }))
    .getAllByRole('listitem')
    .map((row) => row.querySelector('[data-open], span span')?.textContent)

test('what waits in all areas is one list by time, with its total', async () => {
  await open({
    follow: { items: [item('Aalto', -3), item('Cedar', 2)], total: 30 },
    mention: {
      items: [item('Zoe mentioned you', 0, { since: new Date().toISOString() })],
      total: 1,
    },
  })
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('My day31')
  expect([titles('Overdue'), titles('Today'), titles('Upcoming')].map((group) => group.length)).toEqual([
    1, 1, 1,
  ])
  expect(screen.getByRole('region', { name: 'Overdue' }).textContent).toContain('Aalto')
  expect(screen.getByRole('region', { name: 'Upcoming' }).textContent).toContain('Cedar')
  expect(screen.getByRole('link', { name: 'All 30 follow-ups' }).getAttribute('href')).toBe('/follow-ups')
})

test('a group shows its first items until all are asked for', async () => {
  const items = Array.from({ length: 11 }, (_, index) => item(`Lead ${index}`, -20 + index))
  await open({ follow: { items, total: 11 }, mention: none })
  expect(titles('Overdue')).toHaveLength(8)
  fireEvent.click(screen.getByRole('button', { name: 'Show 3 more: Overdue' }))
  expect(titles('Overdue')).toHaveLength(11)
})

test('j and k move through all groups; e, s, and Enter act on the focused item', async () => {
  await open({
    follow: {
      items: [item('Aalto', -3), item('Cedar', 2, { hasDialog: true })],
      total: 2,
    },
    mention: none,
  })
  const press = (key: string) => void fireEvent.keyDown(document.activeElement!, { key })
  press('e')
  expect(done).not.toHaveBeenCalled()
  press('j')
  expect(document.activeElement?.textContent).toContain('Aalto')
  press('e')
  expect(done).toHaveBeenLastCalledWith('Aalto')
  press('j')
  press('e')
  expect(done).toHaveBeenLastCalledWith('Cedar')
  press('s')
  fireEvent.click(await screen.findByRole('button', { name: 'Tomorrow' }))
  expect(snoozed).toHaveBeenLastCalledWith('Cedar', addDays(today(), 1))
  press('k')
  press('j')
  press('Enter')
  expect(screen.getByText('Dialog of Cedar')).toBeTruthy()
})

test('a new item above the focused one leaves the focus on it, and nothing disappears', async () => {
  await open({ follow: { items: [item('Cedar', 2)], total: 1 }, mention: none })
  const press = (key: string) => void fireEvent.keyDown(document.activeElement!, { key })
  press('j')
  const row = document.activeElement
  act(() => void queries.refetchQueries())
  const refetch = await nextRequest(1)
  expect(region().textContent).toContain('Cedar')
  refetch.answer(200, {
    replies: [
      { status: 200, body: { items: [item('Aalto', -3), item('Cedar', 2)], total: 2 } },
      { status: 200, body: none },
    ],
  })
  await settle()
  expect(titles('Overdue')).toHaveLength(1)
  expect(document.activeElement).toBe(row)
  press('e')
  expect(done).toHaveBeenLastCalledWith('Cedar')
})

test('an area that can’t be loaded says so, and leaves the others', async () => {
  signIn([])
  await renderPage(() => <MyDay sources={sources} />)
  ;(await nextRequest(0)).answer(200, {
    replies: [
      { status: 403, body: { message: 'No.' } },
      { status: 200, body: { items: [item('Zoe', 0)], total: 1 } },
    ],
  })
  // An area that failed is read again, alone.
  ;(await nextRequest(1)).answer(403, { message: 'No.' })
  await settle()
  expect(screen.getByRole('alert').textContent).toContain('Follow-ups couldn’t be loaded.')
  expect(region().textContent).toContain('Zoe')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  ;(await nextRequest(2)).answer(200, { items: [item('Aalto', -1)], total: 1 })
  await settle()
  expect(screen.queryByRole('alert')).toBe(null)
  expect(asked).toHaveLength(3)
  expect(region().textContent).toContain('Aalto')
})

test('an empty day says what will be here', async () => {
  await open({ follow: none, mention: none })
  expect(region().textContent).toContain(
    'Nothing waits for youFollow-ups and mentions appear here when they need you.',
  )
})
