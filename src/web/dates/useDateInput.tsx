import {
  Suspense,
  useRef,
  useState,
  type ChangeEvent,
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import IconCalendar from '@tabler/icons-react/dist/esm/icons/IconCalendar.mjs'
import { isPlainDate, weekday, type PlainDate } from '#shared/dates.ts'
import classes from '#web/dates/dates.module.css'
import { parseDay, parseMoment } from '#web/dates/parse.ts'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import { dateError, dateInputText } from '#web/dates/values.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { today } from '#web/time.ts'

const CalendarPopup = lazyPart(() => import('#web/dates/CalendarPopup.tsx'))

export interface DateInputOptions {
  /**
   * `2026-11-18`, with a time `2026-11-18T14:30`, or an empty string. A text that is not a date is passed on as
   * it was typed, so that it isn't lost and isn't taken for an empty date; the caller must check it.
   */
  value: string
  onChange: (value: string) => void
  /** Whether a time belongs to the date. */
  time?: boolean | undefined
  min?: PlainDate | undefined
  max?: PlainDate | undefined
  /** Whether the calendar offers the days that work is usually postponed to. */
  ahead?: boolean | undefined
  /** Whether the date can only be typed, because a calendar is next to the field. */
  withoutCalendar?: boolean | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  /** Whether the caller handles Escape, so that the dialog around the field stays open. */
  holdsEscape?: boolean | undefined
  /** Called when the focus has left the field and its calendar. */
  onLeave?: (() => void) | undefined
  /** Called for keys that the field doesn't handle. */
  onKeyDown?: ((event: KeyboardEvent<HTMLInputElement>) => void) | undefined
}

interface DateInputParts {
  /** Props of the element around the field. */
  root: {
    ref: RefObject<HTMLDivElement | null>
    onFocus: () => void
    onBlur: (event: FocusEvent<HTMLElement>) => void
  }
  input: {
    ref: RefObject<HTMLInputElement | null>
    type: 'text'
    autoComplete: 'off'
    placeholder: string
    value: string
    required: boolean | undefined
    disabled: boolean | undefined
    readOnly: boolean | undefined
    onChange: (event: ChangeEvent<HTMLInputElement>) => void
    onClick: () => void
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => void
  }
  /** The button that opens the calendar, and the calendar. */
  calendar: ReactNode
  /** The error of the date; only after the user has left the field. */
  error: string | undefined
  /** How the text that is being typed is read, such as `Thursday, 3 Dec 2026`. */
  reading: string | undefined
}

/** Returns a text as a value of a date field: the date that it names, or the text itself. */
const valueOf = (text: string, time: boolean) =>
  (time ? parseMoment(text, today()) : parseDay(text, today())) ?? text.trim()

/**
 * The text field, the calendar button, and the calendar of a date, for `DateField` and `DateInput`. The date
 * can be typed as in `parse.ts`; the value changes with each keystroke, and the text becomes the date when the
 * user leaves the field or presses Enter. The code of the calendar loads when it first opens.
 */
export function useDateInput(options: DateInputOptions): DateInputParts {
  const { value, onChange, time, withoutCalendar, onLeave } = options
  const canOpen = !options.disabled && !options.readOnly && !withoutCalendar
  const [isInside, setInside] = useState(false)
  const { text, type, settle } = useTypedText(options, isInside)
  const [open, setOpen] = useState<Opened>()
  const root = useRef<HTMLDivElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const popup = useRef<HTMLDivElement>(null)

  function leave(): void {
    setOpen(undefined)
    setInside(false)
    settle()
    onLeave?.()
  }
  /** For a press outside the field and the calendar; if the field has the focus, it leaves it next. */
  function leaveByPress(): void {
    if (document.activeElement === input.current) setOpen(undefined)
    else leave()
  }
  function close(): void {
    setOpen(undefined)
    input.current?.focus()
  }
  function choose(chosen: string): void {
    settle()
    onChange(time && chosen ? `${chosen}T${value.split('T')[1] ?? '09:00'}` : chosen)
    close()
    // The time is what remains to be typed.
    if (time && chosen) requestAnimationFrame(() => input.current?.setSelectionRange(-5, -1))
  }

  return {
    root: {
      ref: root,
      onFocus: () => setInside(true),
      onBlur: ({ relatedTarget: next }) => {
        // Without a next element, the calendar has removed the focused button, or `leaveByPress` follows.
        if (next ? !isWithin(next, root, popup) : !open) leave()
      },
    },
    input: {
      ref: input,
      ...attributesOf(options),
      value: text,
      onChange: ({ currentTarget }) => type(currentTarget.value),
      onClick: () => {
        if (canOpen && matchMedia('(pointer: fine)').matches) setOpen('beside')
      },
      onKeyDown: (event) => {
        if (event.key === 'ArrowDown' && canOpen) {
          event.preventDefault()
          return setOpen('inside')
        }
        if (event.key === 'Escape' && open) {
          event.stopPropagation()
          return setOpen(undefined)
        }
        if (event.key === 'Enter') settle()
        options.onKeyDown?.(event)
      },
      ...((open ?? options.holdsEscape) && stopEscapePropagation),
    },
    calendar: !withoutCalendar && (
      <CalendarButton
        {...options}
        ref={popup}
        opened={open}
        disabled={!canOpen}
        field={root}
        onOpen={() => setOpen('inside')}
        onChoose={choose}
        onClose={close}
        onLeave={leaveByPress}
      />
    ),
    ...messagesOf(isInside, text, options),
  }
}

/** Returns what is shown below the field: while the user types, how it is read; afterward, its error. */
const messagesOf = (isInside: boolean, text: string, options: DateInputOptions) =>
  isInside
    ? { error: undefined, reading: readingOf(text, options.value) }
    : { error: dateError(options), reading: undefined }

/** Returns a date with its weekday, unless it is written like that already. */
function readingOf(text: string, value: string): string | undefined {
  const written = dateInputText(value)
  const [day = ''] = value.split('T')
  return isPlainDate(day) && text.trim() !== written ? `${weekday(day)}, ${written}` : undefined
}

const attributesOf = ({ time, required, disabled, readOnly }: DateInputOptions) =>
  ({
    type: 'text',
    autoComplete: 'off',
    placeholder: time ? 'Date and time' : 'Date',
    required,
    disabled,
    readOnly,
  }) as const

const isWithin = (element: Element, ...parts: RefObject<HTMLElement | null>[]) =>
  parts.some(({ current }) => current?.contains(element))

/** Returns the text of the field, which is as it was typed until it is settled, and its changes. */
function useTypedText({ value, time = false, onChange }: DateInputOptions, isInside: boolean) {
  const [typed, setTyped] = useState<{ text: string; value: string }>()
  return {
    // A value from elsewhere, such as a restored draft, replaces the text.
    text: typed && (isInside || typed.value === value) ? typed.text : dateInputText(value),
    type: (text: string) => {
      const next = valueOf(text, time)
      setTyped({ text, value: next })
      onChange(next)
    },
    /** Replaces the text by the date that it names. */
    settle: () => setTyped(undefined),
  }
}

type Opened = 'beside' | 'inside' | undefined

interface CalendarProps extends Pick<DateInputOptions, 'value' | 'min' | 'max' | 'ahead' | 'required'> {
  ref: RefObject<HTMLDivElement | null>
  /** Whether the calendar is open, and whether the focus is in it or stays in the field. */
  opened: Opened
  disabled: boolean
  field: RefObject<HTMLElement | null>
  onOpen: () => void
  onChoose: (day: string) => void
  onClose: () => void
  onLeave: () => void
}

/** The button in a date field, and the calendar that it opens. */
function CalendarButton({ ref, opened, disabled, onOpen, ...rest }: CalendarProps) {
  const { value, min, max, ahead = false, required, field, onChoose, onClose, onLeave } = rest
  return (
    <>
      <button
        type="button"
        className={classes.button}
        // The arrow key opens the calendar from the keyboard.
        tabIndex={-1}
        aria-label="Open calendar"
        title="Open calendar"
        disabled={disabled}
        onClick={onOpen}
      >
        <IconCalendar size={14} aria-hidden />
      </button>
      {opened && (
        <Suspense>
          <CalendarPopup
            ref={ref}
            value={value.split('T')[0] ?? ''}
            min={min}
            max={max}
            ahead={ahead}
            mayClear={!required}
            takesFocus={opened === 'inside'}
            field={field}
            onChoose={onChoose}
            onClose={onClose}
            onLeave={onLeave}
          />
        </Suspense>
      )}
    </>
  )
}
