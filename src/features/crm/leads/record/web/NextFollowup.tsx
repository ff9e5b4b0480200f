import { useState } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { FollowupChoice } from '#features/crm/leads/record/web/FollowupChoice.tsx'
import { useMay, useSend } from '#web/api/useSend.ts'
import { useUndo } from '#web/record/useUndo.ts'

/** Offers the next follow-up date of a lead. It is set without a question, because it can be undone from its toast. */
export function NextFollowup({ lead }: { lead: Pick<Lead, 'lead_id' | 'followup_date'> }) {
  const [chosen, setChosen] = useState('')
  const { announceAct } = useUndo()
  const bodyOf = (followup_date: string | null) => ({
    selection: { ids: [lead.lead_id] },
    change: { kind: 'followup' as const, followup_date },
  })
  const may = useMay(leadOperations.change, { body: bodyOf(null) })
  const { send } = useSend(leadOperations.change, {
    onDone: ({ message, operation }) => announceAct(message, operation),
  })
  async function choose(day: string): Promise<void> {
    if (day !== '' && (await send({ body: bodyOf(day) }))) setChosen(day)
  }
  return (
    may && <FollowupChoice day={chosen} current={lead.followup_date} onChoose={(day) => void choose(day)} />
  )
}
