import { createContext, useContext } from 'react'
import type { MenuGroup } from '#web/shell/menu.ts'

/** What the signed-in person sees of the menu; the shell knows it, pages may use it for shortcuts. */
export const VisibleMenu = createContext<readonly MenuGroup[]>([])
export const useVisibleMenu = (): readonly MenuGroup[] => useContext(VisibleMenu)
