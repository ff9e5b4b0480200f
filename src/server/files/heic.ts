import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { createQueue } from '#server/jobs/queue.ts'

/** An image needs up to a hundred megabytes of memory. */
const oneAtATime = createQueue()
const longestMs = 20_000

interface Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
}

/**
 * Writes a HEIC image, as phones take them, as JPEG; sharp has no decoder for them. The decoder runs in a
 * separate thread that is ended after 20 seconds, so that a hostile file costs neither answers nor memory for long.
 * @returns false if the image is too large or can't be read.
 */
export const writeHeicAsJpeg = (path: string, to: string, mostPixels: number): Promise<boolean> =>
  oneAtATime(async () => {
    const pixels = await decode(path, mostPixels)
    if (!pixels) return false
    const { data, width, height } = pixels
    await sharp(data, { raw: { width, height, channels: 4 } })
      .flatten({ background: 'white' })
      .jpeg({ quality: 92 })
      .toFile(to)
    return true
  })

const decode = (path: string, mostPixels: number): Promise<Pixels | null> =>
  new Promise((resolve) => {
    const worker = new Worker(join(import.meta.dirname, 'heic.worker.ts'), {
      workerData: { path, mostPixels },
      resourceLimits: { maxOldGenerationSizeMb: 128 },
      // The decoder prints its complaints about broken files, which don't belong in the log.
      stdout: true,
      stderr: true,
    })
    const end = (pixels: Pixels | null = null) => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(pixels)
    }
    const timer = setTimeout(() => end(), longestMs)
    worker.once('message', end)
    worker.once('error', () => end())
    worker.once('exit', () => end())
  })
