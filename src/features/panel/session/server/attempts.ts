import type { App } from '#server/app.ts'
import { createThrottle } from '#server/http/throttle.ts'

export type Attempts = ReturnType<typeof countAttempts>

/**
 * Limits failed attempts by account and by IP address (ACCOUNT_ATTEMPTS, ADDRESS_ATTEMPTS), with separate address counts for
 * sign-ins, link requests, and link uses. An attempt is counted when it begins, so that parallel attempts do
 * not slip through, and is uncounted if it succeeds.
 */
export function countAttempts(app: App) {
  const { accountAttempts, addressAttempts } = app.settings
  const byAccount = createThrottle(app.pool, 'account', accountAttempts)
  const byAddress = {
    login: createThrottle(app.pool, 'address', addressAttempts),
    forgot: createThrottle(app.pool, 'forgot-address', addressAttempts),
    link: createThrottle(app.pool, 'link-address', addressAttempts),
  }
  return {
    /**
     * @param from the IP address; omitted to count only by account
     * @param onLocked called on the first attempt over the limit
     * @throws HttpError 429
     */
    async begin(
      account: string,
      from?: { kind: keyof typeof byAddress; address: string },
      onLocked?: () => Promise<void>,
    ): Promise<{ succeeded: () => Promise<void> }> {
      if (!app.settings.rateLimits) return { succeeded: async () => {} }
      if (from) await byAddress[from.kind].consume(from.address, onLocked)
      await byAccount.consume(account, onLocked)
      return {
        succeeded: async () => {
          await Promise.all([
            byAccount.clear(account),
            from ? byAddress[from.kind].reward(from.address) : undefined,
          ])
        },
      }
    },
  }
}
