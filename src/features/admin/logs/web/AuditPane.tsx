import type { ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { logs, type AuditEntry, type AuditRow } from '#features/admin/logs/contract.ts'
import classes from '#features/admin/logs/web/AuditPane.module.css'
import type { AuditWords } from '#features/admin/logs/web/auditWords.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { PaneHead } from '#web/list/inbox/PaneHead.tsx'
import { RecordPane } from '#web/list/inbox/RecordPane.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { UndoEntry } from '#web/record/EventWords.tsx'
import { formatFieldValue, isNothing, labelOf, type RecordFields } from '#web/record/fieldWords.ts'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'
import { countText, fullTime } from '#web/time.ts'

/**
 * A change beside the log: its values before and after, its request, and what else the request changed. The
 * words come from the list, so that they are loaded once.
 */
export default function AuditPane({ id, row, words }: OpenRecord<AuditRow> & { words: AuditWords }) {
  const query = useQuery(queryOptionsFor(logs.entry, { params: { id } }))
  const may = useMay(logs.entry, { params: { id } })
  return (
    <RecordPane query={query} one="entry" may={may}>
      {({ data }) => <Entry entry={row ? { ...data, changed: row.changed } : data} words={words} />}
    </RecordPane>
  )
}

interface EntryProps {
  entry: AuditEntry
  words: AuditWords
}

function Entry({ entry, words }: EntryProps) {
  const fields = words.fieldsOf(entry)
  const { shown } = words.auditSentence(entry, <RecordOfEntry row={entry} words={words} />)
  const isMany = entry.changed > 1
  return (
    <>
      <PaneHead number={entry.id} title={entry.who} about={fullTime(entry.at)} />
      <div className={classes.entry}>
        <p className={classes.sentence}>
          {entry.who} {shown}.{entry.in_trash && !isMany && <Soft as="span"> It is in the trash.</Soft>}
        </p>
        {!isMany && entry.changes.length > 0 && (
          <Section title="Before and after">
            <Changes changes={entry.changes} fields={fields} />
          </Section>
        )}
        {isMany && (
          <Section title="Records">
            <PageLink to={requestAddress(entry)}>Show {countText(entry.changed)} records</PageLink>
          </Section>
        )}
        {entry.operation && (
          <Section title={entry.operation.way === 'undo' ? 'Undo' : 'Redo'}>
            <p>
              <UndoEntry operation={entry.operation} /> <Soft as="span">Unchanged since then</Soft>
            </p>
          </Section>
        )}
        {entry.caused.length > 0 && (
          <Section title="Caused by this">
            <Caused rows={entry.caused} words={words} />
          </Section>
        )}
        <Section title="Request">
          <Request entry={entry} />
        </Section>
        <Section title="More">
          <More entry={entry} words={words} />
        </Section>
      </div>
    </>
  )
}

const requestAddress = ({ request_id, area }: AuditRow) =>
  `/users/admin-log?request=${encodeURIComponent(request_id)}&area=${area}`

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={classes.section} aria-label={title}>
    <h3>{title}</h3>
    {children}
  </section>
)

/** The record's name, linked if the viewer can open it. */
function RecordOfEntry({ row, words }: { row: AuditRow; words: AuditWords }) {
  const viewer = useViewer()
  const name = words.recordName(row)
  if (row.changed > 1 || row.name === null || row.record === null) return name
  const to = recordAddress(row.area, row.record, viewer, row.name)
  return to ? <PageLink to={to}>{name}</PageLink> : name
}

function Changes({ changes, fields }: { changes: AuditEntry['changes']; fields: RecordFields }) {
  const valueOf = (field: string, value: unknown) => formatFieldValue(fields, field, value)
  return (
    <table className={classes.changes}>
      <tbody>
        {changes.map(({ field, before, after }) => (
          <tr key={field}>
            <th scope="row">{labelOf(fields, field)}</th>
            <td>
              {!isNothing(before) && <del>{valueOf(field, before)}</del>}{' '}
              {!isNothing(after) && <ins>{valueOf(field, after)}</ins>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Caused({ rows, words }: { rows: readonly AuditRow[]; words: AuditWords }) {
  return (
    <ul className={classes.caused}>
      {rows.map((row) => (
        <li key={row.id} className={classes.sentence}>
          {words.auditSentence(row, <RecordOfEntry row={row} words={words} />).shown}
        </li>
      ))}
    </ul>
  )
}

const Request = ({ entry }: { entry: AuditEntry }) => (
  <dl className={classes.request}>
    <dt>IP address</dt>
    <dd>{entry.address || 'None: the change was made in the background'}</dd>
    <dt>Request ID</dt>
    <dd>
      <code>{entry.request_id || 'None'}</code>
    </dd>
    <dt>Endpoint</dt>
    <dd>
      <code>{entry.endpoint}</code>
    </dd>
  </dl>
)

function More({ entry, words }: EntryProps) {
  const { area, record, staff_id, who } = entry
  return (
    <ul className={classes.caused}>
      {record !== null && area !== '' && entry.changed === 1 && (
        <li>
          <PageLink to={`/users/admin-log?area=${area}&record=${record}`}>
            All changes to {words.recordName(entry)}
          </PageLink>
        </li>
      )}
      {staff_id !== null && (
        <li>
          <PageLink to={`/users/admin-log?staff_id=${staff_id}`}>All changes by {who}</PageLink>
        </li>
      )}
    </ul>
  )
}
