import { createContext, useContext } from 'react'
import type { MenuGroup } from '#web/shell/menu.ts'

/** The part of the menu that the viewer can see; provided by the shell and used by pages for shortcuts. */
export const VisibleMenu = createContext<readonly MenuGroup[]>([])
export const useVisibleMenu = (): readonly MenuGroup[] => useContext(VisibleMenu)
