import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/* Sessions on the page of a lead: their length, place, hosts, and guests. */

test('a session at the time of another one says so before it is saved, and is saved with its guests', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const other = await enterLead(app.db, { company_name: 'Iris Laundry', assign_to: crm.id })
  await app.db
    .insertInto('lead_demos')
    .values({
      lead_id: other,
      type: 'Demo',
      final_date: new Date('2026-03-20T10:30').toISOString(),
      minutes: 45,
      status: 2,
    })
    .execute()
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const id = await enterLead(app.db, { email: 'nora@aalto.example', assign_to: crm.id, timezone })
  const { sent } = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Session' }))
  const form = within(await screen.findByRole('form', { name: 'New session' }))
  const time = form.getByLabelText<HTMLInputElement>('Scheduled time')
  fill(time, '20 March 2026 10:00')
  fireEvent.blur(time)
  const conflict = await form.findByText(/^Paula Ferreira has/)
  expect(conflict.textContent).toBe('Paula Ferreira has “Demo” with Iris Laundry from 10:30 to 11:15.')
  fireEvent.change(form.getByLabelText('Length'), { target: { value: '30' } })
  await waitFor(() => expect(form.queryByText(/^Paula Ferreira has/)).toBeNull())

  fill(form.getByLabelText('Place or link'), 'https://meet.example/paula')
  const guests = await form.findByLabelText('More guests', { selector: 'input' })
  fill(guests, 'Sam Whitlock <sam@aalto.example>')
  press('Enter', {}, guests)
  await form.findByText(/Email an invitation .* to nora@aalto.example, sam@aalto.example/)
  fireEvent.click(form.getByRole('button', { name: 'Save session' }))
  await screen.findByText('Session saved.')
  expect(sent.findLast(({ path }) => path.endsWith('/save-demo-session'))?.body).toMatchObject({
    sessions: [
      { minutes: 30, place: 'https://meet.example/paula', guests: ['sam@aalto.example'], invite: true },
    ],
  })
  const shown = within(screen.getByRole('region', { name: 'Sessions' }))
  await shown.findByText('30 min with Paula Ferreira')
  expect(shown.getByRole('link', { name: 'https://meet.example/paula' })).toBeTruthy()
  expect(shown.getByText('sam@aalto.example')).toBeTruthy()
  await expectNoneRefused({ sent })
})

test('the form shows the day of each host, and moves the session to the nearest free time', async () => {
  const app = await startTestApp()
  const [crm, support] = [app.as('crm'), app.as('support')]
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const other = await enterLead(app.db, { company_name: 'Iris Laundry', assign_to: crm.id })
  const hidden = await enterLead(app.db, { company_name: 'Secret Spa', assign_to: support.id, lead_for: 2 })
  const busy = (lead_id: number, from: string) => ({
    lead_id,
    type: 'Demo',
    final_date: new Date(`2026-03-20T${from}`).toISOString(),
    minutes: 45,
    status: 2,
  })
  await app.db
    .insertInto('lead_demos')
    .values([busy(other, '10:30'), busy(hidden, '14:00')])
    .execute()
  await app.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', crm.id)
    .where('product_id', '=', 2)
    .execute()
  const id = await enterLead(app.db, { email: 'nora@aalto.example', assign_to: crm.id, timezone })
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Session' }))
  const form = within(await screen.findByRole('form', { name: 'New session' }))
  const time = form.getByLabelText<HTMLInputElement>('Scheduled time')
  fill(time, '20 March 2026 10:00')
  fireEvent.blur(time)
  const days = within(await form.findByRole('group', { name: 'Hosts on 20 Mar 2026' }))
  const texts = () => days.getAllByRole('listitem').map((item) => item.textContent)
  await waitFor(() =>
    expect(texts()[0]).toContain('Paula Ferreira (you)Busy: 10:30 to 11:15, “Demo” with Iris Laundry.'),
  )
  fireEvent.click(await form.findByRole('button', { name: 'Move to 09:30' }))
  await waitFor(() => expect(time.value).toBe('20 Mar 2026, 09:30'))
  await waitFor(() => expect(form.queryByText(/^Paula Ferreira has/)).toBeNull())

  // The title of what the viewer can't see isn't told.
  fireEvent.click(await form.findByRole('combobox', { name: 'Led by' }))
  fireEvent.click(await screen.findByRole('option', { name: 'Tom Whitfield' }))
  await waitFor(() =>
    expect(texts()).toEqual([expect.stringContaining('Tom WhitfieldBusy: 14:00 to 14:45, another session.')]),
  )
})

test('the next session has a link to join it and, once it has begun, a button for its outcome', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db, { company_name: 'Aalto Linen', contact_name: 'Nora Lindqvist' })
  const now = app.clock.now().getTime()
  await app.db
    .insertInto('lead_demos')
    .values({
      lead_id: id,
      type: 'Demo',
      final_date: new Date(now - 10 * 60_000).toISOString(),
      minutes: 45,
      place: 'Call: https://meet.example/paula.',
      status: 2,
    })
    .execute()
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const next = within(await screen.findByRole('region', { name: 'Next session' }))
  expect(next.getByRole('link', { name: 'Join' }).getAttribute('href')).toBe('https://meet.example/paula')
  fireEvent.click(next.getByRole('button', { name: 'Mark as completed' }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Next session' })).toBeNull())
  const rail = within(screen.getByRole('region', { name: 'Sessions' }))
  await rail.findByText('Completed')
})

test('a session that is over asks for its outcome, and can no longer be joined', async () => {
  const app = await startTestApp()
  const id = await enterLead(app.db, { company_name: 'Aalto Linen' })
  const now = app.clock.now().getTime()
  await app.db
    .insertInto('lead_demos')
    .values({
      lead_id: id,
      type: 'Demo',
      final_date: new Date(now - 3 * 3_600_000).toISOString(),
      place: 'https://meet.example/paula',
      status: 2,
    })
    .execute()
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const last = within(await screen.findByRole('region', { name: 'Session without an outcome' }))
  expect(last.queryByRole('link', { name: 'Join' })).toBeNull()
  expect(last.getByRole('button', { name: 'Mark as completed' })).toBeTruthy()
  expect(last.getByRole('button', { name: 'Reschedule' })).toBeTruthy()
})

test('the form proposes free times, of which a click takes one', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const id = await enterLead(app.db, { assign_to: crm.id, timezone })
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Session' }))
  const form = within(await screen.findByRole('form', { name: 'New session' }))
  const free = await form.findByRole('group', { name: 'Free times' })
  const times = within(free).getAllByRole('button')
  expect(times).toHaveLength(3)
  expect(free.textContent).toContain('All hosts are free, in working hours.')
  const time = form.getByLabelText<HTMLInputElement>('Scheduled time')
  const [, day, clock] = /^\w{3} (.*), (\d\d:\d\d)$/.exec(times[1]!.textContent)!
  fireEvent.click(times[1]!)
  await waitFor(() => expect(time.value).toMatch(new RegExp(`^${day} \\d{4}, ${clock}$`)))
})

test('a session is handed over from its menu; of several hosts, one is chosen', async () => {
  const app = await startTestApp()
  const [crm, admin] = [app.as('crm'), app.as('admin')]
  const id = await enterLead(app.db, { company_name: 'Aalto Linen', assign_to: crm.id })
  await crm.post('/admin/users/save-demo-session', {
    lead_id: id,
    sessions: [
      {
        type: 'Demo',
        final_date: new Date(app.clock.now().getTime() + 86_400_000).toISOString(),
        host_ids: [crm.id, admin.id],
      },
    ],
  })
  const { sent } = await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  const shown = within(await screen.findByRole('region', { name: 'Sessions' }))
  fireEvent.click(await shown.findByRole('button', { name: 'More actions for Demo' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Hand over' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Hand over Demo' }))
  const host = dialog.getByLabelText<HTMLSelectElement>(/^New host/)
  await dialog.findByRole('option', { name: 'Tom Whitfield' })
  expect([...host.options].map(({ text }) => text)).not.toContain('Martin Keller')
  fireEvent.click(dialog.getByRole('button', { name: 'Hand over' }))
  expect(await dialog.findByText('This field is required.')).toBeTruthy()
  fireEvent.change(host, { target: { value: String(app.as('support').id) } })
  // The reader's own place is suggested.
  const place = dialog.getByLabelText<HTMLSelectElement>(/^In place of/)
  expect(place.selectedOptions[0]?.text).toBe('Paula Ferreira')
  fireEvent.change(place, { target: { value: String(admin.id) } })
  fireEvent.click(dialog.getByRole('button', { name: 'Hand over' }))
  await screen.findByText(/^Session handed over to Paula Ferreira, Tom Whitfield/)
  expect(sent.findLast(({ path }) => path.endsWith('/hand-over-session'))?.body).toMatchObject({
    host_id: app.as('support').id,
    from: admin.id,
  })
  await shown.findByText('1 h with Paula Ferreira, Tom Whitfield')
  await expectNoneRefused({ sent })
})

test('a scheduled and a completed demo offer the status that fits, which only a click sets', async () => {
  const app = await startTestApp()
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const id = await enterLead(app.db, { status: 1, timezone })
  // The status has another name than at first.
  await app.db.updateTable('lead_statuses').set({ name: 'Date agreed' }).where('for_demo', '=', 2).execute()
  const statusOf = async () =>
    (await app.db.selectFrom('leads').select('status').where('lead_id', '=', id).executeTakeFirstOrThrow())
      .status
  await openPanel(app, 'crm', `/demo-leads/lead/${id}`)
  fireEvent.click(await screen.findByRole('tab', { name: 'Session' }))
  const form = within(await screen.findByRole('form', { name: 'New session' }))
  const time = form.getByLabelText<HTMLInputElement>('Scheduled time')
  fill(time, '20 March 2026 10:00')
  fireEvent.blur(time)
  fireEvent.click(form.getByRole('button', { name: 'Save session' }))
  const offer = await form.findByRole('button', { name: 'Set status to Date agreed' })
  expect(await statusOf()).toBe(1)
  fireEvent.click(offer)
  await waitFor(async () => expect(await statusOf()).toBe(4))
  await waitFor(() => expect(form.queryByRole('button', { name: /^Set status/ })).toBeNull())

  const sessions = within(screen.getByRole('region', { name: 'Sessions' }))
  fireEvent.click(await sessions.findByRole('button', { name: /^More actions/ }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Mark as completed' }))
  await screen.findByText('Set the status of the lead to Demo done?')
  expect(await statusOf()).toBe(4)
  fireEvent.click(screen.getByRole('button', { name: 'Set status' }))
  await waitFor(async () => expect(await statusOf()).toBe(5))
})
