import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { hidesProduct } from '#shared/products.ts'
import { postNumbers } from '#features/cms/articles/posts/numbers.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAskedNumbers, usePeriod, type AskedNumbers } from '#web/dashboard/dashboardAddress.ts'
import { useViewer } from '#web/session.ts'

export const postList = '/posts'

export const askPostNumbers = ({ product, today, period }: AskedNumbers) =>
  queryOptionsFor(postNumbers.show, { query: { product_id: product, today, period } })

/** Fetches the post statistics of the chosen product, for viewers who can open the list of its posts. */
export function usePostNumbers() {
  const viewer = useViewer()
  const asked = useAskedNumbers()
  const { product } = asked
  const hasList = product !== undefined && !hidesProduct(postList, product)
  const may =
    useMay(postNumbers.show, { query: { product_id: product } }) &&
    hasList &&
    viewer !== undefined &&
    mayOpen(viewer.role_id, postList)
  const query = useQuery({ ...askPostNumbers(asked), enabled: may })
  return { may, query, period: usePeriod() }
}
