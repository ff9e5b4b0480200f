import {
  Suspense,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import type { Clash } from '#shared/record.contract.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { ChoiceInPlace } from '#web/record/ChoiceInPlace.tsx'
import { isNothing } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const DateInput = lazyPart(() => import('#web/dates/DateInput.tsx'), 'DateInput')

/** How a fact is edited in place. */
export interface EditInPlace {
  kind: 'text' | 'day' | 'choice' | 'number'
  value: string
  options?: readonly (readonly [value: string, label: string])[]
  /**
   * Saves the value; if it throws, the error is shown below the field, and the input stays.
   * @param version of the record that the user has seen instead, after a conflict
   */
  save: (value: string, version?: number) => Promise<unknown>
}

export interface Fact {
  name: string
  /** Displayed value; renders nothing if the fact is empty. */
  value: ReactNode
  /** Shown even if it is empty, because the specification has an action for it. */
  always?: boolean
  /** Whether the value is a link, beside which a button edits it. */
  isLink?: boolean
  /** Words of the button if what is typed is added to the value, as in `Add address`. */
  adds?: string
  /** Present if the viewer can change the fact. */
  edit?: EditInPlace | undefined
}

interface InPlaceProps {
  fact: Fact
  edit: EditInPlace
  /** Whether its field is open at first. */
  startsOpen?: boolean
  /** Called after a save, so that a fact that was just cleared isn't collapsed while it has focus. */
  onSaved?: () => void
  /** Called with why a save failed, where there is no room to show it below the field. */
  onFailure?: (words: string) => void
}

/** A fact that is edited where it is shown. */
export function InPlace({ fact, edit, startsOpen = false, onSaved, onFailure }: InPlaceProps) {
  const [failure, setFailure] = useState<string>()
  const [saving, setSaving] = useState(false)
  // The fact as it was on screen when the user started typing. Its version and value are what the user has
  // seen, so a change that arrives later causes a conflict instead of being overwritten.
  const [begun, setBegun] = useState(startsOpen ? edit : undefined)
  // The version that has the value which a conflict has shown; saving again replaces it.
  const [conflict, setConflict] = useState<Conflict>()

  function giveUp(): void {
    setFailure(undefined)
    setConflict(undefined)
  }

  /** Saves a value; returns whether it was saved or is unchanged. */
  async function save(value: string, seen: EditInPlace = edit): Promise<boolean> {
    if (saving) return false
    if (value === seen.value) {
      giveUp()
      return true
    }
    setSaving(true)
    try {
      await (conflict ? seen.save(value, conflict.version) : seen.save(value))
      giveUp()
      onSaved?.()
      return true
    } catch (error) {
      const found = conflictOf(error)
      setConflict(found)
      const isTyped = edit.kind !== 'choice'
      const words = found ? (isTyped ? wordsOfConflict(found) : wordsOfChoice(found)) : errorMessageOf(error)
      if (onFailure) onFailure(words)
      else setFailure(words)
      return false
    } finally {
      setSaving(false)
    }
  }

  const shown = isNothing(fact.value) ? (fact.adds ?? <Soft as="span">—</Soft>) : fact.value
  const isBeside = Boolean(fact.isLink || fact.adds) && !isNothing(fact.value)
  const name = !fact.adds && (isBeside || isNothing(fact.value)) ? `Edit ${fact.name}` : undefined
  return (
    <>
      {edit.kind === 'choice' ? (
        <ChoiceInPlace
          label={fact.name}
          name={name}
          value={edit.value}
          options={edit.options ?? []}
          onChoose={(value) => void save(value)}
        >
          {shown}
        </ChoiceInPlace>
      ) : (
        <TypedInPlace
          label={fact.adds ?? fact.name}
          name={name}
          kind={edit.kind}
          value={edit.value}
          saving={saving}
          startsOpen={startsOpen}
          isAsking={conflict !== undefined}
          save={(value) => save(value, begun)}
          onBegin={() => setBegun(edit)}
          onGiveUp={giveUp}
          beside={isBeside ? fact.value : undefined}
        >
          {isBeside ? (fact.adds ?? <IconPencil size={14} stroke={1.5} aria-hidden />) : shown}
        </TypedInPlace>
      )}
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
    </>
  )
}

/** A newer version of the record, in which someone else has changed the same field. */
interface Conflict {
  version: number
  theirs: unknown
  who: string
}

function conflictOf(error: unknown): Conflict | undefined {
  if (!(error instanceof ApiError) || error.status !== 409) return undefined
  const version = (error.current as { version?: number } | undefined)?.version
  const [clash] = (error.clashes ?? []) as Clash[]
  const { theirs, who = 'Someone else' } = clash ?? {}
  return version === undefined || !clash ? undefined : { version, theirs, who }
}

function wordsOfConflict({ theirs, who }: Conflict): string {
  const change = isNothing(theirs) || theirs === '' ? 'cleared this' : `changed this to “${String(theirs)}”`
  return `${who} ${change}. Press Enter to save your value instead, or Esc to keep theirs.`
}

/** Without the value, of which only the ID is known; it is shown as soon as the record is refreshed. */
const wordsOfChoice = ({ who }: Conflict): string =>
  `${who} changed this after you opened it. Choose again to replace it.`

interface TypedProps {
  label: string
  name: string | undefined
  kind: 'text' | 'day' | 'number'
  value: string
  saving: boolean
  startsOpen: boolean
  /** Whether a save would replace someone else's value, which leaving the field doesn't do. */
  isAsking: boolean
  save: (value: string) => Promise<boolean>
  onBegin: () => void
  onGiveUp: () => void
  /** The value, if the button that edits it is beside it. */
  beside: ReactNode
  /** Content of the button. */
  children: ReactNode
}

interface OpenProps extends Pick<TypedProps, 'label' | 'name' | 'beside' | 'children'> {
  buttonRef: (button: HTMLButtonElement | null) => void
  onOpen: () => void
}

/** The value as a button that opens its field. */
const OpenButton = ({ label, name, beside, children, buttonRef, onOpen }: OpenProps) => {
  const button = (
    <button
      ref={buttonRef}
      type="button"
      className={classes.inPlace}
      data-beside={beside !== undefined || undefined}
      aria-label={name}
      title={`Edit ${label}`}
      data-changes={label}
      onClick={onOpen}
    >
      {children}
    </button>
  )
  if (beside === undefined) return button
  const hasWords = name === undefined
  return hasWords ? (
    <>
      {beside}
      {button}
    </>
  ) : (
    <div className={classes.withButton}>
      <span>{beside}</span>
      {button}
    </div>
  )
}

/** A value that becomes a field when clicked; pressing Enter or leaving the field saves it. */
function TypedInPlace(props: TypedProps) {
  const { label, kind, value, saving, startsOpen, isAsking, save, onBegin, onGiveUp, children } = props
  const [typed, setTyped] = useState(startsOpen ? value : undefined)
  const form = useRef<HTMLFormElement>(null)
  const returnsFocus = useRef(false)

  /** Closes the field; the focus returns to the button unless it has already moved elsewhere. */
  function close(): void {
    returnsFocus.current = form.current?.contains(document.activeElement) === true
    setTyped(undefined)
  }

  async function saveTyped(): Promise<void> {
    if (typed !== undefined && (await save(typed))) close()
  }

  if (typed === undefined)
    return (
      <OpenButton
        {...props}
        buttonRef={(button) => {
          if (button && returnsFocus.current) button.focus()
          returnsFocus.current = false
        }}
        onOpen={() => {
          onBegin()
          setTyped(value)
        }}
      />
    )
  const input = {
    'aria-label': label,
    autoFocus: true,
    // Not disabled, because the field would lose focus.
    readOnly: saving,
    value: typed,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      onGiveUp()
      close()
    },
  }
  return (
    <form
      ref={form}
      className={classes.inPlaceForm}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void saveTyped()
      }}
    >
      <InPlaceField
        kind={kind}
        input={input}
        fallback={children}
        onChange={setTyped}
        onLeave={() => isAsking || void saveTyped()}
      />
    </form>
  )
}

interface FieldProps {
  kind: TypedProps['kind']
  input: Omit<ComponentProps<'input'>, 'onChange' | 'onBlur' | 'type' | 'ref'> & {
    'aria-label': string
    value: string
  }
  /** Shown while the field for a date loads. */
  fallback: ReactNode
  onChange: (typed: string) => void
  onLeave: () => void
}

function InPlaceField({ kind, input, fallback, onChange, onLeave }: FieldProps) {
  if (kind === 'day')
    return (
      <Suspense fallback={fallback}>
        <DateInput
          {...input}
          holdsEscape
          className={classes.inPlaceField}
          onChange={onChange}
          onLeave={onLeave}
        />
      </Suspense>
    )
  return (
    <input
      {...stopEscapePropagation}
      {...input}
      className={classes.inPlaceField}
      type={kind}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
