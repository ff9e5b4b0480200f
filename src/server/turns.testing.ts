/** Returns the CPU time used by this thread, in ms. */
export const workedMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Measures the longest turn of the event loop until called, in ms of this thread's own CPU time, so that other processes do not count. */
export function watchTurns(): () => number {
  let longest = 0
  let before = workedMs()
  let isOpen = true
  const look = () => {
    const now = workedMs()
    longest = Math.max(longest, now - before)
    before = now
    if (isOpen) setImmediate(look)
  }
  setImmediate(look)
  return () => {
    isOpen = false
    look()
    return longest
  }
}
