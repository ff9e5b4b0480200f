import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const search = () => screen.findByRole('searchbox', { name: 'Search customers' })
const sheet = () => within(screen.getByRole('region', { name: 'Customer' }))

test('a caller is found by a part of their number, with their tickets’ last words; earlier callers are at hand', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  await enterUser(app.db, id, 'Aino', { phone: '+1 555 0166' })
  await enterUser(app.db, id, 'Bela', { phone: '+1 555 0177' })
  await enterTicket(app.db, { organization_id: id, title: 'Scanner stopped' })
  const { sent, go } = await openPanel(app, 'csm', '/customer-view')
  for (const [number, name] of [
    ['0166', 'Aino'],
    ['0177', 'Bela'],
  ] as const) {
    fill(await search(), number)
    press('Enter', {}, await search())
    await sheet().findByRole('heading', { level: 2, name })
  }
  expect(sheet().getByRole('region', { name: 'Open tickets' }).textContent).toMatch(/Scanner stopped.*: “.+”/)
  // Without a search, the last customers are listed, newest first.
  await go('/customer-view')
  const recent = within(await screen.findByRole('list', { name: 'Recent' }))
  expect(recent.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'BelaIris Hotel',
    'AinoIris Hotel',
  ])
  fireEvent.click(recent.getByRole('link', { name: /Aino/ }))
  await sheet().findByRole('heading', { level: 2, name: 'Aino' })
  await expectNoneRefused({ sent })
})

test('a note of a call becomes a ticket of the caller, with the note as its message', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  const user = await enterUser(app.db, id, 'Aino', { phone: '+1 555 0166' })
  const { address, sent, go } = await openPanel(app, 'csm', `/customer-view?organization=${id}&user=${user}`)
  const note = await screen.findByRole('textbox', { name: 'Write a note' })
  expect(screen.queryByRole('button', { name: 'Create ticket from note' })).toBeNull()
  fill(note, 'Counts are <b>wrong</b>\nsince Monday')
  fireEvent.click(await screen.findByRole('button', { name: 'Create ticket from note' }))
  await waitFor(() => expect(address()).toBe(`/support/generate?organization=${id}&requester=${user}`))
  fill(await screen.findByRole('textbox', { name: 'Title' }), 'Wrong counts')
  fireEvent.click(screen.getByRole('button', { name: 'Create ticket' }))
  await waitFor(() => expect(address()).toMatch(/^\/support\/ticket\//))
  expect(sent.find(({ path }) => path === '/admin/support/ticket')?.body).toMatchObject({
    title: 'Wrong counts',
    org_id: id,
    user_id: user,
    message: '<p>Counts are &lt;b&gt;wrong&lt;/b&gt;</p><p>since Monday</p>',
  })
  // The note moved: it is not kept as a draft as well.
  await go(`/customer-view?organization=${id}&user=${user}`)
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' })).value).toBe('')
})

test('a call is timed until it ends or its note is added, and then listed', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  const user = await enterUser(app.db, id, 'Aino', { phone: '+1 555 0166' })
  const { sent, go } = await openPanel(app, 'csm', `/customer-view?organization=${id}&user=${user}`)
  const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000)
  const logged = () => sent.filter(({ path }) => path === `/admin/customer-view/${id}/calls`)
  fireEvent.click(await screen.findByRole('button', { name: 'Start call' }))
  await screen.findByRole('timer')
  // The call continues while another customer is open.
  await go(`/customer-view?organization=${id}`)
  const back = await screen.findByRole('link', { name: 'Show caller' })
  pass(192)
  fireEvent.click(back)
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Show caller' })).toBeNull())
  fireEvent.click(await screen.findByRole('button', { name: 'End call' }))
  const recent = within(await screen.findByRole('list', { name: 'Recent calls' }))
  expect(recent.getByRole('link').textContent).toMatch(/AinoIris Hotel · .* · 3 min$/)
  expect(logged().map(({ body }) => body)).toEqual([{ seconds: 192, user }])

  fireEvent.click(await screen.findByRole('button', { name: 'Start call' }))
  pass(61)
  fill(await screen.findByRole('textbox', { name: 'Write a note' }), 'Counts are right again')
  fireEvent.click(screen.getByRole('button', { name: 'Save call note' }))
  await waitFor(() => expect(logged().map(({ body }) => body)).toHaveLength(2))
  expect(logged()[1]!.body).toEqual({ seconds: 61, user })
  await screen.findByRole('button', { name: 'Start call' })
})

test('a logged call is undone, and one that was started by mistake is discarded', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  const { sent, go } = await openPanel(app, 'csm', `/customer-view?organization=${id}`)
  fireEvent.click(await screen.findByRole('button', { name: 'Start call' }))
  fireEvent.click(await screen.findByRole('button', { name: 'End call' }))
  await screen.findByRole('list', { name: 'Recent calls' })
  // Where the call was ended, so that it covers nothing, such as New ticket.
  const said = await screen.findByText('Call with Iris Hotel logged: less than a minute.')
  expect(said.closest('[role=alert]')).toBeNull()
  fireEvent.click(within(said).getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Recent calls' })).toBeNull())

  fireEvent.click(await screen.findByRole('button', { name: 'Start call' }))
  // Without an open customer, the call is still there.
  await go('/customer-view')
  await screen.findByRole('link', { name: 'Show caller' })
  fireEvent.click(await screen.findByRole('button', { name: 'Discard call' }))
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull())
  expect(sent.filter(({ path }) => path.endsWith('/calls') && path.includes(`/${id}/`))).toHaveLength(1)
  await expectNoneRefused({ sent })
})

test('a ticket of an unknown caller starts with what was typed to find them', async () => {
  const app = await startTestApp()
  const { address } = await openPanel(app, 'csm', '/customer-view?q=%2B1%20555%200199')
  fireEvent.click(await screen.findByRole('link', { name: 'Create a ticket without a customer' }))
  await waitFor(() => expect(address()).toMatch(/^\/support\/generate\?caller=/))
  const phone = await screen.findByRole<HTMLInputElement>('textbox', { name: /^Requester’s phone/ })
  expect(phone.value).toBe('+1 555 0199')
})

test('the tickets of a caller without an account are found by their number; a user’s are beside the user', async () => {
  const app = await startTestApp()
  const org = await enterOrganization(app.db, { name: 'Iris Hotel' })
  await enterTicket(app.db, {
    title: 'Keys',
    organization_id: org,
    customer_user_id: await enterUser(app.db, org, 'Bo', { phone: '+49 30 5550 1877' }),
  })
  const { id } = await enterTicket(app.db, {
    title: 'The scanner beeps',
    sender_name: 'Karl',
    sender_phone: '+49 30 5550 1877',
  })
  await openPanel(app, 'support', '/customer-view?q=030%2055501877')
  const found = within(await screen.findByRole('list', { name: 'Tickets of callers' }))
  expect(found.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
    `/support/ticket/${id}/0`,
  ])
  found.getByText('The scanner beeps')
  found.getByText(/^Karl/)
})

test('beside a ticket are its customer’s trial, last notes, and last emails, for viewers who can see them', async () => {
  const app = await startTestApp({ now: '2026-11-18T09:00:00.000Z' })
  const id = await enterOrganization(app.db, { name: 'Iris Hotel', status: 2, trial_end_date: '2026-11-27' })
  const user = await enterUser(app.db, id, 'Aino')
  const { id: ticket } = await enterTicket(app.db, { organization_id: id, customer_user_id: user })
  await app.as('csm').post(`/admin/general/notes/customer_user/${user}`, { note: 'Wants a demo of labels.' })
  const { main, sent } = await openPanel(app, 'support', `/support/ticket/${ticket}/0`)
  const beside = within(await main().findByRole('region', { name: 'Organization' }))
  await beside.findByText('9 days left')
  expect(beside.getByRole('list').textContent).toContain('Wants a demo of labels.')
  expect(beside.getByRole('link', { name: 'Customer view' }).getAttribute('href')).toBe(
    `/customer-view?organization=${id}&user=${user}`,
  )
  await expectNoneRefused({ sent })
})

test('a ticket without an organization, and one of a viewer who can’t see customers, have no such part', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db, { name: 'Iris Hotel' })
  const { id: ticket } = await enterTicket(app.db, { organization_id: id })
  const { id: unknown } = await enterTicket(app.db, { title: 'By phone' })
  const { main, sent } = await openPanel(app, 'support', `/support/ticket/${unknown}/0`)
  await main().findByRole('region', { name: 'Requester' })
  expect(main().queryByRole('region', { name: 'Organization' })).toBeNull()
  await app.as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 4,
    revoke: ['all_organization_list', 'all_users_list'],
  })
  const { main: other, sent: asked } = await openPanel(app, 'support', `/support/ticket/${ticket}/0`)
  await other().findByRole('region', { name: 'Requester' })
  expect(other().queryByRole('region', { name: 'Organization' })).toBeNull()
  await expectNoneRefused({ sent: [...sent, ...asked] })
})
