import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Ticket } from '#features/crm/support/contract.ts'
import { TicketTargets } from '#features/crm/support/web/TicketTargets.tsx'
import { renderPage, signIn } from '#web/dom.testing.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T14:42:00Z') }))
afterEach(() => void vi.useRealTimers())

type Target = Ticket['targets'][number]
const at = (time: string) => `2026-11-18T${time}:00.000Z`

const shown = async (target: Partial<Target>) => {
  signIn([])
  const running: Target = {
    kind: 'next_response',
    minutes: 480,
    due_at: null,
    seconds_left: null,
    ended_at: null,
  }
  await renderPage(() => <TicketTargets ticket={{ targets: [{ ...running, ...target }] }} />)
  return screen.queryByRole('definition')?.textContent
}

test.each([
  ['runs', { due_at: at('15:58') }, '1 h 16 min left'],
  ['is overdue', { due_at: at('14:02') }, 'Overdue by 40 min'],
  ['is paused', { seconds_left: 7200 }, '2 h left, paused'],
  ['was overdue when it was paused', { seconds_left: -7200 }, 'Overdue by 2 h, paused'],
  ['was met', { seconds_left: 126 * 60, ended_at: at('10:00') }, '5 h 54 minof 8 hMet'],
  ['was missed', { seconds_left: -1800, ended_at: at('10:00') }, '8 h 30 minof 8 hMissed'],
  // Hours of work, of which a day has fewer than 24.
  ['is long', { minutes: 3600, seconds_left: 0, ended_at: at('10:00') }, '60 hof 60 hMet'],
] as const)('a service target that %s', async (_, target, text) => {
  expect(await shown(target)).toBe(text)
})

test('a ticket without service targets has no section for them', async () => {
  signIn([])
  await renderPage(() => <TicketTargets ticket={{ targets: [] }} />)
  expect(screen.queryByText('Service targets')).toBeNull()
})
