import { use, useState } from 'react'
import type { Lead } from '#features/crm/leads/contract.ts'
import { FollowupChoice } from '#features/crm/leads/record/web/FollowupChoice.tsx'
import { NextLeadContext } from '#features/crm/leads/record/web/nextLead.ts'
import { useSetFollowup } from '#features/crm/leads/record/web/useSetFollowup.ts'

/** Offers the next follow-up date of a lead. In a queue, the next lead opens once it is chosen. */
export function NextFollowup({ lead }: { lead: Pick<Lead, 'lead_id' | 'followup_date'> }) {
  const [chosen, setChosen] = useState('')
  const next = use(NextLeadContext)
  const { may, setFollowup } = useSetFollowup(lead.lead_id)
  async function choose(day: string): Promise<void> {
    if (day === '' || !(await setFollowup(day))) return
    setChosen(day)
    next?.()
  }
  return (
    may && <FollowupChoice day={chosen} current={lead.followup_date} onChoose={(day) => void choose(day)} />
  )
}
