import { useState, type RefObject } from 'react'
import { Button, Checkbox, TextInput } from '@mantine/core'
import { hasChoices, readCustomValue, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import type { CustomCondition } from '#features/crm/leads/custom-filters.rules.ts'
import classes from '#features/crm/leads/list/web/customFilters.module.css'
import type { ControlProps } from '#features/crm/leads/list/web/customFilters.tsx'
import { IsOrIsNot } from '#web/filter/IsOrIsNot.tsx'
import { DateField } from '#web/dates/DateField.tsx'
import { DatePopup } from '#web/dates/DatePopup.tsx'

interface Props extends ControlProps {
  anchor: RefObject<HTMLElement | null>
  onClose: () => void
  onLeave: () => void
}

interface Typed {
  state: 'empty' | 'filled' | undefined
  ids: readonly number[]
  isNot: boolean
  text: string
  from: string
  to: string
}
type Errors = Partial<Record<'from' | 'to', string>>

/** A box with the condition on a field: its choices, a range, or a part of its text; or that it is empty or not. */
export default function CustomFilterPopup({ field, conditions, anchor, onChange, onClose, onLeave }: Props) {
  const [typed, setTyped] = useState(() => typedOf(conditions))
  const [errors, setErrors] = useState<Errors>({})
  const change = (changed: Partial<Typed>) => setTyped({ ...typed, ...changed })

  function apply(): void {
    const read = readTyped(field, typed)
    if ('errors' in read) setErrors(read.errors)
    else onChange(read.condition)
  }

  return (
    <DatePopup label={field.name} trapsFocus field={anchor} onClose={onClose} onLeave={onLeave}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          apply()
        }}
      >
        {typed.state === undefined && (
          <Condition field={field} typed={typed} errors={errors} onChange={change} />
        )}
        {(['empty', 'filled'] as const).map((state) => (
          <Checkbox
            key={state}
            size="xs"
            label={state === 'empty' ? 'Is empty' : 'Is not empty'}
            checked={typed.state === state}
            onChange={(event) => change({ state: event.currentTarget.checked ? state : undefined })}
          />
        ))}
        <div className={classes.acts}>
          <Button size="xs" variant="default" onClick={() => onChange(undefined)}>
            Clear
          </Button>
          <Button size="xs" type="submit">
            Apply
          </Button>
        </div>
      </form>
    </DatePopup>
  )
}

interface ConditionProps {
  field: CustomField
  typed: Typed
  errors: Errors
  onChange: (changed: Partial<Typed>) => void
}

function Condition({ field, typed, errors, onChange }: ConditionProps) {
  if (hasChoices(field.type))
    return (
      <fieldset className={classes.choices} aria-label={field.name}>
        <IsOrIsNot label={field.name} isNot={typed.isNot} onChange={(isNot) => onChange({ isNot })} />
        {field.choices.map(({ id, name, is_removed }) => (
          <Checkbox
            key={id}
            size="xs"
            label={is_removed ? `${name} (removed)` : name}
            checked={typed.ids.includes(id)}
            onChange={(event) =>
              onChange({
                ids: event.currentTarget.checked ? [...typed.ids, id] : typed.ids.filter((one) => one !== id),
              })
            }
          />
        ))}
      </fieldset>
    )
  if (field.type === 'text' || field.type === 'link')
    return (
      <TextInput
        label="Contains"
        value={typed.text}
        maxLength={200}
        data-autofocus
        onChange={(event) => onChange({ text: event.currentTarget.value })}
      />
    )
  return (
    <div className={classes.ends}>
      {(['from', 'to'] as const).map((end) => {
        const label = end === 'from' ? 'From' : 'To'
        return field.type === 'date' ? (
          <DateField
            key={end}
            label={label}
            withoutCalendar
            value={typed[end]}
            error={errors[end]}
            onChange={(value) => onChange({ [end]: value })}
          />
        ) : (
          <TextInput
            key={end}
            label={label}
            inputMode="decimal"
            maxLength={24}
            value={typed[end]}
            error={errors[end]}
            onChange={(event) => onChange({ [end]: event.currentTarget.value })}
          />
        )
      })}
    </div>
  )
}

/** Returns what the inputs have for these conditions, of which the user can set one. */
function typedOf([condition]: readonly CustomCondition[]): Typed {
  const nothing: Typed = { state: undefined, ids: [], isNot: false, text: '', from: '', to: '' }
  switch (condition?.kind) {
    case 'empty':
    case 'filled':
      return { ...nothing, state: condition.kind }
    case 'choice':
      return { ...nothing, ids: condition.ids, isNot: condition.isNot === true }
    case 'text':
      return { ...nothing, text: condition.text }
    case 'number':
    case 'date':
      return { ...nothing, from: String(condition.from ?? ''), to: String(condition.to ?? '') }
    case 'yes_no':
    case undefined:
      return nothing
  }
}

function readTyped(
  field: CustomField,
  typed: Typed,
): { condition: CustomCondition | undefined } | { errors: Errors } {
  const text = typed.text.trim()
  if (typed.state) return { condition: { kind: typed.state } }
  if (hasChoices(field.type))
    return {
      condition:
        typed.ids.length > 0
          ? { kind: 'choice', ids: typed.ids, ...(typed.isNot && { isNot: true }) }
          : undefined,
    }
  if (field.type === 'text' || field.type === 'link')
    return { condition: text === '' ? undefined : { kind: 'text', text } }
  const ends = (['from', 'to'] as const).filter((end) => typed[end].trim() !== '')
  const read = ends.map((end) => [end, readCustomValue(field, typed[end].trim())] as const)
  const errors = Object.fromEntries(read.flatMap(([end, one]) => ('error' in one ? [[end, one.error]] : [])))
  if (Object.keys(errors).length > 0) return { errors }
  if (ends.length === 0) return { condition: undefined }
  const values = Object.fromEntries(read.flatMap(([end, one]) => ('value' in one ? [[end, one.value]] : [])))
  return {
    condition: (field.type === 'date'
      ? { kind: 'date', ...values }
      : { kind: 'number', ...values }) as CustomCondition,
  }
}
