import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name })
const inRail = async () => within(await screen.findByRole('region', { name: 'Requester' }))

test('a mistyped address is corrected beside the requester, and a user is chosen from the menu', async () => {
  const app = await startTestApp()
  const org = await enterOrganization(app.db, { name: 'Aalto Linen' })
  const user_id = await enterUser(app.db, org, 'Aino', { email: 'aino@aalto.example' })
  const { id } = await enterTicket(app.db, { sender_email: 'aino@alto.example' })
  const { sent } = await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click((await inRail()).getByRole('button', { name: 'Change requester' }))
  const email = await field(/^Email/)
  expect(email.value).toBe('aino@alto.example')
  const save = () =>
    within(screen.getByRole('dialog')).getByRole<HTMLButtonElement>('button', { name: 'Change requester' })
  fill(email, '')
  await screen.findByText('Without it, replies can’t be emailed.')
  fireEvent.click(save())
  await screen.findByText('This field is required.')
  fill(email, 'aino@home.example')
  fireEvent.click(save())
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(async () => (await inRail()).getByText('aino@home.example', { selector: 'a, span' }))

  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change requester' }))
  fill(await screen.findByRole('combobox', { name: /^Requester/ }), 'zzz')
  await screen.findByText('No users found.')
  fill(await screen.findByRole('combobox', { name: /^Requester/ }), 'aino@aalto')
  fireEvent.click(await screen.findByRole('option', { name: 'Aino · aino@aalto.example · Aalto Linen' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Email/ })).toBeNull())
  fireEvent.click(save())
  await waitFor(async () => (await inRail()).getByRole('link', { name: 'Aino' }))
  const last = sent.findLast(({ path }) => path.endsWith('/requester'))!
  expect(last.body).toMatchObject({ user_id, sender_email: '' })
})

test('the requester of an admin user’s own request can’t be changed', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { staff_id: app.as('editor').id })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  expect((await inRail()).queryByRole('button', { name: 'Change requester' })).toBeNull()
  fireEvent.click(await screen.findByRole('button', { name: 'More' }))
  // Control: the menu is open.
  await screen.findByRole('menuitem', { name: 'Merge with another ticket' })
  expect(screen.queryByRole('menuitem', { name: 'Change requester' })).toBeNull()
})

test('a message of another address becomes the requester’s, so that the reply goes there, with Undo', async () => {
  const app = await startTestApp()
  const org = await enterOrganization(app.db)
  const user = await enterUser(app.db, org, 'Zoe', { email: 'zoe@aalto.example' })
  const { id } = await enterTicket(app.db, { organization_id: org, customer_user_id: user })
  await app.db
    .insertInto('ticket_messages')
    .values({
      ticket_id: id,
      sent_by_admin: false,
      sender_name: 'Zoe',
      sender_email: 'zoe.berg@mail.example',
      message: '<p>I write from home.</p>',
    })
    .execute()
  await openPanel(app, 'support', `/support/ticket/${id}/${org}`)
  await screen.findByText('To zoe@aalto.example')
  fireEvent.click(await screen.findByRole('button', { name: 'Is the requester' }))
  await screen.findByText('To zoe.berg@mail.example')
  expect(screen.queryByText('Not the requester')).toBeNull()
  await clickUndo(/^zoe\.berg@mail\.example is now an address of the requester/)
  await screen.findByText('To zoe@aalto.example')
  screen.getByText('Not the requester')
})

test('the assignee is marked as away in the properties of the ticket', async () => {
  const app = await startTestApp()
  const { id: assignee_id } = app.as('csm')
  await app.as('csm').post(`/admin/admin-users/${assignee_id}/away`, { until: null })
  const { id } = await enterTicket(app.db, { assignee_id })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await screen.findByText('Daniel Aguirre (away)')
})
