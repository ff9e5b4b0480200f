import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press, undoLast } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('the arrow keys move from the search for the other ticket through the tickets and back, and Enter takes the first', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'Towel tags' })
  for (const title of ['Scanner one', 'Scanner two']) await enterTicket(app.db, { title })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Merge with another ticket' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Merge/ }))
  const search = await dialog.findByRole<HTMLInputElement>('searchbox', {
    name: 'Search for the other ticket',
  })
  fill(search, 'scanner')
  const found = await dialog.findAllByRole('button', { name: /Scanner/ })
  expect(found).toHaveLength(2)
  search.focus()
  for (const [key, focused] of [
    ['ArrowDown', found[0]],
    ['ArrowDown', found[1]],
    ['ArrowDown', found[1]],
    ['ArrowUp', found[0]],
    ['ArrowUp', search],
  ] as const) {
    press(key, {}, document.activeElement!)
    expect(document.activeElement).toBe(focused)
  }
  press('Enter', {}, search)
  const first = found[0]!.textContent
  expect(await dialog.findByRole('radio', { name: new RegExp(first) })).toBeTruthy()
})

test('two selected tickets are merged from the list, which needs at least two', async () => {
  const app = await startTestApp()
  const ids: number[] = []
  for (const title of ['Towel tags', 'Towel racks', 'Towel counts'])
    ids.push((await enterTicket(app.db, { title })).id)
  await openPanel(app, 'support', '/support?search=towel&layout=table')
  const select = async (name: string) =>
    fireEvent.click(await screen.findByRole('checkbox', { name: new RegExp(name) }))
  await select('Towel tags')
  const merge = () => screen.findByRole<HTMLButtonElement>('button', { name: 'Merge' })
  expect([(await merge()).disabled, (await merge()).title]).toEqual([
    true,
    'Select 2 to 20 tickets to merge them.',
  ])
  await select('Towel racks')
  fireEvent.click(await merge())
  const dialog = within(await screen.findByRole('dialog', { name: /^Merge #/ }))
  fireEvent.click(await dialog.findByRole('radio', { name: `#${ids[1]} Towel racks` }))
  fireEvent.click(dialog.getByRole('button', { name: `Merge #${ids[0]} into #${ids[1]}` }))
  await screen.findByText(/^Merged/)
  await waitFor(() => expect(screen.queryByRole('link', { name: /Towel tags/ })).toBeNull())
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(screen.queryByText('2 selected')).toBeNull()
  const merged = await app.db
    .selectFrom('tickets')
    .select('merged_into')
    .where('id', '=', ids[0]!)
    .executeTakeFirstOrThrow()
  expect(merged.merged_into).toBe(ids[1])
})

test('of three selected tickets, one stays; a merge that is refused says why, and those that remain can be merged', async () => {
  const app = await startTestApp()
  const ids: number[] = []
  for (const title of ['Towel tags', 'Towel racks', 'Towel counts', 'Towel lost'])
    ids.push((await enterTicket(app.db, { title })).id)
  const [tags, racks, counts, lost] = ids as [number, number, number, number]
  const mergedInto = async () =>
    (await app.db.selectFrom('tickets').select('merged_into').orderBy('id').execute()).map(
      ({ merged_into }) => merged_into,
    )
  await openPanel(app, 'support', '/support?search=towel&layout=table')
  for (const name of ['Towel tags', 'Towel racks', 'Towel counts', 'Towel lost'])
    fireEvent.click(await screen.findByRole('checkbox', { name: `Select ${name}` }))
  fireEvent.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge 4 tickets' }))
  fireEvent.click(await dialog.findByRole('radio', { name: `#${racks} Towel racks` }))
  await app.as('csm').post(`/admin/support/ticket/${lost}/merge`, { into: tags })
  fireEvent.click(dialog.getByRole('button', { name: `Merge 3 tickets into #${racks}` }))
  expect((await dialog.findByRole('alert')).textContent).toBe(
    `No tickets were merged. Ticket #${lost} was merged into #${tags}.`,
  )
  expect(await mergedInto()).toEqual([null, null, null, tags])
  await dialog.findByText(`Left out because they are merged or in the trash: #${lost}.`)
  fireEvent.click(dialog.getByRole('button', { name: `Merge 2 tickets into #${racks}` }))
  await screen.findByText(`Merged #${tags} and #${counts} into #${racks}.`)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await mergedInto()).toEqual([racks, null, racks, racks])
  expect(screen.queryByText('4 selected')).toBeNull()
  await undoLast()
  await waitFor(async () => expect(await mergedInto()).toEqual([null, null, null, tags]))
})

test('a merge of tickets with different requesters says so, with their organizations', async () => {
  const app = await startTestApp()
  const ids: number[] = []
  for (const name of ['Dune Linen', 'Alder Resort']) {
    const organization_id = await enterOrganization(app.db, { name })
    const customer_user_id = await enterUser(app.db, organization_id, 'Cleo')
    ids.push(
      (await enterTicket(app.db, { title: `Scanner of ${name}`, organization_id, customer_user_id })).id,
    )
  }
  await openPanel(app, 'support', '/support?search=scanner&layout=table')
  for (const name of [/Dune/, /Alder/]) fireEvent.click(await screen.findByRole('checkbox', { name }))
  fireEvent.click(await screen.findByRole('button', { name: 'Merge' }))
  const dialog = within(await screen.findByRole('dialog', { name: /^Merge #/ }))
  await dialog.findByText(/Cleo.*, Dune Linen$/)
  dialog.getByText(/Cleo.*, Alder Resort$/)
  dialog.getByText(`These tickets have different requesters. Replies go to that of #${ids[0]} only.`)
})

test('an empty queue says which', async () => {
  const app = await startTestApp()
  await enterTicket(app.db)
  await openPanel(app, 'support', '/support?queue=mine&layout=table')
  await screen.findByText('No open tickets assigned to you')
})
