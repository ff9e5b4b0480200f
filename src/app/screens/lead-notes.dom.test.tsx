import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Notes on the page of a record: how they are edited in their place, deleted, and pinned above the timeline. */

/** Opens the page of a lead with a note of the CRM lead and one of an admin. */
async function openNotes(who = 'crm') {
  const app = await startTestApp()
  const lead = await enterLead(app.db)
  const at = `/admin/general/notes/lead/${lead}`
  for (const [author, note] of [
    ['crm', 'Wants two references.'],
    ['admin', 'Prefers email.'],
  ] as const)
    await app.as(author).post(at, { note })
  await openPanel(app, who, `/demo-leads/lead/${lead}`)
  const notes = async () => (await app.as('crm').get(at))['data'] as { id: number; body: string }[]
  return { app, at, notes }
}

const noteWith = async (text: string) =>
  (await screen.findByText(text, { selector: 'article *' })).closest('article')!
const buttonsOf = (note: HTMLElement) =>
  within(note)
    .getAllByRole('button')
    .map(({ textContent }) => textContent)
const click = (note: HTMLElement, name: string) => fireEvent.click(within(note).getByRole('button', { name }))
const field = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Edit the note' })
const pinned = () => screen.queryByRole('region', { name: 'Pinned notes' })

test('the author edits a note in its place, and undoes it from the toast', async () => {
  const { notes } = await openNotes()
  const note = await noteWith('Wants two references.')
  expect(buttonsOf(note)).toEqual(expect.arrayContaining(['Pin', 'Edit', 'Delete']))
  expect(buttonsOf(await noteWith('Prefers email.'))).toEqual(['Pin'])
  click(note, 'Edit')
  expect((await field()).value).toBe('Wants two references.')
  fill(await field(), 'Wants three references.')
  press('Enter', { ctrlKey: true }, await field())
  await waitFor(async () =>
    expect((await notes()).map(({ body }) => body)).toContain('Wants three references.'),
  )
  expect(within(await noteWith('Wants three references.')).getByText('Edited')).toBeTruthy()
  expect(screen.queryByRole('textbox', { name: 'Edit the note' })).toBeNull()
  await clickUndo(/^Note saved/)
  await noteWith('Wants two references.')
})

test('an edit that is canceled changes nothing, and one that collides with another asks which to keep', async () => {
  const { app, at, notes } = await openNotes()
  const note = await noteWith('Wants two references.')
  click(note, 'Edit')
  fill(await field(), 'Forget this.')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await screen.findByText('Wants two references.')
  click(note, 'Edit')
  expect((await field()).value).toBe('Wants two references.')
  fill(await field(), 'Mine.')
  const id = (await notes()).find(({ body }) => body === 'Wants two references.')!.id
  await app.as('admin').post(`${at}/${id}`, { note: 'Theirs.' })
  press('Enter', { ctrlKey: true }, await field())
  const dialog = within(await screen.findByRole('dialog', { name: 'Someone else changed this note' }))
  expect(dialog.getByText('Theirs.')).toBeTruthy()
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(async () => expect((await notes()).find((one) => one.id === id)!.body).toBe('Mine.'))
})

test('the deletion of a note is undone', async () => {
  const { notes } = await openNotes()
  click(await noteWith('Wants two references.'), 'Delete')
  await waitFor(async () => expect(await notes()).toHaveLength(1))
  await clickUndo(/^Note deleted/)
  await waitFor(async () => expect(await notes()).toHaveLength(2))
  await noteWith('Wants two references.')
})

test('a pinned note is above the timeline, and only there, until it is unpinned', async () => {
  await openNotes()
  click(await noteWith('Prefers email.'), 'Pin')
  await waitFor(() => expect(pinned()).not.toBeNull())
  expect(within(pinned()!).getByText('Prefers email.')).toBeTruthy()
  expect(screen.getAllByText('Prefers email.').filter((one) => one.closest('article'))).toHaveLength(1)
  click(await noteWith('Prefers email.'), 'Unpin')
  await waitFor(() => expect(pinned()).toBeNull())
  expect(
    within(screen.getByRole('region', { name: 'Activity' })).getByText('Prefers email.', {
      selector: 'article *',
    }),
  ).toBeTruthy()
})

test('an admin edits and deletes the notes of others', async () => {
  await openNotes('admin')
  expect(buttonsOf(await noteWith('Wants two references.'))).toEqual(
    expect.arrayContaining(['Pin', 'Edit', 'Delete']),
  )
})
