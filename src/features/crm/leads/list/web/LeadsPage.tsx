import { Suspense } from 'react'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { leads, type LeadFilters } from '#features/crm/leads/contract.ts'
import {
  askOptions,
  LeadOptionsProvider,
  useLeadOptions,
} from '#features/crm/leads/record/web/LeadOptions.tsx'
import { hiddenFollowUpsQuery, HiddenFollowUps } from '#features/crm/leads/follow-ups/web/HiddenFollowUps.tsx'
import { LeadActs, useMayChangeLeads } from '#features/crm/leads/list/web/LeadActs.tsx'
import { useLeadColumns } from '#features/crm/leads/list/web/customColumns.tsx'
import { leadRowActs } from '#features/crm/leads/list/web/leadColumns.tsx'
import { leadLayouts, leadList, withoutPage } from '#features/crm/leads/list/web/leadList.tsx'
import { listFilters } from '#features/crm/leads/list/web/listFilters.ts'
import { LeadSummary } from '#features/crm/leads/list/web/LeadSummary.tsx'
import { ImportLink, NewLead } from '#features/crm/leads/list/web/NewLead.tsx'
import { periodId } from '#features/crm/leads/list/web/period.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { useWideList } from '#features/crm/leads/list/web/moreColumns.tsx'
import { PresenceMarks } from '#features/crm/leads/list/web/PresenceMarks.tsx'
import { winDialog } from '#features/crm/leads/organization/web/winDialog.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { chipsOf, clearedBy } from '#web/filter/FilterChips.tsx'
import { Filters } from '#web/list/Filters.tsx'
import { ListHead } from '#web/list/ListHead.tsx'
import { ListTable } from '#web/list/ListTable.tsx'
import { Selected } from '#web/list/Selected.tsx'
import { EmptyState, NoMatches } from '#web/list/states.tsx'
import { filtersOf } from '#web/list/address/storedFilters.ts'
import { prepareList, useList } from '#web/list/useList.ts'
import { LinkButton } from '#web/parts/LinkButton.tsx'
import { product } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText, today, useToday } from '#web/time.ts'
import { VisuallyHidden } from '#web/parts/VisuallyHidden.tsx'

const loadBoard = () => import('#features/crm/leads/list/web/LeadBoardPage.tsx')
const LeadBoardPage = lazyPart(loadBoard, 'LeadBoardPage')

export async function prepareLeads(search: Record<string, unknown>): Promise<unknown> {
  const day = today()
  if (search['layout'] === 'board')
    return Promise.all([(await loadBoard()).prepareLeadBoard(search), prefetch(askOptions())])
  const filters = filtersOf(leadList, search)
  const lead_for = filters.product_scope === 'all' ? filters.lead_for : product()
  return Promise.all([
    prepareList(leadList, search, { query: { today: day } }),
    prefetch(askOptions()),
    prefetch(hiddenFollowUpsQuery({ ...withoutPage(filters), lead_for, today: day })),
  ])
}

/** Page with the leads: a list, or a board of their statuses. */
export function LeadsPage() {
  const { layout } = useSearch({ strict: false }) as { layout?: string }
  return (
    <LeadOptionsProvider win={winDialog}>
      {layout === 'board' ? (
        <Suspense>
          <LeadBoardPage />
        </Suspense>
      ) : (
        <LeadList />
      )}
    </LeadOptionsProvider>
  )
}

function LeadList() {
  const day = useToday()
  const options = useLeadOptions()
  const definition = useLeadColumns(leadList)
  const list = useList(definition, { query: { today: day } })
  const filters = listFilters(options, day, list, 'list')
  const more = useMoreOfLeads()
  const mayCreate = useMay(leads.create, { body: { companyName: '', lead_for: 1 } })
  const mayChange = useMayChangeLeads()
  const asked = { ...withoutPage(list.filters), lead_for: list.scope ?? list.filters.lead_for, today: day }
  const { rows = [], reply } = list
  const { list: wide, failed } = useWideList(list)
  return (
    <>
      <ListHead
        list={list}
        layouts={{
          layouts: leadLayouts,
          chosen: 'list',
          onChoose: (layout) => void list.filterBy({ layout }),
        }}
      >
        {mayCreate && <ImportLink />}
        {mayCreate && <NewLead />}
      </ListHead>
      <Filters list={list} filters={filters} more={more}>
        <Selected list={list} canSelectAll={mayChange}>
          <LeadActs list={list} filters={asked} mayChange={mayChange} />
        </Selected>
      </Filters>
      {list.may && (
        <>
          <VisuallyHidden as="p" aria-live="polite">
            {reply ? `${reply.data.displayRows} leads` : ' '}
          </VisuallyHidden>
          <HiddenFollowUps filters={asked} onChange={(change) => void list.filterBy(change)} />
        </>
      )}
      <PresenceMarks ids={rows.map(({ lead_id }) => lead_id)}>
        <ListTable
          list={wide}
          filters={filters}
          rowActions={leadRowActs}
          // Its request starts once the leads are there.
          summary={
            <>
              {failed}
              {list.total ? <LeadSummary list={list} /> : null}
            </>
          }
          empty={<NoLeads filters={list.filters} asked={asked} all={filters} onChange={list.filterBy} />}
        />
      </PresenceMarks>
    </>
  )
}

/** Returns the menu's links to the list's related pages. */
function useMoreOfLeads() {
  const navigate = useNavigate()
  const mayUndo = useMay(leadOperations.list)
  const link = (label: string, to: string) => ({ label, onClick: () => void navigate({ to }) })
  return [
    link('Follow-ups', '/demo-leads/follow-ups'),
    link('Duplicate leads', '/demo-leads/duplicates'),
    ...(mayUndo ? [link('Undo history', '/demo-leads/operations')] : []),
  ]
}

interface NoLeadsProps {
  filters: LeadFilters
  asked: LeadFilters
  all: ReturnType<typeof listFilters>
  onChange: (change: Partial<LeadFilters>) => unknown
}

/** Empty state that explains why the list is empty and what to do about it. */
function NoLeads({ filters, asked, all, onChange }: NoLeadsProps) {
  const now = useToday()
  const mayCreate = useMay(leads.create, { body: { companyName: '', lead_for: 1 } })
  const active = chipsOf(all, filters, onChange)
  if (active.some(({ id }) => id !== 'fromDate') || periodId(filters, now, 'list') !== 'month') {
    return (
      <NoMatches filters={active.map(({ text }) => text)} onClear={() => onChange(clearedBy(all, filters))}>
        <OutsidePeriod asked={asked} onChange={onChange} />
      </NoMatches>
    )
  }
  return (
    <EmptyState
      title="No leads this month"
      action={
        <>
          {mayCreate && <NewLead />}
          {mayCreate && <ImportLink />}
          <Button variant="default" onClick={() => onChange({ fromDate: 'all', toDate: 'all' })}>
            Show all time
          </Button>
        </>
      }
    >
      Create a lead, import a file, or look at earlier months.
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
  if (!isNarrowed || !data?.total) return null
  return (
    <>
      {data.total === 1 ? '1 lead matches' : `${countText(data.total)} leads match`} outside this period.{' '}
      <LinkButton onClick={() => onChange(ever)}>Show {data.total === 1 ? 'it' : 'them'}</LinkButton>
    </>
  )
}
