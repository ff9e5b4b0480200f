import { useRef, useState, type ClipboardEvent, type DragEvent, type ReactNode } from 'react'
import { Button, Input } from '@mantine/core'
import { acceptOf, type FileKind } from '#shared/file-kinds.ts'
import { largestFile, mostFiles } from '#shared/files.ts'
import { FileList } from '#web/files/FileList.tsx'
import classes from '#web/files/files.module.css'
import { UploadRow } from '#web/files/UploadRow.tsx'
import { useUploads } from '#web/files/useUploads.ts'

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
