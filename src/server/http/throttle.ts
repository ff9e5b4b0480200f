import type pg from 'pg'
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import { HttpError } from '#server/http/errors.ts'

const quarterHour = 900

export interface Throttle {
  /**
   * Counts an attempt.
   * @param onLocked called on the first attempt over the limit
   * @throws HttpError 429 over the limit
   */
  consume: (key: string, onLocked?: () => Promise<void>) => Promise<void>
  /** Uncounts one attempt. */
  reward: (key: string) => Promise<unknown>
  /** Clears all attempts. */
  clear: (key: string) => Promise<unknown>
}

/**
 * Counts attempts per key, over 15 minutes unless told otherwise. The count is stored in the database, so that all processes share
 * it. No one is ever locked out permanently.
 */
export function createThrottle(
  pool: pg.Pool,
  keyPrefix: string,
  points: number,
  duration = quarterHour,
): Throttle {
  const limiter = new RateLimiterPostgres({
    storeClient: pool,
    storeType: 'pool',
    tableName: 'login_failures',
    tableCreated: true,
    clearExpiredByTimeout: false,
    keyPrefix,
    points,
    duration,
  })
  return {
    async consume(key, onLocked) {
      await limiter.consume(key).catch(async (refusal: unknown) => {
        if (refusal instanceof Error) throw refusal
        // Called only once per period, so that further attempts do not fill the log.
        if ((refusal as RateLimiterRes).consumedPoints === points + 1) await onLocked?.()
        throw new HttpError(429, 'Too many failed attempts. Try again later.', {
          retryAfter: Math.ceil((refusal as RateLimiterRes).msBeforeNext / 1000),
        })
      })
    },
    reward: (key) => limiter.reward(key),
    clear: (key) => limiter.delete(key),
  }
}
