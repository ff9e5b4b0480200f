import { useState } from 'react'
import { Alert, Button } from '@mantine/core'
import classes from '#features/panel/session/web/dialogs.module.css'
import { errorMessageOf } from '#web/api/errors.ts'
import { wholeImage } from '#web/files/cropArea.ts'
import { cropImage } from '#web/files/cropImage.ts'
import { ImageCropper } from '#web/files/ImageCropper.tsx'
import { useFileUrl } from '#web/files/useFileUrl.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  file: File
  saving: boolean
  onCrop: (picture: File) => void
  onCancel: () => void
}

/** Twice the stored size, so that the server scales the picture down. */
const savedSide = 512

/** Crop tool for a profile picture, which is square and shown as a circle. */
export default function PictureCropper({ file, saving, onCrop, onCancel }: Props) {
  const url = useFileUrl(file)
  const [area, setArea] = useState(wholeImage)
  const [isUnreadable, setIsUnreadable] = useState(false)

  async function save(): Promise<void> {
    try {
      const image = await cropImage(url!, area, { type: 'image/webp', side: savedSide })
      const name = image.type === 'image/webp' ? 'picture.webp' : 'picture.png'
      onCrop(new File([image], name, { type: image.type }))
    } catch (error) {
      toast.failure(errorMessageOf(error))
    }
  }

  if (isUnreadable) {
    return (
      <Alert color="red" role="alert" withCloseButton closeButtonLabel="Dismiss" onClose={onCancel}>
        This file isn’t a readable image. Choose another one.
      </Alert>
    )
  }
  return (
    <div className={classes.cropper}>
      {url !== undefined && (
        <ImageCropper
          url={url}
          name="profile picture"
          area={area}
          onArea={setArea}
          isSquare
          onUnreadable={() => setIsUnreadable(true)}
        />
      )}
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
