import { useQuery, useQueryClient } from '@tanstack/react-query'
import { dashboard, type Arrangement, type DashboardName } from '#features/panel/dashboard/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { prefetch } from '#web/api/queries.ts'
import { useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

const asDefault: Arrangement = { hidden: [], order: [] }

const askArrangement = (name: DashboardName) =>
  queryTogether(dashboard.arrangement, { query: { dashboard: name } })

/** Requests the arrangement before the dashboard is shown, so that nothing moves. */
export const prepareArrangement = (name: DashboardName) => prefetch(askArrangement(name))

/** Returns how the viewer arranged the cards of a dashboard; as by default while it can't be loaded. */
export function useArrangement(name: DashboardName): Arrangement {
  return useQuery(askArrangement(name)).data?.data ?? asDefault
}

/** The last save of each dashboard: of two arrangements, the server must get the newer one last. */
const saving = new Map<DashboardName, Promise<unknown>>()

/** Returns a function that saves an arrangement, which the viewer sees immediately. */
export function useArrange(name: DashboardName) {
  const queries = useQueryClient()
  const { queryKey } = askArrangement(name)
  const show = (data: Arrangement) => {
    void queries.cancelQueries({ queryKey })
    queries.setQueryData(queryKey, { data })
  }
  const { send } = useSend(dashboard.arrange, {
    optimisticUpdate: ({ body: { dashboard: _name, ...arrangement } }) => {
      const before = queries.getQueryData(queryKey)
      show(arrangement)
      return () => void queries.setQueryData(queryKey, before)
    },
  })
  return (arrangement: Arrangement) => {
    show(arrangement)
    const sent = (saving.get(name) ?? Promise.resolve()).then(() =>
      send({ body: { dashboard: name, ...arrangement } }),
    )
    saving.set(name, sent)
    return sent
  }
}

/** Returns a function that restores the default arrangement, which can be undone. */
export function useReset(name: DashboardName): () => Promise<void> {
  const current = useArrangement(name)
  const arrange = useArrange(name)
  return async () => {
    if (await arrange(asDefault))
      toast.success('Dashboard reset.', { undo: { label: 'Undo', onUndo: () => void arrange(current) } })
  }
}
