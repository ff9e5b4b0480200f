import { act } from 'react'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { PlainDate } from '#shared/dates.ts'
import { useKeyboardDrag } from '#web/calendar/useKeyboardDrag.ts'

const from = '2026-12-06' as PlainDate
const next = '2026-12-07' as PlainDate
const onDrop = vi.fn<(item: string, day: PlainDate) => Promise<PlainDate | undefined>>()

/** Renders an item with its drag, and returns the days that the calendar was asked to show. */
function pickUp(): PlainDate[] {
  const shown: PlainDate[] = []
  function Item() {
    const drag = useKeyboardDrag<string>({
      nameOf: (name) => name,
      onDrop,
      onShow: (day) => void shown.push(day),
    })
    return (
      <>
        <button type="button" onClick={() => drag.pickUp('Towels', from)}>
          Move
        </button>
        <p role="status">{drag.announcement}</p>
      </>
    )
  }
  render(<Item />)
  fireEvent.click(screen.getByRole('button'))
  return shown
}
/** Presses a key and waits for what it starts. */
const press = (key: string) => act(async () => void fireEvent.keyDown(document.body, { key }))

test('an item is moved to the day that was chosen with the arrow keys, which stays in view', async () => {
  onDrop.mockResolvedValue(next)
  const shown = pickUp()
  await press('ArrowRight')
  await press('Enter')
  expect(screen.getByRole('status').textContent).toBe('Towels moved to 7 Dec 2026.')
  expect(onDrop).toHaveBeenCalledWith('Towels', next)
  expect(shown).toEqual([next])
})

test('a canceled move shows the item’s day again, whether it was canceled by key or in the dialog', async () => {
  onDrop.mockResolvedValue(undefined)
  const shown = pickUp()
  await press('ArrowRight')
  await press('Escape')
  expect(shown).toEqual([next, from])
  fireEvent.click(screen.getByRole('button'))
  await press('ArrowRight')
  await press('Enter')
  expect(screen.getByRole('status').textContent).toBe('Towels wasn’t moved.')
  expect(shown).toEqual([next, from, next, from])
})
