export type FailureLog = { error: (details: object, text: string) => void }

const counts = new Map<string, number>()

/**
 * Returns a handler for background work that no request waits for. It logs the failure together with the
 * number of times this work has failed since startup: `sweep().catch(countFailure(log, 'the sweep failed'))`
 */
export const countFailure =
  (log: FailureLog, what: string) =>
  (error: unknown): void => {
    const failures = (counts.get(what) ?? 0) + 1
    counts.set(what, failures)
    log.error({ err: error, failures }, what)
  }
