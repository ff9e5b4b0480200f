import type { RecordEvent, ReversibleOperation } from '#shared/record.contract.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { isNothing, labelOf, formatFieldValue, type RecordFields } from '#web/record/fieldWords.ts'
import classes from '#web/record/record.module.css'
import { useUndo } from '#web/record/useUndo.ts'

/**
 * If an operation filled in more fields than this, they are collapsed: for a new record these are all of its
 * fields, which the page already shows.
 */
const mostFilledIn = 3

/** The changes of an event, field by field. */
export function EventWords({ event, fields }: { event: RecordEvent; fields: RecordFields }) {
  const changes = event.changes.filter(({ field }) => !fields[field]?.isHiddenInHistory)
  const isFoldedAway = changes.length > mostFilledIn && changes.every(({ before }) => isNothing(before))
  const list = changes.length > 0 && (
    <ul className={classes.changes}>
      {changes.map(({ field, before, after }) => (
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
  )
  return (
    <>
      <p>{event.act || event.endpoint}</p>
      {isFoldedAway ? (
        <details>
          <summary className={classes.fold}>{changes.length} fields filled in</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </>
  )
}

/** Button that undoes or redoes an operation, after the time of its entry. */
export function UndoEntry({ operation: { id, way, changed } }: { operation: ReversibleOperation }) {
  const { undo, redo, busy } = useUndo('everything')
  const label = way === 'undo' ? 'Undo' : 'Redo'
  return (
    <LinkButton disabled={busy} onClick={() => (way === 'undo' ? undo(id) : redo(id))}>
      {changed > 1 ? `${label} for all ${changed.toLocaleString('en-US')}` : label}
    </LinkButton>
  )
}
