import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { choose, clickUndo, expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'
import { queries } from '#web/api/queries.ts'

test.each(['crm', 'data_entry', 'editor', 'designer', 'qa'])(
  'the dashboard sends no request that is refused: %s',
  async (user) => {
    const { sent } = await openPanel(await startTestApp(), user, '/dashboard')
    await screen.findByRole('heading', { level: 1, name: 'Dashboard' })
    await expectNoneRefused({ sent })
    expect(sent.length).toBeGreaterThan(0)
  },
)

test('a page that stays open refetches when the user returns to it on another day', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  const { sent } = await openPanel(app, 'crm', '/dashboard')
  const days = () =>
    sent.flatMap(({ path }) => /^\/admin\/\w+\/(?:lead-)?numbers\?.*today=([\d-]+)/.exec(path)?.[1] ?? [])
  await waitFor(() => expect(days().at(-1)).toBe('2026-11-20'))
  vi.setSystemTime('2026-11-24T09:00:00.000Z')
  act(() => void dispatchEvent(new Event('focus')))
  await waitFor(() => expect(days().at(-1)).toBe('2026-11-24'))
})

test('a number is that of the period in the address, and opens exactly its list', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  await app.db
    .insertInto('leads')
    .values(
      ['2026-11-20', '2026-10-01', '2026-08-23', '2026-08-22'].map((lead_date) => ({
        company_name: 'Aalto Linen',
        lead_for: 1,
        lead_date,
      })),
    )
    .execute()
  const { sent, address, main } = await openPanel(app, 'crm', '/dashboard')
  await main().findByRole('link', { name: /^New leads\s*1\s*in 30 days/ })
  await choose(() => main().getByRole('combobox', { name: 'Period' }), '90')
  const tile = await main().findByRole('link', { name: /^New leads\s*3\s*in 90 days/ })
  expect(address()).toBe('/dashboard?period=90')
  fireEvent.click(tile)
  await waitFor(() => expect(address()).toBe('/demo-leads?fromDate=2026-08-23&toDate=2026-11-20'))
  const listed = () => sent.findLast(({ path }) => path.startsWith('/admin/users/get-demo-requests?'))
  await waitFor(() => expect(listed()?.status).toBe(200))
  expect(await app.as('crm').get(listed()!.path)).toMatchObject({ total: 3 })
})

test('the numbers of all areas come in one request, again for another period', async () => {
  const { sent, main } = await openPanel(await startTestApp(), 'super_admin', '/dashboard')
  await main().findByRole('link', { name: /^New leads\s*0/ })
  await main().findByRole('link', { name: /^Open tickets\s*0/ })
  const ofNumbers = () =>
    sent.flatMap(({ path }) => /^[a-z/-]+(?:numbers|workload)(?=\?)/.exec(path)?.[0] ?? [])
  const numbers = '/admin/dashboard/numbers'
  expect(ofNumbers()).toEqual([numbers])
  fireEvent.change(main().getByRole('combobox', { name: 'Period' }), { target: { value: '90' } })
  await main().findByRole('link', { name: /^New leads\s*0\s*in 90 days/ })
  expect(ofNumbers()).toEqual([numbers, numbers])
})

test('what waits in all areas comes in one request, and from each area if that fails', async () => {
  const { sent, main, intercept, go } = await openPanel(await startTestApp(), 'crm', '/dashboard')
  await main().findByText('Nothing waits for you')
  const ofDay = () =>
    sent.flatMap(({ path, isPart, status }) =>
      path.startsWith('/admin/users/lead-reminders') ? [{ isPart, status }] : [],
    )
  const together = { isPart: true, status: 200 }
  expect(ofDay()).toEqual([together])
  await go('/demo-leads')
  queries.clear()
  intercept('POST', /^\/admin\/reads/, () => ({ status: 500, body: { message: 'Failed.' } }))
  await go('/dashboard')
  await main().findByText('Nothing waits for you')
  expect(ofDay()).toEqual([together, { isPart: true, status: 500 }, { isPart: undefined, status: 200 }])
})

test.each(['super_admin', 'csm', 'support', 'developer'])(
  'the dashboard opens with few requests: %s',
  async (who) => {
    const { sent, main } = await openPanel(await startTestApp(), who, '/dashboard')
    await main().findByText('Nothing waits for you')
    await waitFor(() => expect(sent.filter(({ status }) => status === undefined)).toEqual([]))
    const together = sent.filter(({ path }) => path === '/admin/reads')
    const alone = sent.filter(({ path, isPart }) => !isPart && path !== '/admin/reads')
    expect(together.length).toBeLessThanOrEqual(2)
    // Those of the frame: the bell, the notices, and the chat.
    expect(alone.map(({ path }) => path).filter((path) => !/unread|unnotified/.test(path))).toEqual([])
  },
)

test('the areas request their numbers themselves if the request for all of them fails', async () => {
  const { sent, main, intercept, go } = await openPanel(await startTestApp(), 'crm', '/demo-leads')
  intercept('GET', /^\/admin\/dashboard\/numbers/, () => ({ status: 500, body: { message: 'Failed.' } }))
  await go('/dashboard')
  await main().findByRole('link', { name: /^New leads\s*0/ })
  expect(sent.map(({ path }) => path.split('?')[0])).toContain('/admin/users/lead-numbers')
})

test('the CRM and the CMS dashboards have the cards of their area, and each is arranged on its own', async () => {
  const app = await startTestApp()
  const { main, go } = await openPanel(app, 'super_admin', '/dashboard')
  const names = async () => {
    await main().findByRole('region', { name: /^My day/ })
    return ['New leads', 'Pending comments', 'Tasks delivered'].filter((name) =>
      main().queryByText(new RegExp(`^${name}$`), { selector: 'a > span' }),
    )
  }
  await waitFor(async () =>
    expect(await names()).toEqual(['New leads', 'Pending comments', 'Tasks delivered']),
  )
  await go('/dashboard?view=crm')
  await main().findByRole('heading', { level: 1, name: 'CRM dashboard' })
  await waitFor(async () => expect(await names()).toEqual(['New leads']))
  await go('/dashboard?view=cms')
  await main().findByRole('heading', { level: 1, name: 'CMS dashboard' })
  await waitFor(async () => expect(await names()).toEqual(['Pending comments']))
  fireEvent.click(main().getByRole('button', { name: 'Arrange cards' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrange cards' }))
  expect(dialog.queryByRole('button', { name: 'Hide: New leads' })).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Hide: Pending comments' }))
  await waitFor(async () => expect(await names()).toEqual([]))
  await go('/dashboard')
  await waitFor(async () =>
    expect(await names()).toEqual(['New leads', 'Pending comments', 'Tasks delivered']),
  )
})

test('a person hides and moves cards for themselves, and resets them', async () => {
  const app = await startTestApp()
  const { main } = await openPanel(app, 'crm', '/dashboard')
  const names = () =>
    main()
      .queryAllByRole('link', { name: /^(New leads|Won)/ })
      .map(({ textContent }) => /^(New leads|Won)/.exec(textContent)?.[0])
  await waitFor(() => expect(names()).toEqual(['New leads', 'Won']))
  fireEvent.click(main().getByRole('button', { name: 'Arrange cards' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Arrange cards' }))
  // Cards that they can't see are not offered.
  expect(dialog.queryByRole('button', { name: 'Hide: Pending comments' })).toBeNull()
  fireEvent.click(dialog.getByRole('button', { name: 'Move down: New leads' }))
  await waitFor(() => expect(names()).toEqual(['Won', 'New leads']))
  fireEvent.click(dialog.getByRole('button', { name: 'Hide: New leads' }))
  await waitFor(() => expect(names()).toEqual(['Won']))
  const hidden = async (user: string) => (await app.as(user).get('/admin/dashboard/cards'))['data'].hidden
  await waitFor(async () => expect(await hidden('crm')).toEqual(['new-leads']))
  expect(await hidden('super_admin')).toEqual([])
  fireEvent.click(dialog.getByRole('button', { name: 'Reset cards' }))
  await waitFor(() => expect(names()).toEqual(['New leads', 'Won']))
  await clickUndo(/^Dashboard reset/)
  await waitFor(() => expect(names()).toEqual(['Won']))
})

test('who sees the hours of others sees how many people have missing hours', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  await app.db
    .updateTable('staff')
    .set({ created_at: '2026-01-01' })
    .where('id', 'in', [app.as('developer').id, app.as('qa').id])
    .execute()
  const { main, address } = await openPanel(app, 'admin', '/dashboard')
  const link = await main().findByRole('link', { name: 'Missing hours' })
  expect(link.closest('p')!.textContent).toMatch(/^Missing hours 2 of \d+ people, last 7 days$/)
  fireEvent.click(link)
  await waitFor(() => expect(address()).toBe('/progress-report?startDate=2026-11-13&endDate=2026-11-19'))
  // The dashboard, which has these words too, may still be shown.
  await waitFor(() => expect(main().getByText(/^Missing hours/).textContent).toBe('Missing hours 2'))
})

test('the card of the next sessions opens exactly the list that it begins', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  const { lead_id } = await app.db
    .insertInto('leads')
    .values({ company_name: 'Aalto Linen', lead_for: 1, lead_date: '2026-11-01' })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  const session = (final_date: string, status = 2) => ({
    lead_id,
    type: 'Demo',
    final_date,
    status,
  })
  await app.db
    .insertInto('lead_demos')
    .values([
      session('2026-11-20T09:00:00Z'),
      session('2026-11-21T09:00:00Z', 3),
      session('2026-11-22T09:00:00Z', 0),
      ...['20', '24', '26', '28', '30'].map((day) => session(`2026-11-${day}T13:00:00Z`)),
      session('2026-12-03T13:00:00Z'),
      session('2026-12-04T13:00:00Z'),
    ])
    .execute()
  const { main, address } = await openPanel(app, 'crm', '/dashboard')
  const card = within(await main().findByRole('region', { name: /^Upcoming sessions\s*6/ }))
  expect(card.getAllByRole('listitem')).toHaveLength(4)
  fireEvent.click(card.getByRole('link', { name: 'See all: Upcoming sessions' }))
  const schedule = '/demo-leads/demo-leads-schedule'
  await waitFor(() => expect(address()).toBe(`${schedule}?only=upcoming&assigned_filter=all`))
  const listed = () => main().queryAllByText('Scheduled')
  await waitFor(() => expect(listed()).toHaveLength(6))
  expect(main().queryByText('Completed')).toBeNull()
  fireEvent.click(main().getByRole('button', { name: 'Show all' }))
  await waitFor(() => expect(address()).toBe(`${schedule}?assigned_filter=all`))
  await waitFor(() => expect(listed()).toHaveLength(7))
  expect(main().getAllByText('Completed')).toHaveLength(1)
})

test('recent changes lead to the audit log, for those who can open it', async () => {
  const app = await startTestApp()
  await app.as('admin').send('PUT', '/admin/dashboard/cards', { hidden: [], order: [] })
  const { main, address } = await openPanel(app, 'admin', '/dashboard')
  fireEvent.click(await main().findByRole('link', { name: 'See all: Recent changes' }))
  await waitFor(() => expect(address()).toBe('/users/admin-log'))
})

test('the card of overdue follow-ups shows how many each assignee has, and opens them in the queue', async () => {
  const app = await startTestApp({ now: '2026-11-20T12:00:00.000Z' })
  const overdue = (company_name: string, who?: string) => ({
    company_name,
    lead_for: 1,
    lead_date: '2026-11-01',
    followup_date: '2026-11-18',
    assign_to: who === undefined ? null : app.as(who).id,
  })
  await app.db
    .insertInto('leads')
    .values([overdue('Aalto Linen', 'csm'), overdue('Brennan Hotels', 'csm'), overdue('Castell Clinics')])
    .execute()
  const { main, address, go } = await openPanel(app, 'crm', '/dashboard')
  const people = async () => within(await main().findByRole('list', { name: 'By assignee' }))
  expect((await people()).getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/ 2$/),
    'Unassigned 1',
  ])
  const first = (await people()).getAllByRole('link')[0]!
  fireEvent.click(first)
  await waitFor(() =>
    expect(address()).toBe(
      `/demo-leads/follow-ups?tab=overdue&assigned_filter=all&crm_id=${app.as('csm').id}`,
    ),
  )
  await main().findByText(`Only ${first.textContent}`)
  await main().findByText('Aalto Linen')
  expect(main().queryByText('Castell Clinics')).toBeNull()
  fireEvent.click(main().getByRole('button', { name: 'Everyone’s' }))
  await main().findByText('Castell Clinics')
  await go('/dashboard')
  fireEvent.click((await people()).getByRole('link', { name: 'Unassigned' }))
  await main().findByText('Only unassigned')
  await main().findByText('Castell Clinics')
  expect(main().queryByText('Aalto Linen')).toBeNull()
})
