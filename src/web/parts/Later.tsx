import { useDeferredValue, type ReactNode } from 'react'

/** Renders a large part after the page around it, in steps between which the browser stays responsive. */
export const Later = ({ children }: { children: ReactNode }) =>
  useDeferredValue(true, false) ? children : null
