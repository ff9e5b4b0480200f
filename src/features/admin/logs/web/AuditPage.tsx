import type { z } from 'zod'
import { capitalize } from '#shared/capitalize.ts'
import { actions, AuditFilters, logs, type AuditRow } from '#features/admin/logs/contract.ts'
import { areaName, areas, auditSentence, auditWords } from '#features/admin/logs/web/auditWords.tsx'
import { LogTabs } from '#features/admin/logs/web/LogTabs.tsx'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { asPairs, useStaffNames } from '#web/filter/useOptions.ts'
import type { OpenRecord } from '#web/list/inbox/Inbox.tsx'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { useList, type ListOf } from '#web/list/useList.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText } from '#web/time.ts'

const EntryPane = lazyPart(() => import('#features/admin/logs/web/AuditPane.tsx'))
const AuditPane = (props: OpenRecord<AuditRow>) => <EntryPane {...props} words={auditWords} />

const { open } = inboxParameters
const PageFilters = AuditFilters.extend({ open })
type PageFilters = z.output<typeof PageFilters>

const whatOf = (row: AuditRow) => row.act || row.endpoint

const auditList: ListOf<AuditRow, typeof PageFilters> = {
  name: 'admin log',
  endpoint: logs.audit,
  filters: PageFilters,
  toQuery: ({ open: _open, ...rest }) => rest,
  columns: [],
  rowKey: ({ id }) => id,
  rowName: whatOf,
  addressOf: ({ id }) => `/users/admin-log?open=${id}`,
  searchLabel: 'Search records, fields, or values',
  exportCsv: logs.export,
}

const byRecord: Filter<PageFilters> = {
  id: 'record',
  name: 'Record number',
  control: ({ record }, onChange) => (
    <SearchBox
      label="Record number"
      width={180}
      value={record === undefined ? '' : String(record)}
      onSearch={(typed) => onChange({ record: Number(/^#?([1-9]\d{0,14})$/.exec(typed)?.[1]) || undefined })}
    />
  ),
  says: ({ record }) => (record === undefined ? undefined : `Record: #${record}`),
  cleared: { record: undefined },
}

/** Set only by a link to all changes of a request, so it has no control. */
const byRequest: Filter<PageFilters> = {
  id: 'request',
  control: () => null,
  says: ({ request }) => (request === '' ? undefined : `Request: ${request}`),
  cleared: { request: '' },
}

const actionChoices = Object.entries(actions).map(([action, { name }]) => [action, name] as const)
const areaChoices = areas.map(([area, , many]) => [area, capitalize(many)] as const)

/** Audit log: every change as a sentence, with the values before and after in the pane beside the list. */
export function AuditPage() {
  const list = useList(auditList)
  const people = useStaffNames()
  return (
    <InboxPage
      list={list}
      above={<LogTabs />}
      filters={[
        choice<PageFilters>('staff_id', 'Admin user', 'Everyone', asPairs(people)),
        choice<PageFilters>('action', 'Action', 'All actions', actionChoices),
        choice<PageFilters>('area', 'Area', 'All areas', areaChoices, { none: '' }),
        days<PageFilters>('from', 'to', 'Date'),
        byRecord,
        byRequest,
      ]}
      empty={{ title: 'No changes yet' }}
      lines={linesOf}
      acts={{
        f: ({ staff_id }) => staff_id !== null && void list.filterBy({ staff_id }),
      }}
      Pane={AuditPane}
      nothingOpen="No entry open"
    />
  )
}

function linesOf(row: AuditRow): InboxLines {
  const { text, shown } = auditSentence(row)
  return {
    title: `${row.who} ${text}`,
    shown: (
      <>
        <strong>{row.who}</strong> {shown}
      </>
    ),
    at: row.at,
    from: `${whatOf(row)} · ${capitalize(areaName(row.area)) || row.endpoint}`,
    status: row.changed > 1 && <ChangedRecords row={row} />,
  }
}

const ChangedRecords = ({ row }: { row: AuditRow }) => (
  <PageLink to={`/users/admin-log?request=${encodeURIComponent(row.request_id)}&area=${row.area}`}>
    Show {countText(row.changed)} records
  </PageLink>
)
