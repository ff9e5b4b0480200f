import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { chooseFound, clickUndo, fill, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

const row = (title: string) => screen.getByRole('row', { name: new RegExp(title) })
const dialog = () => within(screen.getByRole('dialog'))
const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

async function make(title: string, below?: string): Promise<void> {
  fireEvent.click((await screen.findAllByRole('button', { name: 'New category' }))[0]!)
  fill(await screen.findByRole('textbox', { name: /^Title/ }), title)
  if (below !== undefined)
    await chooseFound(dialog().getByRole('combobox', { name: 'Parent category' }), below)
  fireEvent.click(dialog().getByRole('button', { name: 'Create category' }))
  await noDialog()
  await screen.findByRole('row', { name: new RegExp(title) })
}

test.each([
  ['/categories', 'category'],
  ['/faqcategories', 'FAQ category'],
])('%s: a %s is created, gets a moderator and a subcategory, and is deleted with a target', async (path) => {
  await openPanel(await startTestApp(), 'super_admin', path)
  await make('Stains')
  await make('Red wine', 'Stains')
  fireEvent.click(screen.getByRole('button', { name: 'Moderators of Stains' }))
  fill(await screen.findByLabelText('Moderators', { selector: 'input' }), 'Ingrid')
  fireEvent.click(await screen.findByRole('option', { name: /Ingrid/ }))
  fireEvent.click(dialog().getByRole('button', { name: 'Save' }))
  await noDialog()
  await waitFor(() => expect(row('Stains').textContent).toContain('Moderator'))
  fireEvent.click(screen.getByRole('button', { name: 'Edit Stains' }))
  fill(await screen.findByRole('textbox', { name: /^Title/ }), 'Stains and spots')
  fireEvent.click(dialog().getByRole('button', { name: 'Save' }))
  await screen.findByRole('row', { name: /Stains and spots/ })

  // Neither the category itself nor any category below it can be the target.
  await make('Other')
  fireEvent.click(screen.getByRole('button', { name: 'Move to trash: Stains and spots' }))
  const remove = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Move to trash' })
  await screen.findByRole('dialog')
  fireEvent.click(dialog().getByRole('button', { name: 'Move to trash' }))
  const target = await screen.findByRole('combobox', { name: 'Move content to' })
  fireEvent.click(target)
  await screen.findByRole('option', { name: 'Other' })
  expect(screen.queryByRole('option', { name: 'Red wine' })).toBeNull()
  expect(remove().disabled).toBe(true)
  await chooseFound(target, 'Other')
  fireEvent.click(remove())
  await waitFor(() => expect(screen.queryByRole('row', { name: /Stains and spots/ })).toBeNull())
  expect(row('Red wine')).toBeTruthy()
  await clickUndo(/^Moved to trash: 1 /)
  await screen.findByRole('row', { name: /Stains and spots/ })
})

test('a form that fails to load says so, and Retry opens it', async () => {
  const app = await startTestApp()
  await app.as('admin').post('/admin/categories?product_id=1', { title: 'News' })
  const { intercept } = await openPanel(app, 'super_admin', '/categories')
  const stop = intercept('GET', /^\/admin\/categories\/\d+$/, () => ({
    status: 422,
    body: { success: false, message: 'Not today.', errors: {} },
  }))
  fireEvent.click(await screen.findByRole('button', { name: 'Edit News' }))
  const failed = within(await screen.findByRole('dialog', { name: 'Edit category' }))
  expect(failed.getByRole('alert').textContent).toContain('Couldn’t load this')
  stop()
  fireEvent.click(failed.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('textbox', { name: /^Title/ })
})
