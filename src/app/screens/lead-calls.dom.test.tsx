import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { Permission } from '#shared/access.ts'
import { choose, clickUndo, expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { readDraft } from '#web/form/draft.ts'

/* Calls on the page of a lead: how they are logged, planned, shown, changed, and kept as a draft. */

async function openLead(who: string, values: Parameters<typeof enterLead>[1] = {}) {
  const app = await startTestApp()
  const id = await enterLead(app.db, { phone: '+1 212 555 0142', followup_date: '2026-03-16', ...values })
  return { app, id, ...(await openPanel(app, who, `/demo-leads/lead/${id}`)) }
}

const callsOf = async ({ db }: TestApp) =>
  db
    .selectFrom('lead_calls')
    .select(['outcome', 'direction', 'minutes', 'note', 'followup_date'])
    .orderBy('id')
    .execute()
const form = () => within(screen.getByRole('form', { name: 'New call' }))
const words = () => form().getByLabelText<HTMLTextAreaElement>('Call note')
const outcome = (name: string) => form().getByRole('button', { name: new RegExp(`^${name}`) })
const activity = () => within(screen.getByRole('region', { name: 'Activity' }))

/** Opens the tab with its key, which moves the focus to the outcomes. */
async function beginCall(): Promise<void> {
  await screen.findByRole('tab', { name: /^Call/ })
  press('c', {}, document.body)
  await waitFor(() => expect(document.activeElement).toBe(outcome('Reached')))
}

test('a call is logged and the next one planned by keyboard, and undone from the toast', async () => {
  const { app, id } = await openLead('crm')
  await beginCall()
  press('1')
  await waitFor(() => expect(document.activeElement).toBe(words()))
  expect(outcome('Reached').getAttribute('aria-pressed')).toBe('true')
  fill(words(), 'She wants two references.')
  expect(form().getByText('Stays 16 Mar 2026')).toBeTruthy()
  const tomorrow = form().getByRole('button', { name: 'Tomorrow' })
  press('t', {}, form().getByRole('button', { name: 'In a week' }))
  await waitFor(() => expect(tomorrow.getAttribute('aria-pressed')).toBe('true'))
  fill(form().getByLabelText('Minutes'), '12')
  press('Enter', { ctrlKey: true })
  await screen.findByText('Call logged. Follow-up date: 17 Mar 2026.')
  expect(await callsOf(app)).toEqual([
    {
      outcome: 1,
      direction: 'out',
      minutes: 12,
      note: 'She wants two references.',
      followup_date: '2026-03-17',
    },
  ])
  await waitFor(() => expect(activity().getByText('She wants two references.')).toBeTruthy())
  expect(activity().getByText(/^called/).textContent).toContain(
    'called · 12 min · Reached · Follow-up 17 Mar 2026',
  )
  await screen.findByRole('button', { name: /^Follow-up date of .*: 17 Mar 2026$/ })
  expect(words().value).toBe('')
  expect(outcome('Reached').getAttribute('aria-pressed')).toBe('false')

  // In the timeline, and in the toast.
  await clickUndo(/^Call logged/)
  await waitFor(async () => expect(await callsOf(app)).toEqual([]))
  expect((await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data.followup_date).toBe('2026-03-16')
})

test('a call without an answer needs no words, and can be repeated today', async () => {
  const { app } = await openLead('crm', { followup_date: null })
  await screen.findByRole('tab', { name: 'Call' })
  // Keys that are pressed while the form loads count.
  press('c', {}, document.body)
  press('2', {}, document.body)
  await screen.findByRole('form', { name: 'New call' })
  expect(form().getByText('No date yet')).toBeTruthy()
  await waitFor(() => expect(outcome('No answer').getAttribute('aria-pressed')).toBe('true'))
  expect(words().placeholder).toBe('Add a note (optional).')
  fireEvent.click(form().getByRole('button', { name: 'Today' }))
  fireEvent.click(form().getByRole('button', { name: 'Log call' }))
  await screen.findByText('1 attempt without an answer')
  expect(await callsOf(app)).toEqual([
    { outcome: 2, direction: 'out', minutes: null, note: '', followup_date: '2026-03-16' },
  ])
})

test('an outcome is required, and what is typed before it is in the text', async () => {
  const { app } = await openLead('crm')
  await beginCall()
  press('S')
  expect(document.activeElement).toBe(words())
  fill(words(), 'She called back.')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(form().getByRole('alert').textContent).toBe('This field is required.'))
  await waitFor(() => expect(document.activeElement).toBe(outcome('Reached')))
  expect(await callsOf(app)).toEqual([])
  fireEvent.click(form().getByRole('button', { name: 'Incoming' }))
  fireEvent.click(outcome('Reached'))
  press('Enter', { ctrlKey: true }, words())
  await waitFor(() => expect(activity().getByText(/^received a call/)).toBeTruthy())
  expect(await callsOf(app)).toMatchObject([{ outcome: 1, direction: 'in', followup_date: null }])
})

test('a running call is shown on other pages, with a link to its lead, until it is logged', async () => {
  const { id, go } = await openLead('crm')
  await beginCall()
  await go('/demo-leads')
  const link = await screen.findByRole('link', { name: `Call with lead #${id}` })
  expect(link.textContent).toMatch(/^00:\d\d$/)
  fireEvent.click(link)
  await beginCall()
  fireEvent.click(outcome('Reached'))
  fireEvent.click(form().getByRole('button', { name: 'Log call' }))
  await screen.findByText(/^Call logged/)
  await waitFor(() => expect(screen.queryByRole('timer')).toBeNull())
})

test('a call that was not logged is kept as a draft', async () => {
  const { id, reload } = await openLead('crm')
  await beginCall()
  press('3')
  fill(words(), 'Asked to call back')
  fireEvent.click(form().getByRole('button', { name: 'In a week' }))
  await waitFor(() =>
    expect(readDraft(`lead-call-${id}`)?.values).toMatchObject({ followup_date: '2026-03-23' }),
  )
  reload()
  await beginCall()
  expect(words().value).toBe('Asked to call back')
  expect(outcome('Left voicemail').getAttribute('aria-pressed')).toBe('true')
  expect(form().getByRole('button', { name: 'In a week' }).getAttribute('aria-pressed')).toBe('true')
})

test('if someone else moved the follow-up meanwhile, the call stays in the form, and can be logged again', async () => {
  const { app, id, intercept } = await openLead('crm')
  await beginCall()
  press('1')
  fill(words(), 'Still interested.')
  fireEvent.click(form().getByRole('button', { name: 'Tomorrow' }))
  await app.as('admin').get(`/admin/users/change-followup-date?id=${id}&date=2026-03-25`)
  // Until the request is refused, the page doesn't know the change.
  const end = intercept('GET', /getdemo/, (_request, forward) => forward())
  press('Enter', { ctrlKey: true }, words())
  await screen.findByText('Someone else changed this lead after you opened it.')
  end()
  expect(words().value).toBe('Still interested.')
  expect(await callsOf(app)).toEqual([])
  await screen.findByRole('button', { name: /^Follow-up date of .*: 25 Mar 2026$/ })
  press('Enter', { ctrlKey: true }, words())
  await screen.findByText('Call logged. Follow-up date: 17 Mar 2026.')
})

test('a call is edited and deleted by the person who logged it', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db)
  const log = (who: string, note: string) =>
    app.as(who).post('/admin/users/lead-calls', { lead_id: id, outcome: 1, note })
  await log('crm', 'Mine')
  await log('admin', 'Theirs')
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  // The history names the note, too.
  const entry = async (note: string) =>
    within(
      await waitFor(() => {
        const texts = activity().getAllByText(note)
        const found = texts.map((text) => text.closest<HTMLElement>('[id^=call-]')).find(Boolean)
        expect(found).toBeTruthy()
        return found!
      }),
    )
  await screen.findByRole('region', { name: 'Activity' })
  expect((await entry('Theirs')).queryByRole('button', { name: 'Edit' })).toBeNull()
  fireEvent.click(await (await entry('Mine')).findByRole('button', { name: 'Edit' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit call' }))
  await choose(() => dialog.getByLabelText(/^Outcome/), '4')
  fill(dialog.getByLabelText('Note'), 'A fax machine')
  fireEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await screen.findByText('Call saved.')
  expect(await callsOf(app)).toMatchObject([{ outcome: 4, note: 'A fax machine' }, { note: 'Theirs' }])
  fireEvent.click(await (await entry('A fax machine')).findByRole('button', { name: 'Delete' }))
  await screen.findByText('Call deleted.')
  expect(await callsOf(app)).toMatchObject([{ note: 'Theirs' }])
})

test('a note offers the next follow-up in the same box, which is set without a question', async () => {
  const { app, id } = await openLead('crm')
  const note = await screen.findByLabelText('Write a note')
  const offered = () => screen.queryByRole('group', { name: 'Next follow-up' })
  expect(offered()).toBeNull()
  fill(note, 'Sent the price list.')
  press('Enter', { ctrlKey: true })
  await waitFor(() => expect(offered()).not.toBeNull())
  fireEvent.click(within(offered()!).getByRole('button', { name: 'In a week' }))
  await screen.findByRole('button', { name: /^Follow-up date of .*: 23 Mar 2026$/ })
  expect((await app.as('crm').get(`/admin/users/getdemo?id=${id}`)).data.followup_date).toBe('2026-03-23')
  fill(note, 'And')
  await waitFor(() => expect(offered()).toBeNull())
})

const timer = () => form().queryByRole('timer')?.textContent
const minutes = () => form().getByLabelText<HTMLInputElement>('Minutes').value
const passSeconds = (app: TestApp, seconds: number) =>
  void vi.setSystemTime(app.clock.now().getTime() + seconds * 1000)

test('the key starts a timer, and the end of the call fills the minutes, which can be changed', async () => {
  const { app } = await openLead('crm')
  await beginCall()
  await waitFor(() => expect(timer()).toBe('00:00'))
  passSeconds(app, 252)
  press('1')
  await waitFor(() => expect(timer()).toBe('04:12'))
  fireEvent.click(form().getByRole('button', { name: 'End call' }))
  await waitFor(() => expect(minutes()).toBe('5'))
  expect(timer()).toBeUndefined()
  // A call that has ended isn't started again by the key that leads to its text.
  press('c', {}, document.body)
  expect(timer()).toBeUndefined()
  fill(form().getByLabelText('Minutes'), '4')
  press('Enter', { ctrlKey: true }, words())
  await screen.findByText('Call logged.')
  expect(await callsOf(app)).toMatchObject([{ outcome: 1, minutes: 4 }])
  await waitFor(() => expect(minutes()).toBe(''))
})

test('a call that runs is kept over a reload, and ends when it is logged', async () => {
  const { app, id, reload } = await openLead('crm')
  await beginCall()
  press('1')
  await waitFor(() => expect(readDraft(`lead-call-${id}`)?.values).toHaveProperty('started_at'))
  reload()
  passSeconds(app, 61)
  await screen.findByRole('tab', { name: /^Call/ })
  fireEvent.click(screen.getByRole('tab', { name: /^Call/ }))
  await screen.findByRole('form', { name: 'New call' })
  await waitFor(() => expect(timer()).toBe('01:01'))
  press('Enter', { ctrlKey: true }, words())
  await screen.findByText('Call logged.')
  expect(await callsOf(app)).toMatchObject([{ outcome: 1, minutes: 2 }])
})

test('a tab that was opened with the mouse has no timer until the call is started', async () => {
  const { app } = await openLead('crm')
  fireEvent.click(await screen.findByRole('tab', { name: /^Call/ }), { detail: 1 })
  await screen.findByRole('form', { name: 'New call' })
  expect(timer()).toBeUndefined()
  fireEvent.click(form().getByRole('button', { name: 'Start call' }))
  await waitFor(() => expect(timer()).toBe('00:00'))
  // No one answered, so it took no minutes.
  fireEvent.click(outcome('No answer'))
  fireEvent.click(form().getByRole('button', { name: 'Log call' }))
  await screen.findByText('Call logged.')
  expect(await callsOf(app)).toMatchObject([{ outcome: 2, minutes: null }])
})

test.each<[Permission[], boolean]>([
  [['lead_list', 'lead_detail'], false],
  [['lead_list', 'lead_detail', 'lead_edit'], true],
])('with the permissions %j, calls can be logged: %s', async (permissions, mayLog) => {
  const app = await startTestApp()
  const id = await enterLead(app.db)
  await app.as('crm').post('/admin/users/lead-calls', { lead_id: id, outcome: 1, note: 'For all to read' })
  const grant = { role_id: 8, grant: ['crm_view', ...permissions] }
  await app.as('super_admin').post('/admin/roles/change-permissions', grant)
  const { sent } = await openPanel(app, 'development_lead', `/demo-leads/lead/${id}`)
  await screen.findByText('For all to read')
  expect(screen.queryByRole('tab', { name: 'Call' }) !== null).toBe(mayLog)
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull()
  await expectNoneRefused({ sent })
})
