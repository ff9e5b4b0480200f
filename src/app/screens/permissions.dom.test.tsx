import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoneRefused, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'

const filters = () => within(screen.getByRole('region', { name: 'Filters' }))

/** Grants role 7 what a page with its own parts needs, as a Super Admin does in the settings. */
const grant = ({ as }: TestApp) =>
  as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 7,
    grant: ['setting_view', 'admin_portal_list', 'admin_users_list'],
  })

test('a user with the settings key but neither role 0 nor 1 sees only those settings', async () => {
  const app = await startTestApp()
  expect((await grant(app)).status).toBe(200)
  const { main, sent } = await openPanel(app, 'adh', '/settings')
  await screen.findByRole('form', { name: 'Panel settings' })
  for (const name of ['Roles and permissions', 'Options', 'Outbox'])
    expect(main().queryByRole('link', { name })).toBeNull()
  await expectNoneRefused({ sent })
})

test('without their keys, the admin user filters are hidden', async () => {
  const app = await startTestApp()
  await grant(app)
  const { sent } = await openPanel(app, 'adh', '/admin-users')
  await waitFor(() => expect(filters().getByLabelText('Product')).toBeTruthy())
  // Grace can deactivate herself, but no one else.
  await screen.findByRole('button', { name: 'Deactivate Grace Okafor' })
  expect(screen.getAllByRole('button', { name: /^Deactivate / })).toHaveLength(1)
  expect(filters().queryByRole('searchbox')).toBeNull()
  for (const label of ['Role', 'Team', 'Status']) expect(filters().queryByLabelText(label)).toBeNull()
  await expectNoneRefused({ sent })
})

test('with their keys, the admin user filters are shown', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/admin-users')
  await waitFor(() => expect(filters().getByRole('searchbox')).toBeTruthy())
  for (const label of ['Role', 'Team', 'Status']) expect(filters().getByLabelText(label)).toBeTruthy()
})

test('the audit log is filtered by the number of a record', async () => {
  const app = await startTestApp()
  await grant(app)
  const { address } = await openPanel(app, 'super_admin', '/users/admin-log')
  fill(await screen.findByRole('searchbox', { name: 'Record number' }), '#7')
  await waitFor(() => expect(address()).toMatch(/record=7/))
  expect(await screen.findByRole('button', { name: 'Remove filter Record: #7' })).toBeTruthy()
  const found = await screen.findAllByText('the role ADH')
  expect(found.length).toBeGreaterThan(0)
  fireEvent.click(screen.getByRole('button', { name: 'Remove filter Record: #7' }))
  await waitFor(() => expect(address()).not.toMatch(/record=7/))
})
