import { useEffect, useEffectEvent, useState } from 'react'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { TaskRow } from '#features/tasks/tasks/contract.ts'
import { weekday } from '#features/tasks/tasks/calendar/web/days.ts'
import { dayText } from '#web/time.ts'

interface Held {
  task: TaskRow
  day: PlainDate
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A task that is picked up by keys: arrows choose the day, Enter drops it, Escape puts it back. What happens is said. */
export function useHeldTask({ onDrop, onShow }: { onDrop: (task: TaskRow, day: PlainDate) => void; onShow: (day: PlainDate) => void }) {
  const [held, setHeld] = useState<Held>()
  const [said, setSaid] = useState('')

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
    if (event.key === 'Escape') setSaid(`${held.task.title} stays where it was.`)
    else {
      setSaid(`${held.task.title} dropped on ${dayText(held.day)}.`)
      onDrop(held.task, held.day)
    }
  })
  const isHeld = held !== undefined
  useEffect(() => {
    if (!isHeld) return
    const listener = (event: KeyboardEvent) => press(event)
    globalThis.addEventListener('keydown', listener, true)
    return () => globalThis.removeEventListener('keydown', listener, true)
  }, [isHeld])

  function pickUp(task: TaskRow, day: PlainDate): void {
    setHeld({ task, day })
    setSaid(`${task.title} picked up. Arrows choose the day, Enter drops, Escape puts back.`)
  }
  return { held, said, pickUp }
}
