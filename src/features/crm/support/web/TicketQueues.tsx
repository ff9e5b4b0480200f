import { useQuery } from '@tanstack/react-query'
import { desk } from '#features/crm/support/desk.contract.ts'
import type { Queue } from '#features/crm/support/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useChanged } from '#web/live.ts'
import { FilterTab, FilterTabs } from '#web/parts/Tabs.tsx'
import { countText } from '#web/time.ts'

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

interface Props {
  chosen: Queue | undefined
  onChoose: (queue: Queue | undefined) => void
}

/** The viewer's queues with their counts, which follow live. */
export function TicketQueues({ chosen, onChoose }: Props) {
  const { data } = useQuery(queryOptionsFor(desk.queues))
  useChanged('ticket', [desk.queues])
  return (
    <FilterTabs label="Queues">
      {Object.entries(names).map(([queue, name]) => (
        <FilterTab
          key={queue}
          isCurrent={chosen === queue}
          {...(data && { count: countText(data.data[queue as Queue]) })}
          onClick={() => onChoose(queue as Queue)}
        >
          {name}
        </FilterTab>
      ))}
      <FilterTab isCurrent={chosen === undefined} onClick={() => onChoose(undefined)}>
        All
      </FilterTab>
    </FilterTabs>
  )
}
