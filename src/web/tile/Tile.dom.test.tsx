import { fireEvent, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { changeOf, Tile, TileOf } from '#web/tile/Tile.tsx'

test('the whole tile is a link to its records and shows how the number changed', async () => {
  const change = changeOf(1064, 1052, 'in the 30 days before', 'more')
  const { container } = await renderPage(() => (
    <Tile
      name="New leads"
      value={1064}
      detail="in 30 days"
      change={change}
      series={[1, 3, 2]}
      to="/leads?a=1"
    />
  ))
  const link = screen.getByRole('link', {
    name: 'New leads 1,064 in 30 days 12 more than in the 30 days before',
  })
  expect(link.getAttribute('href')).toBe('/leads?a=1')
  expect(container.querySelectorAll('path[d^="M0.0 28.0L50.0 2.0L100.0 15.0"]')).toHaveLength(1)
})

test('a detail with records of its own links to them, and the tile to its own', async () => {
  await renderPage(() => (
    <Tile name="On trial" value={41} detail="8 ending within 7 days" to="/all" detailTo="/ending" />
  ))
  const links = screen.getAllByRole('link')
  expect(
    links.map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['On trial 41', '/all'],
    ['8 ending within 7 days', '/ending'],
  ])
  expect(links.some((link) => link.querySelector('a'))).toBe(false)
})

test('parts that a number lacks are absent', async () => {
  const { container } = await renderPage(() => <Tile name="On trial" value={3} series={[3]} />)
  expect(screen.getByText('On trial').parentElement!.textContent).toBe('On trial3')
  expect(container.querySelector('a, svg')).toBeNull()
})

test.each([
  [5, 3, 'more', { direction: 'up', isGood: true, text: '2 more than last week' }],
  [3, 5, 'more', { direction: 'down', isGood: false, text: '2 fewer than last week' }],
  [3, 5, 'less', { direction: 'down', isGood: true, text: '2 fewer than last week' }],
  [5, 3, 'less', { direction: 'up', isGood: false, text: '2 more than last week' }],
  [5, 3, undefined, { direction: 'up', isGood: undefined, text: '2 more than last week' }],
  [4, 4, 'more', { direction: 'same', text: 'No change' }],
] as const)('a change from %i before to %i now, if %s is better', (now, before, better, change) => {
  expect(changeOf(now, before, 'last week', better)).toEqual(change)
})

test('a tile whose number can’t be loaded says so alone and offers to retry', async () => {
  const refetch = vi.fn()
  const query = { data: undefined, error: new Error('No connection'), isLoading: false, refetch }
  await renderPage(() => (
    <TileOf name="New leads" query={query}>
      {() => ({ value: 1 })}
    </TileOf>
  ))
  expect(screen.getByRole('alert').textContent).toContain('New leadsCouldn’t be loaded')
  fireEvent.click(screen.getByRole('button', { name: 'Retry: New leads' }))
  expect(refetch).toHaveBeenCalledOnce()
})

test('a tile that the viewer isn’t allowed to load renders nothing', async () => {
  const query = { data: undefined, error: null, isLoading: false, refetch: () => {} }
  await renderPage(() => (
    <TileOf name="New leads" query={query}>
      {() => ({ value: 1 })}
    </TileOf>
  ))
  expect(screen.queryByText('New leads')).toBeNull()
})
