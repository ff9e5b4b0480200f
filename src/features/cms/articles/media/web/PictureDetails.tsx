import { useState } from 'react'
import { Button, Checkbox, TextInput } from '@mantine/core'
import type { PercentCrop } from 'react-image-crop'
import type { FileRef } from '#shared/files.ts'
import { media, type Medium } from '#features/cms/articles/media/contract.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { request } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import { useMay } from '#web/api/useSend.ts'
import { isWhole, wholeImage } from '#web/files/cropArea.ts'
import { cropImage } from '#web/files/cropImage.ts'
import { ImageCropper } from '#web/files/ImageCropper.tsx'
import { useFileUrl } from '#web/files/useFileUrl.ts'
import { sendFile, type Target } from '#web/files/uploads.ts'
import type { InsertedPicture } from '#web/richtext/RichTextField.tsx'
import { useProduct } from '#web/session.ts'

/** A local file or an image from the library. */
export type Picture = File | Medium

interface Props {
  picture: Picture
  onDone: (picture: InsertedPicture) => void
  onSkip: () => void
}

/**
 * Stores an image in the library, so that other content can use it later; adds the description unless the
 * image already has one.
 */
async function sendToLibrary(
  file: File,
  product_id: number,
  words: { alt: string; decorative: boolean },
): Promise<FileRef> {
  let stored: Medium | undefined
  const target: Target = {
    access: media.upload.access,
    path: media.upload.path.replace('{x}', String(product_id)),
    field: 'attachment[]',
    read: ({ images }: { images: [Medium] }) => (stored = images[0]).file,
  }
  const ref = await sendFile(file, target)
  if (stored?.alt === '' && !stored.decorative)
    await request(media.describe, { params: { id: stored.id }, body: words })
  return ref
}

/**
 * Editor for an image's crop area and description. The image can be inserted once it has alt text or is
 * marked as decorative.
 */
export function PictureDetails({ picture, onDone, onSkip }: Props) {
  const product_id = useProduct()
  const mayUpload = useMay(media.upload, { params: { x: product_id ?? 0 } })
  const held = picture instanceof File ? undefined : picture
  const own = useFileUrl(picture instanceof File ? picture : undefined)
  const url = picture instanceof File ? own : picture.file.url
  const [crop, setCrop] = useState(wholeImage)
  const [alt, setAlt] = useState(held?.alt ?? '')
  const [isDecorative, setDecorative] = useState(held?.decorative ?? false)
  const [failure, setFailure] = useState<string>()
  const [sending, setSending] = useState(false)
  const name = nameOf(picture)
  const isDescribed = isDecorative || alt.trim() !== ''

  async function insert(): Promise<void> {
    setSending(true)
    setFailure(undefined)
    try {
      const file = await fileToSend(picture, crop, url!)
      const words = { alt: isDecorative ? '' : alt.trim(), decorative: isDecorative }
      const library = mayUpload ? product_id : undefined
      const ref = file ? await send(file, library, words) : held!.file
      onDone({ file: ref, alt: words.alt })
    } catch (error) {
      setFailure(errorMessageOf(error))
    }
    setSending(false)
  }

  return (
    <div className={classes.details}>
      {url !== undefined && <ImageCropper url={url} name={name} area={crop} onArea={setCrop} />}
      <TextInput
        label="Alt text"
        description="Describe the image for people who can’t see it."
        maxLength={500}
        data-autofocus
        disabled={isDecorative}
        value={alt}
        onChange={(event) => setAlt(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          if (isDescribed && !sending) void insert()
        }}
      />
      <Checkbox
        size="xs"
        label="Decorative (no alt text needed)"
        checked={isDecorative}
        onChange={(event) => setDecorative(event.currentTarget.checked)}
      />
      {failure !== undefined && (
        <p className={classes.error} role="alert">
          {failure}
        </p>
      )}
      <div className={classes.bar}>
        <Button
          size="xs"
          loading={sending}
          disabled={!isDescribed || url === undefined}
          title={isDescribed ? undefined : 'Add alt text or mark the image as decorative.'}
          onClick={() => void insert()}
        >
          Insert
        </Button>
        <Button size="xs" variant="default" onClick={onSkip}>
          Skip
        </Button>
      </div>
    </div>
  )
}

const nameOf = (picture: Picture) => (picture instanceof File ? picture : picture.file).name

/** Returns the file to store; undefined for an image of the library that is not cropped. */
function fileToSend(picture: Picture, crop: PercentCrop, url: string): Promise<File> | File | undefined {
  if (!isWhole(crop)) return croppedFile(nameOf(picture), crop, url)
  return picture instanceof File ? picture : undefined
}

async function croppedFile(name: string, crop: PercentCrop, url: string): Promise<File> {
  // PNG preserves transparency.
  const [type, ending] = /\.jpe?g$/i.test(name)
    ? (['image/jpeg', 'jpg'] as const)
    : (['image/png', 'png'] as const)
  const image = await cropImage(url, crop, { type })
  return new File([image], `${name.replace(/\.\w+$/, '')}-cropped.${ending}`, { type })
}

/** Stores an image in the library of this product, or without a product only for the text. */
const send = (file: File, product_id: number | undefined, words: { alt: string; decorative: boolean }) =>
  product_id === undefined ? sendFile(file) : sendToLibrary(file, product_id, words)
