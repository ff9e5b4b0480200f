import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { comments } from '#features/cms/articles/comments/contract.ts'
import { queryTogether } from '#web/api/together.ts'
import { useMay } from '#web/api/useSend.ts'
import { useViewer } from '#web/session.ts'
import { TileOf } from '#web/tile/Tile.tsx'

const page = '/comments'
const pending = { query: { state: 0 } } as const

/** Comments that wait for a decision, as many as their list has. */
export function PendingCommentsTile() {
  const viewer = useViewer()
  const may = useMay(comments.list, pending) && viewer !== undefined && mayOpen(viewer.role_id, page)
  const query = useQuery({ ...queryTogether(comments.list, pending), enabled: may })
  if (!may) return null
  return (
    <TileOf name="Pending comments" query={query}>
      {({ total }) => ({ value: total, detail: 'as of today', to: `${page}?state=0` })}
    </TileOf>
  )
}
