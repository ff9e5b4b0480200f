import { Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { media } from '#features/cms/articles/media/contract.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { acceptOf } from '#shared/file-kinds.ts'
import { largestFile } from '#shared/files.ts'
import { keyOf } from '#web/api/client.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import type { Uploads } from '#web/files/uploads.ts'
import { lazyPart, loadChunk } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'

const UploadQueue = lazyPart(() => import('#features/cms/articles/media/web/UploadQueue.tsx'), 'UploadQueue')

/**
 * Upload area for images that are chosen, dropped, or pasted. Images are uploaded one at a time, with
 * progress, and retried after a lost connection.
 */
export function MediaUpload({ product_id }: { product_id: number }) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const { uploads, add } = useUploads(product_id)

  return (
    <section aria-label="Upload">
      <div
        className={classes.drop}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setIsOver(true)
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setIsOver(false)
          void add(event.dataTransfer.files)
        }}
        onPaste={(event) => void add(event.clipboardData.files)}
      >
        <span className={classes.bar}>
          <input
            ref={input}
            type="file"
            hidden
            multiple
            aria-label="Images"
            accept={acceptOf(['image'])}
            onChange={({ currentTarget }) => {
              void add(currentTarget.files)
              currentTarget.value = ''
            }}
          />
          <Button size="xs" onClick={() => input.current?.click()}>
            Upload images
          </Button>
          <span className={classes.soft}>
            or drop or paste them here, up to {largestFile / 1_000_000} MB each
          </span>
        </span>
      </div>
      <Suspense>{uploads && <UploadQueue uploads={uploads} />}</Suspense>
    </section>
  )
}

/** Uploads images to the library of a product. */
function useUploads(product_id: number) {
  const queries = useQueryClient()
  const [uploads, setUploads] = useState<Uploads>()
  const made = useRef<Promise<Uploads>>(undefined)
  useEffect(() => () => uploads?.stop(), [uploads])

  /** Loads the upload code when the first file is added. */
  async function makeUploads(): Promise<Uploads> {
    const { Uploads: Made } = await loadChunk(() => import('#web/files/uploads.ts'))
    const it = new Made(() => ({
      maxBytes: largestFile,
      kinds: ['image'],
      onSent: () => void queries.invalidateQueries({ queryKey: keyOf(media.list) }),
      target: {
        access: media.upload.access,
        path: media.upload.path.replace('{x}', String(product_id)),
        field: 'attachment[]',
        read: ({ images }: { images: { file: never }[] }) => images[0]!.file,
      },
    }))
    setUploads(it)
    return it
  }

  async function add(list: DataTransfer['files'] | null): Promise<void> {
    // Copied, because the field is cleared before the code is loaded.
    const files = [...(list ?? [])]
    if (files.length === 0) return
    try {
      made.current ??= makeUploads()
      ;(await made.current).add(files, Infinity)
    } catch (error) {
      made.current = undefined
      toast.failure(errorMessageOf(error))
    }
  }

  return { uploads, add }
}
