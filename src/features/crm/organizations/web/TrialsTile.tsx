import { useQuery } from '@tanstack/react-query'
import { mayOpen } from '#shared/access.ts'
import { organizations } from '#features/crm/organizations/contract.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useChanged } from '#web/live.ts'
import { useViewer } from '#web/session.ts'
import { TileOf } from '#web/tile/Tile.tsx'

const page = '/organizations/all-organizations'
const inTrial = { query: { status: onTrial } } as const
const endsSoon = { query: { filter: 'ends_soon' } } as const

/** Organizations that are on trial, as many as their list has. */
export function TrialsTile() {
  const viewer = useViewer()
  const may = useMay(organizations.list, inTrial)
  const all = useQuery(queryOptionsFor(organizations.list, inTrial))
  const ending = useQuery(queryOptionsFor(organizations.list, endsSoon))
  useChanged('organization', may ? [organizations.list] : [])
  if (!may) return null
  const soon = ending.data?.total
  return (
    <TileOf name="On trial" query={all}>
      {({ total }) => ({
        value: total,
        detail: soon === undefined ? undefined : `${soon.toLocaleString('en-US')} ending within 7 days`,
        to: viewer && mayOpen(viewer.role_id, page) ? `${page}?status=${onTrial}` : undefined,
      })}
    </TileOf>
  )
}
