import { Button } from '@mantine/core'
import { centerCrop, makeAspectCrop, ReactCrop, type PercentCrop } from 'react-image-crop'
import 'react-image-crop/dist/ReactCrop.css'
import { isSlip, isWhole, wholeImage } from '#web/files/cropArea.ts'
import classes from '#web/files/files.module.css'

interface Props {
  url: string
  name: string
  area: PercentCrop
  onArea: (area: PercentCrop) => void
  /** Keeps the area square, and shows it as the circle in which it will be seen. */
  isSquare?: boolean
  /** Called if the file isn't an image that the browser can show. */
  onUnreadable?: () => void
}

/** In pixels on the screen, so that the handles can still be told apart. */
const smallestSide = 24

/** The largest square in the middle of the image. */
const middleOf = ({ naturalWidth, naturalHeight }: HTMLImageElement): PercentCrop =>
  centerCrop(
    makeAspectCrop(
      naturalWidth < naturalHeight ? { unit: '%', width: 100 } : { unit: '%', height: 100 },
      1,
      naturalWidth,
      naturalHeight,
    ),
    naturalWidth,
    naturalHeight,
  )

/** The area that “Select crop area” begins with. */
const inset: PercentCrop = { unit: '%', x: 10, y: 10, width: 80, height: 80 }

/**
 * Image whose area to keep is drawn and moved with the pointer. With the keyboard, a button selects an area,
 * and the arrow keys move it or one of its handles.
 */
export function ImageCropper({ url, name, area, onArea, isSquare = false, onUnreadable }: Props) {
  const whole = !isSquare && isWhole(area)
  return (
    <div className={classes.cropper} role="group" aria-label={`Crop ${name}`}>
      <ReactCrop
        {...(whole ? {} : { crop: area })}
        onChange={(_pixels, next) => onArea(next)}
        onDragEnd={() => {
          if (isSlip(area)) onArea(wholeImage)
        }}
        minWidth={smallestSide}
        minHeight={smallestSide}
        {...(isSquare ? { aspect: 1, circularCrop: true, keepSelection: true } : {})}
      >
        <img
          className={classes.cropped}
          src={url}
          alt={name}
          draggable={false}
          onLoad={(event) => {
            if (isSquare) onArea(middleOf(event.currentTarget))
          }}
          onError={onUnreadable}
        />
      </ReactCrop>
      {!isSquare && (
        <div className={classes.cropActions}>
          <Button size="xs" variant="default" onClick={() => onArea(whole ? inset : wholeImage)}>
            {whole ? 'Select crop area' : 'Reset crop'}
          </Button>
          <span>Drag over the image to crop it.</span>
        </div>
      )}
    </div>
  )
}
