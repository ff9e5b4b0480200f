import { Button } from '@mantine/core'
import type { Import } from '#features/crm/leads/import/contract.ts'
import { leadImports } from '#features/crm/leads/import/contract.ts'
import type { ImportMapping } from '#features/crm/leads/import/mapping.contract.ts'
import classes from '#features/crm/leads/import/web/import.module.css'
import {
  asksForMark,
  asksForOrder,
  dateOrders,
  decimalMarks,
  markOf,
  useImportFields,
} from '#features/crm/leads/import/web/TargetCell.tsx'
import { useSend } from '#web/api/useSend.ts'
import { Soft } from '#web/parts/Soft.tsx'
import { countText } from '#web/time.ts'

/** Names the columns of a file that aren’t imported. */
export function SkippedColumns({ headers, mapping }: { headers: readonly string[]; mapping: ImportMapping }) {
  const skipped = headers.filter((_, index) => mapping.columns[index] === 'skip')
  if (skipped.length === 0) return null
  return (
    <Soft>
      {skipped.length === 1 ? 'This column isn’t imported: ' : 'These columns aren’t imported: '}
      {skipped.join(', ')}.
    </Soft>
  )
}

/** Says what a preview found in the whole file, before it is imported. */
export function ImportNotices({ current }: { current: Import }) {
  const { new_tags, unknown_people, unknown_words, wins_without, mapping, zone } = current
  return (
    <>
      <SkippedColumns headers={current.headers} mapping={mapping} />
      <Readings current={current} />
      {!mapping.columns.includes('timezone') &&
        !mapping.for_all?.some(({ field }) => field === 'timezone') && (
          <Soft>
            Time zones of new leads: by the phone number or the country; where these leave it open, {zone}.
          </Soft>
        )}
      {new_tags.length > 0 && (
        <Soft>
          {new_tags.length === 1 ? 'New tag' : 'New tags'}: {new_tags.join(', ')}.
        </Soft>
      )}
      {unknown_people.length > 0 && (
        <Soft>
          Not found among the admin users: {unknown_people.join(', ')}.{' '}
          {mapping.unknown_assignee === undefined
            ? 'Their rows are errors. Edit the mapping to leave these leads unassigned, or to assign them to someone.'
            : 'Each of their rows names its assignee instead.'}
        </Soft>
      )}
      {unknown_words.length > 0 && (
        <Soft>
          Not in the lists: {unknown_words.map(({ word }) => `“${word}”`).join(', ')}. Their rows are errors.
          Edit the mapping to say what these words mean.
        </Soft>
      )}
      {current.possible_duplicates > 0 && <PossibleDuplicates current={current} />}
      {wins_without > 0 && (
        <Soft>
          {wins_without === 1 ? '1 lead' : `${countText(wins_without)} leads`} will be won without an
          organization. The import creates none: create or link it on the page of the lead.
        </Soft>
      )}
    </>
  )
}

/** Says how the dates and the numbers of each column are read, if there is a choice. */
function Readings({ current }: { current: Import }) {
  const fields = useImportFields()
  const { headers, mapping } = current
  return headers.flatMap((header, position) => {
    const order = mapping.date_orders?.[position]
    const mark = markOf(current, mapping, position)
    return [
      ...(order && asksForOrder(current, mapping, position, fields)
        ? [
            <Soft key={`order ${header}`}>
              Dates in “{header}”: {dateOrders[order]}
            </Soft>,
          ]
        : []),
      ...(mark && asksForMark(current, mapping, position, fields)
        ? [
            <Soft key={`mark ${header}`}>
              Decimals in “{header}”: {decimalMarks[mark]}
            </Soft>,
          ]
        : []),
    ]
  })
}

/** Says how many rows have the company of another lead, and lets the user decide about them. */
function PossibleDuplicates({ current: { id, possible_duplicates: count, mapping } }: { current: Import }) {
  const { send, sending } = useSend(leadImports.check)
  const isImported = mapping.possible_duplicates === 'import'
  const rows = count === 1 ? '1 row has' : `${countText(count)} rows have`
  return (
    <div className={classes.notice}>
      <Soft>
        {rows} the company name of another lead or row, ignoring case and legal form.{' '}
        {isImported
          ? 'They create leads, too, unless they have errors.'
          : 'They are under Duplicates and aren’t imported.'}
      </Soft>
      <Button
        size="compact-sm"
        variant="default"
        loading={sending}
        onClick={() =>
          void send({
            params: { id },
            body: { ...mapping, possible_duplicates: isImported ? 'skip' : 'import' },
          })
        }
      >
        {isImported ? 'Leave them out' : 'Import them as new leads'}
      </Button>
    </div>
  )
}
