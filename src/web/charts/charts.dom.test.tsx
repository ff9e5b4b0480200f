import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/errors.ts'
import { AreasChart, BarsChart, GroupedBarsChart, type ChartData } from '#web/charts/charts.tsx'
import { renderPage } from '#web/dom.testing.tsx'

const data: ChartData = {
  unit: 'Week of',
  points: [
    { name: '9 Mar', fullName: '9 Mar 2026', values: [1200, 3] },
    { name: '16 Mar', fullName: '16 Mar 2026', values: [5, 0] },
  ],
  series: [
    { name: 'New', color: 'blue', to: '/leads?status=1' },
    { name: 'Won', color: 'green', isDashed: true },
  ],
  addressOf: (point, series) => `/leads?week=${point}&status=${series}`,
}
const query = { data, error: null as unknown, isLoading: false, refetch: vi.fn() }
const empty = { title: 'No leads yet', text: 'Leads will appear here.' }
const show = (changes: Partial<{ [key in keyof typeof query]: unknown }> = {}, Shown = BarsChart) => {
  const asked = { ...query, ...changes } as typeof query
  return renderPage(() => (
    <Shown
      id="leads"
      title="Leads by status"
      about="by week"
      query={asked}
      chart={(found) => found}
      empty={empty}
    />
  ))
}

test.each([
  ['bars', BarsChart],
  ['grouped bars', GroupedBarsChart],
  ['areas', AreasChart],
])('%s say in one sentence what they show, and the legend links to the records', async (_name, Shown) => {
  await show({}, Shown)
  screen.getByRole('region', { name: /^Leads by status/ })
  screen.getByRole('img', {
    name: 'Leads by status, 9 Mar 2026 to 16 Mar 2026: New 1,205, Won 3',
  })
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual([
    'New 1,205',
    'Won (dashed) 3',
  ])
  expect(screen.getByRole('link', { name: 'New 1,205' }).getAttribute('href')).toBe('/leads?status=1')
})

test('the table has the same numbers; each one above 0 links to its records', async () => {
  await show()
  const asTable = screen.getByRole('button', { name: 'Show as table: Leads by status' })
  fireEvent.click(asTable)
  expect(asTable.getAttribute('aria-pressed')).toBe('true')
  expect(screen.queryByRole('img')).toBeNull()
  const table = within(screen.getByRole('table', { name: 'Leads by status' }))
  expect(table.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
    ['Week of', 'New', 'Won'],
    ['9 Mar 2026', '1,200', '3'],
    ['16 Mar 2026', '5', '0'],
  ])
  expect(
    table.getAllByRole('link').map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]),
  ).toEqual([
    ['1,200: New, 9 Mar 2026', '/leads?week=0&status=0'],
    ['3: Won, 9 Mar 2026', '/leads?week=0&status=1'],
    ['5: New, 16 Mar 2026', '/leads?week=1&status=0'],
  ])
})

test('a chart without any number says so and offers no table', async () => {
  await show({ data: { ...data, points: data.points.map((point) => ({ ...point, values: [0, 0] })) } })
  screen.getByText('No leads yet')
  expect(screen.queryByRole('button')).toBeNull()
})

test('a chart that loads is a placeholder under its title', async () => {
  await show({ data: undefined, isLoading: true })
  screen.getByRole('heading', { name: /^Leads by status/ })
  screen.getByRole('status', { name: 'Loading…' })
})

test('a chart that can’t be loaded says so and can be retried', async () => {
  await show({ data: undefined, error: new ApiError(500, { message: 'The server said so.' }) })
  expect(screen.getByRole('alert').textContent).toContain('Leads by status couldn’t be loaded')
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  expect(query.refetch).toHaveBeenCalledOnce()
})
