import { useState } from 'react'
import { contractsOfDay } from '#features/admin/customer-contracts/web/contractsOfDay.ts'
import { commentsOfDay } from '#features/cms/articles/comments/web/commentsOfDay.ts'
import { askPostNumbers } from '#features/cms/articles/posts/web/usePostNumbers.ts'
import { sessionsOfDay } from '#features/crm/leads/demos/web/sessionsOfDay.ts'
import { followUpsOfDay } from '#features/crm/leads/follow-ups/web/followUpsOfDay.tsx'
import { askLeadNumbers } from '#features/crm/leads/numbers/web/useLeadNumbers.ts'
import { askMyNumbers } from '#features/crm/leads/report/web/MyNumbersCard.tsx'
import { remindersOfDay } from '#features/crm/organizations/web/remindersOfDay.tsx'
import { askOrganizationNumbers } from '#features/crm/organizations/web/useOrganizationNumbers.ts'
import { quickTasksOfDay } from '#features/crm/quick-tasks/web/quickTasksOfDay.tsx'
import { ticketsOfDay } from '#features/crm/support/web/ticketsOfDay.ts'
import { askTicketNumbers } from '#features/crm/support/web/useTicketNumbers.ts'
import { dashboard, type Numbers } from '#features/panel/dashboard/contract.ts'
import { prepareArrangement } from '#features/panel/dashboard/web/useArrangement.ts'
import { mentionsOfDay } from '#features/panel/notices/web/mentionsOfDay.tsx'
import { tasksOfDay } from '#features/tasks/tasks/web/tasksOfDay.ts'
import { askTaskNumbers, askWorkload, disciplineFor } from '#features/tasks/tasks/web/useTaskNumbers.ts'
import type { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { requestTogether } from '#web/api/together.ts'
import { askedAt, useAskedNumbers, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import type { DaySource } from '#web/dashboard/daySource.ts'
import { myProducts, useViewer, viewer as findViewer, type Person } from '#web/session.ts'

/** What My day shows. */
export const sourcesOfDay: readonly DaySource[] = [
  followUpsOfDay,
  ticketsOfDay,
  mentionsOfDay,
  sessionsOfDay,
  quickTasksOfDay,
  ...tasksOfDay,
  commentsOfDay,
  remindersOfDay,
  contractsOfDay,
]
/**
 * Requests what the dashboard shows first in one request, so that nothing moves: the arrangement, the numbers of all
 * areas, and what waits for the viewer.
 */
export async function prepare(search: Record<string, unknown>): Promise<void> {
  const viewer = findViewer()
  if (!viewer) return
  const asked = askedAt(search)
  const asking = { viewer, today: asked.today, products: myProducts() }
  await Promise.all([
    prepareArrangement(asked.view ?? 'all'),
    prepareNumbers(viewer, asked),
    ...sourcesOfDay.map((source) => {
      const query = source.queryFor(asking)
      return query && prefetch(query)
    }),
  ])
}

/**
 * Requests the numbers again for another period, product, or day, and on a return to the page, which is shown before its
 * data is prepared. Called before the cards are rendered, because each would request its own.
 */
export function usePreparedNumbers(): void {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const wanted = JSON.stringify(asked)
  const [prepared, setPrepared] = useState('')
  if (!viewer || prepared === wanted) return
  setPrepared(wanted)
  void prepareNumbers(viewer, asked)
}

/** A query of any card. */
type AskedPart = Pick<ReturnType<typeof queryOptionsFor>, 'queryKey' | 'enabled'> & {
  queryFn: (context: { signal: AbortSignal }) => Promise<unknown>
}

/** The queries of the cards get their numbers from one call; later, each refetches its own. */
async function prepareNumbers(viewer: Person, asked: AskedNumbers): Promise<void> {
  const { product: product_id, today, period } = asked
  const discipline = disciplineFor(viewer, product_id)
  const queries: Record<keyof Numbers, AskedPart | undefined> = {
    leads: askLeadNumbers(asked),
    tickets: askTicketNumbers(asked),
    organizations: askOrganizationNumbers(asked),
    development: discipline === 'development' ? askTaskNumbers(discipline, asked) : undefined,
    designer: discipline === 'designer' ? askTaskNumbers(discipline, asked) : undefined,
    workload: askWorkload(asked),
    posts: askPostNumbers(asked),
  }
  let all: Promise<Partial<Numbers>> | undefined
  const find = async (name: keyof Numbers) => {
    // If this fails, each card requests its own numbers.
    all ??= requestTogether(dashboard.numbers, { query: { product_id, today, period } }).catch(() => ({}))
    return (await all)[name]
  }
  await Promise.all([
    prefetch(askMyNumbers(asked)),
    ...Object.entries(queries).map(async ([name, query]) => {
      if (!query) return
      const { queryFn } = query
      await prefetch({
        ...query,
        queryFn: async (context) => (await find(name as keyof Numbers)) ?? queryFn(context),
      })
    }),
  ])
}
