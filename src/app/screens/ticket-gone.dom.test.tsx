import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press, write } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { queries } from '#web/api/queries.ts'

/* Someone else moves a ticket to the trash, or merges it, while a user writes. */

const message = () => screen.findByRole('textbox', { name: 'Message' })
/** Opens the composer, which starts as a line in the pane. */
async function openReply() {
  await screen.findByRole('region', { name: 'Write' })
  press('r', {}, document.body)
  await message()
}

for (const [place, addressOf] of [
  ['page', (id: number) => `/support/ticket/${id}/0`],
  ['pane', (id: number) => `/support?open=${id}`],
] as const) {
  test(`in the ${place}, a ticket that is moved to the trash stays with the reply that a user writes`, async () => {
    const app = await startTestApp()
    const { id } = await enterTicket(app.db)
    await openPanel(app, 'support', addressOf(id))
    await openReply()
    await write('Message', 'Please restart it.')
    await app.as('super_admin').post(`/admin/support/ticket/${id}?_method=DELETE`)
    await queries.invalidateQueries()
    await screen.findByText(/This ticket was moved to the trash/)
    expect((await message()).textContent).toContain('Please restart it.')
    press('Enter', { ctrlKey: true }, await message())
    await screen.findByRole('alert')
    expect((await message()).textContent).toContain('Please restart it.')
  })

  test(`in the ${place}, a ticket that is merged leads to the ticket that stays, with the reply and the note that a user writes`, async () => {
    const app = await startTestApp()
    const stays = await enterTicket(app.db, { title: 'Towel tags' })
    const goes = await enterTicket(app.db, { title: 'Tags of towels' })
    const { go, address } = await openPanel(app, 'support', addressOf(stays.id))
    await openReply()
    await write('Message', 'Hello.')
    await screen.findByText('Draft saved')
    await go(addressOf(goes.id))
    await screen.findByRole('heading', { name: /Tags of towels/ })
    press('n', {}, document.body)
    fill(await screen.findByRole('textbox', { name: 'Note' }), 'They called.')
    fireEvent.click(screen.getByRole('tab', { name: /^Reply/ }))
    await write('Message', 'Please restart it.')
    await app.as('admin').post(`/admin/support/ticket/${goes.id}/merge`, { into: stays.id })
    await queries.invalidateQueries()
    await screen.findByRole('heading', { name: /Towel tags/ })
    expect(address()).toContain(place === 'page' ? `/ticket/${stays.id}/` : `open=${stays.id}`)
    await waitFor(async () => expect((await message()).textContent).toBe('Hello.Please restart it.'))
    await screen.findByText(`#${goes.id} was merged into #${stays.id}. Your text is kept as a draft.`)
    fireEvent.click(
      within(screen.getByRole('region', { name: 'Write' })).getByRole('tab', { name: /^Internal note/ }),
    )
    expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' })).value).toBe(
      'They called.',
    )
  })
}

test('a user who types a reply in a ticket that is merged continues in the ticket that stays, at the next pause', async () => {
  const app = await startTestApp()
  const stays = await enterTicket(app.db, { title: 'Towel tags' })
  const goes = await enterTicket(app.db, { title: 'Tags of towels' })
  const { sent } = await openPanel(app, 'support', `/support/ticket/${goes.id}/0`)
  await message()
  await write('Message', 'Please restart')
  await app.as('admin').post(`/admin/support/ticket/${goes.id}/merge`, { into: stays.id })
  press('i', {}, await message())
  const before = sent.length
  await queries.invalidateQueries()
  await waitFor(() =>
    expect(sent.slice(before).some(({ path, status }) => status === 200 && path.includes(`${goes.id}`))),
  )
  press('t', {}, await message())
  await write('Message', ' it.')
  expect(screen.getByRole('heading', { name: /Tags of towels/ })).toBeTruthy()

  await screen.findByRole('heading', { name: /Towel tags/ })
  await waitFor(async () => {
    expect((await message()).textContent).toBe('Please restart it.')
    expect(document.activeElement).toBe(await message())
  })
  expect(screen.getByRole('tab', { name: 'Reply' }).getAttribute('aria-selected')).toBe('true')
})

test('a title that someone else has changed in the meantime is named, and Enter again replaces it', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'Towel tags' })
  await openPanel(app, 'support', `/support/ticket/${id}/0`)
  await message()
  const edit = () => screen.getByTitle('Edit Title')
  fireEvent.click(edit())
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Title' })
  fill(field, 'Mine')
  const theirs = await app.as('admin').post(`/admin/support/ticket/${id}/update`, { title: 'Theirs' })
  expect(theirs.status).toBe(200)
  fireEvent.submit(field.form!)
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Martin Keller changed this to “Theirs”. Press Enter to save your value instead, or Esc to keep theirs.',
  )
  fireEvent.blur(field)
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Title' }).value).toBe('Mine')
  fireEvent.submit(field.form!)
  await waitFor(() => expect(edit().textContent).toBe('Mine'))
  expect(screen.queryByText(/changed this to/)).toBeNull()
})

test('beside its list, a ticket in the trash says who moved it there, and is restored', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { title: 'Towel tags' })
  await app.as('super_admin').post(`/admin/support/ticket/${id}?_method=DELETE`)
  await openPanel(app, 'super_admin', `/support?open=${id}`)
  await screen.findByText(/moved this ticket to the trash/)
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
  await screen.findByRole('heading', { name: /Towel tags/ })
})
