/**
 * The part of an image to keep: each edge is a fraction of the image's width or height, measured from the top
 * left corner.
 */
export interface Crop {
  left: number
  top: number
  right: number
  bottom: number
}

export const whole: Crop = { left: 0, top: 0, right: 1, bottom: 1 }
export const isWhole = ({ left, top, right, bottom }: Crop): boolean =>
  left === 0 && top === 0 && right === 1 && bottom === 1

/** Minimum width and height of a crop, as a fraction. */
const smallest = 0.02
const within = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high)

/** Returns the crop with one edge moved; the edge stops before it reaches the opposite edge. */
export function withEdge(crop: Crop, edge: keyof Crop, to: number): Crop {
  const limits: Record<keyof Crop, [low: number, high: number]> = {
    left: [0, crop.right - smallest],
    top: [0, crop.bottom - smallest],
    right: [crop.left + smallest, 1],
    bottom: [crop.top + smallest, 1],
  }
  const [low, high] = limits[edge]
  return { ...crop, [edge]: within(to, low, high) }
}

/**
 * Returns the crop between two corner points given in any order; undefined if it is too small to be
 * intentional.
 */
export function between(from: readonly [number, number], to: readonly [number, number]): Crop | undefined {
  const [x, y] = [
    [from[0], to[0]],
    [from[1], to[1]],
  ].map((pair) => pair.map((value) => within(value, 0, 1)).toSorted((a, b) => a - b))
  const crop = { left: x![0]!, right: x![1]!, top: y![0]!, bottom: y![1]! }
  return crop.right - crop.left < smallest || crop.bottom - crop.top < smallest ? undefined : crop
}

/** Returns the cropped part of an image as a new file. */
export async function croppedFile(
  url: string,
  { left, top, right, bottom }: Crop,
  name: string,
): Promise<File> {
  const image = new Image()
  image.src = url
  await image.decode()
  const [width, height] = [image.naturalWidth, image.naturalHeight]
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round((right - left) * width))
  canvas.height = Math.max(1, Math.round((bottom - top) * height))
  canvas
    .getContext('2d')!
    .drawImage(
      image,
      left * width,
      top * height,
      canvas.width,
      canvas.height,
      0,
      0,
      canvas.width,
      canvas.height,
    )
  // PNG preserves transparency.
  const [type, ending] = /\.jpe?g$/i.test(name) ? ['image/jpeg', 'jpg'] : ['image/png', 'png']
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.92))
  if (!blob) throw new Error('This image couldn’t be cropped. Try another one.')
  return new File([blob], `${name.replace(/\.\w+$/, '')}-cropped.${ending}`, { type })
}
