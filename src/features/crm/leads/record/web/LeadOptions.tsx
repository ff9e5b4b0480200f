import { createContext, use, type ReactNode } from 'react'
import { useQuery } from '@tanstack/react-query'
import { leads, type LeadOptions } from '#features/crm/leads/contract.ts'
import { LeadRightsProvider } from '#features/crm/leads/record/web/LeadRights.tsx'
import { queryOptionsFor } from '#web/api/client.ts'

const none: LeadOptions = {
  statuses: [],
  reject_reasons: [],
  colors: [],
  services: [],
  sources: [],
  cog_types: [],
  tags: [],
  staff: [],
  creators: [],
  products: [],
  custom_fields: [],
  detail_labels: [],
  last_currency: null,
}
const Options = createContext<LeadOptions>(none)
const Settled = createContext(false)

/** The question for the organization of a lead before its status is a won one. */
export interface WinProps {
  lead: { lead_id: number; companyName: string }
  /** Sets the status only. */
  onWithout: () => void
  onClose: () => void
}
/** The folder of the organizations of leads is above this one, so pages pass its dialog. */
const Win = createContext<((props: WinProps) => ReactNode) | undefined>(undefined)
export const useWinDialog = () => use(Win)

const fiveMinutes = 300_000

export const askOptions = () => ({
  ...queryOptionsFor(leads.options),
  staleTime: fiveMinutes,
})

/**
 * Provides the options for lead cells, filters, and forms, and the viewer's permissions. Fetched once per
 * page. Within another one, its dialog for winning stays.
 */
export function LeadOptionsProvider({
  win,
  children,
}: {
  win?: (props: WinProps) => ReactNode
  children: ReactNode
}) {
  const { data, isError } = useQuery(askOptions())
  const around = useWinDialog()
  return (
    <Options value={data ?? none}>
      <Settled value={data !== undefined || isError}>
        <Win value={win ?? around}>
          <LeadRightsProvider>{children}</LeadRightsProvider>
        </Win>
      </Settled>
    </Options>
  )
}

/** Returns whether the options were loaded, or can’t be: a form needs its custom fields from the start. */
export const useOptionsSettled = (): boolean => use(Settled)

export const useLeadOptions = (): LeadOptions => use(Options)

interface Named {
  id: number
  name: string
}

/** Returns a list entry by ID; for an unknown ID, returns an entry named after the ID. */
export const entryById = (entries: readonly Named[], id: number): Named =>
  entries.find((entry) => entry.id === id) ?? { id, name: `#${id}` }

/** Returns a list entry by ID, including its tone. */
export const tonedEntryById = (entries: readonly (Named & { tone: string })[], id: number) =>
  entries.find((entry) => entry.id === id) ?? { id, name: `#${id}`, tone: 'gray' }
