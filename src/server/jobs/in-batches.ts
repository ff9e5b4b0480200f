import { setTimeout as wait } from 'node:timers/promises'

const maxAttempts = 6

/**
 * Processes work in batches until one of them is the last, or finds nothing to do (undefined). A batch that
 * fails, for example because a connection was lost, is retried; if it keeps failing, calls `giveUp` and throws.
 */
export async function inBatches<Progress extends { finished: boolean }>(
  processBatch: () => Promise<Progress | undefined>,
  { tell, giveUp }: { tell: (progress: Progress) => void; giveUp: () => Promise<unknown> },
): Promise<void> {
  for (let troubles = 0; ;) {
    try {
      const progress = await processBatch()
      if (!progress) return
      tell(progress)
      if (progress.finished) return
      troubles = 0
    } catch (error) {
      troubles += 1
      if (troubles === maxAttempts) {
        await giveUp()
        throw error
      }
      await wait(troubles * 200)
    }
  }
}
