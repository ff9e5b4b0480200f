import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Permission } from '#shared/access.ts'
import {
  choose,
  clickUndo,
  expectNoneRefused,
  fill,
  openPanel,
  press,
  write,
} from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { isTypingAhead } from '#web/keys/typeAhead.ts'

/* The page of a lead: what changes daily is in its head, what comes next above its story. */

async function openLead(who: string, values: Parameters<typeof enterLead>[1] = {}) {
  const app = await startTestApp()
  const id = await enterLead(app.db, {
    company_name: 'Aalto Linen',
    contact_name: 'Nora Lindqvist',
    followup_date: '2026-03-16',
    ...values,
  })
  return { app, id, ...(await openPanel(app, who, `/demo-leads/lead/${id}`)) }
}

const followupOf = async ({ as }: TestApp, id: number): Promise<string> =>
  (await as('crm').get(`/admin/users/getdemo?id=${id}`)).data.followup_date
const date = (words: string) =>
  screen.findByRole('button', { name: `Follow-up date of Aalto Linen: ${words}` })
const pressOnPage = (key: string) => press(key, {}, document.body)

test('the follow-up moves with one click or key, without a question, and returns with another', async () => {
  const { app, id } = await openLead('crm')
  fireEvent.click(await screen.findByRole('button', { name: 'In a week: Aalto Linen' }))
  await date('23 Mar 2026')
  pressOnPage(leadKeys.tomorrow)
  await date('17 Mar 2026')
  expect(await followupOf(app, id)).toBe('2026-03-17')
  pressOnPage(leadKeys.undo)
  await date('23 Mar 2026')
  expect(screen.queryByRole('dialog')).toBeNull()
  // Earlier actions stay.
  pressOnPage(leadKeys.undo)
  pressOnPage(leadKeys.date)
  await screen.findByRole('dialog', { name: 'Follow-up date of Aalto Linen' })
  expect(await followupOf(app, id)).toBe('2026-03-23')
})

test('address, number, and website are edited in place, beside their links', async () => {
  const { app, id } = await openLead('crm', { email: 'nora@aalto.example' })
  const contact = within(await screen.findByRole('region', { name: 'Contact' }))
  const edit = async (name: string, typed: string) => {
    fireEvent.click(await contact.findByRole('button', { name: `Edit ${name}` }))
    const field = await contact.findByLabelText<HTMLInputElement>(name)
    fill(field, typed)
    fireEvent.submit(field.form!)
  }
  await edit('Email', 'nora')
  await contact.findByText(/Enter a valid email address/)
  const field = contact.getByLabelText<HTMLInputElement>('Email')
  fill(field, 'nora.l@aalto.example')
  fireEvent.submit(field.form!)
  await contact.findByRole('link', { name: /^nora\.l/ })
  fireEvent.click(contact.getByRole('button', { name: /^Show \d empty fields$/ }))
  await edit('Phone', '+49 30 901820 ext. 7')
  await contact.findByRole('link', { name: /901820/ })
  await edit('Website', 'aalto.example')
  await contact.findByRole('link', { name: /^aalto.example/ })
  const { data } = await app.as('crm').get(`/admin/users/getdemo?id=${id}`)
  expect(data).toMatchObject({
    email: 'nora.l@aalto.example',
    phone: '+49 30 901820 ext. 7',
    company_url: 'https://aalto.example',
  })
})

test('the list of keys has every key of a lead', async () => {
  await openLead('crm')
  await date('Today')
  pressOnPage('?')
  const dialog = await screen.findByRole('dialog', { name: 'Keyboard shortcuts' })
  const listed = [...dialog.querySelectorAll('dt')].map(({ textContent }) => textContent)
  for (const key of Object.values(leadKeys)) expect(listed).toContain(key)
})

test('a session is planned in the composer, which then offers the follow-up, and is shown as what comes next', async () => {
  const { app, id } = await openLead('crm', { assign_to: 3, timezone: 'America/New_York' })
  // Before the composer is there, its keys wait for it.
  expect(screen.queryByRole('tab', { name: 'Session' })).toBeNull()
  pressOnPage(leadKeys.session)
  const form = within(await screen.findByRole('form', { name: 'New session' }))
  await waitFor(() => expect(document.activeElement).toBe(form.getByLabelText(/^Type/)))
  await choose(() => form.getByLabelText(/^Type/), 'Second demo')
  fill(await form.findByLabelText('Scheduled time', { selector: 'input' }), '2026-03-19T09:00')
  fill(form.getByLabelText('Schedule comment'), 'With the owner.')
  expect(screen.queryByRole('group', { name: 'Next follow-up' })).toBeNull()
  fireEvent.click(form.getByRole('button', { name: 'Save session' }))
  const offered = within(await screen.findByRole('group', { name: 'Next follow-up' }))
  fireEvent.click(offered.getByRole('button', { name: 'Tomorrow' }))
  await date('17 Mar 2026')
  expect(form.getByLabelText<HTMLInputElement>('Schedule comment').value).toBe('')

  const next = await screen.findByRole('region', { name: 'Next session' })
  expect(next.textContent).toContain('Second demo with Nora Lindqvist')
  expect(next.textContent).toContain('19 Mar 2026, 13:00')
  expect(next.textContent).toContain('09:00 EDT')
  fireEvent.click(within(next).getByRole('button', { name: 'Reschedule' }))
  const moved = within(await screen.findByRole('dialog', { name: 'Edit Second demo' }))
  fill(await moved.findByLabelText('Scheduled time', { selector: 'input' }), '2026-03-20T09:00')
  fireEvent.click(moved.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(next.textContent).toContain('20 Mar 2026, 13:00'))
  const { data } = await app.as('crm').get(`/admin/users/demo-sessions?lead_id=${id}`)
  expect(data).toMatchObject([{ type: 'Second demo', final_date: '2026-03-20T13:00:00.000Z' }])
})

test('an email sets the next follow-up that was chosen beside Send', async () => {
  const { app, id } = await openLead('crm', { email: 'nora@aalto.example' })
  await screen.findByRole('tab', { name: 'Email' })
  pressOnPage(leadKeys.email)
  const form = within(await screen.findByRole('form', { name: 'Email' }))
  fill(form.getByRole('textbox', { name: 'Subject' }), 'Our offer')
  await write('Message', 'The offer is attached.')
  const choice = within(await form.findByRole('group', { name: 'Next follow-up' }))
  const week = choice.getByRole('button', { name: 'In a week' })
  fireEvent.click(week)
  await waitFor(() => expect(week.getAttribute('aria-pressed')).toBe('true'))
  await date('Today')
  press('Enter', { ctrlKey: true }, form.getByRole('textbox', { name: 'Message' }))
  await date('23 Mar 2026')
  expect(await app.db.selectFrom('mails').select('subject').execute()).toEqual([{ subject: 'Our offer' }])
  await waitFor(() => expect(week.getAttribute('aria-pressed')).toBe('false'))
  // It is an action on its own.
  await clickUndo(/^Follow-up/)
  await date('Today')
  expect(await followupOf(app, id)).toBe('2026-03-16')
})

test('after a template was chosen, the focus is in the message, from which it is sent by keyboard', async () => {
  const { app } = await openLead('crm', { email: 'nora@aalto.example' })
  await screen.findByRole('tab', { name: 'Email' })
  pressOnPage(leadKeys.email)
  const form = within(await screen.findByRole('form', { name: 'Email' }))
  const template = await form.findByRole('button', { name: 'Prospecting email' })
  template.focus()
  fireEvent.click(template)
  await waitFor(() => expect(document.activeElement).toBe(form.getByRole('textbox', { name: 'Message' })))
  press('Enter', { ctrlKey: true }, document.activeElement!)
  await waitFor(async () =>
    expect(await app.db.selectFrom('mails').select('subject').execute()).toEqual([
      { subject: 'Linen for Aalto Linen' },
    ]),
  )
})

test('a template replaces a typed text only after a question', async () => {
  await openLead('crm', { email: 'nora@aalto.example' })
  await screen.findByRole('tab', { name: 'Email' })
  pressOnPage(leadKeys.email)
  const form = within(await screen.findByRole('form', { name: 'Email' }))
  const message = () => form.findByRole('textbox', { name: 'Message' })
  const template = await form.findByRole('button', { name: 'Prospecting email' })
  // Nothing was typed.
  fireEvent.click(template)
  await waitFor(async () => expect((await message()).textContent).toContain('Aalto Linen'))
  await write('Message', 'My own words.')
  fireEvent.click(template)
  await screen.findByText('Replace your text with this template?')
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText(/^Replace your text/)).toBeNull())
  expect((await message()).textContent).toContain('My own words.')
  fireEvent.click(template)
  fireEvent.click(await screen.findByRole('button', { name: 'Proceed' }))
  await waitFor(async () => expect((await message()).textContent).not.toContain('My own words.'))
})

test('a possible duplicate is named with the reason, and merged from the page', async () => {
  const app = await startTestApp()
  const enter = (company_name: string, email: string) => enterLead(app.db, { company_name, email })
  const id = await enter('Aalto Linen', 'nora@aalto.example')
  await enter('Unlike Linen', 'other@aalto.example')
  const other = await enter('Aalto Hotels', 'NORA@aalto.example')
  const { go } = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const found = within(await screen.findByRole('region', { name: 'Possible duplicates' }))
  expect(found.getAllByRole('listitem')).toHaveLength(1)
  expect(found.getByRole('listitem').textContent).toContain('Same email address')
  fireEvent.click(found.getByRole('button', { name: `Compare and merge: Aalto Hotels #${other}` }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Merge leads' }))
  fireEvent.click(await dialog.findByRole('button', { name: 'Merge' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Possible duplicates' })).toBeNull())
  await go('/demo-leads?fromDate=all&toDate=all')
  await screen.findByRole('rowheader', { name: /^Aalto/ })
  expect(screen.getAllByRole('rowheader', { name: /^Aalto/ })).toHaveLength(1)
})

test('a lead that someone else moves to the trash stays on screen, says who did, and is restored', async () => {
  const { app, id } = await openLead('crm')
  await date('Today')
  const remove = { selection: { ids: [id] }, change: { kind: 'delete' } }
  await app.as('admin').post('/admin/users/change-leads', remove)
  // Without a live connection, the page notices at the next change.
  pressOnPage(leadKeys.tomorrow)
  // The history has the change, too.
  const notice = await screen.findByText(/Nothing can be changed here until it is restored/)
  expect(notice.textContent).toContain('Martin Keller moved this lead to the trash')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Aalto Linen')
  expect(screen.queryByRole('heading', { name: 'Not found' })).toBeNull()
  fireEvent.click(screen.getByRole('button', { name: 'Restore' }))
  await screen.findByRole('tab', { name: 'Session' })
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Restore' })).toBeNull())
  expect(await followupOf(app, id)).toBe('2026-03-16')
})

const none: Permission[] = ['crm_view', 'lead_list', 'lead_detail']

test('without permission to edit, the chips are text, and nothing that changes the lead is offered', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db, { company_name: 'Aalto Linen', followup_date: '2026-03-16' })
  await app.as('super_admin').post('/admin/roles/change-permissions', { role_id: 8, grant: none })
  const { sent, main } = await openPanel(app, 'development_lead', `/demo-leads/lead/${id}`)
  await main().findByText('Today')
  await main().findByText('New')
  for (const name of [
    /^Status of/,
    /^Priority of/,
    /^Assignee of/,
    /^Follow-up date of/,
    /^Tomorrow/,
    /^Reject/,
    'More',
    'New session',
    'Create organization',
  ])
    expect(main().queryByRole('button', { name })).toBeNull()
  expect(screen.queryByRole('tab', { name: 'Session' })).toBeNull()
  for (const key of Object.values(leadKeys)) pressOnPage(key)
  // No key waits for a composer that doesn't come, and with it each later key.
  expect(isTypingAhead()).toBe(false)
  expect(await followupOf(app, id)).toBe('2026-03-16')
  await expectNoneRefused({ sent })
})

test('the lead form asks before it changes the follow-up date, and keeps its input when declined', async () => {
  const { app, id } = await openLead('crm', { followup_date: '2031-05-05' })
  fireEvent.click((await screen.findAllByRole('button', { name: 'More' }))[0]!)
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Edit lead' }))
  const form = within(await screen.findByRole('dialog', { name: 'Edit Aalto Linen' }))
  const field = (name: string) => form.getByLabelText<HTMLInputElement>(name, { selector: 'input' })
  await form.findByLabelText('Country')
  fill(field('Country'), 'Norway')
  fill(field('Follow-up date'), '2031-06-06')
  const save = () => fireEvent.click(form.getByRole('button', { name: 'Save' }))
  const question = async () =>
    within(await screen.findByRole('dialog', { name: 'Are you sure you want to change the followup date?' }))
  save()
  expect((await question()).getByText(/Aalto Linen: 6 Jun 2031/)).toBeTruthy()
  fireEvent.click((await question()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog', { name: /followup date/ })).toBeNull())
  expect([field('Country').value, field('Follow-up date').value]).toEqual(['Norway', '6 Jun 2031'])
  expect(await followupOf(app, id)).toBe('2031-05-05')
  save()
  fireEvent.click((await question()).getByRole('button', { name: 'Proceed' }))
  await screen.findByText('Date Changed!')
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Edit Aalto Linen' })).toBeNull())
  expect((await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data).toMatchObject({
    followup_date: '2031-06-06',
    country: 'Norway',
  })
})
