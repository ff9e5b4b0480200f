import { createContext, use } from 'react'
import { z } from 'zod'
import { pageNumber } from '#shared/page.ts'
import { recordId, text } from '#shared/schemas.ts'
import { followUps, type FollowUpReply, type FollowUpRow } from '#features/crm/leads/follow-ups/contract.ts'
import { followUpTabs, type FollowUpTab } from '#features/crm/leads/follow-ups/rules.ts'
import type { useSnooze } from '#features/crm/leads/follow-ups/web/useSnooze.ts'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { askOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { prefetch } from '#web/api/queries.ts'
import { inboxParameters } from '#web/list/inbox/useLayout.ts'
import { prepareList, type ListOf } from '#web/list/useList.ts'
import { storedByPage } from '#web/session.ts'
import { today } from '#web/time.ts'

/** The filters in the URL of the queue, and the open lead; without a tab, it is the one viewed last (A §3). */
const QueueFilters = z.object({
  tab: z.enum(followUpTabs).optional(),
  assigned_filter: z.enum(['mine', 'all', 'unassigned']).default('mine'),
  /** Only the leads of this admin user. */
  crm_id: recordId.optional(),
  search: text(200).default(''),
  page: pageNumber.default(1),
  open: inboxParameters.open,
  product_scope: z.enum(['all']).optional(),
})
type QueueFilters = z.output<typeof QueueFilters>

/** Whose leads the queue shows. */
export type Whose = Pick<QueueFilters, 'assigned_filter' | 'crm_id'>

export const tabOfQueue = ({ tab }: Pick<QueueFilters, 'tab'>): FollowUpTab =>
  tab ?? followUpTabs.find((one) => one === storedByPage('tab')) ?? 'overdue'

export const queueList: ListOf<FollowUpRow, typeof QueueFilters, FollowUpReply> = {
  name: 'follow-ups',
  type: 'lead',
  endpoint: followUps.listByTab,
  filters: QueueFilters,
  toQuery: ({ open: _open, product_scope: _scope, ...filters }) => ({ ...filters, tab: tabOfQueue(filters) }),
  columns: [],
  rows: ({ data }) => data.leads,
  rowKey: ({ lead_id }) => lead_id,
  rowName: ({ companyName }) => companyName,
  addressOf: leadAddress,
  searchLabel: 'Search follow-ups',
  scopedBy: 'lead_for',
  isSelectable: false,
  mayRemove: () => false,
  leavesWhenDone: true,
}

/** Prefetches the queue for its page, and for the pages of its leads after a reload. */
export const prepareQueue = (search: Record<string, unknown>): Promise<unknown> =>
  Promise.all([prepareList(queueList, search, { query: { today: today() } }), prefetch(askOptions())])

interface Queue {
  snoozing: ReturnType<typeof useSnooze>
  /** Returns whether the menu of a lead's date was asked for before the lead was open, once. */
  opensDate: (id: number) => boolean
  /** Opens the lead after this one. */
  next: (id: number) => void
}

/** The queue around the open lead. */
export const QueueContext = createContext<Queue | undefined>(undefined)
export const useQueue = (): Queue => use(QueueContext)!
