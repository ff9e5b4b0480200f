import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { choose, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

test.each([
  ['case-study', true],
  ['event', false],
] as const)(
  'a list of %s whose call fails keeps its rows (%s) or becomes empty, and logs to the console only',
  async (kind, kept) => {
    const app = await startTestApp()
    const saved = await app.as('super_admin').post(`/admin/${kind}/create?product_id=1`, {
      title: 'Lighter bags',
      body: '<p>Two kilograms less.</p>',
    })
    expect(saved).toMatchObject({ status: 200 })
    const said = vi.spyOn(console, 'error').mockImplementation(() => {})
    const { intercept, address } = await openPanel(app, 'super_admin', `/${kind}`)
    await screen.findByRole('rowheader', { name: 'Lighter bags' })
    intercept('GET', new RegExp(`^/admin/${kind}\\?`), () => ({
      status: 500,
      body: { message: 'The list is broken.' },
    }))
    fill(screen.getByRole('searchbox'), 'linen')
    await waitFor(() => expect(String(said.mock.calls)).toContain('The list is broken.'))
    if (kept) {
      // The search belongs to rows that never came, so the list returns to its old filters.
      await waitFor(() => expect(address()).toBe(`/${kind}`))
      expect(screen.getAllByRole('rowheader').map((one) => one.textContent)).toEqual(['Lighter bags'])
    } else await waitFor(() => expect(screen.queryAllByRole('rowheader')).toEqual([]))
    expect(screen.queryByText('The list is broken.')).toBeNull()
    expect(screen.queryAllByRole('alert')).toEqual([])
  },
)

test('a case study that could not be saved says so without a message, and keeps its input', async () => {
  const app = await startTestApp()
  const { data } = await app
    .as('super_admin')
    .post('/admin/case-study/create?product_id=1', { title: 'Lighter bags', body: '<p>Less.</p>' })
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { intercept } = await openPanel(app, 'super_admin', `/case-study/edit/${data.slug}`)
  intercept('PUT', /^\/admin\/case-study\/update\//, () => ({
    status: 500,
    body: { message: 'The save is broken.' },
  }))
  const form = within(await screen.findByRole('form', { name: /^Edit/ }))
  const title = form.getByRole<HTMLInputElement>('textbox', { name: /^Title/ })
  fill(title, 'Sheets for a harbor hotel')
  fireEvent.click(form.getByRole('button', { name: 'Save' }))
  await form.findByText('Not saved yet.')
  expect(String(said.mock.calls)).toContain('The save is broken.')
  expect(title.value).toBe('Sheets for a harbor hotel')
  expect(screen.queryByText('The save is broken.')).toBeNull()
})

test('switching the product asks before unsaved input is discarded, and restores it with its product', async () => {
  await openPanel(await startTestApp(), 'super_admin', '/case-study/create')
  const title = () => screen.getByRole<HTMLInputElement>('textbox', { name: /^Title/ })
  const product = (name: string) =>
    within(screen.getByRole('group', { name: 'Product' })).getByRole('button', { name })
  const chosen = (name: string) =>
    waitFor(() => expect(product(name).getAttribute('aria-pressed')).toBe('true'))
  const answer = async (name: string) => {
    const question = within(await screen.findByRole('dialog', { name: 'Leave this page?' }))
    fireEvent.click(question.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Leave this page?' })).toBeNull())
  }
  await screen.findByRole('textbox', { name: /^Title/ })
  fill(title(), 'Not saved yet')
  fireEvent.click(product('staffer'))
  await answer('Cancel')
  await chosen('Linen')
  expect(title().value).toBe('Not saved yet')
  fireEvent.click(product('staffer'))
  await answer('Proceed')
  await chosen('staffer')
  expect(title().value).toBe('')
  // Nothing has been entered here, so there is no confirmation.
  fireEvent.click(product('Linen'))
  await chosen('Linen')
  await waitFor(() => expect(title().value).toBe('Not saved yet'))
})

test('an event has a local time and a place; a skipped hour is refused at its field, and no input is lost', async () => {
  const { address } = await openPanel(await startTestApp(), 'super_admin', '/event/create')
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name, { selector: 'input' })
  const set = (name: string, value: string) => {
    fill(field(name), value)
    act(() => field(name).blur())
  }
  fill(await screen.findByRole('textbox', { name: /^Title/ }), 'Open day in Frankfurt')
  set('Starts', '2027-03-28T02:30')
  set('Ends', '2027-03-28T04:00')
  await choose(() => screen.getByRole('combobox', { name: 'Time zone' }), 'Europe/Berlin')
  set('Location or link', 'https://meet.example.com/linen')
  fireEvent.click(screen.getByRole('button', { name: 'Create event' }))
  await screen.findByText(
    '02:30 doesn’t exist on 2027-03-28 in Europe/Berlin because the clocks go forward. Choose another time.',
  )
  expect(field('Location or link').value).toBe('https://meet.example.com/linen')
  set('Starts', '2027-03-28T03:30')
  fireEvent.click(screen.getByRole('button', { name: 'Create event' }))
  await waitFor(() => expect(address()).toMatch(/\/event\/open-day-in-frankfurt$/))
  const about = await screen.findByRole('region', { name: 'About this event' })
  expect(about.textContent).toContain('03:30 (Europe/Berlin)')
  await screen.findByRole('link', { name: 'https://meet.example.com/linen' })
})

test('publishing an article that sends email asks for confirmation with the number of recipients; the article is on the dashboard', async () => {
  const app = await startTestApp()
  const organization_id = await enterOrganization(app.db)
  await enterUser(app.db, organization_id, 'Aino')
  await enterUser(app.db, organization_id, 'Bo', { is_subscribed: 0 })
  const { address, go } = await openPanel(app, 'super_admin', '/webinar/create')
  fill(await screen.findByRole('textbox', { name: /^Title/ }), 'Sorting by color')
  fireEvent.click(screen.getByRole('checkbox', { name: /Send email/ }))
  fireEvent.click(screen.getByRole('checkbox', { name: 'Show on dashboard' }))
  fireEvent.click(screen.getByRole('button', { name: 'Create webinar' }))
  const publish = async () => {
    fireEvent.click(await screen.findByRole('button', { name: 'Publish Sorting by color' }))
    return screen.findByRole('dialog', { name: 'Publish “Sorting by color”?' })
  }
  const question = await publish()
  expect(question.textContent).toContain(
    'This will email 1 subscribed customer. The email is sent only once.',
  )
  press('Escape')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await screen.findByRole('article')).textContent).toContain('Unpublished')
  fireEvent.click(within(await publish()).getByRole('button', { name: 'Proceed' }))
  await screen.findByText(/Sending an email to 1 customer\./)
  await go('/dashboard')
  const news = within(await screen.findByRole('region', { name: 'News for the team' }))
  fireEvent.click(await news.findByRole('link', { name: /Sorting by color/ }))
  await waitFor(() => expect(address()).toMatch(/\/webinar\/sorting-by-color$/))
})
