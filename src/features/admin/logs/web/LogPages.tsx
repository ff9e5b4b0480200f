import { capitalize } from '#shared/capitalize.ts'
import { recordTypes } from '#shared/records.ts'
import {
  AuditFilters,
  logs,
  outcomes,
  SignInFilters,
  type AuditRow,
  type SignInRow,
} from '#features/admin/logs/contract.ts'
import { Card } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { choice, days, type Filter } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists, useStaff } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { byId, labelOf, formatFieldValue, type RecordFields } from '#web/record/fieldWords.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { useMyProducts, useViewer } from '#web/session.ts'

const tones = { signed_in: 'green', refused: 'orange', locked: 'red', ended: 'gray' } as const
const Outcome = ({ row }: { row: SignInRow }) => (
  <Tone tone={tones[row.outcome]}>{outcomes[row.outcome]}</Tone>
)
const whoOf = (row: SignInRow) => row.who ?? 'Unknown account'

const signInColumns: readonly Column<SignInRow>[] = [
  { id: 'at', header: 'Time', cell: (row) => <Moment at={row.at} />, width: 140, always: true },
  { id: 'who', header: 'Admin user', cell: whoOf, title: whoOf, width: 200 },
  { id: 'user_name', header: 'Username', cell: (row) => row.user_name, width: 160 },
  { id: 'outcome', header: 'Outcome', cell: (row) => <Outcome row={row} />, width: 120 },
  { id: 'address', header: 'IP address', cell: (row) => row.address, width: 160 },
  { id: 'device', header: 'Device', cell: (row) => row.device, title: (row) => row.device, width: 220 },
]
const signInList: ListOf<SignInRow, typeof SignInFilters> = {
  name: 'login log',
  endpoint: logs.signIns,
  filters: SignInFilters,
  columns: signInColumns,
  rowKey: ({ id }) => id,
  rowName: whoOf,
  card: (row) => signInCard(row),
}

const signInCard = (row: SignInRow) => (
  <Card title={whoOf(row)} aside={<Outcome row={row} />}>
    <Moment at={row.at} /> · {row.address} · {row.device}
  </Card>
)

/** Sign-in log: successful and rejected attempts, with IP address and device. */
export function SignInsPage() {
  const list = useList(signInList)
  const people = useStaff()
  return (
    <ListPage
      list={list}
      filters={[
        choice<SignInFilters>('staff_id', 'Admin user', 'Everyone', asPairs(people)),
        choice<SignInFilters>('outcome', 'Outcome', 'All outcomes', Object.entries(outcomes)),
      ]}
      empty={{ title: 'No sign-ins yet' }}
    />
  )
}

const areas: readonly (readonly [area: string, one: string, many: string])[] = [
  ...Object.entries(recordTypes).map(([type, { one, many }]) => [type, one, many] as const),
  ['session', 'session', 'sessions'],
  ['role', 'role', 'roles'],
  ['product', 'product', 'products'],
  ['settings', 'settings', 'settings'],
  ['mail', 'email', 'emails'],
]
const areaChoices = areas.map(([area, , many]) => [area, capitalize(many)] as const)
const areaName = (area: string) => areas.find(([type]) => type === area)?.[1] ?? area.replaceAll('_', ' ')
const whatOf = (row: AuditRow) => row.act || row.endpoint
const recordOf = (row: AuditRow) =>
  [areaName(row.area), row.record === null ? '' : `#${row.record}`, row.name ?? ''].filter(Boolean).join(' ')

/** Link to the record, if it has a page that the viewer can open. */
function RecordLink({ row }: { row: AuditRow }) {
  const viewer = useViewer()
  const to = row.name !== null && row.record !== null && recordAddress(row.area, row.record, viewer, row.name)
  return to ? <PageLink to={to}>{recordOf(row)}</PageLink> : recordOf(row)
}

type Name = 'person' | 'product' | (typeof namedLists)[number]
const namedLists = [
  'statuses',
  'colors',
  'tags',
  'contract_statuses',
  'ticket_statuses',
  'ticket_categories',
  'notification_types',
  'quick_task_types',
  'onboarding_stages',
] as const

/**
 * Labels for fields that contain IDs of users, products, or list entries. All other fields get a generic
 * label.
 */
const commonFields: Record<string, readonly [label: string, Name]> = {
  assign_to: ['Assignee', 'person'],
  assigned_to: ['Assignee', 'person'],
  onboarding_by: ['Led by', 'person'],
  person: ['Admin user', 'person'],
  staff_id: ['Admin user', 'person'],
  lead_for: ['Product', 'product'],
  product_id: ['Product', 'product'],
  product_ids: ['Products', 'product'],
}
const fieldsByArea: Record<string, typeof commonFields> = {
  lead: { status: ['Status', 'statuses'], color: ['Priority', 'colors'], tag_ids: ['Tags', 'tags'] },
  contract: { status: ['Status', 'contract_statuses'] },
  ticket: { status: ['Status', 'ticket_statuses'], category: ['Category', 'ticket_categories'] },
  notification: { type: ['Type', 'notification_types'] },
  quick_task: { type: ['Type', 'quick_task_types'] },
  onboarding: { stage: ['Stage', 'onboarding_stages'] },
}

function useFields(area: string): RecordFields {
  const entries = { person: useStaff(), product: useMyProducts(), ...useLists(...namedLists) }
  return Object.fromEntries(
    Object.entries({ ...commonFields, ...fieldsByArea[area] }).map(([field, [label, name]]) => [
      field,
      { label, words: byId(entries[name]) },
    ]),
  )
}

function Changes({ row }: { row: AuditRow }) {
  const fields = useFields(row.area)
  const text = row.changes
    .map(
      ({ field, before, after }) =>
        `${labelOf(fields, field)}: ${formatFieldValue(fields, field, before)} → ${formatFieldValue(fields, field, after)}`,
    )
    .join('; ')
  return <span title={text}>{text}</span>
}

const auditColumns: readonly Column<AuditRow>[] = [
  { id: 'at', header: 'Time', cell: (row) => <Moment at={row.at} />, width: 140, always: true },
  { id: 'who', header: 'Admin user', cell: (row) => row.who, width: 160 },
  { id: 'act', header: 'Action', cell: whatOf, title: whatOf, width: 200 },
  { id: 'record', header: 'Record', cell: (row) => <RecordLink row={row} />, title: recordOf, width: 220 },
  { id: 'changes', header: 'Changes', cell: (row) => <Changes row={row} />, width: 420 },
  { id: 'address', header: 'IP address', cell: (row) => row.address, width: 130, hiddenAtFirst: true },
]
const auditList: ListOf<AuditRow, typeof AuditFilters> = {
  name: 'admin log',
  endpoint: logs.audit,
  filters: AuditFilters,
  columns: auditColumns,
  rowKey: ({ id }) => id,
  rowName: whatOf,
  card: (row) => auditCard(row),
  exportCsv: logs.export,
}

const auditCard = (row: AuditRow) => (
  <Card title={whatOf(row)} aside={<Moment at={row.at} />}>
    {row.who} · <RecordLink row={row} /> · <Changes row={row} />
  </Card>
)

const byRecord: Filter<AuditFilters> = {
  id: 'record',
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

/** Audit log: every change, with the previous values. */
export function AuditPage() {
  const list = useList(auditList)
  const people = useStaff()
  return (
    <ListPage
      list={list}
      filters={[
        choice<AuditFilters>('staff_id', 'Admin user', 'Everyone', asPairs(people)),
        choice<AuditFilters>('area', 'Area', 'All areas', areaChoices, { none: '' }),
        byRecord,
        days<AuditFilters>('from', 'to', 'Date'),
      ]}
      empty={{ title: 'No changes yet' }}
    />
  )
}
