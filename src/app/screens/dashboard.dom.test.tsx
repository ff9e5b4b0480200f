import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { choose, expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { startTestApp } from '#app/testing/start.testing.ts'

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
    sent.flatMap(({ path }) => /^\/admin\/users\/lead-numbers\?.*today=([\d-]+)/.exec(path)?.[1] ?? [])
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
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(names()).toEqual(['Won']))
})
