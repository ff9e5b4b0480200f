import { startTransition, Suspense, useState, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import classes from '#web/composer/composer.module.css'
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

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns plain text as HTML, with a paragraph per line. A space at the end of a line would be dropped. */
const htmlOf = (text: string) =>
  text === ''
    ? ''
    : text
        .split('\n')
        .map((line) => `<p>${escaped(line).replace(/ $/, '\u00A0')}</p>`)
        .join('')

/**
 * Rich text in a composer. The editor loads when its field gets the focus, and text that was typed until then
 * is kept.
 */
export function ComposerText({ label, placeholder, value = '', onChange, onFiles, error, ...path }: Props) {
  const [typed, setTyped] = useState('')
  const [isWanted, setWanted] = useState(value !== '')
  const [hasFocus, setFocus] = useState(false)
  // A draft, or the text of an undone message, arrives later.
  if (!isWanted && value !== htmlOf(typed)) setWanted(true)
  const type = (text: string) => {
    setTyped(text)
    onChange(htmlOf(text))
  }
  return (
    <div className={classes.rich} {...path}>
      <Suspense fallback={<div className={classes.text} role="status" aria-label="Loading editor" />}>
        {isWanted ? (
          <Editor
            label={label}
            value={value}
            onChange={onChange}
            sendPicture={null}
            takeFiles={onFiles}
            isBare
            isFocused={hasFocus}
          />
        ) : (
          <textarea
            className={classes.text}
            aria-label={label}
            placeholder={placeholder}
            rows={2}
            value={typed}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onFocus={() => {
              setFocus(true)
              // The field stays until the editor can take its place.
              startTransition(() => setWanted(true))
            }}
            onBlur={() => setFocus(false)}
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
