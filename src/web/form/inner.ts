import { createContext, useState } from 'react'

/** Field input that is not in the form's values yet. */
export interface PendingInput {
  flushPendingInput: () => void
  /** Resets the field to the form's value. */
  drop: () => void
}

/** Files that the user chose, and that were refused or could not be uploaded. */
export interface RefusedFiles {
  names: readonly string[]
  dismiss: () => void
}

/**
 * Lets components inside a form or a dialog report to it; each method returns a function that withdraws the
 * report.
 */
export interface NestedReports {
  /** Reports an upload in progress that a save would lose. */
  busy: () => () => void
  /** Reports files that were not uploaded, which a save would leave out. */
  refused: (files: RefusedFiles) => () => void
  /** Reports unsaved input that has its own Save button; `discard` drops it. */
  typed: (discard: () => void) => () => void
  /**
   * Reports, on the first keystroke, a field whose value is expensive to compute; the form then counts as
   * dirty and requests the value before it reads its own values. Absent outside a form.
   */
  late?: (one: PendingInput) => () => void
}

const nothing = () => () => {}
export const InnerContext = createContext<NestedReports>({ busy: nothing, refused: nothing, typed: nothing })

export interface InnerState {
  isBusy: boolean
  isTyped: boolean
  /** Names of the files that were not uploaded. */
  refused: readonly string[]
  dismissRefused: () => void
  /** Whether there is input that is not in the values yet. */
  isLate: boolean
  /** Writes pending input to the values; returns false if there was none. */
  flushPendingInput: () => boolean
  dropLate: () => void
  /** Drops the input of nested forms. */
  discard: () => void
  /** Value for the `InnerContext` around the nested components. */
  tell: NestedReports
}

type Told = { kind: 'busy' } | ({ kind: 'refused' } & RefusedFiles) | { kind: 'typed'; discard: () => void }

/**
 * Tracks uploads and nested forms inside a form or a dialog. For a form, `isDirty` returns whether its values
 * differ from the stored ones.
 */
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
      refused: (files) => add({ kind: 'refused', ...files }),
      typed: (discard) => add({ kind: 'typed', discard }),
    }
    if (!isDirty) return busyAndTyped
    const late = (one: PendingInput) => {
      held.add(one)
      // A form that is already dirty doesn't need to render again.
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
    refused: told.flatMap((one) => (one.kind === 'refused' ? one.names : [])),
    dismissRefused: () => told.forEach((one) => one.kind === 'refused' && one.dismiss()),
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
