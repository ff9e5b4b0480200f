import { createContext, useState } from 'react'

/** Input of a field that is not in the values of its form yet. */
export interface PendingInput {
  flushPendingInput: () => void
  /** Resets the field to the form's values. */
  drop: () => void
}

/** Lets components inside a form or a dialog report to it; each returned function withdraws the report. */
export interface NestedReports {
  /** Reports an upload in progress, which a save would lose. */
  busy: () => () => void
  /** Reports unsaved input with its own Save; `discard` drops it. */
  typed: (discard: () => void) => () => void
  /** Reports, on the first keystroke, a field whose value is slow to produce; the form counts as dirty and requests the value before reading it. Absent outside a form. */
  late?: (one: PendingInput) => () => void
}

const nothing = () => () => {}
export const InnerContext = createContext<NestedReports>({ busy: nothing, typed: nothing })

export interface InnerState {
  isBusy: boolean
  isTyped: boolean
  /** Whether there is input that is not in the values yet. */
  isLate: boolean
  /** Writes late input to the values; returns false if there was none. */
  flushPendingInput: () => boolean
  dropLate: () => void
  /** Drops the input of nested forms. */
  discard: () => void
  /** For `InnerContext` around the nested components. */
  tell: NestedReports
}

type Told = { kind: 'busy' } | { kind: 'typed'; discard: () => void }

/** Tracks uploads and nested forms inside a form or a dialog. For a form, `isDirty` tells whether its values differ from the stored ones. */
export function useNestedState(isDirty?: () => boolean): InnerState {
  const [told, setTold] = useState<readonly Told[]>([])
  const [isLate, setLate] = useState(false)
  const [held] = useState(() => new Set<PendingInput>())
  const [tell] = useState<NestedReports>(() => {
    const add = (one: Told) => {
      setTold((before) => [...before, one])
      return () => setTold((before) => before.filter((other) => other !== one))
    }
    const busyAndTyped: NestedReports = {
      busy: () => add({ kind: 'busy' }),
      typed: (discard) => add({ kind: 'typed', discard }),
    }
    if (!isDirty) return busyAndTyped
    const late = (one: PendingInput) => {
      held.add(one)
      // A form that is already dirty need not render again.
      if (!isDirty()) setLate(true)
      return () => {
        held.delete(one)
        if (held.size === 0) setLate(false)
      }
    }
    return { ...busyAndTyped, late }
  })
  return {
    isBusy: told.some(({ kind }) => kind === 'busy'),
    isTyped: told.some(({ kind }) => kind === 'typed'),
    isLate,
    flushPendingInput: () => {
      const those = [...held]
      for (const one of those) one.flushPendingInput()
      return those.length > 0
    },
    dropLate: () => {
      for (const one of [...held]) one.drop()
    },
    discard: () => told.forEach((one) => one.kind === 'typed' && one.discard()),
    tell,
  }
}
