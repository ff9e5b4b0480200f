import { useEffect, useEffectEvent, type Dispatch, type SetStateAction } from 'react'
import { Link, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { pageCount } from '#shared/page.ts'
import { leads, leadsPerPage } from '#features/crm/leads/contract.ts'
import type { AmongLeads } from '#features/crm/leads/record/web/among.ts'
import { leadAddress } from '#features/crm/leads/cells/web/LeadLink.tsx'
import { hasList, useLeadNeighbours } from '#features/crm/leads/record/web/useLeadNeighbours.ts'
import { ask } from '#web/api/client.ts'
import { prefetch } from '#web/api/queries.ts'
import { usePageKeys } from '#web/keys/usePageKeys.ts'
import { StepsBar } from '#web/record/StepsBar.tsx'
import classes from '#web/record/StepsBar.module.css'
import { useScope } from '#web/shell/useScope.ts'

/**
 * The steps that were asked for and not gone yet, because the lead that they lead to is still on its way; below zero, back.
 * Kept around the page of one lead: no press of a key is lost to a slow line.
 */
export interface Ahead {
  steps: number
  setSteps: Dispatch<SetStateAction<number>>
}

/** The way through the list that a lead was opened from, and back to it; nothing for those who came by a bare link. */
export function LeadSteps({ id, ahead }: { id: number; ahead: Ahead }) {
  const among = useRouterState({ select: ({ location }) => location.state.among })
  const product = useScope()
  // With another product it is another list.
  if (!among || !hasList(among) || among.lead_for !== product) return null
  return <Steps key={id} id={id} among={among} ahead={ahead} />
}

function Steps({ id, among, ahead }: { id: number; among: AmongLeads; ahead: Ahead }) {
  const navigate = useNavigate()
  const router = useRouter()
  const neighbours = useLeadNeighbours(id, among)
  const { place, total, previous, next, isLooking } = neighbours
  const nextId = next?.row.lead_id
  useEffect(() => {
    if (nextId !== undefined) void prefetch(ask(leads.show, { query: { id: nextId } }))
  }, [nextId])

  const { steps, setSteps } = ahead
  const to = steps < 0 ? previous : steps > 0 ? next : undefined
  const wanted = to?.row.lead_id
  const isEnd = steps !== 0 && !to && !isLooking
  const go = useEffectEvent((asked: number) => {
    // The page of the next lead takes the steps that are left.
    const isLeaving = !router.history.location.pathname.endsWith(`/${id}`)
    if (!to || isLeaving) return
    setSteps(asked - Math.sign(asked))
    // In the place of this one: the browser's own way back leads to the list.
    void navigate({ to: leadAddress(to.row), state: { among: { ...among, position: to.position } }, replace: true })
  })
  useEffect(() => {
    if (wanted !== undefined) go(steps)
  }, [wanted, steps])
  useEffect(() => {
    // More may have been asked for since.
    if (isEnd) setSteps((now) => (now === steps ? 0 : now))
  }, [isEnd, steps, setSteps])

  const step = (by: 1 | -1) => {
    // A key that is held at an end asks for nothing.
    if (isLooking || (by < 0 ? previous : next)) setSteps((now) => now + by)
  }
  usePageKeys({ j: () => step(1), k: () => step(-1) })

  const page = Math.min(Math.ceil(place / leadsPerPage), pageCount(total ?? place, leadsPerPage))
  return (
    <StepsBar one="lead" among={neighbours} onStep={step}>
      <Link to={among.list} search={{ ...among.search, ...(page > 1 ? { page } : {}) }} className={classes.back}>
        Back to the list
      </Link>
    </StepsBar>
  )
}
