import type { PaletteSearch } from '#web/shell/Palette.tsx'
import { request } from '#web/api/client.ts'
import { viewer } from '#web/session.ts'
import { can } from '#shared/access.ts'
import { slugOf } from '#web/slug.ts'

/** Where the command palette looks for records; each kind is one row. */
export const searches: readonly PaletteSearch[] = [
  {
    group: 'Leads',
    isAllowed: () => can(viewer(), 'lead_list'),
    find: async (search, signal) => {
      const { leads } = await import('#features/crm/leads/contract.ts')
      const { data } = await request(leads.list, { query: { search, fromDate: 'all', toDate: 'all' } }, { signal })
      return data.leads.slice(0, 8).map(({ lead_id, companyName, contactName, email }) => ({
        id: `lead-${lead_id}`,
        label: companyName,
        detail: [contactName, email].filter(Boolean).join(' · '),
        to: `/demo-leads/${slugOf(companyName)}/${lead_id}`,
      }))
    },
  },
]
