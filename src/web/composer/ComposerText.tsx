import { startTransition, Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import classes from '#web/composer/composer.module.css'
import { selectedIn, withoutTyped, withTyped, type Selected } from '#web/richtext/earlyText.ts'
import { lazyPart } from '#web/shell/lazy.tsx'

const Editor = lazyPart(() => import('#web/richtext/RichTextEditor.tsx'), 'RichTextEditor')

interface Props {
  label: string
  placeholder: string
  /** HTML. */
  value?: string
  onChange: (html: string) => void
  /** Receives pasted and dropped files. */
  onFiles: (files: readonly File[]) => void
  error?: ReactNode
  /** Path within the form, from getInputProps; tells the form that errors are shown here. */
  'data-path'?: string
}

/**
 * Rich text in a composer. The editor loads when its field gets the focus, or to show a draft; until it takes the
 * place of the plain field, the user types there.
 */
export function ComposerText({ label, placeholder, value = '', onChange, onFiles, error, ...path }: Props) {
  const [typed, setTyped] = useState('')
  // What the form has besides the typed text: a draft, or the text of an undone message, which arrives later.
  const [before, setBefore] = useState(value)
  const [isWanted, setWanted] = useState(false)
  const selected = useRef<Selected>(undefined)
  if (!isWanted && value !== withTyped(before, typed)) {
    const rest = withoutTyped(value, typed)
    setBefore(rest ?? value)
    if (rest === undefined) setTyped('')
  }
  const hasMore = before !== ''
  useEffect(() => {
    // In a transition, the field stays until the editor can take its place.
    if (hasMore) startTransition(() => setWanted(true))
  }, [hasMore])
  const type = (text: string) => {
    setTyped(text)
    onChange(withTyped(before, text))
  }
  return (
    <div className={classes.rich} {...path}>
      <Suspense>
        {isWanted ? (
          <Editor
            label={label}
            value={value}
            onChange={onChange}
            sendPicture={null}
            takeFiles={onFiles}
            isBare
            startRef={selected}
          />
        ) : (
          <textarea
            // Removed in the same step in which the editor is shown, so that no key is pressed in between.
            ref={(field) => () => {
              selected.current =
                field && field === document.activeElement
                  ? selectedIn(before, field.value, field.selectionStart, field.selectionEnd)
                  : undefined
            }}
            className={classes.text}
            aria-label={label}
            placeholder={hasMore ? 'Loading your text…' : placeholder}
            rows={2}
            value={typed}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onFocus={() => startTransition(() => setWanted(true))}
            onPaste={(event) => {
              const files = [...event.clipboardData.files]
              if (files.length === 0) return
              event.preventDefault()
              onFiles(files)
            }}
          />
        )}
      </Suspense>
      {error && <Input.Error className={classes.error}>{error}</Input.Error>}
    </div>
  )
}
