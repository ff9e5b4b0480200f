import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('a message is moved to a new ticket, which opens; the rest stays', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'The scanner stopped' })
  await app.db
    .insertInto('ticket_messages')
    .values({
      ticket_id: id,
      sent_by_admin: false,
      message: '<p>By the way,</p><p>the <b>invoice</b>.<br>See below.</p>',
    })
    .execute()
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Split into two tickets' }))
  const save = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Move \d messages?$/ })
  const [first, second] = await screen.findAllByRole('checkbox', { name: /Someone/ })
  expect(save().disabled).toBe(true)
  fireEvent.click(first!)
  fireEvent.click(second!)
  await screen.findByText('Leave at least one message in this ticket.')
  fireEvent.click(first!)
  expect(screen.getByText('By the way, the invoice. See below.', { selector: 'span' })).toBeTruthy()
  fireEvent.change(screen.getByLabelText(/^Title of the new ticket/), { target: { value: 'Invoice' } })
  await waitFor(() => expect(save().disabled).toBe(false))
  fireEvent.click(save())
  await screen.findByRole('heading', { name: /Invoice/, level: 1 })
  const counts = await app.db
    .selectFrom('ticket_messages')
    .select(['ticket_id', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('ticket_id')
    .orderBy('ticket_id')
    .execute()
  expect(counts.map(({ count }) => count)).toEqual([1, 1])
})

test('the dialog names the requester of the new ticket', async () => {
  const app = await startTestApp()
  const org = await enterOrganization(app.db)
  const karl = await enterUser(app.db, org, 'Karl')
  const mia = await enterUser(app.db, org, 'Mia')
  const { id } = await enterTicket(app.db, { organization_id: org, customer_user_id: karl })
  await app.db
    .insertInto('ticket_messages')
    .values({ ticket_id: id, sent_by_admin: false, customer_user_id: mia, message: '<p>And?</p>' })
    .execute()
  await openPanel(app, 'support', `/support/ticket/${id}/${org}`)
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Split into two tickets' }))
  await screen.findByText(/^Requester: Karl\./)
  fireEvent.click(await screen.findByRole('checkbox', { name: /Mia/ }))
  await screen.findByText(/^Requester: Mia\./)
  fireEvent.click(screen.getByRole('checkbox', { name: /Karl/ }))
  await screen.findByText(/^Requester: Karl\./)
})
