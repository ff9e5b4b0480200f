import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { LeadFilters, leads, leadsPerPage, type LeadListReply, type LeadRow } from '#features/crm/leads/contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import type { AmongLeads } from '#features/crm/leads/record/web/among.ts'
import { QueueView } from '#features/crm/leads/follow-ups/web/queueView.ts'
import { ask } from '#web/api/client.ts'
import { fromAddress } from '#web/list/fromAddress.ts'
import { useChanged } from '#web/live.ts'
import { today } from '#web/time.ts'

interface Asked {
  queryKey: readonly unknown[]
  queryFn: (context: { signal: AbortSignal }) => Promise<LeadListReply>
  enabled: () => boolean
}

/** Exactly what the lists themselves ask, so that who comes from one has the answer already. */
const askPage: Record<AmongLeads['list'], (among: AmongLeads, page: number) => Asked> = {
  '/demo-leads': ({ search, lead_for }, page) => ask(leads.list, { query: { ...fromAddress(LeadFilters, search), page, lead_for, today: today() } }),
  '/demo-leads/follow-ups': ({ search, lead_for }, page) =>
    ask(followUps.listByTab, { query: { ...fromAddress(QueueView, search), page, lead_for, today: today() } }),
}

export const hasList = ({ list, position }: AmongLeads): boolean => Object.hasOwn(askPage, list) && Number.isSafeInteger(position) && position > 0

interface Placed {
  lead: LeadRow
  position: number
}

export interface Neighbours {
  /** Undefined when the lead has left the list. */
  position: number | undefined
  /** Where it is, or was before it left. */
  place: number
  /** Undefined while the list is on its way. */
  total: number | undefined
  previous: Placed | undefined
  next: Placed | undefined
  /** A page of the list is on its way, and may bring the one that is missing. */
  isLooking: boolean
}

/** The leads before and after one in the list that it was opened from, as the list is now; of one that has left it, those around its old place. */
export function useNeighbours(id: number, among: AmongLeads): Neighbours {
  const [place, setPlace] = useState(among.position)
  const page = Math.ceil(place / leadsPerPage)
  const here = usePage(among, page, true)
  const at = here.reply?.data.leads.findIndex(({ lead_id }) => lead_id === id)
  const isLost = at === -1
  const isLast = at !== undefined && at === leadsPerPage - 1
  // The pages beside it only where they are needed: at the border, or to look for a lead that moved.
  const before = usePage(among, page - 1, page > 1 && (at === 0 || isLost))
  const after = usePage(among, page + 1, here.reply !== undefined && here.reply.total > page * leadsPerPage && (isLast || isLost))
  useChanged('leads', [leads.list, followUps.listByTab])

  const known = [before, here, after].flatMap(({ reply }, index) => placed(reply, page - 1 + index))
  const position = known.find(({ lead }) => lead.lead_id === id)?.position
  if (position !== undefined && position !== place) setPlace(position)
  const standing = (wanted: number) => known.find((one) => one.position === wanted)
  return {
    position,
    place,
    total: here.reply?.total,
    previous: standing((position ?? place) - 1),
    next: standing(position === undefined ? place : position + 1),
    isLooking: before.isOnItsWay || here.isOnItsWay || after.isOnItsWay,
  }
}

function usePage(among: AmongLeads, page: number, wanted: boolean): { reply: LeadListReply | undefined; isOnItsWay: boolean } {
  const asked = askPage[among.list](among, Math.max(1, page))
  const { data, isFetching } = useQuery({ ...asked, enabled: () => wanted && asked.enabled() })
  return { reply: wanted ? data : undefined, isOnItsWay: wanted && isFetching }
}

const placed = (reply: LeadListReply | undefined, page: number): Placed[] =>
  (reply?.data.leads ?? []).map((lead, index) => ({ lead, position: (page - 1) * leadsPerPage + index + 1 }))
