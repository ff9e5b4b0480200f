import { Suspense, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery } from '@tanstack/react-query'
import type { TicketRow } from '#features/crm/support/contract.ts'
import { desk } from '#features/crm/support/desk.contract.ts'
import { mostCounted, type Queue } from '#features/crm/support/rules.ts'
import type { PageFilters } from '#features/crm/support/web/ticketFilters.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { chipsOf, clearedBy } from '#web/filter/FilterChips.tsx'
import type { Filter } from '#web/filter/filters.tsx'
import { isViewOpen, useOpenView } from '#web/filter/openView.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import type { List } from '#web/list/useList.ts'
import { FilterTab, FilterTabs, LinkTab, TabAction } from '#web/parts/Tabs.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { countText, totalText } from '#web/time.ts'

const SaveView = lazyPart(() => import('#web/filter/SavedViews.tsx'), 'SaveView')

/** Names of the queues, in the order of their tabs. */
const names: Record<Queue, string> = {
  unread: 'Unread',
  mine: 'Mine',
  unassigned: 'Unassigned',
  unanswered: 'Never answered',
  waiting: 'Waiting on customer',
  due: 'Due',
  spam: 'Spam',
}

const countedText = (count: number) => totalText(count, count > mostCounted)

interface Props {
  list: List<TicketRow, typeof PageFilters>
  filters: readonly Filter<PageFilters>[]
}

/** The viewer's queues and saved views with their counts, which follow live. */
export function TicketQueues({ list, filters }: Props) {
  const { data } = useQuery(queryOptionsFor(desk.queues))
  const openView = useOpenView(list)
  const shown = data?.views.find((view) => isViewOpen(list, view))
  const choose = (queue: Queue | undefined) =>
    void list.filterBy({
      // The filters of a saved view are part of it; others narrow each queue.
      ...(shown && clearedBy(filters, list.filters)),
      saved_view: undefined,
      queue,
      page: 1,
      open: undefined,
    })
  const tabs = [
    ...Object.entries(names).map(([queue, name]) => ({
      id: queue,
      name,
      count: data && countedText(data.data[queue as Queue]),
      isCurrent: !shown && list.filters.queue === queue,
      open: () => choose(queue as Queue),
    })),
    {
      id: 'all',
      name: 'All',
      count: undefined,
      isCurrent: !shown && list.filters.queue === undefined,
      open: () => choose(undefined),
    },
    ...(data?.views ?? []).map((view) => ({
      id: `view-${view.id}`,
      name: view.name,
      count: view.count === null ? undefined : countedText(view.count),
      isCurrent: view === shown,
      open: () => openView(view),
    })),
  ]
  usePageKeys(Object.fromEntries(tabs.slice(0, 9).map(({ open }, at) => [`${at + 1}`, open])))
  return (
    <FilterTabs label="Queues">
      {tabs.map(({ id, name, count, isCurrent, open }) => (
        <FilterTab key={id} isCurrent={isCurrent} {...(count !== undefined && { count })} onClick={open}>
          {name}
        </FilterTab>
      ))}
      {data?.unsorted ? (
        <LinkTab to="/support/unsorted" count={countText(data.unsorted)}>
          Unsorted emails
        </LinkTab>
      ) : null}
      {data && !shown && <SaveAsQueue list={list} filters={filters} />}
    </FilterTabs>
  )
}

/** Button that saves the filters as a view, which is a queue then; shown while there are any. */
function SaveAsQueue({ list, filters }: Props) {
  const [isOpen, setOpen] = useState(false)
  const isNarrowed = chipsOf(filters, list.filters, () => {}).length > 0
  return (
    <>
      {isNarrowed && (
        <TabAction icon={<IconPlus size={14} aria-hidden />} onClick={() => setOpen(true)}>
          Save as queue
        </TabAction>
      )}
      {isOpen && (
        <Suspense>
          <SaveView list={list} title="Save as queue" onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
