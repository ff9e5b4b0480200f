import { useRef } from 'react'
import { Button } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { leads } from '#features/crm/leads/contract.ts'
import type { FollowUpRow } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs, snoozes, type FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { winDialog } from '#features/crm/leads/organization/web/winDialog.tsx'
import { leadParents, prefetchLead } from '#features/crm/leads/page/web/leadParents.ts'
import { queueLines } from '#features/crm/leads/page/web/queue/queueLines.tsx'
import {
  prepareQueue,
  QueueContext,
  queueList,
  tabOfQueue,
  type Whose,
} from '#features/crm/leads/page/web/queue/queueList.ts'
import {
  DoneToday,
  NoFollowUps,
  OwnerToggle,
  QueueTabs,
} from '#features/crm/leads/page/web/queue/QueueParts.tsx'
import { useWhyNext } from '#features/crm/leads/page/web/queue/useWhyNext.ts'
import { useComposerKeys } from '#features/crm/leads/page/web/useComposerKeys.ts'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { LeadOptionsProvider } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useMay } from '#web/api/useSend.ts'
import { useFollowWriting, useKeysBeforeComposer } from '#web/composer/nextComposer.ts'
import { useStaff } from '#web/filter/useOptions.ts'
import { beginTypeAhead } from '#web/keys/typeAhead.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { InboxPage } from '#web/list/inbox/InboxPage.tsx'
import { hasRoomForPane } from '#web/list/inbox/useInbox.ts'
import { usePositions } from '#web/list/ListTable.tsx'
import { EmptyState } from '#web/list/states.tsx'
import { useList } from '#web/list/useList.ts'
import { pendingSteps } from '#web/record/pendingSteps.ts'
import { storeForPage, useMyProducts } from '#web/session.ts'
import { lazyPart } from '#web/shell/lazy.tsx'
import { today, useToday } from '#web/time.ts'

export { prepareQueue }

const QueuePane = lazyPart(() => import('#features/crm/leads/page/web/queue/QueuePane.tsx'))

/**
 * Page with the follow-up queue (overdue, due today, and due next), with the open lead beside it; it can be worked
 * through by keyboard.
 */
export const FollowUpsPage = () => (
  <LeadOptionsProvider win={winDialog}>
    <Queue />
  </LeadOptionsProvider>
)

function useQueueList() {
  const list = useList(queueList, { query: { today: useToday() } })
  const snoozing = useSnooze()
  const { filterBy } = list
  const { assigned_filter } = list.filters
  const tab = tabOfQueue(list.filters)
  const openTab = (next: FollowUpTab) => {
    storeForPage('tab', next)
    void filterBy({ tab: next, open: undefined })
  }
  const look = (next: Whose['assigned_filter']) =>
    void filterBy({ assigned_filter: next, crm_id: undefined, tab, open: undefined })
  usePageKeys(
    list.may
      ? {
          ...Object.fromEntries(followUpTabs.map((one, index) => [String(index + 1), () => openTab(one)])),
          m: () => look(assigned_filter === 'mine' ? 'all' : 'mine'),
          [leadKeys.undo]: () => void snoozing.undoLast(),
        }
      : {},
  )
  return { list, snoozing, tab, openTab, look }
}

function Queue() {
  const { list, snoozing, tab, openTab, look } = useQueueList()
  const { filters, filterBy, reply } = list
  const { open, page } = filters
  const { acts, opensDate, openLead } = useRowActs(list, snoozing)
  const products = useMyProducts()
  const first = list.rows?.[0]
  const about = (row: FollowUpRow) => [
    filters.assigned_filter === 'all' ? row.assigned_name : null,
    filters.product_scope === 'all' ? (products.find(({ id }) => id === row.lead_for)?.name ?? null) : null,
  ]
  const next = (id: number) => {
    if (list.rows?.some(({ lead_id }) => lead_id !== id)) pendingSteps.add(id, 1)
    else void filterBy({ page, open: undefined }, { replace: true })
  }
  return (
    <QueueContext value={{ snoozing, opensDate, next }}>
      <InboxPage
        list={list}
        ownsUndoKey
        parents={leadParents}
        actions={<OwnerToggle whose={filters} only={useAssigneeName(filters)} onChoose={look} />}
        above={<QueueTabs tab={tab} counts={reply?.tabs} onChoose={openTab} />}
        empty={
          <NoFollowUps
            tab={tab}
            whose={filters.assigned_filter}
            counts={reply?.tabs}
            onChange={(change) => {
              storeForPage('tab', change.tab)
              void filterBy({ ...change, open: undefined })
            }}
          />
        }
        lines={(row) => queueLines(row, about(row))}
        acts={open === undefined ? acts : {}}
        Pane={QueuePane}
        prefetch={({ lead_id }) => prefetchLead(lead_id)}
        nothingOpen={<NextUp lead={first} onOpen={openLead} />}
        foot={reply && isOwn(filters) && <DoneToday {...reply} />}
      />
    </QueueContext>
  )
}

const isOwn = ({ assigned_filter, crm_id, search }: Whose & { search: string }) =>
  assigned_filter === 'mine' && crm_id === undefined && search === ''

type QueueList = ReturnType<typeof useQueueList>

/**
 * Returns what the keys of a lead do with the focused row while no lead is open: they snooze it, or open it where the
 * key is meant for.
 */
function useRowActs(list: QueueList['list'], { snooze, maySnooze }: QueueList['snoozing']) {
  const { open, page } = list.filters
  const navigate = useNavigate()
  const stateOf = usePositions(list)
  const { goOn } = useFollowWriting()
  const dateOf = useRef<number>(undefined)
  const mayOpen = useMay(leads.show, { query: { id: 1 } })
  const composer = useComposerKeys(open ?? 1)
  // The keys of the open lead wait for its composer.
  useKeysBeforeComposer(open === undefined || !mayOpen ? {} : composer)
  const openLead = (row: FollowUpRow) => {
    const to = leadAddress(row)
    if (hasRoomForPane()) void list.filterBy({ page, open: row.lead_id })
    else void navigate({ to, state: stateOf(to) })
  }
  const openAt = (row: FollowUpRow, tab: string) => {
    beginTypeAhead()
    goOn(tab)
    openLead(row)
  }
  const openDate = (row: FollowUpRow) => {
    dateOf.current = row.lead_id
    openLead(row)
  }
  const acts: Record<string, (row: FollowUpRow) => void> = {
    ...(mayOpen && {
      [leadKeys.date]: openDate,
      ...Object.fromEntries(
        Object.entries(composer).map(([key, tab]) => [key, (row: FollowUpRow) => openAt(row, tab)]),
      ),
    }),
    ...(maySnooze && {
      [leadKeys.tomorrow]: (row) => void snooze(row, snoozes.tomorrow(today())),
      [leadKeys.week]: (row) => void snooze(row, snoozes.week(today())),
    }),
  }
  const opensDate = (id: number) => {
    const isAsked = dateOf.current === id
    dateOf.current = undefined
    return isAsked
  }
  return { acts, opensDate, openLead }
}

/** Returns the name of the only assignee whose leads are shown, if a link chose one. */
function useAssigneeName({ assigned_filter, crm_id }: Whose): string | undefined {
  const people = useStaff()
  if (assigned_filter === 'unassigned') return 'unassigned'
  return crm_id === undefined ? undefined : (people.find(({ id }) => id === crm_id)?.name ?? `#${crm_id}`)
}

interface NextUpProps {
  lead: FollowUpRow | undefined
  onOpen: (lead: FollowUpRow) => void
}

/** Content of the pane while no lead is open: which one is next, and why. */
function NextUp({ lead, onOpen }: NextUpProps) {
  const why = useWhyNext(lead)
  if (!lead) return <EmptyState title="No lead open" />
  return (
    <EmptyState
      title={`Next: ${lead.companyName}`}
      action={
        <Button variant="default" onClick={() => onOpen(lead)}>
          Open lead
        </Button>
      }
    >
      {`${why}. The earliest date comes first, then the highest priority.`}
    </EmptyState>
  )
}
