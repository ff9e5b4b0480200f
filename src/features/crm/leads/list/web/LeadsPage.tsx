import type { PlainDate } from '#shared/dates.ts'
import { Suspense, useState } from 'react'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconFileImport from '@tabler/icons-react/dist/esm/icons/IconFileImport.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { LeadFilters, leads, type LeadRow } from '#features/crm/leads/contract.ts'
import {
  ListPositionContext,
  positionsInPage,
  useLastSeen,
} from '#features/crm/leads/record/web/listPosition.ts'
import { leadColumns, leadRowActs } from '#features/crm/leads/list/web/leadColumns.tsx'
import { LeadCard } from '#features/crm/leads/list/web/LeadCard.tsx'
import { hiddenFollowUpsQuery, HiddenFollowUps } from '#features/crm/leads/follow-ups/web/HiddenFollowUps.tsx'
import { PresenceMarks } from '#features/crm/leads/record/web/LeadPresence.tsx'
import { LeadFilterBar } from '#features/crm/leads/list/web/LeadFilterBar.tsx'
import { leadAddress } from '#features/crm/leads/cells/web/LeadLink.tsx'
import {
  askOptions,
  LeadOptionsProvider,
  useLeadOptions,
} from '#features/crm/leads/cells/web/LeadOptions.tsx'
import { SelectedLeads } from '#features/crm/leads/list/web/SelectedLeads.tsx'
import { periodId } from '#features/crm/leads/list/web/period.ts'
import { leadFilters } from '#features/crm/leads/list/web/leadFilters.tsx'
import { filtersOf, useLeadFilters, type Change } from '#features/crm/leads/list/web/useLeadFilters.ts'
import { useLeadsChanged } from '#features/crm/leads/cells/web/useLeadsChanged.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { ColumnPicker } from '#web/list/ColumnPicker.tsx'
import { chipsOf, clearedBy } from '#web/filter/FilterBar.tsx'
import { useTableColumns } from '#web/list/columns.ts'
import { DataTable } from '#web/list/DataTable.tsx'
import type { Sort } from '#web/list/HeaderCell.tsx'
import { toAddress } from '#web/list/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { useSelection } from '#web/list/selection.tsx'
import { ViewsMenu } from '#web/filter/ViewsMenu.tsx'
import { EmptyState, ErrorState, PastTheEnd } from '#web/list/states.tsx'
import { product } from '#web/session.ts'
import { TextButton, TextLink } from '#web/parts/controls.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import links from '#web/parts/link.module.css'
import { useScope } from '#web/shell/useScope.ts'
import classes from '#features/crm/leads/list/web/leads.module.css'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText, today, useToday } from '#web/time.ts'

const LeadForm = lazyPart(() => import('#features/crm/leads/record/web/LeadForm.tsx'))
const LeadsMenu = lazyPart(() => import('#features/crm/leads/list/web/LeadsMenu.tsx'))

const leadsAsked = (filters: LeadFilters, lead_for: number | undefined, day: PlainDate) => ({
  ...filters,
  lead_for,
  today: day,
})

export function prepareLeads(search: Record<string, unknown>): Promise<unknown> {
  const asked = leadsAsked(filtersOf(search), product(), today())
  return Promise.all([
    prefetch(queryOptionsFor(leads.list, { query: asked })),
    prefetch(askOptions()),
    prefetch(hiddenFollowUpsQuery(asked)),
  ])
}

export function LeadsPage() {
  const [filters, filterBy] = useLeadFilters()
  const scope = useScope()
  const navigate = useNavigate()
  const resumeAt = useLastSeen()
  const columns = useTableColumns('leads', leadColumns)
  const asked = leadsAsked(filters, scope, useToday())
  const query = useQuery({
    ...queryOptionsFor(leads.list, { query: asked }),
    placeholderData: keepPreviousData,
  })
  useLeadsChanged([leads.list])
  const mayList = useMay(leads.list, { query: {} })
  const mayOpenLead = useMay(leads.show, { query: { id: 1 } })
  const page = query.data
  const selection = useSelection(scope, JSON.stringify([{ ...asked, page: 1 }, page?.total]))
  const opened = positionsInPage(
    { list: '/demo-leads', search: toAddress(LeadFilters, { ...filters, page: 1 }), lead_for: scope },
    page?.data.leads ?? [],
    filters.page,
  )
  // Without permission, fetch and show nothing (A §5).
  if (!mayList) return <PageHeader />

  return (
    <LeadOptionsProvider>
      <PageHeader>
        <ViewsMenu list={{ definition: { name: 'leads', filters: LeadFilters }, filters, columns }} />
        <ColumnPicker columns={columns} />
        <MoreOfLeads filters={asked} />
        <ImportLink />
        <NewLead />
      </PageHeader>
      <div className={classes.filterFrame} data-selected={selection.ids.length > 0 || undefined}>
        <LeadFilterBar filters={filters} onChange={filterBy} />
        <SelectedLeads
          selection={selection}
          leads={page?.data.leads ?? []}
          filters={asked}
          total={page?.total}
        />
      </div>
      <div className={classes.counts}>
        <p className={classes.count} aria-live="polite">
          {page ? `${page.data.displayRows} leads` : ' '}
        </p>
        <HiddenFollowUps filters={asked} onChange={filterBy} />
      </div>
      {query.error && !page ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <ListPositionContext value={opened}>
          <PresenceMarks ids={page?.data.leads.map(({ lead_id }) => lead_id) ?? []}>
            <DataTable<LeadRow>
              label="Leads"
              columns={columns}
              rows={page?.data.leads}
              rowKey={(lead) => lead.lead_id}
              rowName={(lead) => lead.companyName}
              sort={{ column: filters.column, direction: filters.direction }}
              onSort={({ column, direction }: Sort) => filterBy({ column, direction } as Change)}
              {...(mayOpenLead
                ? {
                    onOpen: (lead: LeadRow) =>
                      void navigate({ to: leadAddress(lead), state: opened(lead.lead_id) }),
                  }
                : {})}
              card={leadCard}
              rowActions={leadRowActs}
              selection={selection}
              stale={query.isPlaceholderData}
              resumeAt={resumeAt}
              empty={
                <NoLeads
                  filters={filters}
                  asked={asked}
                  pastTheEnd={(page?.total ?? 0) > 0}
                  onChange={filterBy}
                />
              }
            />
          </PresenceMarks>
        </ListPositionContext>
      )}
      <Pager
        total={page?.total}
        perPage={page?.per_page}
        page={filters.page}
        onPage={(next) => filterBy({ page: next })}
      />
    </LeadOptionsProvider>
  )
}

const leadCard = (lead: LeadRow) => <LeadCard lead={lead} />

interface NoLeadsProps {
  filters: LeadFilters
  asked: ReturnType<typeof leadsAsked>
  pastTheEnd: boolean
  onChange: (change: Change) => void
}

/** Empty state that explains why the list is empty and what to do about it. */
function NoLeads({ filters, asked, pastTheEnd, onChange }: NoLeadsProps) {
  const now = useToday()
  const all = leadFilters(useLeadOptions(), now)
  if (pastTheEnd) return <PastTheEnd onFirstPage={() => onChange({ page: 1 })} />
  if (
    chipsOf(all, filters, onChange).some(({ id }) => id !== 'fromDate') ||
    periodId(filters, now) !== 'month'
  ) {
    return (
      <EmptyState
        title="No leads match these filters"
        action={
          <Button variant="default" onClick={() => onChange(clearedBy(all, filters))}>
            Clear filters
          </Button>
        }
      >
        <OutsidePeriod asked={asked} onChange={onChange} />
      </EmptyState>
    )
  }
  return (
    <EmptyState
      title="No leads this month"
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
      Create a lead, import a CSV file, or look at earlier months.
    </EmptyState>
  )
}

/** Number of matching leads outside the period, with a link to them. */
function OutsidePeriod({ asked, onChange }: Pick<NoLeadsProps, 'asked' | 'onChange'>) {
  const ever = { fromDate: 'all', toDate: 'all' }
  const isNarrowed = asked.fromDate !== 'all' || asked.toDate !== 'all'
  const { data } = useQuery({
    ...queryOptionsFor(leads.list, { query: { ...asked, ...ever, page: 1 } }),
    enabled: isNarrowed,
  })
  if (!isNarrowed || !data?.total) return 'Try removing a filter.'
  return (
    <>
      {data.total === 1 ? '1 lead matches' : `${countText(data.total)} leads match`} outside this period.{' '}
      <button type="button" className={links.link} onClick={() => onChange(ever)}>
        Show {data.total === 1 ? 'it' : 'them'}
      </button>
    </>
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

/** Button with a menu for the list's related pages and its export; the menu is loaded on the first click. */
function MoreOfLeads({ filters }: { filters: LeadFilters }) {
  const { props, wanted, at } = useMenuButton()
  return (
    <>
      <TextButton icon={<IconDots size={14} aria-hidden />} {...props}>
        More
      </TextButton>
      {wanted && (
        <Suspense>
          <LeadsMenu filters={filters} at={at} />
        </Suspense>
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
