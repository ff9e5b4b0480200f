import type { z } from 'zod'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import classes from '#features/crm/leads/operations/web/operations.module.css'
import { mayTurn } from '#shared/operations.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { ErrorState, LoadingState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useViewer } from '#web/session.ts'

type Shown = z.output<typeof leadOperations.show.response>

/** Returns how many leads an undo would restore now, and which operation must be undone first. */
export const undoPreview = ({ data, restorable, undo_first }: Shown) =>
  `${restorable.toLocaleString('en-US')} of ${data.changed.toLocaleString('en-US')} leads can be ${data.kind === 'import' ? 'undone' : 'restored'}.${
    undo_first ? ` To restore the others, undo “${undo_first.summary}” by ${undo_first.who} first.` : ''
  }`

/** Undoes the leads that an undo skipped, or names the operation to undo first. */
function UndoRest({ data, restorable, undo_first }: Shown) {
  const viewer = useViewer()
  const { undo, busy } = useUndo()
  if (restorable > 0 && viewer && mayTurn(data, viewer))
    return (
      <Button size="xs" variant="default" loading={busy} onClick={() => undo(data.id)}>
        Undo {restorable === 1 ? '1 skipped lead' : `${restorable.toLocaleString('en-US')} skipped leads`}
      </Button>
    )
  return undo_first && `To restore these leads, undo “${undo_first.summary}” by ${undo_first.who} first.`
}

/**
 * The leads that an undo skips because they have been changed or worked on since, or because their list values or keys
 * are no longer available.
 */
export function SkippedLeads({ id }: { id: number }) {
  const allowed = useMay(leadOperations.show, { params: { id } })
  const query = useQuery({ ...queryOptionsFor(leadOperations.show, { params: { id } }), enabled: allowed })
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <LoadingState rows={2} />
  const { data, changed_since, changed_since_total } = query.data
  if (!changed_since_total) return <p className={classes.since}>No leads have changed since then.</p>
  return (
    <>
      <p className={classes.since}>
        {data.undone_at === null ? undoPreview(query.data) : <UndoRest {...query.data} />}
      </p>
      <ul className={classes.since} aria-label="Leads changed since then">
        {changed_since.map((lead) => (
          <li key={lead.lead_id}>
            <Link to={leadAddress(lead)}>{lead.companyName}</Link>{' '}
            <span className={classes.byline}>
              {lead.why ?? (
                <>
                  {lead.who} · <Moment at={lead.at} />
                </>
              )}
            </span>
          </li>
        ))}
        {changed_since_total > changed_since.length && (
          <li>and {(changed_since_total - changed_since.length).toLocaleString()} more</li>
        )}
      </ul>
    </>
  )
}
