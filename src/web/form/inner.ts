import { createContext, useState } from 'react'

/** What stands inside a form or a dialog tells it with these; the answer takes it back. */
export interface Inner {
  /** Files are on their way: who saves now would lose them. */
  busy: () => () => void
  /** Something with its own Save is typed and not saved; `discard` drops it. */
  typed: (discard: () => void) => () => void
}

const nothing = () => () => {}
export const InnerContext = createContext<Inner>({ busy: nothing, typed: nothing })

export interface InnerState {
  isBusy: boolean
  isTyped: boolean
  /** Drops what is typed in the forms inside. */
  discard: () => void
  /** For `InnerContext` around what stands inside. */
  tell: Inner
}

type Told = { kind: 'busy' } | { kind: 'typed'; discard: () => void }

/** What stands inside a form or a dialog: files on their way, and forms of their own. */
export function useInner(): InnerState {
  const [told, setTold] = useState<readonly Told[]>([])
  const [tell] = useState<Inner>(() => {
    const add = (one: Told) => {
      setTold((before) => [...before, one])
      return () => setTold((before) => before.filter((other) => other !== one))
    }
    return { busy: () => add({ kind: 'busy' }), typed: (discard) => add({ kind: 'typed', discard }) }
  })
  return {
    isBusy: told.some(({ kind }) => kind === 'busy'),
    isTyped: told.some(({ kind }) => kind === 'typed'),
    discard: () => told.forEach((one) => one.kind === 'typed' && one.discard()),
    tell,
  }
}
