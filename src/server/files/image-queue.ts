import { createQueue } from '#server/jobs/queue.ts'

/** Thrown when an AVIF image takes too long; its upload is rejected. */
export class SlowImage extends Error {
  override name = 'SlowImage'
}

const longestAvifMs = 3000

/** Each image may need a hundred megabytes of memory. */
const images = createQueue(2)
/** Even a tiny AVIF image can take seconds to process, so AVIF images never occupy both workers. */
const avifImages = createQueue()

/** Processes an image when a worker is free. */
export const processImage = images

/**
 * Processes an AVIF image, in at most one of the two workers. Decoding can't be interrupted, so the worker stays
 * occupied until `work` ends; `isLate` then tells it to discard its result.
 * @throws SlowImage as soon as the work takes longer than three seconds.
 */
export const processAvif = <T>(
  work: (isLate: () => boolean) => Promise<T>,
  longestMs = longestAvifMs,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const run = async () => {
      let late = false
      const timer = setTimeout(() => {
        late = true
        reject(new SlowImage())
      }, longestMs)
      await work(() => late).then(resolve, reject)
      clearTimeout(timer)
    }
    void avifImages(() => images(run))
  })
