import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { fill, openPanel, press, type OpenPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

/* Notes that are typed while another is saved, or while the page is left. */

const note = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' })
const heading = (name: string) => screen.findByRole('heading', { level: 1, name: new RegExp(name) })
const save = async () => press('Enter', { ctrlKey: true }, await note())
const has = (text: string) => waitFor(async () => expect((await note()).value).toBe(text))

/** Holds back the replies to new notes until the returned function is called. */
function holdNotes({ intercept }: OpenPanel): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  intercept('POST', /\/general\/notes\/lead\//, async (_request, forward) => {
    const reply = await forward()
    await promise
    return reply
  })
  return resolve
}

test('text typed while a note is being saved stays, also after leaving the page', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db, { company_name: 'Typed On' })
  const page = `/demo-leads/lead/${id}`
  const panel = await openPanel(app, 'crm', page)
  const answer = holdNotes(panel)
  fill(await note(), 'Called.')
  await save()
  fill(await note(), 'Called. Calls back on Monday.')
  answer()
  await screen.findByText('Called.')
  await has('Calls back on Monday.')
  await panel.go('/dashboard')
  await heading('Dashboard')
  await panel.go(page)
  await has('Calls back on Monday.')
})

test('a note saved while its lead is closed and reopened is not offered as unsaved', async () => {
  const app = await startTestApp()
  for (const company_name of ['Slow Note 1', 'Slow Note 2']) await enterLead(app.db, { company_name })
  const panel = await openPanel(app, 'crm', '/demo-leads?fromDate=all&toDate=all&search=slow+note')
  const answer = holdNotes(panel)
  fireEvent.click(await screen.findByRole('link', { name: 'Slow Note 2' }))
  await heading('Slow Note 2')
  fill(await note(), 'Called twice.')
  await save()
  fireEvent.click(await screen.findByRole('button', { name: 'Next lead' }))
  await heading('Slow Note 1')
  fireEvent.click(await screen.findByRole('button', { name: 'Previous lead' }))
  await heading('Slow Note 2')
  await has('Called twice.')
  answer()
  await has('')
  panel.reload()
  await screen.findByText('Called twice.')
  await has('')
})

test('a note on the page of a user is saved by Ctrl+Enter, and another is kept when the page is left', async () => {
  const app = await startTestApp()
  const organization = await enterOrganization(app.db)
  const id = await enterUser(app.db, organization, 'Mateo')
  const panel = await openPanel(app, 'admin', `/users/detail/mateo/${id}`)
  fill(await note(), 'Calls back on Friday')
  await save()
  await screen.findByText('Calls back on Friday', { selector: 'article *, li *' })
  await has('')
  fill(await note(), 'Asks for Mr Aalto')
  await panel.go('/users')
  await heading('Users')
  await panel.go(`/users/detail/mateo/${id}`)
  await has('Asks for Mr Aalto')
})
