import { useEffect, useEffectEvent, useState } from 'react'
import { dayText, addDays, weekday, type PlainDate } from '#shared/dates.ts'

interface Held<Item> {
  item: Item
  day: PlainDate
  /** Day that the item was picked up from. */
  from: PlainDate
}

interface Options<Item> {
  nameOf: (item: Item) => string
  /** Moves the item; resolves to its new day, or to undefined if it was not moved, for example without a reason. */
  onDrop: (item: Item, day: PlainDate) => Promise<PlainDate | undefined>
  /**
   * Called with the day reached with the arrow keys, or with the day that the item returns to if the move is
   * canceled, so that the calendar can show that day.
   */
  onShow: (day: PlainDate) => void
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/**
 * Lets users move a calendar item with the keyboard: arrow keys choose the day, Enter drops the item, and
 * Escape cancels. `announcement` describes each step.
 */
export function useKeyboardDrag<Item>({ nameOf, onDrop, onShow }: Options<Item>) {
  const [held, setHeld] = useState<Held<Item>>()
  const [announcement, setSaid] = useState('')

  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!held) return
    const step = steps[event.key]
    if (step === undefined && event.key !== 'Enter' && event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (step !== undefined) {
      const day = addDays(held.day, step)
      setHeld({ ...held, day })
      setSaid(`${weekday(day)}, ${dayText(day)}`)
      onShow(day)
      return
    }
    setHeld(undefined)
    const name = nameOf(held.item)
    const settle = (day: PlainDate | undefined) => {
      setSaid(day === undefined ? `${name} wasn’t moved.` : `${name} moved to ${dayText(day)}.`)
      if (day === undefined) onShow(held.from)
    }
    if (event.key === 'Escape') settle(undefined)
    else {
      // The move can still fail, or be canceled in a dialog, so it is announced when it has happened.
      setSaid('')
      void onDrop(held.item, held.day).then(settle)
    }
  })
  const isHeld = held !== undefined
  useEffect(() => {
    if (!isHeld) return
    const listener = (event: KeyboardEvent) => press(event)
    globalThis.addEventListener('keydown', listener, true)
    return () => globalThis.removeEventListener('keydown', listener, true)
  }, [isHeld])

  function pickUp(item: Item, day: PlainDate): void {
    setHeld({ item, day, from: day })
    setSaid(
      `${nameOf(item)} picked up. Use the arrow keys to choose a day, Enter to drop it, or Escape to cancel.`,
    )
  }
  return { held, announcement, pickUp }
}
