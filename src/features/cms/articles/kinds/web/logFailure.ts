import { useEffect } from 'react'

/** Logs a failed call about these articles to the console only (B §8, G80). */
export const logFailure = (error: unknown): void => console.error(error)

/** Logs a failed query of a page to the console only. */
export function useLogFailure(error: unknown): void {
  useEffect(() => {
    if (error) logFailure(error)
  }, [error])
}
