/** Returns the CPU time used by this thread, in ms. */
export const workedMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/**
 * Starts measuring the event loop. The returned function stops measuring and returns the longest turn of the
 * event loop in ms, measured as this thread's CPU time so that other processes don't affect it.
 */
export function watchTurns(): () => number {
  let longest = 0
  let before = workedMs()
  let isOpen = true
  const look = () => {
    const now = workedMs()
    longest = Math.max(longest, now - before)
    before = now
    // A loop without a pause would take a core from the thread that does the work.
    if (isOpen) setTimeout(look, 1)
  }
  setTimeout(look, 1)
  return () => {
    isOpen = false
    look()
    return longest
  }
}
