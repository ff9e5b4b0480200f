export type Queue = <T>(work: () => Promise<T>) => Promise<T>

/** Creates a queue that runs up to `workers` tasks at the same time, in the order in which they were added. */
export function createQueue(workers = 1): Queue {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < workers) running += 1
    // A finished task hands its place to the next one, so `running` stays the same.
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
