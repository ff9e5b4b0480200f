import { useRef, useState } from 'react'
import { Button, Modal } from '@mantine/core'
import { acceptOf } from '#shared/file-kinds.ts'
import { MediaGrid } from '#features/cms/articles/media/web/MediaGrid.tsx'
import classes from '#features/cms/articles/media/web/media.module.css'
import { PictureDetails, type Picture } from '#features/cms/articles/media/web/PictureDetails.tsx'
import type { PictureDialogProps } from '#web/richtext/RichTextField.tsx'
import { useDialog } from '#web/parts/useDialog.ts'
import { Soft } from '#web/parts/Soft.tsx'

/**
 * Dialog for inserting images into rich text, from this computer or from the library. Each image can be
 * cropped, and must be described or marked as decorative before it is inserted.
 */
export function ChoosePicture({ files, onInsert, onClose }: PictureDialogProps) {
  const dialog = useDialog()
  const input = useRef<HTMLInputElement>(null)
  const [pictures, setPictures] = useState<readonly Picture[]>(files)
  const [turn, setTurn] = useState(0)
  const shown = pictures[turn]
  return (
    <Modal
      {...dialog}
      opened
      onClose={onClose}
      size="xl"
      title={pictures.length > 1 ? `Image ${turn + 1} of ${pictures.length}` : 'Image'}
    >
      {shown === undefined ? (
        <>
          <div className={classes.bar}>
            <input
              ref={input}
              type="file"
              hidden
              multiple
              aria-label="Images to insert"
              accept={acceptOf(['image'])}
              onChange={({ currentTarget }) => setPictures([...(currentTarget.files ?? [])])}
            />
            <Button size="xs" onClick={() => input.current?.click()}>
              Upload from computer
            </Button>
            <Soft as="span">or choose one from the library:</Soft>
          </div>
          <MediaGrid onChoose={(medium) => setPictures([medium])} />
        </>
      ) : (
        <PictureDetails
          key={turn}
          picture={shown}
          onDone={(picture) => {
            onInsert(picture)
            if (turn + 1 < pictures.length) setTurn(turn + 1)
            else onClose()
          }}
          onSkip={pictures.length > 1 && turn + 1 < pictures.length ? () => setTurn(turn + 1) : onClose}
        />
      )}
    </Modal>
  )
}
