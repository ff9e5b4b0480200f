import { Suspense, useState, type MouseEvent, type ReactNode } from 'react'
import { ActionIcon } from '@mantine/core'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconFile from '@tabler/icons-react/dist/esm/icons/IconFile.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconMusic from '@tabler/icons-react/dist/esm/icons/IconMusic.mjs'
import IconPhoto from '@tabler/icons-react/dist/esm/icons/IconPhoto.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconVideo from '@tabler/icons-react/dist/esm/icons/IconVideo.mjs'
import { listableAs, type FileKind } from '#shared/file-kinds.ts'
import type { FileRef } from '#shared/files.ts'
import classes from '#web/files/files.module.css'
import { isPdf } from '#web/files/isPdf.ts'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const FilePreview = lazyPart(() => import('#web/files/FilePreview.tsx'))

const FileContents = lazyPart(() => import('#web/files/FileContents.tsx'))

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
 * List of files with icons, sizes, previews of images and PDFs, contents of archives and emails, and buttons for
 * downloading and, if allowed, removing them.
 */
export function FileList({ files, label = 'Files', onRemove, children }: Props) {
  const [shown, setShown] = useState<FileRef>()
  if (files.length === 0 && !children) return null
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {files.map((file) => (
          <FileRow
            key={file.id}
            file={file}
            onShow={() => setShown(file)}
            onRemove={onRemove && (() => onRemove(file))}
          />
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

interface RowProps {
  file: FileRef
  /** Shows the preview. */
  onShow: () => void
  onRemove: (() => void) | undefined
}

function FileRow({ file, onShow, onRemove }: RowProps) {
  const [isOpen, setOpen] = useState(false)
  const toggle = ({ currentTarget }: MouseEvent) => {
    setOpen(!isOpen)
    // A folded entry of a conversation would hide the contents.
    if (!isOpen) currentTarget.dispatchEvent(new Event('unfold', { bubbles: true }))
  }
  return (
    <li className={classes.row} data-open={isOpen || undefined}>
      <FileIcon kind={file.kind} small={file.small_url} />
      {file.kind === 'image' || isPdf(file) ? (
        <button type="button" className={classes.name} onClick={onShow}>
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
        <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${file.name}`} onClick={onRemove}>
          <IconTrash size={16} stroke={1.5} />
        </ActionIcon>
      )}
      {listableAs(file.name) && (
        <span className={classes.wide}>
          <LinkButton aria-expanded={isOpen} onClick={toggle}>
            {isOpen ? 'Hide contents' : 'Show contents'}
            <VisuallyHidden>{` of ${file.name}`}</VisuallyHidden>
          </LinkButton>
        </span>
      )}
      {isOpen && (
        <Suspense>
          <FileContents file={file} />
        </Suspense>
      )}
    </li>
  )
}
