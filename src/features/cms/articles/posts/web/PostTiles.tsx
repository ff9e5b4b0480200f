import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { hidesProduct } from '#shared/products.ts'
import { beforeText, periodText } from '#shared/trend.ts'
import { postNumbers, postsCounted } from '#features/cms/articles/posts/numbers.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { useMay } from '#web/api/useSend.ts'
import { usePeriod } from '#web/dashboard/dashboardAddress.ts'
import { useChanged } from '#web/live.ts'
import { useProduct, useViewer } from '#web/session.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'

const page = '/posts'
const addressOf = (filters: object) => `${page}?${toQueryString({ ...filters })}`

/** Fetches the post statistics of the chosen product, for viewers who can open the list of its posts. */
function usePostNumbers() {
  const viewer = useViewer()
  const product = useProduct()
  const period = usePeriod()
  const asked = { query: { product_id: product, today: period.to, period: period.id } }
  const hasList = product !== undefined && !hidesProduct(page, product)
  const may =
    useMay(postNumbers.show, asked) && hasList && viewer !== undefined && mayOpen(viewer.role_id, page)
  const query = useQuery({ ...queryOptionsFor(postNumbers.show, asked), enabled: may })
  useChanged('post', may ? [postNumbers.show] : [])
  return { may, query, period }
}

/** Posts published during the period. */
export function PostsPublishedTile() {
  const { may, query, period } = usePostNumbers()
  if (!may) return null
  return (
    <TileOf name="Posts published" query={query}>
      {({ published: { total, before, parts } }) => ({
        value: total,
        detail: periodText(period.id),
        change: changeOf(total, before, beforeText(period), 'more'),
        series: parts,
        to: addressOf(postsCounted.published(period)),
      })}
    </TileOf>
  )
}

/** Posts that are not published. */
export function UnpublishedPostsTile() {
  const { may, query } = usePostNumbers()
  if (!may) return null
  return (
    <TileOf name="Unpublished posts" query={query}>
      {({ unpublished }) => ({ value: unpublished, to: addressOf(postsCounted.unpublished) })}
    </TileOf>
  )
}
