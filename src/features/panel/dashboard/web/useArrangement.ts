import { useQuery } from '@tanstack/react-query'
import { dashboard, type Arrangement } from '#features/panel/dashboard/contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { patchCachedReplies, useSend } from '#web/api/useSend.ts'
import { toast } from '#web/message/toast.ts'

const asDefault: Arrangement = { hidden: [], order: [] }

/** Requests the arrangement before the dashboard is shown, so that nothing moves. */
export const prepareArrangement = () => prefetch(queryOptionsFor(dashboard.arrangement))

/** Returns how the viewer arranged the cards; as by default while it can't be loaded. */
export function useArrangement(): Arrangement {
  return useQuery(queryOptionsFor(dashboard.arrangement)).data?.data ?? asDefault
}

/** Returns a function that saves an arrangement, which the viewer sees immediately. */
export function useArrange() {
  const { send } = useSend(dashboard.arrange, {
    refresh: [dashboard.arrangement],
    optimisticUpdate: ({ body }, queries) =>
      patchCachedReplies(queries, dashboard.arrangement, () => ({ data: body })),
  })
  return (arrangement: Arrangement) => send({ body: arrangement })
}

/** Returns a function that restores the default arrangement, which can be undone. */
export function useReset(): () => Promise<void> {
  const current = useArrangement()
  const arrange = useArrange()
  return async () => {
    if (await arrange(asDefault))
      toast.success('Dashboard reset.', { undo: { label: 'Undo', onUndo: () => void arrange(current) } })
  }
}
