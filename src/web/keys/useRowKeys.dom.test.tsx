import { act, Suspense, use, useRef } from 'react'
import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { useRowKeys, type RowActs } from '#web/keys/useRowKeys.ts'
import type { Selection } from '#web/list/table/selection.tsx'

interface Row {
  id: number
}
const onOpen = vi.fn<(row: Row) => void>()
const snooze = vi.fn<(row: Row) => void>()
const onStep = vi.fn<(row: Row) => void>()
const onEnd = vi.fn<(by: 1 | -1) => void>()
const set = vi.fn<Selection['set']>()
const selection = { has: (id: number) => id === 2, set } as unknown as Selection

beforeEach(() => void vi.clearAllMocks())

interface Props {
  ids: readonly number[]
  acts?: RowActs<Row>
  /** The row that is open beside the list. */
  open?: number
}

function List({ ids, acts, open }: Props) {
  const region = useRef<HTMLDivElement>(null)
  const rows = ids.map((id) => ({ id }))
  useRowKeys(region, rows, {
    rowKey: ({ id }) => id,
    onOpen,
    selection,
    acts,
    walk: { from: open, onStep, onEnd },
  })
  return (
    <>
      <input aria-label="Search" />
      <div ref={region} tabIndex={0} role="region" aria-label="Rows">
        {ids.map((id) => (
          <div key={id} data-row={id} tabIndex={-1} data-testid={`row-${id}`}>
            <button type="button">Menu {id}</button>
          </div>
        ))}
      </div>
      <div data-pane tabIndex={0} data-testid="pane" />
    </>
  )
}

const press = (key: string, init: object = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...init })
const focused = () => document.activeElement?.getAttribute('data-testid')
const row = (id: number) => screen.getByTestId(`row-${id}`)

test('j and k start at the first row, move through the rows, and stop at both ends', () => {
  render(<List ids={[1, 2, 3]} />)
  const seen = ['j', 'j', 'j', 'j', 'k', 'k', 'k'].map((key) => (press(key), focused()))
  expect(seen).toEqual(['row-1', 'row-2', 'row-3', 'row-3', 'row-2', 'row-1', 'row-1'])
})

test('the arrow keys move from a row, but scroll the list if the list itself has the focus', () => {
  render(<List ids={[1, 2]} />)
  screen.getByRole('region').focus()
  expect(press('ArrowDown')).toBe(true)
  expect(document.activeElement).toBe(screen.getByRole('region'))
  row(1).focus()
  expect(press('ArrowDown')).toBe(false)
  expect(focused()).toBe('row-2')
})

test('a walk starts at the open row, tells each step, and tells the step beyond the last row', () => {
  render(<List ids={[1, 2, 3]} open={2} />)
  press('j')
  expect(focused()).toBe('row-3')
  expect(onStep).toHaveBeenCalledExactlyOnceWith({ id: 3 })
  expect(onEnd).not.toHaveBeenCalled()
  press('j')
  expect(onEnd).toHaveBeenCalledExactlyOnceWith(1)
  expect(onStep).toHaveBeenCalledTimes(1)
})

test('the arrow keys scroll the open record while it has the focus; j moves on', () => {
  render(<List ids={[1, 2]} open={1} />)
  screen.getByTestId('pane').focus()
  expect(press('ArrowDown')).toBe(true)
  expect(focused()).toBe('pane')
  press('j')
  expect(focused()).toBe('row-2')
})

test('Enter opens the focused row, but not from a button inside it', () => {
  render(<List ids={[1, 2]} />)
  row(2).focus()
  press('Enter')
  expect(onOpen).toHaveBeenCalledExactlyOnceWith({ id: 2 })
  screen.getByRole('button', { name: 'Menu 1' }).focus()
  press('Enter')
  expect(onOpen).toHaveBeenCalledTimes(1)
})

test('x selects the focused row, or clears its selection, also from a button inside it', () => {
  render(<List ids={[1, 2]} />)
  row(1).focus()
  press('x')
  screen.getByRole('button', { name: 'Menu 2' }).focus()
  press('x')
  expect(set.mock.calls).toEqual([
    [[1], true],
    [[2], false],
  ])
})

test('actions apply to the focused row; without one, or with a modifier key, nothing happens', () => {
  render(<List ids={[1]} acts={{ s: snooze }} />)
  press('s')
  row(1).focus()
  for (const init of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) press('s', init)
  expect(snooze).not.toHaveBeenCalled()
  press('s')
  expect(snooze).toHaveBeenCalledExactlyOnceWith({ id: 1 })
})

test('keys in a field or beside an open dialog are not shortcuts', () => {
  const { rerender } = render(<List ids={[1, 2]} acts={{ s: snooze }} />)
  screen.getByRole('textbox', { name: 'Search' }).focus()
  press('j')
  expect(focused()).toBeNull()
  row(1).focus()
  rerender(
    <>
      <List ids={[1, 2]} acts={{ s: snooze }} />
      <div role="dialog" aria-modal="true" />
    </>,
  )
  press('s')
  expect(snooze).not.toHaveBeenCalled()
})

test('when the focused row leaves the list, the row in its place gets the focus', () => {
  const { rerender } = render(<List ids={[1, 2, 3]} />)
  row(2).focus()
  rerender(<List ids={[1, 3]} />)
  expect(focused()).toBe('row-3')
  rerender(<List ids={[1]} />)
  expect(focused()).toBe('row-1')
})

test('a row that was hidden while a part of the page loaded has the focus again', async () => {
  const part = Promise.withResolvers<void>()
  const Late = ({ waits }: { waits: boolean }) => {
    if (waits) use(part.promise)
    return null
  }
  const page = (waits: boolean) => (
    <Suspense fallback="Loading">
      <List ids={[1, 2]} />
      <Late waits={waits} />
    </Suspense>
  )
  const { rerender } = render(page(false))
  row(2).focus()
  await act(async () => rerender(page(true)))
  // The simulated browser doesn't take the focus from what is hidden, as browsers do.
  expect(screen.getByRole('region', { hidden: true }).style.display).toBe('none')
  row(2).blur()
  expect(focused()).toBeNull()
  await act(async () => part.resolve())
  expect(focused()).toBe('row-2')
})

test('after a press outside the rows, no row takes the focus back', () => {
  const { rerender } = render(<List ids={[1, 2]} />)
  row(2).focus()
  row(2).blur()
  rerender(<List ids={[1, 2]} />)
  // Control: without a press, the row has the focus again.
  expect(focused()).toBe('row-2')
  fireEvent.pointerDown(document.body)
  row(2).blur()
  rerender(<List ids={[1, 2]} />)
  expect(focused()).toBeNull()
})

test('a focus outside the list stays where it is when rows leave', () => {
  const { rerender } = render(<List ids={[1, 2]} />)
  row(2).focus()
  screen.getByRole('textbox', { name: 'Search' }).focus()
  rerender(<List ids={[1]} />)
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Search' }))
})

test('a list that is gone handles no keys', () => {
  const { unmount } = render(<List ids={[1]} acts={{ s: snooze }} />)
  row(1).focus()
  unmount()
  press('s')
  press('j')
  expect(snooze).not.toHaveBeenCalled()
})
