import {
  Suspense,
  useRef,
  useState,
  type ComponentProps,
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import type { Clash } from '#shared/record.contract.ts'
import { ApiError, errorMessageOf } from '#web/api/errors.ts'
import { ChoiceInPlace } from '#web/record/ChoiceInPlace.tsx'
import { isNothing } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'
import { stopEscapePropagation } from '#web/parts/stopEscapePropagation.ts'
import { Panel } from '#web/parts/Panel.tsx'
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
  /** Present if the viewer can change the fact. */
  edit?: EditInPlace | undefined
}

interface FactsProps {
  title: string
  /** Whether the title is only read aloud, because the facts explain themselves. */
  isTitleHidden?: boolean
  facts: readonly Fact[]
}

/**
 * A group of facts about a record; empty facts are collapsed, and editable ones are edited by clicking them.
 */
export function Facts({ title, isTitleHidden, facts }: FactsProps) {
  const [open, setOpen] = useState(false)
  const [changed, setChanged] = useState<readonly string[]>([])
  const empty = facts.filter(
    ({ name, value, always }) => !always && (isNothing(value) || value === false) && !changed.includes(name),
  )
  const shown = open ? facts : facts.filter((fact) => !empty.includes(fact))
  return (
    <Panel aria-label={title}>
      {!isTitleHidden && <h2>{title}</h2>}
      <dl className={classes.facts} data-palette-part="This page">
        {shown.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>
              {fact.edit ? (
                <Editable
                  fact={fact}
                  edit={fact.edit}
                  onSaved={() => setChanged((names) => [...names, fact.name])}
                />
              ) : (
                (fact.value ?? <Soft as="span">—</Soft>)
              )}
            </dd>
          </div>
        ))}
      </dl>
      {empty.length > 0 && (
        <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open
            ? 'Hide empty fields'
            : `Show ${empty.length} empty ${empty.length === 1 ? 'field' : 'fields'}`}
        </button>
      )}
    </Panel>
  )
}

interface EditableProps {
  fact: Fact
  edit: EditInPlace
  /** Called after a save, so that a fact that was just cleared isn't collapsed while it has focus. */
  onSaved: () => void
}

function Editable({ fact, edit, onSaved }: EditableProps) {
  const [failure, setFailure] = useState<string>()
  const [saving, setSaving] = useState(false)
  // The fact as it was on screen when the user started typing. Its version and value are what the user has
  // seen, so a change that arrives later causes a conflict instead of being overwritten.
  const [begun, setBegun] = useState<EditInPlace>()
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
      onSaved()
      return true
    } catch (error) {
      const found = conflictOf(error)
      setConflict(found)
      const isTyped = edit.kind !== 'choice'
      setFailure(found ? (isTyped ? wordsOfConflict(found) : wordsOfChoice(found)) : errorMessageOf(error))
      return false
    } finally {
      setSaving(false)
    }
  }

  const shown = isNothing(fact.value) ? <Soft as="span">—</Soft> : fact.value
  const isBeside = fact.isLink === true && !isNothing(fact.value)
  const name = isBeside || isNothing(fact.value) ? `Edit ${fact.name}` : undefined
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
          label={fact.name}
          name={name}
          kind={edit.kind}
          value={edit.value}
          saving={saving}
          isAsking={conflict !== undefined}
          save={(value) => save(value, begun)}
          onBegin={() => setBegun(edit)}
          onGiveUp={giveUp}
          beside={isBeside ? fact.value : undefined}
        >
          {isBeside ? 'Edit' : shown}
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

/** A value that becomes a field when clicked; pressing Enter or leaving the field saves it. */
function TypedInPlace(props: TypedProps) {
  const { label, name, kind, value, saving, isAsking, save, onBegin, onGiveUp, beside, children } = props
  const [typed, setTyped] = useState<string>()
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
      <>
        {beside}
        <button
          ref={(button) => {
            if (button && returnsFocus.current) button.focus()
            returnsFocus.current = false
          }}
          type="button"
          className={classes.inPlace}
          data-beside={beside !== undefined || undefined}
          aria-label={name}
          title={`Edit ${label}`}
          data-changes={label}
          onClick={() => {
            onBegin()
            setTyped(value)
          }}
        >
          {children}
        </button>
      </>
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
