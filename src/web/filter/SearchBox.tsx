import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { isTypingOrInDialog } from '#web/keys/useRowKeys.ts'
import { SearchField } from '#web/parts/SearchField.tsx'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'

interface Props {
  label: string
  /** Search text from the URL. */
  value: string
  onSearch: (text: string) => void
  width?: number
  /** Tooltip. */
  help?: string | undefined
  /** Shown while it is empty; defaults to the label. */
  placeholder?: string
  /** Whether it has the focus when the page opens. */
  autoFocus?: boolean
}

const debounceMs = 250

/**
 * Search box. Input stays local until the user pauses and is then written to the URL, so that a slow list
 * never delays a keystroke. Pressing `/` focuses it.
 */
export function SearchBox(props: Props) {
  const { label, value, onSearch, width = 240, placeholder = label, autoFocus, help } = props
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const search = useEffectEvent(onSearch)

  // The URL changed in another way (Back, or a cleared filter), which takes precedence over the local text.
  if (value !== seen) {
    setSeen(value)
    if (value !== text.trim()) setText(value)
  }

  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => search(text.trim()), debounceMs)
    return () => clearTimeout(timer)
  }, [text, value])

  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || isTypingOrInDialog(event.target)) return
      event.preventDefault()
      input.current?.select()
    }
    document.addEventListener('keydown', focus)
    return () => document.removeEventListener('keydown', focus)
  }, [])

  function clear(): void {
    setText('')
    onSearch('')
    input.current?.focus()
  }

  return (
    <SearchField
      ref={input}
      {...(text && stopEscapePropagation)}
      aria-label={label}
      aria-keyshortcuts="/"
      title={help}
      placeholder={placeholder}
      autoFocus={autoFocus}
      maxLength={200}
      width={width}
      value={text}
      onClear={clear}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSearch(text.trim())
        if (event.key === 'Escape' && text) clear()
      }}
    />
  )
}
