import { z } from 'zod'
import { LeadFilters, leads, type LeadListReply, type LeadRow } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { LeadCard } from '#features/crm/leads/list/web/LeadCard.tsx'
import { leadColumns } from '#features/crm/leads/list/web/leadColumns.tsx'
import { leadAddress } from '#features/crm/leads/record/web/LeadLink.tsx'
import { leadSummary } from '#features/crm/leads/summary.contract.ts'
import { toAddress } from '#web/list/address/fromAddress.ts'
import type { ListOf } from '#web/list/useList.ts'

export const leadLayouts = ['list', 'board'] as const

/** The filters in the URL of the lead list, its layout, and whether it shows all products. */
export const LeadPageFilters = LeadFilters.extend({
  layout: z.enum(leadLayouts).optional(),
  product_scope: z.enum(['all']).optional(),
})

/** Returns the filters of the leads, without those of the page. */
export const withoutPage = ({
  layout: _layout,
  product_scope: _scope,
  ...filters
}: z.output<typeof LeadPageFilters>) => filters

export const leadList: ListOf<LeadRow, typeof LeadPageFilters, LeadListReply> = {
  name: 'leads',
  type: 'lead',
  endpoint: leads.list,
  filters: LeadPageFilters,
  toQuery: (filters) => toAddress(LeadFilters, withoutPage(filters)),
  storedFilters: ['software_filter', 'demo_filter', 'direction', 'column'],
  storedPanel: 'show_filter',
  columns: leadColumns,
  rowKey: ({ lead_id }) => lead_id,
  rowName: ({ companyName }) => companyName,
  rows: ({ data }) => data.leads,
  addressOf: leadAddress,
  card: (lead) => <LeadCard lead={lead} />,
  searchLabel: 'Search leads',
  countedBy: leadSummary.show,
  exportCsv: leadOperations.exportCsv,
  scopedBy: 'lead_for',
  isSelectable: true,
  // The bulk actions of leads include the trash, because they can take all leads that match.
  mayRemove: () => false,
}
