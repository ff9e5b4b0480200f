import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, chooseFound, fill, openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

const field = (name: RegExp) => screen.findByRole<HTMLInputElement>('textbox', { name })

test('a ticket is written down for a caller without an account', async () => {
  const app = await startTestApp()
  await openPanel(app, 'support', '/support/generate')
  fill(await field(/^Title/), 'Second shift can’t sign in')
  fill(await field(/^Requester’s name/), 'Anna Reuter')
  await screen.findByText('Without it, replies can’t be emailed.')
  fill(await field(/^Requester’s phone/), '+49 30 5550 1877')
  await write('Message', 'The app stays white.')
  press('Enter', { ctrlKey: true }, await field(/^Title/))
  const requester = within(await screen.findByRole('region', { name: 'Requester' }))
  expect(requester.getByText('Anna Reuter')).toBeTruthy()
  expect(requester.getByRole('link', { name: '+49 30 5550 1877' }).getAttribute('href')).toBe(
    'tel:+493055501877',
  )
})

test('a caller who was typed is not sent once a user with an account is chosen', async () => {
  const app = await startTestApp()
  const org = await enterOrganization(app.db, { name: 'Aalto Linen' })
  const user_id = await enterUser(app.db, org, 'Aino')
  const { sent } = await openPanel(app, 'super_admin', '/support/generate')
  fill(await field(/^Title/), 'Keys')
  fill(await field(/^Requester’s name/), 'Anna Reuter')
  await write('Message', 'Who asks?')
  await chooseFound(await screen.findByRole('combobox', { name: 'Organization' }), 'Aalto Linen')
  const users = document.querySelector<HTMLSelectElement>('select[name=user_id]')!
  // Control: the form names the requester.
  await within(users).findByRole('option', { name: 'Someone without an account' })
  await choose(() => users, 'Aino')
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Requester’s name/ })).toBeNull())
  press('Enter', { ctrlKey: true }, await field(/^Title/))
  const filed = () => sent.find(({ method, path }) => method === 'POST' && path === '/admin/support/ticket')
  await waitFor(() => expect(filed()?.status).toBe(200))
  expect(filed()!.body).toMatchObject({ user_id, sender_name: '' })
})

test('a known caller is found by a name or a number, without choosing the organization first', async () => {
  const app = await startTestApp()
  const elm = await enterOrganization(app.db, { name: 'Elm Resort' })
  await enterUser(app.db, await enterOrganization(app.db), 'Jana')
  const user_id = await enterUser(app.db, elm, 'Jana', {
    email: 'jana@elm.example',
    phone: '+49 30 5550 1877',
  })
  const { sent } = await openPanel(app, 'support', '/support/generate')
  fill(await field(/^Title/), 'Keys')
  fill(await field(/^Requester’s name/), 'jana')
  await screen.findByRole('button', { name: 'Jana Aalto Linen · jana@aalto.example' })
  fill(await field(/^Requester’s name/), '')
  fill(await field(/^Requester’s phone/), '030 55501877')
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Jana Aalto/ })).toBeNull())
  fireEvent.click(await screen.findByRole('button', { name: 'Jana Elm Resort · jana@elm.example' }))
  await waitFor(() => expect(screen.queryByRole('textbox', { name: /^Requester’s name/ })).toBeNull())
  await write('Message', 'They are lost.')
  press('Enter', { ctrlKey: true }, await field(/^Title/))
  const filed = () => sent.find(({ method, path }) => method === 'POST' && path === '/admin/support/ticket')
  await waitFor(() => expect(filed()?.status).toBe(200))
  expect(filed()!.body).toMatchObject({ org_id: elm, user_id, sender_phone: '' })
})

test('a conversation begins with the email address of someone without an account', async () => {
  const app = await startTestApp()
  const { sent } = await openPanel(app, 'support', '/support/generate')
  fill(await field(/^Title/), 'Your invoice')
  expect(document.querySelector('select[name=to_customer]')).toBeNull()
  fill(await field(/^Requester’s email/), 'anna@pinewald.example')
  await choose(
    () => document.querySelector<HTMLSelectElement>('select[name=to_customer]')!,
    'Me; the customer gets it by email',
  )
  await write('Message', 'It was printed twice.')
  await screen.findByRole('button', { name: 'Create and send' })
  press('Enter', { ctrlKey: true }, await field(/^Title/))
  const filed = () => sent.find(({ method, path }) => method === 'POST' && path === '/admin/support/ticket')
  await waitFor(() => expect(filed()?.status).toBe(200))
  expect(filed()!.body).toMatchObject({ to_customer: 1, sender_email: 'anna@pinewald.example' })
  const requester = within(await screen.findByRole('region', { name: 'Requester' }))
  expect(requester.getAllByText('anna@pinewald.example').length).toBeGreaterThan(0)
})
