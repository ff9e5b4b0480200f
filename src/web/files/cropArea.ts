import type { PercentCrop } from 'react-image-crop'

/** The smallest width and height of an area, in percent of the image. */
const smallest = 2

export const wholeImage: PercentCrop = { unit: '%', x: 0, y: 0, width: 100, height: 100 }

export const isWhole = ({ x, y, width, height }: PercentCrop): boolean =>
  x === 0 && y === 0 && width === 100 && height === 100

/** Returns whether an area is too small to be intentional, as after a slip of the pointer. */
export const isSlip = ({ width, height }: PercentCrop): boolean => width < smallest || height < smallest

/** Returns the area in pixels of an image of the given size; at least one pixel, and within the image. */
export function pixelsOf(area: PercentCrop, imageWidth: number, imageHeight: number) {
  const [left, width] = spanOf(area.x, area.width, imageWidth)
  const [top, height] = spanOf(area.y, area.height, imageHeight)
  return { left, top, width, height }
}

function spanOf(from: number, length: number, size: number): [from: number, length: number] {
  const start = Math.min(Math.round((from / 100) * size), size - 1)
  const end = Math.min(Math.round(((from + length) / 100) * size), size)
  return [start, Math.max(1, end - start)]
}
