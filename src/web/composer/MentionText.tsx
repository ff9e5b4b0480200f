import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { Input } from '@mantine/core'
import { searchText } from '#shared/search-text.ts'
import classes from '#web/composer/composer.module.css'
import type { Person } from '#web/composer/mentions.ts'

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

const mostShown = 6

/** Returns the name that is being typed after an `@` at the end of the text. */
const typedName = (before: string) => /(?:^|\s)@([^\s@]{0,30}(?: [^\s@]{1,30})?)$/.exec(before)?.[1]

const startsWith = (name: string, typed: string) => ` ${searchText(name)}`.includes(` ${searchText(typed)}`)

/** Plain text with @ mentions of people, who are suggested while their names are typed. */
export function MentionText({ people, value = '', onChange, onKeyDown, error, label, ...field }: Props) {
  const text = useRef<HTMLTextAreaElement>(null)
  const [typed, setTyped] = useState<string>()
  const [selected, setSelected] = useState(0)
  const id = useId()
  const found =
    typed === undefined ? [] : people.filter(({ name }) => startsWith(name, typed)).slice(0, mostShown)

  const look = () => {
    const { value: now, selectionStart } = text.current!
    setTyped(typedName(now.slice(0, selectionStart)))
    setSelected(0)
  }
  const choose = ({ name }: Person) => {
    const element = text.current!
    const start = element.selectionStart - (typed ?? '').length
    element.setRangeText(`${name} `, start, element.selectionStart, 'end')
    onChange(element.value)
    setTyped(undefined)
    element.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (found.length === 0 || event.ctrlKey || event.metaKey) return onKeyDown?.(event)
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (by !== 0) setSelected((selected + by + found.length) % found.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(found[selected]!)
    else if (event.key === 'Escape') setTyped(undefined)
    else return onKeyDown?.(event)
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className={classes.rich}>
      {found.length > 0 && (
        <ul className={classes.people} role="listbox" aria-label="People" id={id}>
          {found.map((person, at) => (
            <li
              key={person.id}
              id={`${id}-${at}`}
              role="option"
              aria-selected={at === selected}
              onMouseDown={(event) => {
                event.preventDefault()
                choose(person)
              }}
            >
              {person.name}
            </li>
          ))}
        </ul>
      )}
      <textarea
        {...field}
        ref={text}
        className={classes.text}
        aria-label={label}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        aria-controls={found.length > 0 ? id : undefined}
        aria-activedescendant={found.length > 0 ? `${id}-${selected}` : undefined}
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
        <Input.Error id={`${id}-error`} className={classes.error}>
          {error}
        </Input.Error>
      )}
    </div>
  )
}
