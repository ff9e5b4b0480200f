import { createContext, use, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { leads, type LeadOptions } from '#features/crm/leads/contract.ts'
import { LeadRightsProvider } from '#features/crm/leads/cells/web/LeadRights.tsx'
import { ask } from '#web/api/client.ts'
import { fromLists } from '#web/api/queries.ts'
import { useMay } from '#web/api/useSend.ts'
import { useChanged } from '#web/live.ts'

const none: LeadOptions = { statuses: [], colors: [], services: [], sources: [], cog_types: [], tags: [], staff: [], products: [] }
const Options = createContext<LeadOptions>(none)

const fiveMinutes = 300_000

export const askOptions = () => ({ ...ask(leads.options), staleTime: fiveMinutes, meta: fromLists })

/** What cells, filters and forms of leads choose from and what may be done, asked once for the page. */
export function LeadOptionsProvider({ children }: { children: ReactNode }) {
  const { data } = useQuery(askOptions())
  useChanged('lists', useMay(leads.options) ? [leads.list] : [])
  return (
    <Options value={data ?? none}>
      <LeadRightsProvider>{children}</LeadRightsProvider>
    </Options>
  )
}

export const useLeadOptions = (): LeadOptions => use(Options)

interface Named {
  id: number
  name: string
}

/** The entry of a list by its id; its number stands in for a name that is not known. */
export const named = (entries: readonly Named[], id: number): Named => entries.find((entry) => entry.id === id) ?? { id, name: `#${id}` }

/** The same with its tone. */
export const toned = (entries: readonly (Named & { tone: string })[], id: number) =>
  entries.find((entry) => entry.id === id) ?? { id, name: `#${id}`, tone: 'gray' }
