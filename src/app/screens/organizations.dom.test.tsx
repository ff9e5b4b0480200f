import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, chooseFound, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { queries } from '#web/api/queries.ts'

test('due items are on the dashboard, which refetches after a trial change', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db, { name: 'Aalto Linen', status: 3 })
  const { intercept, go } = await openPanel(app, 'csm', '/nothing-here')
  let due_on = '2026-12-01'
  intercept('GET', /^\/admin\/organization\/reminders/, () => ({
    status: 200,
    body: { data: [{ id: 1, organization_id, onboarding_id: null, name: 'Aalto Linen', due_on }] },
  }))
  await go('/organizations/all-organizations?status=3')
  const dueSoon = await screen.findByRole('region', { name: 'Due soon' })
  expect(dueSoon.textContent).toContain('1 Dec 2026')
  await go('/dashboard')
  const card = await screen.findByRole('region', { name: /^My day/ })
  const item = (await within(card).findByText('Aalto Linen')).closest('li')
  expect(item?.textContent).toContain('1 Dec 2026')
  await go('/organizations/all-organizations?status=3')
  due_on = '2026-12-24'
  fireEvent.click(await screen.findByRole('button', { name: /^Status of Aalto Linen/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Active' }))
  await waitFor(() =>
    expect(screen.getByRole('region', { name: 'Due soon' }).textContent).toContain('24 Dec 2026'),
  )
})

test('every user of a large organization can be made a master user, by search', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db, { name: 'Aalto Linen' })
  const { intercept, main } = await openPanel(app, 'super_admin', '/users/master/add')
  const user = (id: number) => ({ id, name: `Guest ${id}`, organization_id, is_master: false })
  intercept('GET', /^\/admin\/users\?/, ({ path }) => {
    const search = new URLSearchParams(path.split('?')[1]).get('search')
    const data = search ? [user(57)] : Array.from({ length: 20 }, (_, index) => user(index + 1))
    return { status: 200, body: { data, total: search ? 1 : 60, page: 1, per_page: 20 } }
  })
  const organization = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Organization' })
  await chooseFound(organization, 'Aalto Linen')
  await screen.findByText('Showing the first 20 of 60 users. Search to find others.')
  fill(screen.getByLabelText('Search users'), '57')
  const chosen = screen.getByLabelText<HTMLSelectElement>('User')
  await choose(() => chosen, 'Guest 57')
  const make = screen.getByRole<HTMLButtonElement>('button', { name: 'Add master user' })
  expect(make.disabled).toBe(false)
  // The error is shown, and the choice stays.
  intercept('POST', /^\/admin\/users\/update-org-user/, () => ({
    status: 409,
    body: { message: 'Not today.', request_id: 'x' },
  }))
  fireEvent.click(make)
  expect((await main().findByRole('alert')).textContent).toBe('Not today.')
  expect(organization.value).toBe('Aalto Linen')
  expect(chosen.value).toBe('57')
})

test('the timeline shows the user’s own change and a colleague’s', async () => {
  const app = await startTestApp()
  const id = await enterOrganization(app.db)
  await openPanel(app, 'csm', `/organizations/detail/any/0/${id}`)
  const timeline = within(await screen.findByRole('region', { name: 'Timeline' }))
  const changes = () => timeline.queryAllByText(/changed the status/)
  expect(changes()).toHaveLength(0)
  fireEvent.click(await screen.findByRole('button', { name: /^Status of/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Warning' }))
  await waitFor(() => expect(changes()).toHaveLength(1))
  const { status } = await app
    .as('super_admin')
    .get(`/admin/users/change-organization-status?org_id=${id}&status=1`)
  expect(status).toBe(200)
  await queries.invalidateQueries()
  await waitFor(() => expect(changes()).toHaveLength(2))
})
