import { useState } from 'react'
import { Button, Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { leadImports, type Import, type ImportOutcome } from '#features/crm/leads/import/contract.ts'
import { ImportNotices } from '#features/crm/leads/import/web/ImportNotices.tsx'
import { ImportRows } from '#features/crm/leads/import/web/ImportRows.tsx'
import { outcomeNames, outcomes } from '#features/crm/leads/import/web/outcomes.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { stopReasonText, undoRefusalReason } from '#shared/operations.ts'
import type { Operation } from '#shared/record.contract.ts'
import { SkippedLeads } from '#features/crm/leads/operations/web/SkippedLeads.tsx'
import classes from '#features/crm/leads/import/web/import.module.css'
import { queryOptionsFor } from '#web/api/client.ts'
import { useDownload } from '#web/api/useDownload.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { today } from '#web/time.ts'
import { useProduct } from '#web/session.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { Moment } from '#web/Moment.tsx'
import { Panel } from '#web/parts/Panel.tsx'

/**
 * Shows what would happen to each row before the import, the progress while it is running, and the result
 * afterward.
 */
export function ImportResult({ current, onRemap }: { current: Import; onRemap: () => void }) {
  const [outcome, setOutcome] = useState<ImportOutcome>()
  const product = useProduct()
  const isPlan = current.state === 'checked'
  const undone = useUndone(current.operation_id)
  return (
    <>
      <Panel aria-label="Result">
        <h2>{headingOf(current, undone !== undefined)}</h2>
        {current.state === 'running' && <Running current={current} />}
        {current.stopped && (
          <p role="alert">
            The import stopped at line {current.stopped.line.toLocaleString()} of the file, after{' '}
            {current.rows_done.toLocaleString()} of {current.row_count.toLocaleString()} rows:{' '}
            {stopReasonText(current.stopped.reason, current.stopped.who)}. Imported rows are kept. Continue it
            to import the rest in your name.
          </p>
        )}
        {isPlan && <ImportNotices current={current} />}
        {undone && <Undone operation={undone} />}
        <div className={classes.counts} role="group" aria-label="Rows by outcome">
          <Count
            label="All rows"
            count={current.row_count}
            chosen={outcome === undefined}
            onChoose={() => setOutcome(undefined)}
          />
          {outcomeNames.map((name) => (
            <Count
              key={name}
              label={isPlan ? outcomes[name].planned : outcomes[name].done}
              tone={outcomes[name].tone}
              count={current.counts?.[name] ?? 0}
              chosen={outcome === name}
              onChoose={() => setOutcome(name)}
            />
          ))}
        </div>
        <div className={classes.actions}>
          {(isPlan || current.state === 'failed') && <RunImportButton current={current} />}
          {isPlan && (
            <Button variant="default" onClick={onRemap}>
              Edit mapping
            </Button>
          )}
          {(current.state === 'done' || current.state === 'failed') && current.operation_id !== null && (
            <UndoImportButton operation={current.operation_id} />
          )}
          {(current.counts?.error ?? 0) > 0 && current.state !== 'running' && (
            <FailedRows current={current} />
          )}
          {current.state === 'done' && (
            <Button variant="default" component={PageLink} to={leadsOf(current, product)}>
              View leads
            </Button>
          )}
        </div>
      </Panel>
      <ImportRows key={`${outcome} ${current.state}`} id={current.id} isPlan={isPlan} outcome={outcome} />
    </>
  )
}

const headingOf = ({ state }: Import, isUndone: boolean): string => {
  if (state === 'checked') return '3. Preview'
  if (state === 'running') return '4. Importing…'
  return isUndone ? '4. Import results before the undo' : '4. Import results'
}

/** Returns the operation of an import if it was undone. */
function useUndone(operation: number | null): Operation | undefined {
  const mayShow = useMay(leadOperations.list)
  const query = useQuery({
    ...queryOptionsFor(leadOperations.show, { params: { id: operation ?? 0 } }),
    enabled: mayShow && operation !== null,
  })
  const shown = query.data?.data
  return shown?.state === 'undone' ? shown : undefined
}

/** Says that the import was undone, and lists the leads that stayed as they are. */
function Undone({ operation: { id, changed, skipped, undone_at, undone_by } }: { operation: Operation }) {
  return (
    <div role="group" aria-label="Undone" className={classes.undo}>
      <p role="status">
        {undone_by ?? 'System'} undid this import
        {undone_at !== null && (
          <>
            {' '}
            (<Moment at={undone_at} />)
          </>
        )}
        : of {changed.toLocaleString('en-US')} {changed === 1 ? 'lead' : 'leads'},{' '}
        {(changed - skipped).toLocaleString('en-US')}{' '}
        {changed - skipped === 1 ? 'is as it was' : 'are as they were'} before it. Created leads are in the
        trash.
        {skipped > 0 && ' Leads that were changed or worked on after the import stayed as they are:'}
      </p>
      {skipped > 0 && <SkippedLeads id={id} />}
    </div>
  )
}

/**
 * Returns the address of exactly the leads that an import created or changed, whatever day they came in. The list of
 * another product than the chosen one shows all products, filtered by it.
 */
function leadsOf({ id, mapping }: Import, product: number | undefined): string {
  const search = {
    fromDate: 'all',
    toDate: 'all',
    import_id: String(id),
    ...(mapping.lead_for === product ? {} : { product_scope: 'all', lead_for: String(mapping.lead_for) }),
  }
  return `/demo-leads?${new URLSearchParams(search).toString()}`
}

function Count({
  label,
  tone = 'gray',
  count,
  chosen,
  onChoose,
}: {
  label: string
  tone?: string
  count: number
  chosen: boolean
  onChoose: () => void
}) {
  return (
    <button type="button" className={classes.count} aria-pressed={chosen} onClick={onChoose}>
      <strong>{count.toLocaleString()}</strong> <Tone tone={tone}>{label}</Tone>
    </button>
  )
}

function Running({ current }: { current: Import }) {
  const percent = current.row_count === 0 ? 100 : Math.round((current.rows_done / current.row_count) * 100)
  return (
    <div className={classes.progress}>
      <Progress value={percent} aria-label="Progress" />
      <p role="status">
        {current.rows_done.toLocaleString()} of {current.row_count.toLocaleString()} rows. You can leave this
        page; the import continues in the background.
      </p>
    </div>
  )
}

function RunImportButton({ current }: { current: Import }) {
  const { send, sending } = useSend(leadImports.run)
  const rows = (current.counts?.create ?? 0) + (current.counts?.update ?? 0)
  return (
    <Button
      loading={sending}
      disabled={rows === 0 && current.state === 'checked'}
      title={rows === 0 ? 'There’s nothing to import.' : undefined}
      onClick={() => void send({ params: { id: current.id }, body: { today: today() } })}
    >
      {current.stopped ? (
        'Continue import'
      ) : (
        <>
          Import {rows.toLocaleString()} {rows === 1 ? 'row' : 'rows'}
        </>
      )}
    </Button>
  )
}

/** Button that undoes a whole import, after listing what has been edited since. */
function UndoImportButton({ operation }: { operation: number }) {
  const [open, setOpen] = useState(false)
  const mayUndo = useMay(leadOperations.list)
  const query = useQuery({ ...queryOptionsFor(leadOperations.show, { params: { id: operation } }) })
  const { undo, busy } = useUndo()
  // The notice about an undone import offers to undo the rest.
  if (!mayUndo || !query.data || query.data.data.state === 'undone') return null
  const whyNot = undoRefusalReason(query.data.data, 'undo', query.data.restorable)
  return (
    <>
      <Button
        variant="default"
        disabled={whyNot !== undefined}
        title={whyNot}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        Undo import…
      </Button>
      {open && whyNot === undefined && (
        <div role="group" aria-label="Undo import" className={classes.undo}>
          <p>
            Leads created by this import move to trash, and updated leads get their previous values back.
            Leads that someone has changed or worked on since then stay as they are:
          </p>
          <SkippedLeads id={operation} />
          <Button loading={busy} disabled={query.data.restorable === 0} onClick={() => undo(operation)}>
            Undo import
          </Button>
        </div>
      )}
    </>
  )
}

function FailedRows({ current }: { current: Import }) {
  const { download, loading } = useDownload()
  const name = current.file_name.replace(/(\.csv)?$/i, '-failed.csv')
  return (
    <Button
      variant="default"
      loading={loading}
      onClick={() => void download(name, leadImports.failed, { params: { id: current.id } })}
    >
      Export failed rows as CSV
    </Button>
  )
}
