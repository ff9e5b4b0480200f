import { periodText } from '#shared/trend.ts'
import { postsCounted } from '#features/cms/articles/posts/numbers.contract.ts'
import { postList, usePostNumbers } from '#features/cms/articles/posts/web/usePostNumbers.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { changeOf, TileOf } from '#web/tile/Tile.tsx'

const addressOf = (filters: object) => `${postList}?${toQueryString({ ...filters })}`

/** Posts published during the period. */
export function PostsPublishedTile() {
  const { may, query, period } = usePostNumbers()
  if (!may) return null
  return (
    <TileOf name="Posts published" query={query}>
      {({ published: { total, before, parts } }) => ({
        value: total,
        detail: periodText(period.id),
        change: changeOf(total, before, 'before', 'more'),
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
      {({ unpublished }) => ({
        value: unpublished,
        detail: 'as of today',
        to: addressOf(postsCounted.unpublished),
      })}
    </TileOf>
  )
}
