import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Permission } from '#shared/access.ts'
import { choose, clickUndo, expectNoneRefused, fill, openPanel, press } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { rejectedStatus } from '#features/crm/leads/rules.ts'

/* The follow-up queue: a list of leads with the open one beside it. The time in tests is Monday, 16 March 2026, 10:00 UTC. */

type Values = Parameters<typeof enterLead>[1]

/** Enters leads of a user that are overdue, the first one longest. */
async function enterDue({ db, as }: TestApp, leads: readonly Values[]): Promise<number[]> {
  const ids: number[] = []
  for (const [at, values] of leads.entries())
    ids.push(await enterLead(db, { assign_to: as('crm').id, followup_date: `2026-03-1${at}`, ...values }))
  return ids
}

async function openQueue(leads: readonly Values[], search = '') {
  const app = await startTestApp()
  const ids = await enterDue(app, leads)
  const panel = await openPanel(app, 'crm', `/demo-leads/follow-ups${search}`)
  return { app, ids, ...panel }
}

const two = [
  { company_name: 'Aalto Linen', contact_name: 'Nora Lindqvist', phone: '+1 212 555 0142' },
  { company_name: 'Brennan Hotels' },
]
const queue = () => screen.getByRole('list', { name: 'Follow-ups' })
const rows = () =>
  within(queue())
    .queryAllByRole('listitem')
    .map((row) => within(row).getByRole('link').textContent)
const row = (name: string) =>
  screen.findByRole('link', { name }).then((link) => link.closest<HTMLElement>('[data-row]')!)
const pane = () => within(screen.getByRole('region', { name: 'Reading pane' }))
const opened = (name: string) => waitFor(() => pane().getByRole('heading', { level: 2, name }))
const pressOnPage = (key: string) => press(key, {}, document.body)
const tab = (name: RegExp) => within(screen.getByRole('group', { name: 'Due' })).getByRole('button', { name })
const dateOf = async ({ db }: TestApp, id: number | undefined) =>
  (await db.selectFrom('leads').select('followup_date').where('lead_id', '=', id!).executeTakeFirst())!
    .followup_date

test('a row says who, since when, what time it is there, and what was said last', async () => {
  const app = await startTestApp()
  const [sydney] = await enterDue(app, [
    { company_name: 'Quillstone', contact_name: 'Gaël Quiñones', timezone: 'Australia/Sydney', color: 4 },
    { company_name: 'Lindholt', timezone: 'Europe/Berlin' },
  ])
  await app.as('crm').post(`/admin/general/notes/lead/${sydney}`, { note: 'Wants the brochure.' })
  await openPanel(app, 'crm', '/demo-leads/follow-ups')
  const there = await row('Quillstone')
  await within(there).findByRole('img', { name: 'Outside working hours' })
  for (const words of [
    '6 days overdue',
    'Gaël Quiñones',
    'in Sydney',
    'Urgent',
    'New',
    'Wants the brochure.',
  ])
    await waitFor(() => expect(there.textContent).toContain(words))
  const here = await row('Lindholt')
  expect(here.textContent).toContain('in Berlin')
  expect(within(here).queryByRole('img', { name: 'Outside working hours' })).toBeNull()
})

test('before one is open, the queue says which lead is next, and why; the open one is in the address', async () => {
  const { address, ids, reload } = await openQueue(two)
  await pane().findByText('Next: Aalto Linen')
  expect(pane().getByText(/^6 days overdue, no priority\. The earliest date comes first/)).toBeTruthy()
  fireEvent.click(pane().getByRole('button', { name: 'Open lead' }))
  await opened('Aalto Linen')
  expect(address()).toContain(`open=${ids[0]}`)
  expect((await row('Aalto Linen')).getAttribute('aria-current')).toBe('true')
  const contact = within(await pane().findByRole('group', { name: 'Contact' }))
  expect(contact.getByRole('link', { name: '+1 212 555 0142' })).toBeTruthy()
  expect(contact.getByText('None yet')).toBeTruthy()
  reload()
  await opened('Aalto Linen')
  pressOnPage('j')
  await opened('Brennan Hotels')
  pressOnPage('k')
  await opened('Aalto Linen')
})

test('a snooze takes the lead out of the queue and opens the next one, and the undo key brings it back', async () => {
  const { app, ids } = await openQueue(two)
  fireEvent.click(await screen.findByRole('link', { name: 'Aalto Linen' }))
  await opened('Aalto Linen')
  await pane().findByRole('button', { name: 'Tomorrow: Aalto Linen' })
  pressOnPage(leadKeys.tomorrow)
  await opened('Brennan Hotels')
  await waitFor(() => expect(rows()).toEqual(['Brennan Hotels']))
  await waitFor(async () => expect(await dateOf(app, ids[0])).toBe('2026-03-17'))
  await waitFor(() => expect(tab(/^Overdue/).textContent).toContain('1'))
  await screen.findByText('1 of 2 done today')
  pressOnPage(leadKeys.undo)
  await waitFor(() => expect(rows()).toEqual(['Aalto Linen', 'Brennan Hotels']))
  await screen.findByText('0 of 2 done today')
  await waitFor(async () => expect(await dateOf(app, ids[0])).toBe('2026-03-10'))
  await opened('Brennan Hotels')
})

test('after the last lead, the tab is empty and offers the one that has follow-ups', async () => {
  const { app } = await openQueue([{ company_name: 'Aalto Linen' }])
  await enterLead(app.db, {
    company_name: 'Castell Clinics',
    assign_to: app.as('crm').id,
    followup_date: '2026-03-16',
  })
  fireEvent.click(await screen.findByRole('link', { name: 'Aalto Linen' }))
  await opened('Aalto Linen')
  fireEvent.click(await pane().findByRole('button', { name: 'In a week: Aalto Linen' }))
  await screen.findByText('No overdue follow-ups')
  fireEvent.click(await screen.findByRole('button', { name: 'Show today (1)' }))
  await screen.findByRole('link', { name: 'Castell Clinics' })
  expect(tab(/^Today/).getAttribute('aria-pressed')).toBe('true')
})

test('a call is logged with a key, and the next lead opens', async () => {
  const { app } = await openQueue(two)
  const first = await row('Aalto Linen')
  first.focus()
  press(leadKeys.call)
  await opened('Aalto Linen')
  const form = within(await screen.findByRole('form', { name: 'New call' }))
  await form.findByRole('timer')
  const reached = form.getByRole('button', { name: /^Reached/ })
  await waitFor(() => expect(document.activeElement).toBe(reached))
  press('2')
  await waitFor(() =>
    expect(form.getByRole('button', { name: /^No answer/ }).getAttribute('aria-pressed')).toBe('true'),
  )
  expect(form.getByRole('button', { name: 'Log call' })).toBeTruthy()
  fireEvent.click(form.getByRole('button', { name: 'Tomorrow' }))
  fireEvent.click(await form.findByRole('button', { name: 'Log call and next' }))
  await opened('Brennan Hotels')
  await waitFor(() => expect(rows()).toEqual(['Brennan Hotels']))
  await clickUndo(/^Call logged/)
  await waitFor(() => expect(rows()).toEqual(['Aalto Linen', 'Brennan Hotels']))
  expect(await app.db.selectFrom('lead_calls').selectAll().execute()).toEqual([])
})

test('a lead is rejected with a key, and the next lead opens', async () => {
  const { app, ids } = await openQueue(two)
  fireEvent.click(await screen.findByRole('link', { name: 'Aalto Linen' }))
  await opened('Aalto Linen')
  await pane().findByRole('button', { name: 'Reject Aalto Linen' })
  pressOnPage(leadKeys.reject)
  const form = within(await screen.findByRole('dialog', { name: 'Reject Aalto Linen' }))
  await choose(() => form.getByLabelText('Reject reason'), '2')
  fireEvent.click(form.getByRole('button', { name: 'Reject' }))
  await opened('Brennan Hotels')
  await waitFor(() => expect(rows()).toEqual(['Brennan Hotels']))
  const { status } = await app.db
    .selectFrom('leads')
    .select('status')
    .where('lead_id', '=', ids[0]!)
    .executeTakeFirstOrThrow()
  expect(status).toBe(rejectedStatus)
  await clickUndo(/^Aalto Linen rejected/)
  await waitFor(() => expect(rows()).toEqual(['Aalto Linen', 'Brennan Hotels']))
})

test('a note opens the next lead once its follow-up is chosen', async () => {
  const { app, ids } = await openQueue(two)
  const first = await row('Aalto Linen')
  first.focus()
  press(leadKeys.note)
  const text = await screen.findByLabelText('Write a note')
  await waitFor(() => expect(document.activeElement).toBe(text))
  fill(text, 'Calls back on Monday.')
  press('Enter', { ctrlKey: true })
  const offered = within(await pane().findByRole('group', { name: 'Next follow-up' }))
  await opened('Aalto Linen')
  fireEvent.click(offered.getByRole('button', { name: 'In a week' }))
  await opened('Brennan Hotels')
  expect(await dateOf(app, ids[0])).toBe('2026-03-23')
})

test('each key of a lead works on a row while no lead is open', async () => {
  const { app, ids } = await openQueue([{ company_name: 'Aalto Linen', email: 'nora@aalto.example' }])
  const close = async () => {
    fireEvent.click(pane().getByRole('button', { name: 'Back to list' }))
    await pane().findByText('Next: Aalto Linen')
  }
  const pressOnRow = async (key: string) => {
    ;(await row('Aalto Linen')).focus()
    press(key)
  }
  for (const [key, name] of [
    [leadKeys.email, 'Email'],
    [leadKeys.session, 'New session'],
  ] as const) {
    await pressOnRow(key)
    await screen.findByRole('form', { name })
    await close()
  }
  await pressOnRow(leadKeys.date)
  await screen.findByRole('dialog', { name: 'Follow-up date of Aalto Linen' })
  press('Escape')
  await close()
  await pressOnRow(leadKeys.tomorrow)
  await waitFor(async () => expect(await dateOf(app, ids[0])).toBe('2026-03-17'))
  pressOnPage(leadKeys.undo)
  await waitFor(async () => expect(await dateOf(app, ids[0])).toBe('2026-03-10'))
})

test('the leads of all products are one choice, and name their product', async () => {
  const { address, go } = await openQueue([two[0]!, { company_name: 'Birch Staff', lead_for: 2 }])
  await waitFor(() => expect(rows()).toEqual(['Aalto Linen']))
  fireEvent.click(
    within(screen.getByRole('group', { name: 'Product' })).getByRole('button', { name: 'All products' }),
  )
  await waitFor(() => expect(rows()).toEqual(['Aalto Linen', 'Birch Staff']))
  expect(address()).toContain('product_scope=all')
  expect((await row('Birch Staff')).textContent).toContain('staffer')
  await go('/demo-leads/follow-ups?search=birch&product_scope=all')
  await waitFor(() => expect(rows()).toEqual(['Birch Staff']))
})

test.each<[Permission[], string]>([
  [['lead_list'], 'No permission'],
  [['lead_list', 'lead_detail'], 'Open lead'],
])(
  'with the permissions %j, the queue can be read, and nothing is offered that would be refused',
  async (permissions, shown) => {
    const app = await startTestApp()
    const [id] = await enterDue(app, two)
    const grant = { role_id: 8, grant: ['crm_view', ...permissions] }
    await app.as('super_admin').post('/admin/roles/change-permissions', grant)
    const { sent } = await openPanel(
      app,
      'development_lead',
      `/demo-leads/follow-ups?assigned_filter=all&open=${id}`,
    )
    await screen.findAllByText(shown)
    await waitFor(() => expect(rows()).toEqual(['Aalto Linen', 'Brennan Hotels']))
    for (const name of [/^Tomorrow/, /^In a week/, /^Follow-up date of/, 'Call'])
      expect(screen.queryByRole('button', { name })).toBeNull()
    for (const key of Object.values(leadKeys)) pressOnPage(key)
    expect(await dateOf(app, id)).toBe('2026-03-10')
    await expectNoneRefused({ sent })
  },
)

test('a queue that can’t be loaded says so, and a lead that is gone as well', async () => {
  const app = await startTestApp()
  await enterDue(app, two)
  const panel = await openPanel(app, 'crm', '/dashboard')
  const end = panel.intercept('GET', /get-demo-leads/, () => ({
    status: 500,
    body: { message: 'It rains.' },
  }))
  await panel.go('/demo-leads/follow-ups?open=999')
  await screen.findByText('Follow-ups couldn’t be loaded')
  await screen.findByText('This lead can’t be found')
  end()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await screen.findByRole('link', { name: 'Aalto Linen' })
})
