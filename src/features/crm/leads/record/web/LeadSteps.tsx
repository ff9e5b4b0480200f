import { useEffect, useEffectEvent, type Dispatch, type SetStateAction } from 'react'
import { Link, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { pageCount } from '#shared/page.ts'
import { leads, leadsPerPage } from '#features/crm/leads/contract.ts'
import type { ListPosition } from '#features/crm/leads/record/web/listPosition.ts'
import { leadAddress } from '#features/crm/leads/cells/web/LeadLink.tsx'
import { hasList, useLeadNeighbors } from '#features/crm/leads/record/web/useLeadNeighbors.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { StepsBar } from '#web/record/StepsBar.tsx'
import classes from '#web/record/StepsBar.module.css'
import { useScope } from '#web/shell/useScope.ts'

/**
 * Steps that were requested but have not been taken yet, because the next lead is still loading; negative for
 * steps back. Stored in `LeadPage`, which stays mounted when the lead changes, so that no key press is lost
 * on a slow connection.
 */
export interface PendingSteps {
  steps: number
  setSteps: Dispatch<SetStateAction<number>>
}

/**
 * Buttons for stepping through the list that a lead was opened from, and a link back to the list. Renders
 * nothing if the lead was opened from a direct link.
 */
export function LeadSteps({ id, ahead }: { id: number; ahead: PendingSteps }) {
  const listPosition = useRouterState({ select: ({ location }) => location.state.listPosition })
  const product = useScope()
  // If the product has changed, the list is a different one.
  if (!listPosition || !hasList(listPosition) || listPosition.lead_for !== product) return null
  return <Steps key={id} id={id} listPosition={listPosition} ahead={ahead} />
}

function Steps({ id, listPosition, ahead }: { id: number; listPosition: ListPosition; ahead: PendingSteps }) {
  const navigate = useNavigate()
  const router = useRouter()
  const neighbors = useLeadNeighbors(id, listPosition)
  const { place, total, previous, next, isLooking } = neighbors
  const nextId = next?.row.lead_id
  useEffect(() => {
    if (nextId !== undefined) void prefetch(queryOptionsFor(leads.show, { query: { id: nextId } }))
  }, [nextId])

  const { steps, setSteps } = ahead
  const to = steps < 0 ? previous : steps > 0 ? next : undefined
  const wanted = to?.row.lead_id
  const isEnd = steps !== 0 && !to && !isLooking
  const go = useEffectEvent((asked: number) => {
    // The remaining steps are taken by the next lead's page.
    const isLeaving = !router.history.location.pathname.endsWith(`/${id}`)
    if (!to || isLeaving) return
    setSteps(asked - Math.sign(asked))
    // Replace this history entry, so that the browser's back button leads to the list.
    void navigate({
      to: leadAddress(to.row),
      state: { listPosition: { ...listPosition, position: to.position } },
      replace: true,
    })
  })
  useEffect(() => {
    if (wanted !== undefined) go(steps)
  }, [wanted, steps])
  useEffect(() => {
    // More steps may have been requested in the meantime.
    if (isEnd) setSteps((now) => (now === steps ? 0 : now))
  }, [isEnd, steps, setSteps])

  const step = (by: 1 | -1) => {
    // Holding down a key at either end of the list does not request any steps.
    if (isLooking || (by < 0 ? previous : next)) setSteps((now) => now + by)
  }
  usePageKeys({ j: () => step(1), k: () => step(-1) })

  const page = Math.min(Math.ceil(place / leadsPerPage), pageCount(total ?? place, leadsPerPage))
  return (
    <StepsBar one="lead" listPosition={neighbors} onStep={step}>
      <Link
        to={listPosition.list}
        search={{ ...listPosition.search, ...(page > 1 ? { page } : {}) }}
        className={classes.back}
      >
        Back to list
      </Link>
    </StepsBar>
  )
}
