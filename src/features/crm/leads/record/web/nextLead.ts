import { createContext } from 'react'

/** Opens the next lead of the queue in which the lead on screen is open; undefined elsewhere. */
export const NextLeadContext = createContext<(() => void) | undefined>(undefined)
