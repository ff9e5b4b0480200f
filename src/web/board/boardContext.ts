import { createContext, use } from 'react'
import type { Lifted } from '#web/board/useLift.ts'

/** The state of a board that its lanes show. */
interface BoardState {
  mayMove: boolean
  isOrdered: boolean
  lifted: Lifted | undefined
  /** The card whose menu is open. */
  menuOf: number | undefined
  /** The card that has the focus, which stays rendered while its lane is scrolled. */
  focused: number | undefined
}

export const BoardContext = createContext<BoardState>({
  mayMove: false,
  isOrdered: false,
  lifted: undefined,
  menuOf: undefined,
  focused: undefined,
})

export const useBoard = (): BoardState => use(BoardContext)
