import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { choose, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import {
  fillIn,
  saveForm,
  settingsOf,
  settingsPath,
} from '#features/crm/leads/web-form/server/web-forms.testing.ts'

const page = '/settings/web-forms'
const click = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const labels = () =>
  screen.getAllByRole('textbox', { name: /^Label of/ }).map((field) => (field as HTMLInputElement).value)

async function hold(app: TestApp): Promise<void> {
  const { slug } = await saveForm(app)
  for (const name of ['Zoë', 'Bot'])
    await fillIn(app, `/public/lead-form/${slug}`, {
      contactName: name,
      email: `${name}@x.example`,
      fax_number: '1',
    })
}

test('an admin creates a form: fields in order, people in turn, and websites; a mistake is shown at its field', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', page)
  await screen.findByText('Not created yet')
  await screen.findByTitle('Page of the web form')
  fireEvent.click(screen.getByRole('switch', { name: 'On' }))
  fill(screen.getByRole('textbox', { name: 'Label of Contact' }), 'Full name')
  await click('Move Phone')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to top' }))
  await waitFor(() => expect(labels()[0]).toBe('Phone'))
  await click('Remove Company')
  await click('Add field')
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Country' }))
  expect(labels()).toEqual(['Phone', 'Full name', 'Work email', 'What should we know?', 'Country'])
  expect(screen.getByRole('checkbox', { name: 'Require Email' })).toHaveProperty('disabled', true)
  fireEvent.click(screen.getByRole('checkbox', { name: 'Require Country' }))
  fireEvent.click(screen.getByRole('combobox', { name: 'People in turn' }))
  fireEvent.click(await screen.findByRole('option', { name: 'Paula Ferreira' }))
  await choose(() => screen.getByLabelText('Source'), 'Website')
  fill(screen.getByLabelText('Slug'), 'Not valid')
  press('s', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Label of Contact' }))
  await screen.findByText('Use 3 to 60 lowercase letters, digits, and hyphens.')
  fill(screen.getByLabelText('Slug'), 'linen')
  press('s', { ctrlKey: true }, screen.getByRole('textbox', { name: 'Label of Contact' }))
  await screen.findByText('Web form saved.')
  expect(await settingsOf(app)).toMatchObject({
    version: 1,
    is_on: true,
    slug: 'linen',
    source: 'Website',
    staff_ids: [app.as('crm').id],
    fields: [
      { field: 'phone' },
      { field: 'contactName', label: 'Full name' },
      { field: 'email', required: true },
      { field: 'message' },
      { field: 'country', required: true },
    ],
  })
  await screen.findByText(/Next in turn: Paula Ferreira\./)
  await click('Embed')
  const dialog = within(await screen.findByRole('dialog', { name: 'Embed this form' }))
  dialog.getByText(/<iframe src="[^"]*\/api\/public\/lead-form\/linen\?embed=1" title="Talk to us"/)
  dialog.getByText(/^No website can embed it yet/)
})

test('the preview shows what isn’t saved, and says what is wrong', async () => {
  const app = await startTestApp()
  await openPanel(app, 'admin', page)
  const frame = (await screen.findByTitle('Page of the web form')) as HTMLIFrameElement
  expect([frame.getAttribute('sandbox'), frame.srcdoc.includes('class="hosted"')]).toEqual(['', true])
  fill(screen.getByLabelText(/^Title/), '<b>Linen</b>')
  await waitFor(() => expect(frame.srcdoc).toContain('&lt;b&gt;Linen&lt;/b&gt;'))
  await click('Embedded')
  await waitFor(() => expect(frame.srcdoc).toContain('class="embedded"'))
  expect(await settingsOf(app)).toMatchObject({ version: 0 })
})

test('a held entry becomes a lead, another one is deleted after a question', async () => {
  const app = await startTestApp()
  await hold(app)
  await openPanel(app, 'admin', page)
  const held = within(await screen.findByRole('region', { name: 'Held as spam' }))
  const zoe = within(await held.findByRole('listitem', { name: 'Zoë' }))
  zoe.getByText('Filled in the hidden field')
  fireEvent.click(zoe.getByRole('button', { name: 'Create lead' }))
  await screen.findByText('Lead created.')
  await waitFor(() => expect(held.queryByRole('listitem', { name: 'Zoë' })).toBeNull())
  const bot = within(held.getByRole('listitem', { name: 'Bot' }))
  fireEvent.click(bot.getByRole('button', { name: 'Delete' }))
  const question = within(await screen.findByRole('dialog'))
  question.getByText('Delete the entry of Bot?')
  fireEvent.click(question.getByRole('button', { name: 'Delete' }))
  await held.findByText(/^Nothing is held\./)
  expect(await app.db.selectFrom('leads').select('contact_name').execute()).toEqual([{ contact_name: 'Zoë' }])
})

test('of two admins, the second keeps their input; a form that is off says so', async () => {
  const app = await startTestApp()
  await saveForm(app, { is_on: false })
  await openPanel(app, 'admin', page)
  await screen.findByText(/^This form is off\./)
  fill(await screen.findByLabelText(/^Title/), 'Mine')
  const other = { ...(await settingsOf(app)), title: 'Theirs' }
  expect((await app.as('super_admin').post(settingsPath, other)).status).toBe(200)
  await click('Save web form')
  await screen.findByText(/^Someone else changed this web form/)
  expect(screen.getByLabelText(/^Title/)).toHaveProperty('value', 'Mine')
})

test('the page is for admins, and asks nothing of the server for others', async () => {
  const { sent } = await openPanel(await startTestApp(), 'support', page)
  await screen.findByText('Only Super Admins and Admins can see and change web forms.')
  expect(sent.some(({ path }) => path.includes('/web-forms'))).toBe(false)
})
