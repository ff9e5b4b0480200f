import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

test('the audit log says what was changed from what to what', async () => {
  const app = await startTestApp()
  await app.as('crm').post('/admin/users/save-demo-requests', { lead_for: 1, companyName: 'Aalto Linen' })
  const { intercept, address, go } = await openPanel(app, 'super_admin', '/dashboard')
  const unnamed = { label: null, before_words: null, after_words: null }
  intercept('GET', /^\/admin\/users\/admin-log/, async ({ path }) => {
    const { status, ...body } = await app.as('super_admin').get(path)
    if (Array.isArray(body['data']) && body['data'][0]?.changes)
      Object.assign(body['data'][0], {
        act: 'Edited',
        area: 'lead',
        record: 7,
        name: 'Aalto Linen',
        changed: 1,
        changes: [
          { ...unnamed, field: 'trial_end_date', before: null, after: '2026-03-03' },
          { ...unnamed, field: 'status', before: 1, after: 7, before_words: 'New', after_words: 'Won' },
          {
            ...unnamed,
            field: 'assign_to',
            label: 'Assignee',
            before: null,
            after: 3,
            after_words: 'Paula Ferreira',
          },
        ],
      })
    return { status, body }
  })
  await go('/users/admin-log')
  const entries = within(await screen.findByRole('list', { name: 'Audit log' }))
  await waitFor(() =>
    expect(entries.getAllByRole('listitem')[0]!.textContent).toContain(
      'set the trial end date of Aalto Linen to 3 Mar 2026, changed the status from New to Won, ' +
        'and set the assignee to Paula Ferreira',
    ),
  )
  press('j')
  press('Enter')
  await waitFor(() => expect(address()).toMatch(/open=\d+/))
  const entry = within(screen.getByRole('region', { name: 'Reading pane' }))
  expect((await entry.findByRole('region', { name: 'Request' })).textContent).toContain('Endpoint')
  fireEvent.click(entry.getByRole('link', { name: /^All changes by / }))
  await waitFor(() => expect(address()).toMatch(/staff_id=\d+/))
  fill(screen.getByRole('searchbox', { name: 'Search records, fields, or values' }), 'no such value')
  await waitFor(() => expect(screen.queryByRole('list', { name: 'Audit log' })).toBeNull())
})

test('the logs are two tabs, for those who can read both', async () => {
  const app = await startTestApp()
  const { address } = await openPanel(app, 'super_admin', '/users/admin-log')
  const tabs = () => within(screen.getByRole('navigation', { name: 'Logs' }))
  await screen.findByRole('navigation', { name: 'Logs' })
  expect(tabs().getByRole('link', { name: 'Changes' }).getAttribute('aria-current')).toBe('page')
  fireEvent.click(tabs().getByRole('link', { name: 'Sign-ins' }))
  await waitFor(() => expect(address()).toBe('/users/log'))
  await screen.findByRole('region', { name: 'Sign-in log' })
  expect(tabs().getByRole('link', { name: 'Sign-ins' }).getAttribute('aria-current')).toBe('page')
})

test('a user without the sign-in log sees the audit log without tabs', async () => {
  const app = await startTestApp()
  await app.as('super_admin').post('/admin/roles/change-permissions', {
    role_id: 1,
    revoke: ['login_logs_view'],
  })
  await openPanel(app, 'admin', '/users/admin-log')
  await screen.findByRole('list', { name: 'Audit log' })
  expect(screen.queryByRole('navigation', { name: 'Logs' })).toBeNull()
})
