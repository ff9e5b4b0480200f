import {
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type ClipboardEvent,
  type DragEvent,
  type ReactNode,
} from 'react'
import { ActionIcon, Button, Input, Progress } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { acceptOf, extensionOf, fileTypes, type FileKind } from '#shared/file-kinds.ts'
import { largestFile, mostFiles, type FileRef } from '#shared/files.ts'
import { FileIcon, FileList } from '#web/files/FileList.tsx'
import classes from '#web/files/files.module.css'
import { sizeInWords } from '#web/files/sizeInWords.ts'
import { Uploads } from '#web/files/uploads.ts'
import { InnerContext, type NestedReports } from '#web/form/inner.ts'
import { useFileRefs } from '#web/files/useFileRefs.ts'

interface Props {
  label: string
  /** IDs of the files, which the form sends as `file_ids`. */
  value?: readonly number[]
  onChange: (ids: number[]) => void
  description?: ReactNode
  error?: ReactNode
  required?: boolean
  most?: number
  maxBytes?: number
  kinds?: readonly FileKind[]
  /** Path within the form, from getInputProps; tells the form that errors are shown here. */
  'data-path'?: string
}

const none: readonly number[] = []

/**
 * Field for files from the user's computer. Files that are chosen, dropped, or pasted are uploaded
 * immediately, one at a time; the form sends their IDs.
 */
export function FilesField({
  label,
  value = none,
  onChange,
  description,
  error,
  required,
  most = mostFiles,
  maxBytes = largestFile,
  kinds,
  'data-path': path,
}: Props) {
  const { refs, items, uploads } = useUploads({ value, onChange, most, maxBytes, kinds })
  // If only one file is allowed, the next one replaces it.
  const room = most === 1 ? 1 : most - value.length
  const add = (list: DataTransfer['files'] | null) => {
    if (list?.length) uploads.add([...list], room)
  }
  return (
    <Input.Wrapper
      data-path={path}
      label={label}
      description={description}
      error={error}
      required={required ?? false}
      size="xs"
    >
      <DropArea
        label={label}
        most={most}
        maxBytes={maxBytes}
        kinds={kinds}
        isFull={room <= 0}
        onFiles={add}
      />
      <FileList
        files={refs}
        label={label}
        onRemove={(file) => onChange(value.filter((id) => id !== file.id))}
      >
        {items.length > 0 && items.map((item) => <UploadRow key={item.key} item={item} uploads={uploads} />)}
      </FileList>
    </Input.Wrapper>
  )
}

type Field = Required<Pick<Props, 'value' | 'onChange' | 'most' | 'maxBytes'>> & Pick<Props, 'kinds'>

/**
 * Uploads files, and adds their IDs to the field's value. Reports uploads in progress and refused files to the
 * form: by default to the one around it.
 */
export function useUploads({ value, onChange, most, maxBytes, kinds }: Field, form?: NestedReports) {
  const [sent, setSent] = useState<readonly FileRef[]>([])
  const take = useRef<(ref: FileRef) => void>(() => {})
  const [uploads] = useState(
    () => new Uploads(() => ({ maxBytes, kinds, onSent: (ref) => take.current(ref) })),
  )
  const items = useSyncExternalStore(uploads.subscribe, uploads.items)
  const older = useFileRefs(value.filter((id) => !sent.some((ref) => ref.id === id)))
  const refs = value.flatMap((id) => sent.find((ref) => ref.id === id) ?? older.get(id) ?? [])
  const busy = items.some(({ state }) => state !== 'failed')

  const added = useEffectEvent((ref: FileRef) => {
    setSent((before) => [...before, ref])
    onChange(most === 1 ? [ref.id] : [...value, ref.id])
  })
  useEffect(() => {
    take.current = (ref) => added(ref)
    return () => uploads.stop()
  }, [uploads])
  const around = use(InnerContext)
  const reports = form ?? around
  useEffect(() => (busy ? reports.busy() : undefined), [busy, reports])
  const refused = JSON.stringify(items.filter(({ state }) => state === 'failed').map(({ file }) => file.name))
  useEffect(() => {
    const names = JSON.parse(refused) as string[]
    return names.length > 0 ? reports.refused({ names, dismiss: () => uploads.dismissFailed() }) : undefined
  }, [refused, reports, uploads])
  return { refs, items, uploads }
}

interface AreaProps {
  label: string
  most: number
  maxBytes: number
  kinds: readonly FileKind[] | undefined
  isFull: boolean
  onFiles: (files: DataTransfer['files'] | null) => void
}

function DropArea({ label, most, maxBytes, kinds, isFull, onFiles }: AreaProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setIsOver(false)
    onFiles(event.dataTransfer.files)
  }
  const paste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    onFiles(event.clipboardData.files)
  }

  return (
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      onPaste={paste}
    >
      <input
        ref={input}
        type="file"
        hidden
        multiple={most > 1}
        aria-label={label}
        accept={acceptOf(kinds)}
        onChange={({ currentTarget }) => {
          onFiles(currentTarget.files)
          // Reset, so that choosing the same file again fires another change event.
          currentTarget.value = ''
        }}
      />
      <Button variant="default" size="xs" disabled={isFull} onClick={() => input.current?.click()}>
        {most > 1 ? 'Choose files' : 'Choose a file'}
      </Button>
      <span className={classes.hint}>
        or drop or paste {most > 1 ? `up to ${most} files` : 'it'} here (up to {maxBytes / 1_000_000} MB
        {most > 1 ? ' each' : ''})
      </span>
    </div>
  )
}

/** A file that is being uploaded, with its progress or the reason why it failed. */
export function UploadRow({
  item,
  uploads,
}: {
  item: ReturnType<Uploads['items']>[number]
  uploads: Uploads
}) {
  return (
    <li className={classes.row}>
      <FileIcon kind={fileTypes[extensionOf(item.file.name) ?? 'txt'].kind} />
      <span className={classes.name}>{item.file.name}</span>
      <span className={classes.size}>{sizeInWords(item.file.size)}</span>
      {item.state === 'failed' && item.again && (
        <ActionIcon
          variant="subtle"
          aria-label={`Retry ${item.file.name}`}
          onClick={() => uploads.retry(item.key)}
        >
          <IconRefresh size={16} stroke={1.5} />
        </ActionIcon>
      )}
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={item.state === 'failed' ? `Dismiss ${item.file.name}` : `Cancel ${item.file.name}`}
        onClick={() => uploads.cancel(item.key)}
      >
        <IconX size={16} stroke={1.5} />
      </ActionIcon>
      {item.error === undefined ? (
        <Progress
          className={classes.wide}
          size="xs"
          value={item.progress * 100}
          aria-label={`Uploading ${item.file.name}`}
        />
      ) : (
        <span className={classes.error} role="alert">
          {item.error}
        </span>
      )}
    </li>
  )
}
