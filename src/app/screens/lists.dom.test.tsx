import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

/* Editing the lists in the settings. Pressing Enter on a button is a click in every browser. */

const button = (name: string) => screen.getByRole('button', { name })
const names = () =>
  screen.getAllByRole<HTMLInputElement>('textbox', { name: /^Name of (?!the new)/ }).map(({ value }) => value)

/** Presses Enter on a button. */
function enter(name: string): void {
  act(() => button(name).focus())
  fireEvent.click(button(name))
}

async function openList(list: string, ...entries: string[]) {
  const panel = await openPanel(await startTestApp(), 'super_admin', `/settings/lists?list=${list}`)
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: /^New .* name$/ })
  for (const entry of entries) {
    fill(field, entry)
    enter('Add')
    await screen.findByRole('button', { name: `Remove ${entry}` })
    expect(document.activeElement).toBe(field)
    await waitFor(() => expect(field.value).toBe(''))
  }
  return panel
}

test('entries are added, moved, and removed by keyboard, and the focus stays in place', async () => {
  await openList('questions', 'Which looms?', 'How many shifts?', 'Who buys?')
  const handle = button('Move Which looms?')
  const status = handle.closest('[data-lane]')!.querySelector('[role=status]')!
  act(() => handle.focus())
  press(' ')
  expect(status.textContent).toMatch(
    /^Which looms\? picked up from Prospecting questions, position \d+ of \d+\. /,
  )
  press('ArrowDown')
  press('Escape')
  expect(status.textContent).toBe('Which looms? wasn’t moved.')
  expect(names().slice(-3)).toEqual(['Which looms?', 'How many shifts?', 'Who buys?'])
  press(' ')
  press('ArrowDown')
  press(' ')
  await waitFor(() => expect(names().slice(-3)).toEqual(['How many shifts?', 'Which looms?', 'Who buys?']))
  expect(document.activeElement).toBe(button('Move Which looms?'))
  await waitFor(() => expect(status.textContent).toMatch(/^Which looms\? moved to /))

  enter('Remove Who buys?')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove Who buys?' })).toBeNull())
  expect(document.activeElement).toBe(button('Remove Which looms?'))
  enter('Remove Which looms?')
  await waitFor(() => expect(document.activeElement).toBe(button('Remove How many shifts?')))
  enter('Remove How many shifts?')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove How many shifts?' })).toBeNull())
})

test('the handle of an entry opens a menu with its moves, which are saved and can be undone', async () => {
  const { sent } = await openList('questions', 'Which looms?', 'How many shifts?', 'Who buys?')
  enter('Move Which looms?')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to bottom' }))
  await waitFor(() => expect(names().at(-1)).toBe('Which looms?'))
  await clickUndo(/^Order saved/)
  await waitFor(() => expect(names().slice(-3)).toEqual(['Which looms?', 'How many shifts?', 'Who buys?']))
  await waitFor(() =>
    expect(sent.filter(({ path }) => path.endsWith('/order')).map(({ status }) => status)).toEqual([
      200, 200,
    ]),
  )
})

test('a removed entry is restored in its place, with its color and probability', async () => {
  const { sent } = await openList('statuses', 'On hold', 'Paused')
  const before = names()
  fill(screen.getByRole('textbox', { name: 'Probability of On hold in percent' }), '15')
  fireEvent.blur(screen.getByRole('textbox', { name: 'Probability of On hold in percent' }))
  await waitFor(() => expect(sent.at(-1)).toMatchObject({ status: 200 }))
  const color = () => screen.getByRole<HTMLSelectElement>('combobox', { name: 'Color of On hold' })
  fireEvent.change(color(), { target: { value: 'pink' } })
  await waitFor(() => expect(color().value).toBe('pink'))
  enter('Remove On hold')
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Remove On hold' })).toBeNull())
  await clickUndo(/^On hold removed/)
  await screen.findByText('On hold restored.')
  await waitFor(() => expect(names()).toEqual(before))
  expect(color().value).toBe('pink')
  expect(
    screen.getByRole<HTMLInputElement>('textbox', { name: 'Probability of On hold in percent' }).value,
  ).toBe('15')
})

test('a refused order goes back, with the reason', async () => {
  const { intercept } = await openList('questions', 'Which looms?', 'How many shifts?')
  intercept('POST', /\/order$/, () => ({ status: 409, body: { message: 'Someone else changed this list.' } }))
  enter('Move Which looms?')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move down' }))
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('Someone else changed this list.'))
  expect(names().slice(-2)).toEqual(['Which looms?', 'How many shifts?'])
})

// A tag has an ID; a service is identified by its name, so a renamed service counts as a different one.
test.each(['tags', 'services'])(
  "a refused name of %s stays in its field, with the server's message, until it is corrected",
  async (list) => {
    const { main } = await openList(list, 'Weft', 'Warp')
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name of Warp' })
    act(() => field.focus())
    fill(field, 'Weft')
    press('Enter')
    await main().findByRole('alert')
    expect(document.activeElement).toBe(field)
    expect(field.value).toBe('Weft')
    act(() => field.blur())
    expect(field.value).toBe('Weft')
    expect(field.getAttribute('aria-invalid')).toBe('true')

    act(() => field.focus())
    fill(field, 'Yarn')
    press('Enter')
    const renamed = await screen.findByRole('textbox', { name: 'Name of Yarn' })
    expect(document.activeElement).toBe(renamed)
    expect(renamed.getAttribute('aria-invalid')).not.toBe('true')
    expect(main().queryByRole('alert')).toBeNull()
  },
)

test('the probability of a status is saved on leaving its field, and a wrong one is refused', async () => {
  await openList('statuses')
  const field = () =>
    screen.getByRole<HTMLInputElement>('textbox', { name: 'Probability of Qualified in percent' })
  expect(field().value).toBe('25')
  fill(field(), '101')
  fireEvent.blur(field())
  await screen.findByText(/Enter 100 or less.$/)
  await waitFor(() => expect(field().value).toBe('25'))
  fill(field(), '35')
  fireEvent.blur(field())
  await waitFor(() => expect(screen.queryByText(/Enter 100 or less/)).toBeNull())
  await waitFor(() => expect(field().value).toBe('35'))
})

test('each entry says how many records use it, and why it cannot be removed', async () => {
  const app = await startTestApp()
  await app.as('crm').post('/admin/users/save-demo-requests', { lead_for: 1, companyName: 'Aalto Linen' })
  await openPanel(app, 'super_admin', '/settings/lists?list=statuses')
  const entryOf = async (name: string) =>
    (await screen.findByRole('textbox', { name: `Name of ${name}` })).closest('li')!
  const [isNew, qualified] = [await entryOf('New'), await entryOf('Qualified')]
  await waitFor(() => expect(isNew.textContent).toContain('1 lead uses it'))
  expect(isNew.textContent).toContain('New leads start with this status.')
  expect(qualified.textContent).toContain('Not used')
})
