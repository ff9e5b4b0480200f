import { leads, type LeadRow } from '#features/leads/contract.ts'
import { LazyMenu } from '#features/leads/web/LazyMenu.tsx'
import { toned, useLeadOptions } from '#features/leads/web/LeadOptions.tsx'
import { refreshedByLead, showInList } from '#features/leads/web/showInList.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { Tone } from '#web/shell/Tone.tsx'

/** The priority colour of a lead, changed in place. */
export function ColorCell({ lead }: { lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'color'> }) {
  const { colors } = useLeadOptions()
  const { send } = useSend(leads.changeColor, {
    refresh: refreshedByLead,
    showAtOnce: ({ query }, queries) => showInList(queries, query.id as number, { color: Number(query.color) }),
  })
  const mayChange = useMay(leads.changeColor, { query: { id: lead.lead_id, color: 0 } })
  const current = toned(colors, lead.color)
  if (!mayChange) return <Tone tone={current.tone}>{current.name}</Tone>
  return (
    <LazyMenu
      label={`Priority of ${lead.companyName}`}
      current={current}
      options={colors}
      chosen={lead.color}
      onChoose={(color) => void send({ query: { id: lead.lead_id, color } })}
    />
  )
}
