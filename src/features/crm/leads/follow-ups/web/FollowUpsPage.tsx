import { useEffect } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { leads, type LeadRow } from '#features/crm/leads/contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs, snoozes, type FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import {
  followUpColumns,
  FollowUpCard,
  QueueActs,
} from '#features/crm/leads/follow-ups/web/followUpColumns.tsx'
import {
  FollowUpTabs,
  NoFollowUps,
  QueueKeys,
  OwnerToggle,
} from '#features/crm/leads/follow-ups/web/FollowUpTabs.tsx'
import { openFollowup } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { LeadOptionsProvider } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { QueueView, type Whose } from '#features/crm/leads/follow-ups/web/queueView.ts'
import { positionsInQueue, walkedQueue } from '#features/crm/leads/follow-ups/web/walkedQueue.ts'
import { useRowForms } from '#features/crm/leads/follow-ups/web/useRowForms.tsx'
import { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { useLeadsChanged } from '#features/crm/leads/record/web/useLeadsChanged.ts'
import { winDialog } from '#features/crm/leads/organization/web/winDialog.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { ColumnPicker } from '#web/list/table/ColumnPicker.tsx'
import { useTableColumns } from '#web/list/columns.ts'
import { DataTable } from '#web/list/table/DataTable.tsx'
import { ListPositionContext, offerList } from '#web/list/position/listPosition.ts'
import { useResumeAt } from '#web/list/position/useResumeAt.ts'
import { fromAddress } from '#web/list/address/fromAddress.ts'
import { Pager } from '#web/list/Pager.tsx'
import { ErrorState } from '#web/list/states.tsx'
import { useAddress } from '#web/list/address/useAddress.ts'
import type { RowActs } from '#web/keys/useRowKeys.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { product, storedByPage, storeForPage } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { today, useToday } from '#web/time.ts'

const parents = [['/demo-leads', 'Leads']] as const

/**
 * Page with the follow-up queue (overdue, due today, and due next), which can be worked through by keyboard.
 */
export function FollowUpsPage() {
  const scope = useScope()
  const navigate = useNavigate()
  const columns = useTableColumns('follow-ups', followUpColumns)
  const { snooze, undoLast, maySnooze } = useSnooze()
  const { tab, whose, only, page, change, open, look } = useTabs(undoLast)
  const query = useQuery({
    ...queryOptionsFor(followUps.listByTab, {
      query: { tab, ...whose, page, lead_for: scope, today: useToday() },
    }),
    placeholderData: keepPreviousData,
  })
  const resumeAt = useResumeAt(query.data?.data.leads, ({ lead_id }) => lead_id, leadAddress)
  useLeadsChanged([followUps.listByTab])
  const mayOpenLead = useMay(leads.show, { query: { id: 1 } })
  const { write, form } = useRowForms(mayOpenLead)
  const mayList = useMay(followUps.listByTab, { query: {} })

  const queue = { tab, ...whose }
  useEffect(() => offerList(walkedQueue(queue, scope)))
  const opened = positionsInQueue(queue, scope, page, query.data)
  // Without permission, fetch and show nothing (A §5).
  if (!mayList) return <NoAccessPage />
  return (
    <LeadOptionsProvider win={winDialog}>
      <PageHeader parents={parents}>
        <ColumnPicker columns={columns} />
        <OwnerToggle whose={whose} only={only} onChoose={look} />
      </PageHeader>
      <FollowUpTabs tab={tab} counts={query.data?.tabs} onChoose={open} />
      {query.error && !query.data ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <QueueActs call={write.call} snooze={maySnooze ? snooze : undefined}>
          <ListPositionContext value={opened}>
            <DataTable<LeadRow>
              label="Follow-ups"
              columns={columns}
              rows={query.data?.data.leads}
              rowKey={(lead) => lead.lead_id}
              rowName={(lead) => lead.companyName}
              rowActs={actsOf(write, maySnooze ? snooze : undefined)}
              {...(mayOpenLead
                ? {
                    onOpen: (lead: LeadRow) =>
                      void navigate({ to: leadAddress(lead), state: opened(leadAddress(lead)) }),
                  }
                : {})}
              card={card}
              stale={query.isPlaceholderData}
              resumeAt={resumeAt}
              empty={
                <NoFollowUps
                  tab={tab}
                  whose={whose.assigned_filter}
                  pastTheEnd={(query.data?.total ?? 0) > 0}
                  onChange={change}
                />
              }
            />
          </ListPositionContext>
        </QueueActs>
      )}
      {form}
      <QueueKeys write={write} maySnooze={maySnooze} />
      <Pager
        total={query.data?.total}
        perPage={query.data?.per_page}
        page={page}
        onPage={(next) => change({ page: next })}
      />
    </LeadOptionsProvider>
  )
}

/** Returns which part of the queue is shown, and the functions that change it, also by keyboard. */
function useTabs(undoLast: () => unknown) {
  const [view, change] = useAddress(QueueView)
  const { assigned_filter, crm_id, page } = view
  const only = useAssigneeName(view)
  const tab = view.tab ?? storedTab()

  function open(next: FollowUpTab): void {
    storeForPage('tab', next)
    void change({ tab: next })
  }
  const look = (next: typeof assigned_filter) => change({ assigned_filter: next, crm_id: undefined, tab })
  usePageKeys({
    ...Object.fromEntries(followUpTabs.map((one, index) => [String(index + 1), () => open(one)])),
    m: () => void look(assigned_filter === 'mine' ? 'all' : 'mine'),
    [leadKeys.undo]: () => void undoLast(),
  })
  return { tab, whose: { assigned_filter, crm_id }, only, page, change, open, look }
}

/** Returns the name of the only assignee whose leads are shown, if a link chose one. */
function useAssigneeName({ assigned_filter, crm_id }: Whose): string | undefined {
  const people = useStaff()
  if (assigned_filter === 'unassigned') return 'unassigned'
  return crm_id === undefined ? undefined : (people.find(({ id }) => id === crm_id)?.name ?? `#${crm_id}`)
}

/** Returns what the keys of a lead do with the focused row. */
function actsOf(
  write: ReturnType<typeof useRowForms>['write'],
  snooze: ReturnType<typeof useSnooze>['snooze'] | undefined,
): RowActs<LeadRow> {
  const forms = Object.entries(write) as [keyof typeof write, (lead: LeadRow) => void][]
  return {
    ...Object.fromEntries(forms.map(([kind, open]) => [leadKeys[kind], open])),
    [leadKeys.date]: () => openFollowup(document.activeElement?.closest('[data-row]')),
    ...(snooze && {
      [leadKeys.tomorrow]: (lead: LeadRow) => void snooze(lead, snoozes.tomorrow(today())),
      [leadKeys.week]: (lead: LeadRow) => void snooze(lead, snoozes.week(today())),
    }),
  }
}

const card = (lead: LeadRow) => <FollowUpCard lead={lead} />

/** Prefetches the queue for its page, and for the pages of its leads after a reload. */
export function prepareQueue(search: Record<string, unknown>): Promise<unknown> {
  const { tab = storedTab(), assigned_filter, crm_id, page } = fromAddress(QueueView, search)
  const queue = walkedQueue({ tab, assigned_filter, crm_id }, product())
  offerList(queue)
  return prefetch(queue.askPage(page))
}

const storedTab = (): FollowUpTab => followUpTabs.find((tab) => tab === storedByPage('tab')) ?? 'overdue'
