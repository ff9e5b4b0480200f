import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, chooseFiles, fill, openPanel, press, undoLast } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

const title = () => screen.findByRole('textbox', { name: /^Title/ })
const row = async (name: string) =>
  (await screen.findByRole('rowheader', { name })).closest<HTMLElement>('tr')!

test('a form waits for uploads in progress, also on Ctrl+Enter', async () => {
  const { address, intercept, main, sent } = await openPanel(
    await startTestApp(),
    'admin',
    '/customer-contracts/new-contract',
  )
  const { promise, resolve: release } = Promise.withResolvers<void>()
  intercept('POST', /^\/files\/stage/, async (_request, forward) => {
    await promise
    return forward()
  })
  fill(await title(), 'A contract with its file')
  // The field for files loads later than the page, and often later than the editor, which has one for pictures.
  const input = await screen.findByLabelText('Files', { selector: 'input[type=file]' })
  chooseFiles(input, new File(['two presses'], 'list.txt', { type: 'text/plain' }))
  await screen.findByText('A file is still uploading.')
  const create = () => main().getByRole<HTMLButtonElement>('button', { name: 'Create contract' })
  const isBlocked = () => create().disabled || create().getAttribute('aria-disabled') === 'true'
  expect(isBlocked()).toBe(true)
  press('Enter', { ctrlKey: true }, await title())
  expect(address()).toMatch(/new-contract$/)
  release()
  await waitFor(() => expect(isBlocked()).toBe(false))
  expect(sent.some(({ path }) => path === '/admin/create_contract')).toBe(false)
  press('Enter', { ctrlKey: true }, await title())
  fireEvent.click((await screen.findAllByRole('link', { name: 'A contract with its file' }))[0]!)
  await screen.findByRole('link', { name: 'list.txt' })
})

test('a contract goes from draft to the trash and back, with a saved view', async () => {
  const { address, main } = await openPanel(
    await startTestApp(),
    'editor',
    '/customer-contracts/new-contract',
  )
  fill(await title(), 'Hire of robots')
  const due = screen.getByLabelText('Due date', { selector: 'input' })
  fill(due, '2027-01-31')
  act(() => due.blur())
  fireEvent.click(screen.getByRole('button', { name: 'Create contract' }))
  const shown = () => row('Hire of robots')
  expect((await shown()).textContent).toContain('31 Jan 2027')
  fireEvent.click(within(await shown()).getByRole('button', { name: /^Status of/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'In effect' }))
  await waitFor(async () => expect((await shown()).textContent).toContain('In effect'))

  const filters = within(screen.getByRole('region', { name: 'Filters' }))
  await choose(() => filters.getByRole('combobox', { name: 'Status' }), 'In effect')
  await waitFor(() => expect(address()).toMatch(/status=2/))
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Save view' }))
  const name = await within(await screen.findByRole('dialog')).findByLabelText(/^Name/, {
    selector: 'input',
  })
  fill(name, 'Running')
  press('Enter', { ctrlKey: true }, name)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  fireEvent.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!)
  await waitFor(() => expect(address()).not.toMatch(/status=2/))
  fireEvent.click(screen.getByRole('button', { name: /^Views/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Running' }))
  await waitFor(() => expect(address()).toMatch(/status=2/))

  const isGone = () => waitFor(() => expect(screen.queryByRole('rowheader')).toBeNull())
  fireEvent.click(within(await shown()).getByRole('checkbox'))
  fireEvent.click(await screen.findByRole('button', { name: 'Move to trash' }))
  await isGone()
  fireEvent.click(main().getByRole('button', { name: 'More' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Trash' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Restore Hire of robots' }))
  await shown()
  fireEvent.click(within(screen.getByRole('dialog')).getAllByRole('button', { name: 'Close' })[0]!)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

  // The contract can also be moved to the trash from its own page, which then returns to the list.
  fireEvent.click(within(await shown()).getByRole('link', { name: 'Hire of robots' }))
  await screen.findByRole('heading', { level: 1, name: 'Hire of robots' })
  fireEvent.click(await screen.findByRole('button', { name: 'Move to trash' }))
  await waitFor(() => expect(address()).toMatch(/^\/customer-contracts(\?|$)/))
  await isGone()
  await undoLast()
  await shown()
})
