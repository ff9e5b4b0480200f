/** The square to cut out of a picture, given by its zoom and its offset from the center. */
export interface Crop {
  /** At 1, the shorter side fills the square. */
  zoom: number
  /** Offset as a fraction of the square's side; 0 is the center. */
  x: number
  y: number
}

export const wholePicture: Crop = { zoom: 1, x: 0, y: 0 }
export const maxZoom = 4

/** Returns the closest crop that leaves no part of the square empty. */
export function keepInside({ zoom, x, y }: Crop, width: number, height: number): Crop {
  const kept = Math.min(maxZoom, Math.max(1, zoom))
  const shorter = Math.min(width, height)
  const roomX = (width / shorter) * kept - 1
  const roomY = (height / shorter) * kept - 1
  return { zoom: kept, x: clamp(x, roomX / 2), y: clamp(y, roomY / 2) }
}

/** Draws the cropped square so that it fills the canvas. */
export function drawCrop(canvas: HTMLCanvasElement, picture: ImageBitmap, { zoom, x, y }: Crop): void {
  const side = canvas.width
  const scale = (side / Math.min(picture.width, picture.height)) * zoom
  const [width, height] = [picture.width * scale, picture.height * scale]
  const context = canvas.getContext('2d')
  if (!context) return
  context.imageSmoothingQuality = 'high'
  context.clearRect(0, 0, side, side)
  context.drawImage(picture, (side - width) / 2 + x * side, (side - height) / 2 + y * side, width, height)
}

const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) + 0
