import { screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sampleReply } from '#features/crm/support/web/ticketMessage.testing.ts'
import { WaitingTime } from '#features/crm/support/web/WaitingTime.tsx'
import { renderPage, signIn } from '#web/dom.testing.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-18T14:42:00Z') }))
afterEach(() => void vi.useRealTimers())

const ago = (minutes: number, sent_by_admin = false) => ({
  ...sampleReply,
  sent_by_admin,
  created_at: new Date(Date.now() - minutes * 60_000).toISOString(),
})

const show = async (status: number, ...messages: (typeof sampleReply)[]) => {
  signIn([])
  await renderPage(() => <WaitingTime ticket={{ status, messages }} />)
  return screen.queryByText(/^Waiting/)?.textContent
}

test('a customer waits since their first message after the last reply', async () => {
  expect(await show(0, ago(900), ago(600, true), ago(136), ago(44))).toBe('Waiting 2 h 16 min for a reply')
})

test('a customer who never got a reply waits since they opened the ticket', async () => {
  expect(await show(1, ago(44))).toBe('Waiting 44 min for a reply')
})

test('a customer who wrote in this minute has no number of minutes', async () => {
  expect(await show(1, ago(0))).toBe('Waiting, just now')
})

test.each([
  ['was answered', 0, [ago(50), ago(44, true)]],
  ['waits on the customer', 3, [ago(44)]],
  ['is resolved', 4, [ago(44)]],
] as const)('no one waits for a ticket that %s', async (_, status, messages) => {
  expect(await show(status, ...messages)).toBeUndefined()
})

test('beside a service target, the text is short', async () => {
  signIn([])
  await renderPage(() => <WaitingTime ticket={{ status: 0, messages: [ago(44)] }} isShort />)
  expect(screen.getByText(/^Waiting/).textContent).toBe('Waiting 44 min')
})
