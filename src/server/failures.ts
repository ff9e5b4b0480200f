export type FailureLog = { error: (details: object, text: string) => void }

const counts = new Map<string, number>()

/**
 * Returns a handler for work that no request waits for: it logs the failure along with how many times this work has failed since startup.
 * `sweep().catch(countFailure(log, 'the sweep failed'))`
 */
export const countFailure =
  (log: FailureLog, what: string) =>
  (error: unknown): void => {
    const failures = (counts.get(what) ?? 0) + 1
    counts.set(what, failures)
    log.error({ err: error, failures }, what)
  }
