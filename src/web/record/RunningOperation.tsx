import { useEffect, useEffectEvent } from 'react'
import { useQuery } from '@tanstack/react-query'
import { records, type Operation, type SkippedRecord } from '#shared/record.contract.ts'
import { stopReasonText } from '#shared/operations.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { countText } from '#web/time.ts'
import classes from '#web/record/record.module.css'

interface Props {
  id: number
  onFinished: (operation: Operation) => void
}

const everyMs = 1000
const isUnderWay = ({ state }: Operation) => ['running', 'undoing', 'redoing'].includes(state)

/**
 * Progress of a large operation, or of its undo or redo, in the background; once it has finished, the records
 * that were left out, with the reasons.
 */
export default function RunningOperation({ id, onFinished }: Props) {
  const { data: reply, isFetchedAfterMount } = useQuery({
    ...queryOptionsFor(records.operation, { params: { id } }),
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data.data) ? everyMs : false),
  })
  // An earlier response may say that the operation has finished, from before its undo began.
  const current = isFetchedAfterMount ? reply : undefined
  const isFinished = current !== undefined && !isUnderWay(current.data)
  const tell = useEffectEvent(() => current && onFinished(current.data))
  useEffect(() => {
    if (isFinished) tell()
  }, [isFinished])
  if (!current) return null
  const { data: operation, skipped, skipped_total } = current
  return (
    <>
      {operation.state === 'running' && (
        <progress
          aria-label={`Progress of ${operation.summary}`}
          max={operation.total}
          value={operation.seen}
        />
      )}
      <span role="status">{progressText(operation)}</span>
      {isFinished && skipped_total > 0 && (
        <details className={classes.leftOut}>
          <summary>
            {countText(skipped_total)} {operation.state === 'undone' ? 'skipped' : 'left out'}
          </summary>
          <ul>
            {skipped.map((one) => (
              <li key={one.id}>{`${one.name}: ${reasonOf(one)}`}</li>
            ))}
            {skipped_total > skipped.length && <li>and {countText(skipped_total - skipped.length)} more</li>}
          </ul>
        </details>
      )}
    </>
  )
}

function progressText({ state, seen, changed, total, stopped }: Operation): string {
  if (state === 'running') return `${countText(seen)} of ${countText(total)}`
  if (state === 'undoing') return 'Undo in progress…'
  if (state === 'redoing') return 'Redo in progress…'
  const why = stopped ? `: ${stopReasonText(stopped.reason, stopped.who)}` : ''
  if (state === 'failed') return `Stopped after ${countText(changed)} of ${countText(total)}${why}.`
  // Users who can undo or redo the operation continue it in the same way.
  return stopped ? `The ${state === 'undone' ? 'redo' : 'undo'} stopped before it finished${why}.` : ''
}

const reasonOf = ({ why, who }: SkippedRecord) => why ?? `changed by ${who} since then`
