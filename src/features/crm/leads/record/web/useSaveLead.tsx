import type { ReactNode } from 'react'
import { leads, type Lead } from '#features/crm/leads/contract.ts'
import type { NewLead } from '#features/crm/leads/input.contract.ts'
import { useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { leadQueriesAfterBulk, leadQueries } from '#features/crm/leads/record/web/patchLeadCaches.ts'
import { leadWords } from '#features/crm/leads/record/web/leadWords.ts'
import { useSend } from '#web/api/useSend.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'

/**
 * Returns a function that saves changes based on the lead as it was loaded, and the dialog for conflicting
 * changes (useMerged).
 */
export function useSaveLead(found: Lead): {
  save: (changes: Partial<NewLead>, outdated?: readonly string[]) => Promise<void>
  dialog: ReactNode
} {
  const { keep } = useUndo(leadQueriesAfterBulk)
  const { send } = useSend(leads.update, {
    refresh: leadQueries,
    failure: 'throw',
    onDone: ({ operation }) => keep(operation),
  })
  const { save, dialog } = useMerged<Partial<NewLead>>(found, found.companyName, leadWords(useLeadOptions()))
  return {
    save: (changes, outdated) =>
      save(changes, (left, seen) => send({ body: { ...left, lead_id: found.lead_id, ...seen } }), outdated),
    dialog,
  }
}
