import { useRef, useState, type DragEvent } from 'react'
import { Button, Input } from '@mantine/core'
import classes from '#web/form/form.module.css'

interface Props {
  label: string
  /** Types that the file picker offers, such as `.csv,text/csv`. */
  accept: string
  maxBytes: number
  file: File | undefined
  onChoose: (file: File | undefined) => void
  description?: string
  required?: boolean
}

/**
 * Field for a file from the user's computer, chosen or dropped; files that are too large are rejected before
 * upload.
 */
export function FileField({ label, accept, maxBytes, file, onChoose, description, required }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const [error, setError] = useState<string>()
  const [isOver, setIsOver] = useState(false)

  function take(chosen: File | undefined): void {
    const tooLarge = chosen !== undefined && chosen.size > maxBytes
    setError(tooLarge ? `This file is larger than ${maxBytes / 1_000_000} MB.` : undefined)
    onChoose(tooLarge ? undefined : chosen)
  }

  function drop(event: DragEvent): void {
    event.preventDefault()
    setIsOver(false)
    take(event.dataTransfer.files[0])
  }

  return (
    <Input.Wrapper label={label} description={description} error={error} required={required} size="xs">
      {
        <div
          className={classes.drop}
          data-over={isOver || undefined}
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={drop}
        >
          <input
            ref={input}
            type="file"
            hidden
            aria-label={label}
            accept={accept}
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
          <Button variant="default" size="xs" onClick={() => input.current?.click()}>
            {file ? 'Choose another file' : 'Choose a file'}
          </Button>
          <span className={classes.fileName}>
            {file ? `${file.name} (${Math.ceil(file.size / 1000).toLocaleString()} kB)` : 'or drop it here'}
          </span>
        </div>
      }
    </Input.Wrapper>
  )
}
