import { useEffect, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import { Alert, Button } from '@mantine/core'
import { drawCrop, keepInside, maxZoom, wholePicture, type Crop } from '#features/panel/session/web/crop.ts'
import classes from '#features/panel/session/web/dialogs.module.css'

interface Props {
  file: File
  saving: boolean
  onCrop: (picture: File) => void
  onCancel: () => void
}

/** Twice the stored size, so that the server scales the picture down. */
const savedSide = 512
const shownSide = 224
const step = 0.05
const quality = 0.92

const moves: Record<string, { x: number; y: number }> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

/**
 * Crop tool in which a picture behind a round window can be moved and zoomed by dragging, with the arrow
 * keys, or with a slider. The visible part is stored.
 */
export default function PictureCropper({ file, saving, onCrop, onCancel }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { picture, isUnreadable } = useBitmap(file)
  const [crop, setCrop] = useState(wholePicture)

  useEffect(() => {
    if (canvas.current && picture) drawCrop(canvas.current, picture, crop)
  }, [picture, crop])

  const change = (next: (before: Crop) => Crop) =>
    picture && setCrop((before) => keepInside(next(before), picture.width, picture.height))

  function drag(event: PointerEvent<HTMLCanvasElement>): void {
    if (event.buttons === 0 || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { movementX, movementY } = event
    change((before) => ({
      ...before,
      x: before.x + movementX / shownSide,
      y: before.y + movementY / shownSide,
    }))
  }

  function byKey(event: KeyboardEvent): void {
    const move = moves[event.key]
    if (!move) return
    event.preventDefault()
    change((before) => ({ ...before, x: before.x + move.x, y: before.y + move.y }))
  }

  async function save(): Promise<void> {
    const saved = picture && (await croppedFile(picture, crop))
    if (saved) onCrop(saved)
  }

  if (isUnreadable) {
    return (
      <Alert color="red" role="alert" withCloseButton closeButtonLabel="Dismiss" onClose={onCancel}>
        This file isn’t a readable image. Choose another one.
      </Alert>
    )
  }
  return (
    <div className={classes.cropper} role="group" aria-label="Crop profile picture to a square">
      <canvas
        ref={canvas}
        width={savedSide}
        height={savedSide}
        className={classes.canvas}
        role="img"
        tabIndex={0}
        aria-label="Preview. Drag the image or use the arrow keys to move it."
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={drag}
        onKeyDown={byKey}
      />
      <label className={classes.zoom}>
        Zoom
        <input
          type="range"
          min={1}
          max={maxZoom}
          step={0.05}
          value={crop.zoom}
          onChange={(event) => change((before) => ({ ...before, zoom: Number(event.target.value) }))}
        />
      </label>
      <div className={classes.actions}>
        <Button variant="default" size="xs" onClick={onCancel}>
          Cancel
        </Button>
        <Button size="xs" loading={saving} onClick={() => void save()}>
          Use this image
        </Button>
      </div>
    </div>
  )
}

/** Returns the image in a file, or that the file isn't a readable image. */
function useBitmap(file: File) {
  const [picture, setPicture] = useState<ImageBitmap>()
  const [isUnreadable, setIsUnreadable] = useState(false)
  useEffect(() => {
    let isCurrent = true
    createImageBitmap(file).then(
      (bitmap) => isCurrent && setPicture(bitmap),
      () => isCurrent && setIsUnreadable(true),
    )
    return () => {
      isCurrent = false
    }
  }, [file])
  return { picture, isUnreadable }
}

async function croppedFile(picture: ImageBitmap, crop: Crop): Promise<File | undefined> {
  const target = document.createElement('canvas')
  target.width = target.height = savedSide
  drawCrop(target, picture, crop)
  const blob = await new Promise<Blob | null>((resolve) => target.toBlob(resolve, 'image/webp', quality))
  if (!blob) return undefined
  return new File([blob], blob.type === 'image/webp' ? 'picture.webp' : 'picture.png', { type: blob.type })
}
