import { createContext, useState } from 'react'

/** What is typed in a field and is not in the values of its form yet. */
export interface Late {
  handOver: () => void
  /** Back to what the values say. */
  drop: () => void
}

/** What stands inside a form or a dialog tells it with these; the answer takes it back. */
export interface Inner {
  /** Files are on their way: who saves now would lose them. */
  busy: () => () => void
  /** Something with its own Save is typed and not saved; `discard` drops it. */
  typed: (discard: () => void) => () => void
  /** A field whose value takes long to write says at the first key that it will come; the form counts as changed, and asks for it before it reads. Absent outside a form. */
  late?: (one: Late) => () => void
}

const nothing = () => () => {}
export const InnerContext = createContext<Inner>({ busy: nothing, typed: nothing })

export interface InnerState {
  isBusy: boolean
  isTyped: boolean
  /** Something is typed that is not in the values yet. */
  isLate: boolean
  /** Puts what is late into the values; false where there was nothing. */
  handOver: () => boolean
  dropLate: () => void
  /** Drops what is typed in the forms inside. */
  discard: () => void
  /** For `InnerContext` around what stands inside. */
  tell: Inner
}

type Told = { kind: 'busy' } | { kind: 'typed'; discard: () => void }

/** What stands inside a form or a dialog: files on their way, and forms of their own. A form says whether its values differ from what is stored. */
export function useInner(isDirty?: () => boolean): InnerState {
  const [told, setTold] = useState<readonly Told[]>([])
  const [isLate, setLate] = useState(false)
  const [held] = useState(() => new Set<Late>())
  const [tell] = useState<Inner>(() => {
    const add = (one: Told) => {
      setTold((before) => [...before, one])
      return () => setTold((before) => before.filter((other) => other !== one))
    }
    const busyAndTyped: Inner = { busy: () => add({ kind: 'busy' }), typed: (discard) => add({ kind: 'typed', discard }) }
    if (!isDirty) return busyAndTyped
    const late = (one: Late) => {
      held.add(one)
      // A form that is changed already is not drawn again for it.
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
    handOver: () => {
      const those = [...held]
      for (const one of those) one.handOver()
      return those.length > 0
    },
    dropLate: () => {
      for (const one of [...held]) one.drop()
    },
    discard: () => told.forEach((one) => one.kind === 'typed' && one.discard()),
    tell,
  }
}
