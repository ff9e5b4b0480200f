import { leadQueriesAfterBulk } from '#features/crm/leads/cells/web/patchLeadCaches.ts'
import { useState } from 'react'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { leadOperations, type TrashedLead } from '#features/crm/leads/operations/contract.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import listClasses from '#web/list/list.module.css'
import operationClasses from '#features/crm/leads/operations/web/operations.module.css'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useTableColumns, type Column } from '#web/list/columns.ts'
import { DataTable } from '#web/list/DataTable.tsx'
import { Pager } from '#web/list/Pager.tsx'
import { SearchBox } from '#web/filter/SearchBox.tsx'
import { useSelection } from '#web/list/selection.tsx'
import { EmptyState, ErrorState } from '#web/list/states.tsx'
import { Moment } from '#web/Moment.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { useScope } from '#web/shell/useScope.ts'
import { countText } from '#web/time.ts'

/** Page with the leads in the trash, where they can be restored. */
export function TrashPage() {
  const product = useScope()
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const columns = useTableColumns('lead-trash', trashColumns)
  const selection = useSelection(product)
  const query = useQuery({
    ...queryOptionsFor(leadOperations.trash, { query: { page, search, lead_for: product } }),
    placeholderData: keepPreviousData,
  })
  useLeadsChanged([leadOperations.trash])
  const mayLook = useMay(leadOperations.trash, { query: {} })
  const total = query.data?.total ?? 0
  // Without permission, fetch and show nothing (A §5).
  if (!mayLook) return <PageHeader />
  return (
    <>
      <PageHeader />
      <div className={operationClasses.bar}>
        {selection.ids.length > 0 ? (
          // Takes the place of the search field, so that rows do not move under the pointer.
          <div className={listClasses.bulk} role="group" aria-label="Selected leads">
            <span>{selection.ids.length} selected</span>
            <Restore
              what={{ ids: [...selection.ids] }}
              label="Restore selected leads"
              onDone={selection.clear}
            />
            <Button size="compact-xs" variant="subtle" onClick={selection.clear}>
              Clear selection
            </Button>
          </div>
        ) : (
          <>
            <SearchBox
              label="Search trash"
              value={search}
              onSearch={(text) => {
                setSearch(text)
                setPage(1)
              }}
            />
            {total > 1 && (
              <Restore
                what={{ search, lead_for: product }}
                label={`Restore all ${countText(total)} matching leads`}
                words={`Restore all ${countText(total)}`}
              />
            )}
          </>
        )}
      </div>
      {query.error && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <DataTable<TrashedLead>
          label="Leads in the trash"
          columns={columns}
          rows={query.data?.data}
          rowKey={(lead) => lead.lead_id}
          rowName={(lead) => lead.companyName}
          selection={selection}
          card={trashCard}
          stale={query.isPlaceholderData}
          empty={
            <EmptyState title={search ? 'No leads in the trash match this search' : 'The trash is empty'}>
              Deleted leads stay here until you restore them.
            </EmptyState>
          }
        />
      )}
      <Pager total={query.data?.total} perPage={query.data?.per_page} page={page} onPage={setPage} />
    </>
  )
}

interface RestoreProps {
  /** The leads to restore: by ID, or all that match a search. */
  what: { ids: number[] } | { search: string; lead_for?: number | undefined }
  label: string
  words?: string
  onDone?: () => void
}

function Restore({ what, label, words = 'Restore', onDone }: RestoreProps) {
  const { announceAct } = useUndo(leadQueriesAfterBulk)
  const { send, sending } = useSend(leadOperations.restore, {
    refresh: leadQueriesAfterBulk,
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  if (!useMay(leadOperations.restore, { body: { ids: [] } })) return null
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={sending}
      aria-label={label}
      onClick={() => void send({ body: what }).then((reply) => reply && onDone?.())}
    >
      {words}
    </Button>
  )
}

const restoreOne = (lead: TrashedLead) => (
  <Restore what={{ ids: [lead.lead_id] }} label={`Restore ${lead.companyName}`} />
)
const where = ({ merged_into }: TrashedLead) => (merged_into === null ? '' : `#${merged_into}`)

const trashColumns: readonly Column<TrashedLead>[] = [
  {
    id: 'company',
    header: 'Company',
    cell: (lead) => lead.companyName,
    title: (lead) => lead.companyName,
    width: 240,
    always: true,
  },
  {
    id: 'contact',
    header: 'Contact',
    cell: (lead) => lead.contactName,
    title: (lead) => lead.contactName,
    width: 160,
  },
  { id: 'email', header: 'Email', cell: (lead) => lead.email, title: (lead) => lead.email, width: 200 },
  { id: 'why', header: 'Merged into', cell: where, width: 190 },
  { id: 'by', header: 'Deleted by', cell: (lead) => lead.deleted_by, width: 150 },
  {
    id: 'at',
    header: 'Deleted',
    cell: (lead) => <Moment at={lead.deleted_at} />,
    width: 130,
    align: 'right',
  },
  { id: 'actions', header: 'Actions', cell: restoreOne, width: 110 },
]

const trashCard = (lead: TrashedLead) => (
  <div className={classes.leadCard}>
    <div className={classes.cardTop}>
      <span className={classes.company}>{lead.companyName}</span>
      <Moment at={lead.deleted_at} />
    </div>
    <p className={classes.cardText}>{[where(lead), lead.deleted_by].filter(Boolean).join(' · ')}</p>
    <div className={classes.cardBottom}>{restoreOne(lead)}</div>
  </div>
)
