import { useState, type FormEvent, type ReactNode } from 'react'
import { wordsOf } from '#web/api/errors.ts'
import { isNothing } from '#web/record/fields.ts'
import classes from '#web/record/record.module.css'

/** How a fact is changed in place. */
export interface EditInPlace {
  kind: 'text' | 'day' | 'choice' | 'number'
  value: string
  options?: readonly (readonly [value: string, label: string])[]
  /** Saves; what it throws is said below the field, and what was typed stays. */
  save: (value: string) => Promise<unknown>
}

export interface Fact {
  name: string
  /** What is shown; nothing where it is empty. */
  value: ReactNode
  /** Where the viewer may change it. */
  edit?: EditInPlace | undefined
}

/** Facts of a record in a group; empty ones are folded away, and one that may be changed is changed by a click. */
export function Facts({ title, facts }: { title: string; facts: readonly Fact[] }) {
  const [open, setOpen] = useState(false)
  const empty = facts.filter(({ value }) => isNothing(value) || value === false)
  const shown = open ? facts : facts.filter((fact) => !empty.includes(fact))
  return (
    <section className={classes.panel} aria-label={title}>
      <h2>{title}</h2>
      <dl className={classes.facts}>
        {shown.map((fact) => (
          <div key={fact.name}>
            <dt>{fact.name}</dt>
            <dd>{fact.edit ? <Editable fact={fact} edit={fact.edit} /> : (fact.value ?? <span className={classes.nothing}>—</span>)}</dd>
          </div>
        ))}
      </dl>
      {empty.length > 0 && (
        <button type="button" className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Hide empty fields' : `Show ${empty.length} empty ${empty.length === 1 ? 'field' : 'fields'}`}
        </button>
      )}
    </section>
  )
}

function Editable({ fact, edit }: { fact: Fact; edit: EditInPlace }) {
  const [typed, setTyped] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [saving, setSaving] = useState(false)

  async function save(value: string): Promise<void> {
    if (value === edit.value) return setTyped(undefined)
    setSaving(true)
    try {
      await edit.save(value)
      setTyped(undefined)
      setFailure(undefined)
    } catch (error) {
      setFailure(wordsOf(error))
    } finally {
      setSaving(false)
    }
  }

  if (typed === undefined)
    return (
      <button
        type="button"
        className={classes.inPlace}
        aria-label={isNothing(fact.value) ? `Change ${fact.name}` : undefined}
        title={`Change ${fact.name}`}
        onClick={() => setTyped(edit.value)}
      >
        {isNothing(fact.value) ? <span className={classes.nothing}>—</span> : fact.value}
      </button>
    )
  const shared = { 'aria-label': fact.name, autoFocus: true, disabled: saving, value: typed, className: classes.inPlaceField }
  return (
    <form
      className={classes.inPlaceForm}
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save(typed)
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        setTyped(undefined)
        setFailure(undefined)
      }}
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) void save(typed)
      }}
    >
      {edit.kind === 'choice' ? (
        <select {...shared} onChange={(event) => void save(event.currentTarget.value)}>
          {edit.options?.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          type={edit.kind === 'day' ? 'date' : edit.kind === 'number' ? 'number' : 'text'}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {failure && (
        <p role="alert" className={classes.failure}>
          {failure}
        </p>
      )}
    </form>
  )
}
