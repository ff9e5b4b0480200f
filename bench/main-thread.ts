import type { Browser, Page } from '@playwright/test'

/*
 * The cost of a page for the main thread, from its own CPU time: on a machine that is busy with other work, the clock
 * also counts the time in which the thread had to wait.
 */

/** Events of Chromium's traces that are read here; times in microseconds. */
interface TraceEvent {
  name: string
  ph: string
  pid: number
  tid: number
  ts: number
  /** CPU time of the thread. */
  tdur?: number
  args: { name?: string; data?: { type?: string; isMainFrame?: boolean } }
}

/** A task of the page's main thread; milliseconds. */
interface Task {
  start: number
  cpu: number
}

export interface MainThread {
  tasks: Task[]
  /** When the page first painted content; undefined if it didn't. */
  painted: number | undefined
  /** When keys were pressed. */
  keys: number[]
}

const blockingMs = 50

/** Records the main thread of a page while something is done with it. */
export async function watchMainThread(
  browser: Browser,
  page: Page,
  run: () => Promise<void>,
): Promise<MainThread> {
  await browser.startTracing(page, { categories: ['devtools.timeline', 'toplevel', 'loading'] })
  await run()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: TraceEvent[]
  }
  const paint = traceEvents.findLast(({ name }) => name === 'firstContentfulPaint')
  const key = (event: TraceEvent) => event.name === 'EventDispatch' && event.args.data?.type === 'keydown'
  const of = paint ?? traceEvents.find(key)
  if (!of) throw new Error('The trace has neither a paint nor a key.')
  const own = traceEvents.filter(({ pid, tid }) => pid === of.pid && tid === of.tid)
  return {
    tasks: own
      .filter(({ name, tdur }) => name.endsWith('RunTask') && tdur !== undefined)
      .map(({ ts, tdur }) => ({ start: ts / 1000, cpu: tdur! / 1000 })),
    painted: paint && paint.ts / 1000,
    keys: own.filter(key).map(({ ts }) => ts / 1000),
  }
}

/** Returns the times of the tasks after the first paint, longest first. */
export const tasksAfterPaint = ({ tasks, painted = Infinity }: MainThread): number[] =>
  tasks
    .filter(({ start }) => start >= painted)
    .map(({ cpu }) => cpu)
    .sort((a, b) => b - a)

/** Returns the part of each task beyond 50 ms after the first paint, added up, on a CPU so many times as slow. */
export const blockingOf = (recorded: MainThread, slowdown: number): number =>
  Math.round(
    tasksAfterPaint(recorded).reduce((sum, cpu) => sum + Math.max(0, cpu * slowdown - blockingMs), 0),
  )

/** Returns what each key costs until the next one, in order of size, on a CPU so many times as slow. */
export const keysOf = ({ tasks, keys }: MainThread, slowdown: number): number[] =>
  keys
    .slice(0, -1)
    .map((key, at) => {
      const until = keys[at + 1]!
      // The task in which the key is dispatched begins before the key.
      const cost = tasks.reduce(
        (sum, { start, cpu }) => (start >= key - 5 && start < until - 5 ? sum + cpu : sum),
        0,
      )
      return Math.round(cost * slowdown)
    })
    .sort((a, b) => a - b)
