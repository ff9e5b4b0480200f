import sharp from 'sharp'
import { processImage } from '#server/files/image-queue.ts'
import { fetchPublicBytes, type PublicFetchOptions } from '#server/public-fetch.ts'

const largestImage = 5_000_000
const mostPixels = 25_000_000
const widest = 1600
const atOnce = 4

/**
 * Loads images from other servers and re-encodes them, so that what reaches the browser is an image, and the
 * sender learns no more than that the panel loaded it.
 */
export async function loadImages(
  urls: readonly string[],
  options: PublicFetchOptions,
): Promise<{ data: { url: string; data: string }[]; failed: number }> {
  const loaded: { url: string; data: string }[] = []
  const waiting = [...urls]
  const work = async () => {
    for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
      const data = await loadImage(url, options).catch(() => undefined)
      if (data !== undefined) loaded.push({ url, data })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { data: loaded, failed: urls.length - loaded.length }
}

async function loadImage(url: string, options: PublicFetchOptions): Promise<string> {
  const bytes = await fetchPublicBytes(url, largestImage, options)
  return processImage(async () => {
    const image = sharp(bytes, { limitInputPixels: mostPixels })
    const { format } = await image.metadata()
    // Formats that can contain references to other files are left out.
    if (!['png', 'jpeg', 'webp', 'gif'].includes(format)) throw new Error(`${format} isn’t shown.`)
    const webp = await image.rotate().resize({ width: widest, withoutEnlargement: true }).webp().toBuffer()
    return `data:image/webp;base64,${webp.toString('base64')}`
  })
}
