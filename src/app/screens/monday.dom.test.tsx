import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { clickUndo, openPanel, press, type OpenPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { remind } from '#features/crm/leads/follow-ups/server/reminders.queries.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { remindOfOrganizations } from '#features/crm/organizations/server/reminders.queries.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

/* A Monday morning by keyboard: what waits is done, moved, and opened from My day, and a number leads to its list. */

const monday = '2026-03-16'

const day = () => screen.findByRole('region', { name: /^My day/ })
/** The titles in My day by group. */
async function waiting(): Promise<Record<string, (string | undefined)[]>> {
  const groups = within(await day()).getAllByRole('region')
  return Object.fromEntries(
    groups.map((group) => [
      group.querySelector('h3')!.textContent,
      [...group.querySelectorAll('[data-row]')].map(
        (row) => row.querySelector('[data-open] span, span > span')?.textContent ?? '',
      ),
    ]),
  )
}

/** Moves down with `j` to the row with this title. */
async function walkTo(title: string): Promise<void> {
  await waitFor(async () => expect(Object.values(await waiting()).flat()).toContain(title))
  for (let steps = 0; steps < 20; steps += 1) {
    press('j')
    if (document.activeElement?.textContent?.includes(title)) return
  }
  throw new Error(`j never reached ${title}.`)
}

/** Opens a tile as Enter does. */
async function openTile({ main }: OpenPanel, name: RegExp): Promise<void> {
  const tile = await main().findByRole('link', { name })
  tile.focus()
  expect(document.activeElement).toBe(tile)
  fireEvent.click(tile)
}

async function enterQuickTask({ as }: TestApp, person: string, title: string, due_date: string) {
  const { data } = await as('super_admin').post('/common/quick-task', {
    title,
    due_date,
    person: as(person).id,
  })
  return data.id as number
}

test('a CSM marks a quick task as done, undoes that, and opens the trial that ends', async () => {
  const app = await startTestApp()
  const { db, as } = app
  const organization = await enterOrganization(db, {
    name: 'Lindholt Laundry',
    status: 2,
    trial_end_date: '2026-03-17',
    assign_to: as('csm').id,
  })
  await remindOfOrganizations(db, monday)
  const id = await enterQuickTask(app, 'csm', 'Approve the price list', '2026-03-13')
  const panel = await openPanel(app, 'csm', '/dashboard')
  await waitFor(async () =>
    expect(await waiting()).toEqual({ Overdue: ['Approve the price list'], Upcoming: ['Lindholt Laundry'] }),
  )
  press('j')
  press('e')
  await waitFor(async () => expect(await waiting()).toEqual({ Upcoming: ['Lindholt Laundry'] }))
  const statusOf = async () =>
    (await db.selectFrom('quick_tasks').select('status').where('id', '=', id).executeTakeFirst())!.status
  expect(await statusOf()).toBe(1)
  await clickUndo(/^Quick task marked as done/)
  await waitFor(async () => expect((await waiting())['Overdue']).toEqual(['Approve the price list']))
  expect(await statusOf()).toBe(0)
  await walkTo('Lindholt Laundry')
  press('Enter')
  await waitFor(() =>
    expect(panel.address()).toMatch(new RegExp(`^/organizations/detail/.*/${organization}$`)),
  )
})

test('a sales lead snoozes an overdue follow-up, opens the next one, and sees the new leads', async () => {
  const app = await startTestApp()
  const { db, as } = app
  const own = { assign_to: as('admin').id }
  const late = await enterLead(db, {
    company_name: 'Zandhoek Care Home',
    followup_date: '2026-03-13',
    ...own,
  })
  const due = await enterLead(db, { company_name: 'Castell Clinics', followup_date: monday, ...own })
  await remind(db, monday)
  const panel = await openPanel(app, 'admin', '/dashboard')
  await walkTo('Zandhoek Care Home')
  press('s')
  const dialog = await screen.findByRole('dialog', { name: 'Snooze: Zandhoek Care Home' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Tomorrow' }))
  await waitFor(async () => expect(await waiting()).toEqual({ Today: ['Castell Clinics'] }))
  const { followup_date } = (await db
    .selectFrom('leads')
    .select('followup_date')
    .where('lead_id', '=', late)
    .executeTakeFirst())!
  expect(followup_date).toBe('2026-03-17')
  await walkTo('Castell Clinics')
  press('Enter')
  await waitFor(() => expect(panel.address()).toContain(String(due)))
  await panel.go('/dashboard')
  await openTile(panel, /^New leads\s*2/)
  await waitFor(() => expect(panel.address()).toBe('/demo-leads?fromDate=2026-02-15&toDate=2026-03-16'))
})

test('a support agent opens the ticket that has waited longest, and the open tickets', async () => {
  const app = await startTestApp()
  const { db } = app
  const organization_id = await enterOrganization(db)
  const first = await enterTicket(db, { title: 'The scanner stopped', organization_id })
  const second = await enterTicket(db, { title: 'We cannot sign in', organization_id })
  for (const [{ message_id }, created_at] of [
    [first, '2026-03-16T08:00:00Z'],
    [second, '2026-03-16T09:00:00Z'],
  ] as const)
    await db.updateTable('ticket_messages').set({ created_at }).where('id', '=', message_id).execute()
  const panel = await openPanel(app, 'support', '/dashboard')
  await waitFor(async () =>
    expect(await waiting()).toEqual({ Today: ['The scanner stopped', 'We cannot sign in'] }),
  )
  press('j')
  press('j')
  press('k')
  press('Enter')
  await waitFor(() => expect(panel.address()).toBe(`/support/ticket/${first.id}/${organization_id}`))
  await panel.go('/dashboard')
  await openTile(panel, /^Open tickets\s*2/)
  await waitFor(() => expect(panel.address()).toMatch(/^\/support\?search=is(:|%3A)open$/))
})

test('a developer sees the tasks by the developer’s date, opens one, and sees those that are overdue', async () => {
  const app = await startTestApp()
  const { db, as } = app
  const own = { assigned_to: as('developer').id, status: 2 }
  await enterTask(db, {
    title: 'Label both printers',
    dev_due_date: '2026-03-20',
    due_date: '2026-03-12',
    ...own,
  })
  await enterTask(db, { title: 'Read the tags', dev_due_date: '2026-03-13', due_date: '2026-03-30', ...own })
  await enterTask(db, {
    title: 'Of someone else',
    dev_due_date: '2026-03-13',
    assigned_to: as('qa').id,
    status: 2,
  })
  const panel = await openPanel(app, 'developer', '/dashboard')
  await waitFor(async () =>
    expect(await waiting()).toEqual({ Overdue: ['Read the tags'], Upcoming: ['Label both printers'] }),
  )
  press('j')
  press('Enter')
  const details = within(await screen.findByRole('dialog', { name: 'Task Details' }))
  await details.findByText('Read the tags')
  expect(panel.address()).toMatch(/^\/dashboard\?task=\d+$/)
  await panel.go('/dashboard')
  const card = within(await screen.findByRole('region', { name: /^My hours today/ }))
  const add = async (hours: string) => {
    fireEvent.change(await card.findByRole('spinbutton', { name: 'Hours' }), { target: { value: hours } })
    fireEvent.submit(card.getByRole('form', { name: 'Add hours' }))
  }
  const total = () => card.getByRole('heading', { level: 2 }).textContent
  await add('1')
  await waitFor(() => expect(total()).toMatch(/1 h$/))
  await clickUndo(/^Hours saved/)
  await waitFor(() => expect(total()).toMatch(/0 h$/))
  await add('2.5')
  await waitFor(() => expect(total()).toMatch(/2\.5 h$/))
  const saved = await db.selectFrom('task_reports').select(['title', 'hours', 'report_date']).execute()
  expect(saved).toEqual([{ title: 'Read the tags', hours: 2.5, report_date: monday }])
  await openTile(panel, /^Overdue\s*1/)
  await waitFor(() => expect(panel.address()).toMatch(/^\/development-tasks\?assigned_to=/))
})
