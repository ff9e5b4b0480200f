import { createContext } from 'react'

/**
 * Address of the page of the record that is open beside its list, which takes the steps; empty if it isn’t in the
 * list, and undefined on other pages.
 */
export const BesideListContext = createContext<string | undefined>(undefined)
