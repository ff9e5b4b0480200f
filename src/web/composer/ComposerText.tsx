import {
  startTransition,
  Suspense,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefObject,
} from 'react'
import classes from '#web/composer/composer.module.css'
import { selectedIn, withoutTyped, withTyped, type Selected } from '#web/richtext/earlyText.ts'
import { sendFile } from '#web/files/uploads.ts'
import type { SlashMenu } from '#web/richtext/SlashEditor.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const Editor = lazyPart(() => import('#web/richtext/RichTextEditor.tsx'), 'RichTextEditor')
const SlashEditor = lazyPart(() => import('#web/richtext/SlashEditor.tsx'), 'SlashEditor')

interface Props {
  label: string
  placeholder: string
  /** HTML. */
  value?: string
  onChange: (html: string) => void
  /** Receives files that are pasted and dropped into the editor; outside it, its form receives them. */
  onFiles: (files: readonly File[]) => void
  /** Whether images that are pasted and dropped into the editor become part of the text. */
  hasImages?: boolean
  /** The menu that a slash opens; none by default. */
  slashMenu?: (menu: SlashMenu) => ReactNode
  /** Set to a function that types text at the cursor. */
  insertRef?: RefObject<((text: string) => void) | undefined>
  error?: ReactNode
  /** Path within the form, from getInputProps; tells the form that errors are shown here. */
  'data-path'?: string
}

/**
 * Rich text in a composer. The editor loads when its field gets the focus, or to show a draft; until it takes the
 * place of the plain field, the user types there.
 */
export function ComposerText({
  label,
  placeholder,
  value = '',
  onChange,
  onFiles,
  hasImages = false,
  slashMenu,
  insertRef,
  error,
  ...path
}: Props) {
  const { before, typed, type, isWanted, want } = useTyped(value, onChange)
  const selected = useRef<Selected>(undefined)
  const plain = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    // The editor sets its own once it is shown.
    if (!insertRef || isWanted) return
    insertRef.current = (text) => {
      plain.current?.focus()
      type(typed + text)
    }
  })
  const editor = {
    label,
    value,
    onChange,
    sendPicture: hasImages ? sendFile : null,
    takeFiles: onFiles,
    isBare: true,
    startRef: selected,
    ...(insertRef ? { insertRef } : {}),
  }
  return (
    <div
      className={classes.rich}
      style={{ '--placeholder': JSON.stringify(placeholder) } as CSSProperties}
      {...path}
    >
      <Suspense>
        {isWanted ? (
          slashMenu ? (
            <SlashEditor {...editor} slashMenu={slashMenu} />
          ) : (
            <Editor {...editor} />
          )
        ) : (
          <textarea
            // Removed in the same step in which the editor is shown, so that no key is pressed in between.
            ref={(field) => {
              plain.current = field
              return () => {
                plain.current = null
                selected.current =
                  field && field === document.activeElement
                    ? selectedIn(before, field.value, field.selectionStart, field.selectionEnd)
                    : undefined
              }
            }}
            className={classes.text}
            aria-label={label}
            placeholder={before === '' ? placeholder : 'Loading your text…'}
            rows={2}
            value={typed}
            onChange={({ currentTarget }) => type(currentTarget.value)}
            onFocus={want}
          />
        )}
      </Suspense>
      {error && <p className={classes.error}>{error}</p>}
    </div>
  )
}

/** Keeps what is typed before the editor is loaded, and whether the editor is wanted. */
function useTyped(value: string, onChange: (html: string) => void) {
  const [typed, setTyped] = useState('')
  // The rest of the form's text: a draft, or the text of an undone message, which arrives later.
  const [before, setBefore] = useState(value)
  const [isWanted, setWanted] = useState(false)
  if (!isWanted && value !== withTyped(before, typed)) {
    const rest = withoutTyped(value, typed)
    setBefore(rest ?? value)
    if (rest === undefined) setTyped('')
  }
  // In a transition, the field stays until the editor can take its place.
  const want = () => startTransition(() => setWanted(true))
  const hasMore = before !== ''
  useEffect(() => {
    if (hasMore) startTransition(() => setWanted(true))
  }, [hasMore])
  const type = (text: string) => {
    setTyped(text)
    onChange(withTyped(before, text))
  }
  return { before, typed, type, isWanted, want }
}
