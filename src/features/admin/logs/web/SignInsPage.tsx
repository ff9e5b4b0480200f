import { logs, outcomes, SignInFilters, type SignInRow } from '#features/admin/logs/contract.ts'
import { LogTabs } from '#features/admin/logs/web/LogTabs.tsx'
import { Card } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { choice } from '#web/filter/filters.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useStaffNames } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { Tone } from '#web/parts/Tone.tsx'

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
  const people = useStaffNames()
  const filters = [
    choice<SignInFilters>('staff_id', 'Admin user', 'Everyone', asPairs(people)),
    choice<SignInFilters>('outcome', 'Outcome', 'All outcomes', Object.entries(outcomes)),
  ]
  return (
    <>
      <ListHead list={list} />
      <LogTabs />
      <Filters list={list} filters={filters} />
      <ListTable list={list} filters={filters} empty={{ title: 'No sign-ins yet' }} />
    </>
  )
}
