import { createContext } from 'react'

/** Whether the record is open beside its list, which takes the steps. */
export const BesideListContext = createContext(false)
