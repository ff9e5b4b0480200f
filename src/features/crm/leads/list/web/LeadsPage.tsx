import { lazy, Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconCalendarDue from '@tabler/icons-react/dist/esm/icons/IconCalendarDue.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { LeadFilters, leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { Among, amongThese, useLastSeen } from '#features/crm/leads/record/web/among.ts'
import { leadColumns } from '#features/crm/leads/list/web/leadColumns.tsx'
import { LeadCard } from '#features/crm/leads/list/web/LeadCard.tsx'
import { ExportLeads } from '#features/crm/leads/list/web/ExportLeads.tsx'
import { askHidden, HiddenFollowUps } from '#features/crm/leads/follow-ups/web/HiddenFollowUps.tsx'
import { PresenceMarks } from '#features/crm/leads/record/web/OpenBy.tsx'
import { LeadFilterBar } from '#features/crm/leads/list/web/LeadFilterBar.tsx'
import { leadAddress } from '#features/crm/leads/cells/web/LeadLink.tsx'
import { askOptions, LeadOptionsProvider } from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { SelectedLeads } from '#features/crm/leads/list/web/SelectedLeads.tsx'
import { todayHere } from '#features/crm/leads/list/web/period.ts'
import { activeFilters } from '#features/crm/leads/list/web/activeFilters.ts'
import { filtersOf, noFilters, useLeadFilters, type Change } from '#features/crm/leads/list/web/useLeadFilters.ts'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { ask } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { ColumnPicker } from '#web/list/ColumnPicker.tsx'
import { useTableColumns } from '#web/list/columns.ts'
import { DataTable } from '#web/list/DataTable.tsx'
import type { Sort } from '#web/list/HeaderCell.tsx'
import { toAddress } from '#web/list/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { useSelection } from '#web/list/selection.tsx'
import { EmptyState, ErrorState, PastTheEnd } from '#web/list/states.tsx'
import { product } from '#web/session.ts'
import { IconLink, TextButton, TextLink } from '#web/shell/controls.tsx'
import { PageHeader } from '#web/shell/PageHeader.tsx'
import { useScope } from '#web/shell/useScope.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { loadChunk } from '#web/shell/lazy.tsx'

const LeadForm = lazy(() => loadChunk(() => import('#features/crm/leads/record/web/LeadForm.tsx')))

const leadsAsked = (filters: LeadFilters, lead_for: number | undefined) => ({ ...filters, lead_for, today: todayHere() })

export function prepareLeads(search: Record<string, unknown>): Promise<unknown> {
  const asked = leadsAsked(filtersOf(search), product())
  return Promise.all([prefetch(ask(leads.list, { query: asked })), prefetch(askOptions()), prefetch(askHidden(asked))])
}

export function LeadsPage() {
  const [filters, filterBy] = useLeadFilters()
  const scope = useScope()
  const navigate = useNavigate()
  const resumeAt = useLastSeen()
  const columns = useTableColumns('leads', leadColumns)
  const asked = leadsAsked(filters, scope)
  const query = useQuery({ ...ask(leads.list, { query: asked }), placeholderData: keepPreviousData })
  useLeadsChanged([leads.list])
  const mayList = useMay(leads.list, { query: {} })
  const page = query.data
  const selection = useSelection(scope, JSON.stringify([{ ...asked, page: 1 }, page?.total]))
  const opened = amongThese(
    { list: '/demo-leads', search: toAddress(LeadFilters, { ...filters, page: 1 }), lead_for: scope },
    page?.data.leads ?? [],
    filters.page,
  )
  // Without the permission nothing is asked and nothing is shown (A §5).
  if (!mayList) return <PageHeader />

  return (
    <LeadOptionsProvider>
      <PageHeader>
        <ColumnPicker columns={columns} />
        <ExportLeads filters={asked} />
        <OtherPages />
        <ImportLink />
        <NewLead />
      </PageHeader>
      <LeadFilterBar filters={filters} onChange={filterBy} />
      <SelectedLeads selection={selection} leads={page?.data.leads ?? []} filters={asked} total={page?.total} />
      <div className={classes.counts}>
        <p className={classes.count} aria-live="polite">
          {page ? `${page.data.displayRows} leads` : ' '}
        </p>
        <HiddenFollowUps filters={asked} onChange={filterBy} />
      </div>
      {query.error && !page ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Among value={opened}>
          <PresenceMarks ids={page?.data.leads.map(({ lead_id }) => lead_id) ?? []}>
            <DataTable<LeadRow>
              label="Leads"
              columns={columns}
              rows={page?.data.leads}
              rowKey={(lead) => lead.lead_id}
              rowName={(lead) => lead.companyName}
              sort={{ column: filters.column, direction: filters.direction }}
              onSort={({ column, direction }: Sort) => filterBy({ column, direction } as Change)}
              onOpen={(lead) => void navigate({ to: leadAddress(lead), state: opened(lead.lead_id) })}
              card={leadCard}
              selection={selection}
              stale={query.isPlaceholderData}
              resumeAt={resumeAt}
              empty={<NoLeads filters={filters} pastTheEnd={(page?.total ?? 0) > 0} onChange={filterBy} />}
            />
          </PresenceMarks>
        </Among>
      )}
      <Pager total={page?.total} perPage={page?.per_page} page={filters.page} onPage={(next) => filterBy({ page: next })} />
    </LeadOptionsProvider>
  )
}

const leadCard = (lead: LeadRow) => <LeadCard lead={lead} />

/** Why the list is empty, and what to do about it. */
function NoLeads({
  filters,
  pastTheEnd,
  onChange,
}: {
  filters: ReturnType<typeof useLeadFilters>[0]
  pastTheEnd: boolean
  onChange: (change: Change) => void
}) {
  const none = { statuses: [], colors: [], services: [], sources: [], cog_types: [], tags: [], staff: [], products: [] }
  if (pastTheEnd) return <PastTheEnd onFirstPage={() => onChange({ page: 1 })} />
  if (activeFilters(filters, none, onChange).length > 0) {
    return (
      <EmptyState
        title="No lead fits these filters"
        action={
          <Button variant="default" onClick={() => onChange(noFilters)}>
            Clear filters
          </Button>
        }
      >
        Remove a filter above, or look at another period.
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No leads came in this month"
      action={
        <div className={classes.emptyActions}>
          <NewLead />
          <ImportLink />
          <Button variant="default" onClick={() => onChange({ fromDate: 'all', toDate: 'all' })}>
            Show all time
          </Button>
        </div>
      }
    >
      Enter the first one by hand, import a list as CSV, or look at earlier months.
    </EmptyState>
  )
}

function NewLead() {
  const [open, setOpen] = useState(false)
  const mayCreate = useMay(leads.create, { body: { companyName: '', lead_for: 1 } })
  return (
    <>
      {mayCreate && (
        <TextButton primary icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          New lead
        </TextButton>
      )}
      {open && (
        <Suspense>
          <LeadForm onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

/** What is to be done today, what was done to many leads, and what was deleted. */
function OtherPages() {
  const mayUndo = useMay(leadOperations.list)
  const mayRestore = useMay(leadOperations.trash)
  return (
    <>
      <IconLink to="/demo-leads/follow-ups" label="Follow-ups">
        <IconCalendarDue size={16} aria-hidden />
      </IconLink>
      {mayUndo && (
        <IconLink to="/demo-leads/operations" label="Operations and undo">
          <IconHistory size={16} aria-hidden />
        </IconLink>
      )}
      {mayRestore && (
        <IconLink to="/demo-leads/trash" label="Trash">
          <IconTrash size={16} aria-hidden />
        </IconLink>
      )}
    </>
  )
}

function ImportLink() {
  if (!useMay(leads.create, { body: { companyName: '', lead_for: 1 } })) return null
  return (
    <TextLink to="/demo-leads/import" icon={<IconFileImport size={14} aria-hidden />}>
      Import
    </TextLink>
  )
}
