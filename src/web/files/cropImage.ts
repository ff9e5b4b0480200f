import type { PercentCrop } from 'react-image-crop'
import { pixelsOf } from '#web/files/cropArea.ts'

interface Options {
  /** `image/webp` becomes PNG in browsers that can't write it. */
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  /** The width and height of the result in pixels; by default, those of the area. */
  side?: number
}

const quality = 0.92

/** Returns an area of the image at the URL as a new image. Throws an Error with a message for the user. */
export async function cropImage(url: string, area: PercentCrop, { type, side }: Options): Promise<Blob> {
  const image = new Image()
  image.src = url
  await image.decode()
  const { left, top, width, height } = pixelsOf(area, image.naturalWidth, image.naturalHeight)
  const canvas = document.createElement('canvas')
  canvas.width = side ?? width
  canvas.height = side ?? height
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, left, top, width, height, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, quality))
  if (!blob) throw new Error('This image couldn’t be cropped. Try another one.')
  return blob
}
