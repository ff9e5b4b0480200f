import type { RecordEvent, ReversibleOperation } from '#shared/record.contract.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { sentenceOf } from '#web/record/eventSentence.ts'
import { isNothing, labelOf, formatFieldValue, type RecordFields } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'
import { useUndo } from '#web/record/useUndo.ts'

interface Props {
  event: RecordEvent
  fields: RecordFields
  type: RecordType
}

/** An event as a sentence after the person's name; many or long values are collapsed. */
export function EventWords({ event, fields, type }: Props) {
  const { parts, folded } = sentenceOf(event, fields, recordTypes[type].one)
  return (
    <>
      <span>
        {/* The parts of a sentence don't change. */}
        {parts.map((part, at) => (typeof part === 'string' ? part : <em key={at}>{part.value}</em>))}
      </span>
      {folded.length > 0 && (
        <details>
          <summary className={classes.fold}>
            {folded.every(({ before }) => isNothing(before))
              ? `${folded.length} ${folded.length === 1 ? 'field' : 'fields'} filled in`
              : 'Before and after'}
          </summary>
          <ul className={classes.changes}>
            {folded.map(({ field, before, after }) => (
              <li key={field}>
                <span className={classes.fieldName}>{labelOf(fields, field)}</span>{' '}
                {!isNothing(before) && (
                  <>
                    <del>{formatFieldValue(fields, field, before)}</del> <span aria-hidden>→</span>{' '}
                  </>
                )}
                <ins>{formatFieldValue(fields, field, after)}</ins>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

/** Button that undoes or redoes an operation, after the time of its entry. */
export function UndoEntry({ operation: { id, way, changed } }: { operation: ReversibleOperation }) {
  const { undo, redo, busy } = useUndo()
  const label = way === 'undo' ? 'Undo' : 'Redo'
  return (
    <LinkButton disabled={busy} onClick={() => (way === 'undo' ? undo(id) : redo(id))}>
      {changed > 1 ? `${label} for all ${changed.toLocaleString('en-US')}` : label}
    </LinkButton>
  )
}
