import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

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
    const question = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    fireEvent.click(question.getByRole('button', { name }))
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Leave without saving?' })).toBeNull())
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
