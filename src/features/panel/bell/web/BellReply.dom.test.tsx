import { fireEvent, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { emptyReply, replyDraft } from '#features/crm/support/reply.fields.ts'
import BellReply from '#features/panel/bell/web/BellReply.tsx'
import BellPanel from '#features/panel/bell/web/BellPanel.tsx'
import type { UnreadTicket } from '#features/panel/bell/web/bellActs.tsx'
import { addPopovers, asked, holdRequests, renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { keepDraft, readDraft } from '#web/form/draft.ts'
import { showToastsWith } from '#web/message/toast.ts'

const ticket: UnreadTicket = {
  id: 31,
  st_id: 12,
  title: 'Invoice is wrong',
  organization_id: 4,
  who: 'Ana Lima',
  organization: 'Linen Ltd',
  words: 'The sum is wrong.',
  created_at: '2026-11-25T09:00:00.000Z',
}

beforeEach(() => {
  localStorage.clear()
  addPopovers()
  signIn(['all_tickets_list', 'all_tickets_view'])
  holdRequests()
})

const openBell = () =>
  renderPage(() => (
    <BellPanel
      at={{ id: 'bell', opened: true, onClose: () => {} }}
      tickets={{
        data: { ticket_count: 1, unread_tickets: [ticket] },
        error: null,
        isLoading: false,
        refetch: () => {},
      }}
      tasks={undefined}
    />
  ))

const draft = (values: Partial<typeof emptyReply>) => keepDraft(replyDraft(ticket.st_id), values, {})

test('the draft of a ticket is sent from the bell with the message that was seen, and is kept if there is a newer one', async () => {
  draft({ message: '<p>It is fixed.</p>', saved_reply_ids: [3] })
  await renderPage(() => <BellReply ticket={ticket} onSent={() => {}} onClose={() => {}} />)
  const recipients = { requester_email: 'ana@linen.example', reply_cc: ['bo@linen.example'] }
  asked[0]!.answer(200, { data: recipients, is_on: true, sender: null })
  expect(await screen.findByText('To ana@linen.example · Cc bo@linen.example')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await settle()
  const sent = asked.find(({ method }) => method === 'POST')!
  expect(sent.body).toEqual({
    message: '<p>It is fixed.</p>',
    file_ids: [],
    saved_reply_ids: [3],
    cc: ['bo@linen.example'],
    org_id: 4,
    last_message_id: 31,
  })
  sent.answer(409, { message: 'Ana Lima wrote again.', errors: {} })
  expect(await screen.findByText(/Your reply is there\.$/)).toBeTruthy()
  expect(readDraft(replyDraft(ticket.st_id))).toBeTruthy()
})

test('a draft of a text is open in the bell', async () => {
  draft({ message: '<p>Half a</p>' })
  await openBell()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]!.answer(200, { data: { requester_email: null, reply_cc: [] }, is_on: true, sender: null })
  expect(await screen.findByRole('form', { name: 'Reply' })).toBeTruthy()
  expect(screen.getByText('No email will be sent.')).toBeTruthy()
})

test.each([
  ['people in Cc', { message: '<p>Half a</p>', cc: ['b@linen.example'] }],
  ['a status', { message: '<p>Half a</p>', status: '3' }],
])('a draft with %s is continued on the page of its ticket', async (_, values) => {
  draft(values)
  await openBell()
  await settle()
  expect(screen.queryByRole('form', { name: 'Reply' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Continue reply to Invoice is wrong' }))
  await settle()
  expect(asked.filter(({ method }) => method === 'POST')).toEqual([])
})

test('without a mail server, the reply waits, before and after it is sent', async () => {
  const shown: unknown[] = []
  const stop = showToastsWith(({ kind, message }) => void shown.push([kind, message]))
  draft({ message: '<p>It is fixed.</p>' })
  await renderPage(() => <BellReply ticket={ticket} onSent={() => {}} onClose={() => {}} />)
  asked[0]!.answer(200, {
    data: { requester_email: 'ana@linen.example', reply_cc: [] },
    is_on: false,
    sender: null,
  })
  await screen.findByText(/your reply will wait in the outbox/)
  fireEvent.click(screen.getByRole('button', { name: 'Send' }))
  await vi.waitFor(() => expect(asked.some(({ method }) => method === 'POST')).toBe(true))
  const sent = asked.find(({ method }) => method === 'POST')!
  sent.answer(200, { message: 'Sent.', data: { message_id: 32, mail_id: 5, card_id: 0, undo_seconds: 10 } })
  await vi.waitFor(() =>
    expect(shown).toEqual([['notice', 'Reply saved. It will be sent once email is set up.']]),
  )
  stop()
})
