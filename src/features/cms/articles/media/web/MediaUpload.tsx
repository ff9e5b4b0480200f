import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { media } from '#features/cms/articles/media/contract.ts'
import classes from '#features/cms/articles/media/web/media.module.css'
import { acceptOf } from '#shared/file-kinds.ts'
import { largestFile } from '#shared/files.ts'
import { errorMessageOf } from '#web/api/errors.ts'
import type { Uploads } from '#web/files/uploads.ts'
import { lazyPart, loadChunk } from '#web/shell/lazy.tsx'
import { toast } from '#web/message/toast.ts'
import { TextButton } from '#web/parts/controls.tsx'
import { Soft } from '#web/parts/Soft.tsx'

const UploadQueue = lazyPart(() => import('#features/cms/articles/media/web/UploadQueue.tsx'), 'UploadQueue')

interface Props {
  product_id: number
  /** The page, onto which images can be dropped. */
  children: (button: ReactNode, queue: ReactNode) => ReactNode
}

/**
 * A page that takes images: chosen with its button, dropped anywhere on it, or pasted. Images are uploaded one
 * at a time, with progress, and retried after a lost connection.
 */
export function MediaUpload({ product_id, children }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const { uploads, add } = useUploads(product_id)
  const paste = useEffectEvent((event: ClipboardEvent) => void add(event.clipboardData?.files ?? null))
  useEffect(() => {
    document.addEventListener('paste', paste)
    return () => document.removeEventListener('paste', paste)
  }, [])

  return (
    <div
      className={classes.page}
      data-sheet
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        currentTarget.contains(relatedTarget as Node | null) || setIsOver(false)
      }
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void add(event.dataTransfer.files)
      }}
    >
      {children(
        <>
          <Soft as="span" small>
            Drop or paste images anywhere, up to {largestFile / 1_000_000} MB each
          </Soft>
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
          <TextButton
            primary
            icon={<IconUpload size={14} aria-hidden />}
            onClick={() => input.current?.click()}
          >
            Upload images
          </TextButton>
        </>,
        <Suspense>{uploads && <UploadQueue uploads={uploads} />}</Suspense>,
      )}
      {isOver && (
        <div className={classes.drop} aria-hidden>
          Drop images to upload them
        </div>
      )}
    </div>
  )
}

/** Uploads images to the library of a product. */
function useUploads(product_id: number) {
  const [uploads, setUploads] = useState<Uploads>()
  const made = useRef<Promise<Uploads>>(undefined)
  useEffect(() => () => uploads?.stop(), [uploads])

  /** Loads the upload code when the first file is added. */
  async function makeUploads(): Promise<Uploads> {
    const { Uploads: Made } = await loadChunk(() => import('#web/files/uploads.ts'))
    const it = new Made(() => ({
      maxBytes: largestFile,
      kinds: ['image'],
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
