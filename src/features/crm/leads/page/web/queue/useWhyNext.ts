import type { LeadRow } from '#features/crm/leads/contract.ts'
import { dueWords } from '#features/crm/leads/page/web/queue/queueLines.tsx'
import { entryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { useToday } from '#web/time.ts'

/** Returns why a lead is where it is in the queue: its date, and then its priority. */
export function useWhyNext(lead: Pick<LeadRow, 'followup_date' | 'color'> | undefined): string {
  const { colors } = useLeadOptions()
  const now = useToday()
  if (!lead) return ''
  const due = dueWords(lead.followup_date, now)
  const priority = lead.color === 0 ? 'no priority' : `priority ${entryById(colors, lead.color).name}`
  return `${due[0]!.toUpperCase()}${due.slice(1)}, ${priority}`
}
