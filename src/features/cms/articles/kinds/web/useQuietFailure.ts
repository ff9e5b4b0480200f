import { useEffect } from 'react'

/** A call about these articles that fails is told to the console and to nobody else (B §8, G80). */
export const tellConsole = (error: unknown): void => console.error(error)

/** The same for what a page asks. */
export function useTellConsole(error: unknown): void {
  useEffect(() => {
    if (error) tellConsole(error)
  }, [error])
}
