import { useEffect } from 'react'

/** Logs a failed article call to the console only (B §8, G80). */
export const logFailure = (error: unknown): void => console.error(error)

/** Logs a page's failed query to the console only. */
export function useLogFailure(error: unknown): void {
  useEffect(() => {
    if (error) logFailure(error)
  }, [error])
}
