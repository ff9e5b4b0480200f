import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { ContractFilters, contracts, type ContractRow } from '#features/admin/customer-contracts/contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { finishedStatuses } from '#features/admin/customer-contracts/rules.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Card, IfMay, NameLink } from '#web/list/cells.tsx'
import { DueDate } from '#web/list/DueDate.tsx'
import { ChoiceCell } from '#web/list/CellMenu.tsx'
import { columnsOfFields } from '#web/list/columns.ts'
import { choice, days } from '#web/filter/filters.tsx'
import { ListPage } from '#web/list/ListPage.tsx'
import { prepareList, useList, type ListOf } from '#web/list/useList.ts'
import { asPairs, useLists } from '#web/filter/useOptions.ts'
import { Moment } from '#web/Moment.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { TextLink } from '#web/parts/controls.tsx'

const addressOf = ({ id }: ContractRow) => `/customer-contracts/update-contract/${id}`

const dueOf = (row: ContractRow) => ({ day: row.due_date, isOpen: !finishedStatuses.includes(row.status) })

const columns = columnsOfFields<ContractRow, typeof contractFields>(contractFields, {
  title: { cell: (row) => <NameLink to={addressOf(row)}>{row.title}</NameLink>, title: ({ title }) => title },
  due_date: { cell: (row) => <DueDate {...dueOf(row)} /> },
  status: { cell: (row) => <StatusCell contract={row} /> },
  updated_at: { cell: (row) => <Moment at={row.updated_at} /> },
})

const contractList: ListOf<ContractRow, typeof ContractFilters> = {
  name: 'contracts',
  type: 'contract',
  endpoint: contracts.list,
  filters: ContractFilters,
  columns,
  rowKey: ({ id }) => id,
  rowName: ({ title }) => title,
  addressOf,
  card: (row) => contractCard(row),
  searchLabel: 'Search contracts',
  exportCsv: contracts.export,
}
export const prepareContracts = (search: Record<string, unknown>) => prepareList(contractList, search)

export function ContractsPage() {
  const list = useList(contractList)
  const { contract_statuses } = useLists('contract_statuses')
  const newContract = (
    <IfMay endpoint={contracts.create} input={{ body: { title: '' } }}>
      <TextLink primary to="/customer-contracts/new-contract" icon={<IconPlus size={14} aria-hidden />}>
        New contract
      </TextLink>
    </IfMay>
  )
  return (
    <ListPage
      list={list}
      actions={newContract}
      filters={[
        choice<ContractFilters>(
          'status',
          contractFields.status.label,
          'All statuses',
          asPairs(contract_statuses),
        ),
        choice<ContractFilters>(
          'finished',
          'Finished',
          'Finished or not',
          [
            [0, 'No'],
            [1, 'Yes'],
          ],
          { more: true },
        ),
        days<ContractFilters>('due_from', 'due_to', contractFields.due_date.label, { more: true }),
      ]}
      empty={{
        title: 'No contracts yet',
        text: 'Create a contract to track its status and due date.',
        action: newContract,
      }}
    />
  )
}

const contractCard = (row: ContractRow) => (
  <Card
    title={<NameLink to={addressOf(row)}>{row.title}</NameLink>}
    aside={<StatusCell contract={row} />}
    due={{ ...dueOf(row), label: 'Due' }}
  >
    {row.organization}
  </Card>
)

function StatusCell({ contract }: { contract: ContractRow }) {
  const { contract_statuses } = useLists('contract_statuses')
  const { announceAct } = useUndo()
  const { send } = useSend(contracts.update, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  const may = useMay(contracts.update, { params: { id: contract.id }, body: {} })
  return (
    <ChoiceCell
      label={`Status of ${contract.title}`}
      options={contract_statuses}
      value={contract.status}
      may={may}
      onChoose={(status) => void send({ params: { id: contract.id }, body: { status } })}
    />
  )
}
