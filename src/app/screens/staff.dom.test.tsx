import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { chooseFound, expectNoneRefused, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

const details = async (name: string) =>
  within(await screen.findByRole('dialog', { name: `Details of ${name}` }))

const invite = async ({ as }: TestApp) =>
  (
    await as('super_admin').post('/admin/admin-users/create', {
      user_name: 'noor',
      first_name: 'Noor',
      last_name: 'Visser',
      email: 'noor@staff.example',
      role_id: 2,
      product_ids: [1],
    })
  )['id'] as number

test('a name opens the person’s details, which have an address; without email, a lost invitation is shown as a link', async () => {
  const app = await startTestApp()
  const id = await invite(app)
  const { address, sent } = await openPanel(app, 'super_admin', '/admin-users')
  fireEvent.click(await screen.findByRole('button', { name: 'Noor Visser' }))
  const noor = await details('Noor Visser')
  expect(address()).toBe(`/admin-users?open=${id}`)
  fireEvent.click(noor.getByRole('button', { name: 'Send password setup link' }))
  const link = within(await screen.findByRole('dialog', { name: 'Invitation queued' }))
  expect(link.getByText(/\/login\?invitation=/)).toBeTruthy()
  await expectNoneRefused({ sent })
})

test('an invitation gets its username from the email, until one is typed', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/admin-users')
  fireEvent.click(await screen.findByRole('button', { name: 'Invite' }))
  const form = within(await screen.findByRole('dialog', { name: 'Invite admin user' }))
  const name = () => form.getByRole<HTMLInputElement>('textbox', { name: /^Username/ })
  const email = () => form.getByRole('textbox', { name: /^Email/ })
  fill(email(), 'Noor+x.Visser@staff.example')
  fireEvent.blur(email())
  await waitFor(() => expect(name().value).toBe('noorx.visser'))
  fill(name(), 'noor')
  fill(email(), 'other@staff.example')
  fireEvent.blur(email())
  expect(name().value).toBe('noor')
})

test('an address opens the details of a person whom the filters leave out', async () => {
  const app = await startTestApp()
  await openPanel(app, 'super_admin', `/admin-users?search=ingrid&open=${await invite(app)}`)
  const noor = await details('Noor Visser')
  expect(noor.getByRole('button', { name: 'Edit Noor Visser' })).toBeTruthy()
})

test('the details of a deactivated person are read, but not edited, and send no link', async () => {
  const app = await startTestApp()
  const id = await invite(app)
  await app.as('super_admin').post(`/admin/admin-users/${id}/deactivate`, {})
  await openPanel(app, 'super_admin', `/admin-users?open=${id}`)
  const noor = await details('Noor Visser')
  expect(noor.getAllByText('Deactivated').length).toBeGreaterThan(0)
  expect(noor.queryByRole('button', { name: 'Edit Noor Visser' })).toBeNull()
  const link = noor.getByRole('button', { name: 'Send password setup link' })
  expect(link.title).toBe('Reactivate this admin user first.')
})

test('an invitation that was not delivered says so in the list, and why in the details', async () => {
  const app = await startTestApp()
  const id = await invite(app)
  await sql`update mail_recipients set state = 'failed', last_error = '550 5.1.1 No such user'`.execute(
    app.db,
  )
  await openPanel(app, 'super_admin', `/admin-users?open=${id}`)
  const noor = await details('Noor Visser')
  await noor.findByText(/^Not delivered to noor@staff.example. The address doesn’t exist./)
  expect(screen.getAllByText('Not delivered').length).toBeGreaterThan(0)
})

test('an Admin cannot open the details of a Super Admin', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'admin', `/admin-users?open=${app.as('super_admin').id}`)
  await screen.findByRole('button', { name: 'Paula Ferreira' })
  expect(screen.queryByRole('button', { name: 'Ingrid Solheim' })).toBeNull()
  await expectNoneRefused({ sent })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a missing permission is found from the person’s details, and granted after a preview of who gets it', async () => {
  const app = await startTestApp()
  const { address, sent } = await openPanel(app, 'super_admin', `/admin-users?open=${app.as('crm').id}`)
  const paula = await details('Paula Ferreira')
  fireEvent.click(paula.getByRole('link', { name: 'What can this person do?' }))
  const panel = async () => within(await screen.findByRole('dialog', { name: 'What can this person do?' }))
  expect((await panel()).getByLabelText<HTMLSelectElement>('Admin user').selectedOptions[0]!.text).toBe(
    'Paula Ferreira',
  )
  expect(address()).toBe(`/settings/roles?person=${app.as('crm').id}`)
  fill((await panel()).getByRole('searchbox'), 'move tickets to trash')
  fireEvent.click(await (await panel()).findByRole('button', { name: 'Grant to CRM: Move tickets to trash' }))
  const preview = within(await screen.findByRole('dialog', { name: 'Change permissions of CRM' }))
  expect(preview.getByText(/^\d (person gets|people get) “Move tickets to trash”\.$/)).toBeTruthy()
  expect(preview.getByText(/Paula Ferreira/)).toBeTruthy()
  fireEvent.click(preview.getByRole('button', { name: 'Save' }))
  // The question is open again, with the new answer.
  await (await panel()).findByRole('button', { name: 'Revoke from CRM: Move tickets to trash' })
  await waitFor(() =>
    expect(sent.find(({ path }) => path === '/admin/roles/change-permissions')?.status).toBe(200),
  )
  expect(
    (await app.as('super_admin').get('/admin/roles'))['data'].find(({ id }: { id: number }) => id === 2),
  ).toMatchObject({ permissions: expect.arrayContaining(['all_tickets_delete']) })
})

test('a page that a person can’t open says what is missing, which is granted together', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'super_admin', `/settings/roles?person=${app.as('designer').id}`)
  const panel = async () => within(await screen.findByRole('dialog', { name: 'What can this person do?' }))
  const page = async (name: string) => {
    fill((await panel()).getByRole('searchbox'), name)
    const pages = within(await (await panel()).findByRole('region', { name: 'Pages' }))
    return (await pages.findByText(new RegExp(`^${name}$`, 'i'))).closest('li')!.textContent
  }
  expect(await page('Support: All tickets')).toMatch(
    /No. The role lacks “Show the CRM menu”, “Create tickets and view your own”, and “View all tickets”/,
  )
  expect(await page('Outbox')).toMatch(/No, whatever the permissions. .*: Super Admin and Admin/)
  await page('Support: All tickets')
  fireEvent.click((await panel()).getByRole('button', { name: 'Grant to Designer: Support: All tickets' }))
  const preview = within(await screen.findByRole('dialog', { name: 'Change permissions of Designer' }))
  expect(preview.getByText(/^1 person gets 3 permissions\.$/)).toBeTruthy()
  fireEvent.click(preview.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect(await page('Support: All tickets')).toMatch(/Yes, with Linen$/))
  await expectNoneRefused({ sent })
})

test('the matrix: a change names the people before it is saved, a whole group by Shift and Space, who has a permission', async () => {
  const app = await startTestApp()
  await openPanel(app, 'super_admin', '/settings/roles')
  const box = await screen.findByRole('checkbox', { name: 'Designer: View leads (lead_list)' })
  fireEvent.keyDown(box, { key: ' ', shiftKey: true })
  const preview = async () =>
    within(await screen.findByRole('dialog', { name: 'Change permissions of Designer' }))
  expect((await preview()).getByText(/^1 person gets \d+ permissions\.$/)).toBeTruthy()
  expect((await preview()).getByText('Get “Reject leads”')).toBeTruthy()
  fireEvent.click((await preview()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  fireEvent.click(screen.getByRole('button', { name: 'Reject leads' }))
  const holders = within(await screen.findByRole('dialog', { name: 'Who has this permission?' }))
  expect(holders.getByText(/Paula Ferreira/)).toBeTruthy()
})

test('the matrix shows the chosen roles, which the address keeps', async () => {
  const panel = await openPanel(await startTestApp(), 'super_admin', '/settings/roles')
  const columns = () =>
    screen.getAllByRole('columnheader').map((head) => head.querySelector('button')?.title ?? '')
  fireEvent.click(await screen.findByRole('button', { name: 'Roles All 14' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'CSM' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'CRM' }))
  await waitFor(() => expect(columns()).toEqual(['', 'Show the CRM role', 'Show the CSM role']))
  expect(screen.getByRole('button', { name: 'Roles CRM and CSM' })).toBeTruthy()
  panel.reload()
  await waitFor(() => expect(columns()).toHaveLength(3))
  fireEvent.click(screen.getByRole('button', { name: 'Roles CRM and CSM' }))
  fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'All roles' }))
  await waitFor(() => expect(columns()).toHaveLength(15))
  expect(panel.address()).toBe('/settings/roles')
})

test('work that the new assignee can’t open goes to someone else, or stays unassigned, as the dialog asks', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const csm = as('csm').id
  await enterTicket(db, { assignee_id: csm })
  await enterTask(db, { assigned_to: csm })
  const people = await db.selectFrom('staff').select(['user_name', 'name']).execute()
  const nameOf = (user_name: string) => people.find((one) => one.user_name === user_name)!.name
  const { sent } = await openPanel(app, 'super_admin', '/admin-users')
  fireEvent.click(await screen.findByRole('button', { name: `Deactivate ${nameOf('csm')}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Deactivate ${nameOf('csm')}` }))
  await dialog.findByText('Open work to reassign: 1 ticket, 1 task.')
  await chooseFound(await dialog.findByRole('combobox', { name: /^Reassign to/ }), nameOf('developer'))
  await dialog.findByText(`${nameOf('developer')} can’t open tickets. Choose who gets them.`)
  const tickets = await dialog.findByRole<HTMLInputElement>('combobox', { name: /^Tickets/ })
  expect(tickets.value).toBe('Leave unassigned')
  // Without a layout, the options of the first field stay.
  fill(tickets, nameOf('support'))
  const offered = await waitFor(() =>
    within(document.getElementById(tickets.getAttribute('aria-controls')!)!),
  )
  fireEvent.click(await offered.findByRole('option', { name: nameOf('support') }))
  fireEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
  await screen.findByText(/deactivated\. 2 records reassigned\./)
  expect(sent.findLast(({ path }) => path.endsWith('/deactivate'))!.body).toEqual({
    to: as('developer').id,
    others: { ticket: as('support').id },
  })
})

test('tickets of someone who leaves are distributed among several people, so that no one gets all', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const csm = as('csm').id
  await enterTicket(db, { assignee_id: csm })
  await enterTicket(db, { assignee_id: csm })
  const people = await db.selectFrom('staff').select(['user_name', 'name']).execute()
  const nameOf = (user_name: string) => people.find((one) => one.user_name === user_name)!.name
  const { sent } = await openPanel(app, 'super_admin', '/admin-users')
  fireEvent.click(await screen.findByRole('button', { name: `Deactivate ${nameOf('csm')}` }))
  const dialog = within(await screen.findByRole('dialog', { name: `Deactivate ${nameOf('csm')}` }))
  await dialog.findByText('Open work to reassign: 2 tickets.')
  const among = await dialog.findByRole('combobox', { name: 'Distribute tickets among' })
  for (const user_name of ['support', 'adh']) await chooseFound(among, nameOf(user_name))
  fireEvent.click(dialog.getByRole('button', { name: 'Deactivate' }))
  await screen.findByText(/deactivated\. 2 records reassigned\./)
  expect(sent.findLast(({ path }) => path.endsWith('/deactivate'))!.body).toEqual({
    among: { ticket: [as('support').id, as('adh').id] },
  })
})

test('an admin marks someone as away, which the list says, and as back', async () => {
  const app = await startTestApp()
  const id = await invite(app)
  await openPanel(app, 'super_admin', `/admin-users?open=${id}`)
  const noor = await details('Noor Visser')
  fireEvent.click(noor.getByRole('button', { name: 'Set absence of Noor Visser' }))
  const form = within(await screen.findByRole('dialog', { name: 'Away: Noor Visser' }))
  fireEvent.click(form.getByRole('button', { name: 'Set as away' }))
  await screen.findByText('Noor is away.')
  await waitFor(() => expect(noor.getByText('Away')).toBeTruthy())
  fireEvent.click(noor.getByRole('button', { name: 'Change absence of Noor Visser' }))
  const again = within(await screen.findByRole('dialog', { name: 'Away: Noor Visser' }))
  fireEvent.click(await again.findByRole('button', { name: 'Mark as back' }))
  await screen.findByText('Noor is back.')
  await waitFor(() => expect(noor.queryByText('Away')).toBeNull())
})
