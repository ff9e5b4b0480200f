import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { parse } from 'csv-parse/sync'
import { unzipSync } from 'fflate'
import { expectNoneRefused, openPanel } from '#app/screens/panel.testing.tsx'
import { savedFiles } from '#app/screens/saved-files.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterMany } from '#features/crm/support/server/report/report.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

test('an hour of the support report opens the tickets that came in then', async () => {
  const app = await startTestApp()
  // Two on Tuesday, one of them at night, and one on Wednesday.
  for (const [title, created_at] of [
    ['Scanner', '2026-03-10T09:10:00Z'],
    ['Printer', '2026-03-10T03:59:00Z'],
    ['Folder', '2026-03-11T09:50:00Z'],
  ] as const) {
    const { id } = await enterTicket(app.db, { title })
    await app.db.updateTable('tickets').set({ created_at }).where('id', '=', id).execute()
  }
  const { address } = await openPanel(app, 'support', '/support/report?from=2026-03-09&to=2026-03-12')
  const hours = within(await screen.findByRole('table', { name: /^When tickets come in/ }))
  expect(hours.getAllByRole('link').map((link) => link.getAttribute('aria-label'))).toEqual([
    '1: Received, Tue 0–6',
    '1: Received, Tue 9',
    '1: Received, Wed 9',
  ])
  fireEvent.click(hours.getByRole('link', { name: '1: Received, Tue 0–6' }))
  await screen.findByText('Created on Tuesday from 0:00 until 6:59')
  await screen.findByText('Printer')
  expect(screen.queryByText('Scanner')).toBeNull()
  expect(screen.queryByText('Folder')).toBeNull()
  expect(address()).toMatch(/created_weekday=2/)
})

test('the printed report says its period and its filters', async () => {
  const app = await startTestApp()
  await openPanel(app, 'support', '/support/report?from=2026-03-09&to=2026-03-12&category=3&assignee=none')
  await screen.findByText('9 Mar 2026 – 12 Mar 2026 · Category: Billing · Assignee: Unassigned', {
    selector: 'p',
  })
})

test('Friday’s report: each number opens as many tickets, and the CSV has the same totals', async () => {
  const app = await startTestApp()
  const organizations = [await enterOrganization(app.db), await enterOrganization(app.db, { name: 'Other' })]
  await enterMany(app.db, [app.as('support').id, app.as('csm').id], organizations)
  const panel = await openPanel(app, 'admin', '/support/report?from=2026-03-02&to=2026-03-06')
  await screen.findByRole('table', { name: /^By person/ })
  const tiles = Object.fromEntries(
    ['Received', 'Answered', 'Solved', 'Reopened', 'Open now'].map((name) => {
      const links = panel.main().getAllByRole('link', { name: new RegExp(`^${name}`) })
      const tile = links.find((link) => link.querySelectorAll(':scope > span').length > 1)!
      const [, value] = tile.querySelectorAll(':scope > span')
      return [name, { to: tile.getAttribute('href')!, count: Number(value!.firstChild!.textContent) }]
    }),
  )
  const rows = ['By category', 'By organization', 'By person', 'Age of open tickets'].flatMap((table) =>
    within(screen.getByRole('table', { name: new RegExp(`^${table}`) }))
      .getAllByRole('link')
      // A number of replies leads to fewer tickets.
      .filter((link) => !link.getAttribute('aria-label')!.includes('Replies'))
      .slice(0, 3)
      .map((link) => ({ to: link.getAttribute('href')!, count: Number(link.textContent) })),
  )
  const csv = await exported()
  const totals = ['Received', 'Answered', 'Solved', 'Reopened'].map((name) => tiles[name]!.count)
  expect(Math.min(...totals)).toBeGreaterThan(1)
  expect(csv).toEqual(totals)
  for (const { to, count } of [...Object.values(tiles), ...rows]) {
    await panel.go(to)
    await expectNoneRefused(panel)
    const shown = () => panel.main().getByRole('navigation', { name: 'Pagination' }).textContent
    await waitFor(() => expect(shown(), to).toMatch(new RegExp(` of ${count}Page`)))
  }
})

/** Exports the report, and returns the sums of its days: received, answered, solved, and reopened. */
async function exported(): Promise<number[]> {
  const files = savedFiles()
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV' }))
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['support report.zip']))
  const tables = unzipSync(new Uint8Array(await files[0]!.file.arrayBuffer()))
  const rows: string[][] = parse(Buffer.from(tables['days.csv']!), { from_line: 2 })
  return [1, 2, 3, 4].map((column) => rows.reduce((sum, row) => sum + Number(row[column]), 0))
}

test('a table of the support report is exported on its own, and the replies of a person open their tickets', async () => {
  const app = await startTestApp()
  await enterMany(app.db, [app.as('support').id], [await enterOrganization(app.db)])
  const panel = await openPanel(app, 'support', '/support/report?from=2026-03-02&to=2026-03-12')
  const people = within(await screen.findByRole('table', { name: /^By person/ }))
  const files = savedFiles()
  fireEvent.click(screen.getByRole('button', { name: 'Export CSV: By person' }))
  await waitFor(() => expect(files.map(({ name }) => name)).toEqual(['support report, people.csv']))
  const rows: Record<string, string>[] = parse(await files[0]!.file.text(), { columns: true, bom: true })
  const link = people.getAllByRole('link', { name: /: Replies, (?!all)/ })[0]!
  expect(rows[0]!['Replies']).toBe(link.textContent)
  fireEvent.click(link)
  await screen.findByText(/^Replied to by /)
  const shown = () => panel.main().getByRole('navigation', { name: 'Pagination' }).textContent
  await waitFor(() => expect(shown()).toMatch(new RegExp(` of ${rows[0]!['Tickets with a reply']}Page`)))
})
