import {
  LeadFilters,
  leads,
  leadsPerPage,
  type LeadListReply,
  type LeadRow,
} from '#features/crm/leads/contract.ts'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import type { ListPosition } from '#features/crm/leads/record/web/listPosition.ts'
import { QueueView } from '#features/crm/leads/follow-ups/web/queueView.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { fromAddress } from '#web/list/fromAddress.ts'
import { useChanged } from '#web/live.ts'
import { useNeighbors, type Neighbors, type Pages } from '#web/record/useNeighbors.ts'
import { today } from '#web/time.ts'

const askPage: Record<
  ListPosition['list'],
  (listPosition: ListPosition, page: number) => ReturnType<Pages<LeadRow>['askPage']>
> = {
  '/demo-leads': ({ search, lead_for }, page) =>
    queryOptionsFor(leads.list, {
      query: { ...fromAddress(LeadFilters, search), page, lead_for, today: today() },
    }),
  '/demo-leads/follow-ups': ({ search, lead_for }, page) =>
    queryOptionsFor(followUps.listByTab, {
      query: { ...fromAddress(QueueView, search), page, lead_for, today: today() },
    }),
}

export const hasList = ({ list, position }: ListPosition): boolean =>
  Object.hasOwn(askPage, list) && Number.isSafeInteger(position) && position > 0

/** Returns the previous and next leads in the list that a lead was opened from. */
export function useLeadNeighbors(id: number, listPosition: ListPosition): Neighbors<LeadRow> {
  useChanged('leads', [leads.list, followUps.listByTab])
  const pages: Pages<LeadRow> = {
    perPage: leadsPerPage,
    askPage: (page) => askPage[listPosition.list](listPosition, page),
    read: (reply) => {
      const { data, total } = reply as LeadListReply
      return { rows: data.leads, total }
    },
  }
  return useNeighbors(pages, ({ lead_id }) => lead_id === id, listPosition.position)
}
