import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import classes from '#web/composer/composer.module.css'
import type { Person } from '#web/composer/mentions.ts'
import { typedAtEnd, useSuggestions, type Suggestion, type Typed } from '#web/composer/suggestions.ts'

interface Props {
  label: string
  placeholder: string
  maxLength: number
  people: readonly Person[]
  value?: string
  onChange: (text: string) => void
  /** Handles keys other than those that choose a suggested person. */
  onKeyDown?: (event: KeyboardEvent) => void
  error?: ReactNode
  /** Path within the form, from getInputProps; the form shows errors here, and moves the focus to them. */
  'data-path'?: string
}

/** Plain text with @ mentions of people and # numbers of records, which are suggested while they are typed. */
export function MentionText({ people, value = '', onChange, onKeyDown, error, label, ...field }: Props) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<Typed>()
  const [selected, setSelected] = useState(0)
  /** A suggestion was chosen just now, which ends with a space. */
  const isChosen = useRef(false)
  const id = useId()
  const found = useSuggestions(typed, people)

  const look = () => {
    const { value: now, selectionStart } = text.current!
    const next = typedAtEnd(now.slice(0, selectionStart))
    setTyped(next)
    // A number is complete as it is typed, so that Enter keeps its meaning.
    setSelected(next?.sign === '#' && /^\d+$/.test(next.words) ? -1 : 0)
  }
  const choose = ({ text: chosen }: Suggestion) => {
    const element = text.current!
    const start = element.selectionStart - (typed?.words ?? '').length
    element.setRangeText(`${chosen} `, start, element.selectionStart, 'end')
    onChange(element.value)
    setTyped(undefined)
    isChosen.current = true
    element.focus()
  }
  const press = (event: KeyboardEvent) => {
    const isSecondSpace = isChosen.current && event.key === ' '
    isChosen.current = false
    if (isSecondSpace) return event.preventDefault()
    if (found.length === 0 || event.ctrlKey || event.metaKey) return onKeyDown?.(event)
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const chosen = found[selected]
    if (by !== 0)
      setSelected(selected < 0 && by < 0 ? found.length - 1 : (selected + by + found.length) % found.length)
    else if (chosen && (event.key === 'Enter' || event.key === 'Tab')) choose(chosen)
    else if (event.key === 'Escape') setTyped(undefined)
    else return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={classes.rich}>
      {found.length > 0 && (
        <Suggestions
          id={id}
          label={typed?.sign === '#' ? 'Tickets' : 'People'}
          found={found}
          selected={selected}
          onChoose={choose}
        />
      )}
      <textarea
        {...field}
        ref={text}
        className={classes.text}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-controls={found.length > 0 ? id : undefined}
        aria-activedescendant={found[selected] ? `${id}-${selected}` : undefined}
        rows={2}
        value={value}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value)
          look()
        }}
        onKeyDown={press}
        onBlur={() => setTyped(undefined)}
      />
      {error && (
        <p id={`${id}-error`} className={classes.error}>
          {error}
        </p>
      )}
    </div>
  )
}

interface SuggestionsProps {
  id: string
  label: string
  found: readonly Suggestion[]
  selected: number
  onChoose: (suggestion: Suggestion) => void
}

const Suggestions = ({ id, label, found, selected, onChoose }: SuggestionsProps) => (
  <ul className={classes.people} role="listbox" aria-label={label} id={id}>
    {found.map((one, at) => (
      <li
        key={one.id}
        id={`${id}-${at}`}
        role="option"
        aria-selected={at === selected}
        onMouseDown={(event) => {
          event.preventDefault()
          onChoose(one)
        }}
      >
        {one.label}
      </li>
    ))}
  </ul>
)
