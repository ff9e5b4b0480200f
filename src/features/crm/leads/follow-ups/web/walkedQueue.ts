import { leadsPerPage, type LeadListReply } from '#features/crm/leads/contract.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { followUps } from '#features/crm/leads/follow-ups/contract.ts'
import type { FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import type { Whose } from '#features/crm/leads/follow-ups/web/queueView.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { toQueryString } from '#web/api/query-string.ts'
import { keyOfList, positionsInPage, type WalkedList } from '#web/list/position/listPosition.ts'
import { today } from '#web/time.ts'

interface Queue extends Whose {
  tab: FollowUpTab
}

/** Returns a tab of the queue as the pages of its leads step through it. */
export function walkedQueue(queue: Queue, lead_for: number | undefined): WalkedList {
  const askPage = (page: number) =>
    queryOptionsFor(followUps.listByTab, { query: { ...queue, page, lead_for, today: today() } })
  return {
    key: keyOfList(askPage(1)),
    live: 'leads',
    endpoint: followUps.listByTab,
    askPage,
    read: (reply) => {
      const { data, total } = reply as LeadListReply
      return { rows: data.leads.map(rowOf), total }
    },
  }
}

/** Returns the function that builds the history state for the leads on a page of the queue. */
export const positionsInQueue = (
  queue: Queue,
  lead_for: number | undefined,
  page: number,
  reply: LeadListReply | undefined,
) =>
  positionsInPage(
    {
      key: walkedQueue(queue, lead_for).key,
      address: `/demo-leads/follow-ups?${toQueryString({ ...queue })}`,
      one: 'lead',
      perPage: leadsPerPage,
      total: reply?.total ?? 0,
      product: lead_for,
    },
    reply?.data.leads.map(rowOf) ?? [],
    page,
  )

const rowOf = (lead: LeadListReply['data']['leads'][number]) => ({ id: lead.lead_id, to: leadAddress(lead) })
