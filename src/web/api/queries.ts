import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '#web/api/errors.ts'

const freshMs = 15_000

/** Everything that the panel has asked of the server. */
export const queries = new QueryClient({
  defaultOptions: {
    // `always`: a browser that thinks it is offline is often wrong, and a paused request looks like a hanging page.
    queries: { networkMode: 'always', staleTime: freshMs, retry: isWorthRepeating, retryDelay: 800 },
    mutations: { networkMode: 'always', retry: false },
  },
})

/** Only what may pass by itself: no answer, or a server that is just starting. Never a refusal. */
function isWorthRepeating(failures: number, error: unknown): boolean {
  return failures < 2 && error instanceof ApiError && [0, 502, 503, 504].includes(error.status)
}
