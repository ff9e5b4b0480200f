import { Suspense, useState, type ReactNode } from 'react'
import { ActionIcon } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import type { FileKind } from '#shared/file-kinds.ts'
import type { FileRef } from '#shared/files.ts'
import classes from '#web/files/files.module.css'
import { isPdf } from '#web/files/isPdf.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const FilePreview = lazyPart(() => import('#web/files/FilePreview.tsx'))

const icons = {
  image: IconPhoto,
  document: IconFileText,
  video: IconVideo,
  audio: IconMusic,
  other: IconFile,
} as const
const kindNames = {
  image: 'Image',
  document: 'Document',
  video: 'Video',
  audio: 'Audio',
  other: 'File',
} as const

/** A file's icon: its thumbnail, or an icon for its kind. */
export function FileIcon({ kind, small }: { kind: FileKind; small?: string | null | undefined }) {
  const Icon = icons[kind]
  return (
    <span className={classes.icon}>
      {small ? (
        <img src={small} alt="" />
      ) : (
        <Icon size={18} stroke={1.5} aria-label={kindNames[kind]} role="img" />
      )}
    </span>
  )
}

interface Props {
  files: readonly FileRef[]
  label?: string
  /** Removes a file; absent if the viewer is not allowed to. */
  onRemove?: ((file: FileRef) => void) | undefined
  /** Additional list items, such as files being uploaded. */
  children?: ReactNode
}

/**
 * List of files with icons, sizes, previews of images and PDFs, and buttons for downloading and, if allowed,
 * removing them.
 */
export function FileList({ files, label = 'Files', onRemove, children }: Props) {
  const [shown, setShown] = useState<FileRef>()
  if (files.length === 0 && !children) return null
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {files.map((file) => (
          <li key={file.id} className={classes.row}>
            <FileIcon kind={file.kind} small={file.small_url} />
            {file.kind === 'image' || isPdf(file) ? (
              <button type="button" className={classes.name} onClick={() => setShown(file)}>
                {file.name}
              </button>
            ) : (
              <a className={classes.name} href={file.download_url} download={file.name}>
                {file.name}
              </a>
            )}
            <span className={classes.size}>{sizeInWords(file.bytes)}</span>
            <ActionIcon
              component="a"
              href={file.download_url}
              download={file.name}
              variant="subtle"
              color="gray"
              aria-label={`Download ${file.name}`}
            >
              <IconDownload size={16} stroke={1.5} />
            </ActionIcon>
            {onRemove && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${file.name}`}
                onClick={() => onRemove(file)}
              >
                <IconTrash size={16} stroke={1.5} />
              </ActionIcon>
            )}
          </li>
        ))}
        {children}
      </ul>
      {shown && (
        <Suspense>
          <FilePreview file={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </>
  )
}
