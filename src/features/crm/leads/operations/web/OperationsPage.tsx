import { useState } from 'react'
import { Button, Progress } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { mayTurn, stopReasonText, undoRefusalReason, type UndoDirection } from '#shared/operations.ts'
import { SkippedLeads, undoPreview } from '#features/crm/leads/operations/web/SkippedLeads.tsx'
import classes from '#features/crm/leads/operations/web/operations.module.css'
import type { Operation } from '#shared/record.contract.ts'
import { queryOptionsFor, request } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { Pager } from '#web/list/Pager.tsx'
import { EmptyState, Loaded } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { askToProceed } from '#web/message/messages.ts'
import { useViewer } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useUndo } from '#web/record/useUndo.ts'

/** Page with the bulk operations on leads, each with an undo button. */
export function OperationsPage() {
  const [page, setPage] = useState(1)
  const query = useQuery({
    ...queryOptionsFor(leadOperations.list, { query: { page } }),
    placeholderData: keepPreviousData,
  })
  const mayLook = useMay(leadOperations.list, { query: { page } })
  // Without permission, fetch and show nothing (A §5).
  if (!mayLook) return <NoAccessPage />
  return (
    <>
      <PageHeader />
      <Loaded query={query}>
        {({ data, total, per_page }) => (
          <>
            {data.length === 0 ? (
              <EmptyState title="Nothing to undo yet">
                Bulk changes, rejections, imports, merges, and deletions appear here so you can undo them.
              </EmptyState>
            ) : (
              <ol className={classes.list} aria-label="Undo history">
                {data.map((operation) => (
                  <OneOperation key={operation.id} operation={operation} />
                ))}
              </ol>
            )}
            <Pager total={total} perPage={per_page} page={page} onPage={setPage} />
          </>
        )}
      </Loaded>
    </>
  )
}

function OneOperation({ operation }: { operation: Operation }) {
  const viewer = useViewer()
  const [open, setOpen] = useState(false)
  const { undo, redo, busy } = useUndo()
  const { id, summary, who, at, state, undone_at, undone_by } = operation
  // While an operation is being undone, the user can only wait.
  const way: UndoDirection = state === 'undone' || state === 'redoing' ? 'redo' : 'undo'
  const word = way === 'undo' ? 'Undo' : 'Redo'
  const why =
    viewer && !mayTurn(operation, viewer)
      ? `You no longer have permission to ${way} this.`
      : undoRefusalReason(operation, way)
  const sinceWords = undone_at ? 'Show skipped leads' : 'Show later changes'
  const leads = operation.changed === 1 ? '1 lead' : `${operation.changed.toLocaleString()} leads`

  async function turn(): Promise<void> {
    const detail =
      way === 'undo'
        ? undoPreview(await request(leadOperations.show, { params: { id } }))
        : `${leads} will be changed again. Leads changed since then will be skipped.`
    if (!(await askToProceed(`${word} “${summary}”?`, { detail }))) return
    ;(way === 'undo' ? undo : redo)(id)
  }
  return (
    <li className={classes.operation}>
      <div className={classes.what}>
        <p>
          {summary}
          {stoppedText(operation)}
        </p>
        <p className={classes.byline}>
          {who} · <Moment at={at} />
          {undone_at && (
            <>
              {' · undone by '}
              {undone_by} · <Moment at={undone_at} />
              {operation.skipped > 0 && ` · ${operation.skipped.toLocaleString('en-US')} skipped`}
            </>
          )}
        </p>
      </div>
      <Button
        size="xs"
        variant="subtle"
        aria-expanded={open}
        aria-label={`${sinceWords}: ${summary}`}
        onClick={() => setOpen(!open)}
      >
        {sinceWords}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={busy}
        disabled={why !== undefined}
        title={why}
        aria-label={`${word} ${summary}`}
        onClick={() => void turn()}
      >
        {word}
      </Button>
      {state === 'running' && operation.total > 0 && <OperationProgress operation={operation} />}
      {open && <SkippedLeads id={id} />}
    </li>
  )
}

/** Says that an operation, its undo, or its redo stopped before its end, and why if that is known. */
function stoppedText({ state, stopped }: Operation): string {
  if (!stopped) return state === 'failed' ? ' (stopped before it finished)' : ''
  const what = { failed: '', undone: 'the redo ' }[state as string] ?? 'the undo '
  return ` (${what}stopped before it finished: ${stopReasonText(stopped.reason, stopped.who)})`
}

function OperationProgress({ operation: { seen, total, summary } }: { operation: Operation }) {
  return (
    <div className={classes.progress}>
      <Progress value={Math.round((seen / total) * 100)} aria-label={`Progress of ${summary}`} />
      <p className={classes.byline} role="status">
        {seen.toLocaleString()} of {total.toLocaleString()}
      </p>
    </div>
  )
}
