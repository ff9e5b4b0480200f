import type { Page } from '@playwright/test'

/** Measurements that the page records on `globalThis`. */
export interface Watched {
  /** Longest event of each key or click, in ms, by its interaction. */
  keys: Map<number, number>
}

/** Runs in the page: records how long the screen takes to show each key, in steps of 8 ms (Event Timing). */
export function watchKeys(): void {
  const keys = new Map<number, number>()
  Object.assign(globalThis, { keys })
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries() as (PerformanceEntry & {
      interactionId: number
    })[])
      if (interactionId) keys.set(interactionId, Math.max(keys.get(interactionId) ?? 0, duration))
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
}

/** Returns the frames per second while what is under the pointer scrolls up for three seconds. */
export async function scrollRate(page: Page): Promise<number> {
  const frames = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let count = 0
        const start = performance.now()
        const next = () => {
          count += 1
          if (performance.now() - start < 3000) requestAnimationFrame(next)
          else resolve(Math.round(count / 3))
        }
        requestAnimationFrame(next)
      }),
  )
  for (let at = 0; at < 60; at += 1) await page.mouse.wheel(0, -400)
  return frames
}
