import { useRef, type PointerEvent } from 'react'
import { Button } from '@mantine/core'
import { between, isWhole, whole, withEdge, type Crop } from '#features/cms/articles/media/web/crop.ts'
import classes from '#features/cms/articles/media/web/media.module.css'

interface Props {
  url: string
  name: string
  crop: Crop
  onCrop: (crop: Crop) => void
}

const edges = [
  ['left', 'Left edge'],
  ['right', 'Right edge'],
  ['top', 'Top edge'],
  ['bottom', 'Bottom edge'],
] as const

const percent = (share: number) => `${share * 100}%`

/** Image with a crop area, drawn with the pointer or adjusted edge by edge with the keyboard. */
export function CropField({ url, name, crop, onCrop }: Props) {
  const from = useRef<readonly [number, number]>(undefined)
  const pointOf = ({ clientX, clientY, currentTarget }: PointerEvent): readonly [number, number] => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    return [(clientX - left) / width, (clientY - top) / height]
  }
  return (
    <div className={classes.crop}>
      <div
        className={classes.cropped}
        onPointerDown={(event) => {
          event.preventDefault()
          event.currentTarget.setPointerCapture(event.pointerId)
          from.current = pointOf(event)
        }}
        onPointerMove={(event) => {
          const drawn = from.current && between(from.current, pointOf(event))
          if (drawn) onCrop(drawn)
        }}
        onPointerUp={() => (from.current = undefined)}
        onPointerCancel={() => (from.current = undefined)}
      >
        <img src={url} alt={name} draggable={false} />
        {!isWhole(crop) && (
          <div
            className={classes.kept}
            style={{
              left: percent(crop.left),
              top: percent(crop.top),
              width: percent(crop.right - crop.left),
              height: percent(crop.bottom - crop.top),
            }}
          />
        )}
      </div>
      <div className={classes.edges}>
        {edges.map(([edge, label]) => (
          <label key={edge}>
            {label}
            <input
              type="range"
              min={0}
              max={100}
              aria-label={label}
              aria-valuetext={`${Math.round(crop[edge] * 100)} %`}
              value={Math.round(crop[edge] * 100)}
              onChange={(event) => onCrop(withEdge(crop, edge, Number(event.currentTarget.value) / 100))}
            />
          </label>
        ))}
        <Button size="xs" variant="default" disabled={isWhole(crop)} onClick={() => onCrop(whole)}>
          Reset crop
        </Button>
        <span className={classes.soft}>Drag over the image to crop it.</span>
      </div>
    </div>
  )
}
