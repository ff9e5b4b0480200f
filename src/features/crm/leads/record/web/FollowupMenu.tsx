import type { ComponentProps } from 'react'
import { dayText } from '#shared/dates.ts'
import { leads, messages, type LeadRow } from '#features/crm/leads/contract.ts'
import { useLeadChange } from '#features/crm/leads/record/web/useLeadChange.ts'
import { DayMenu } from '#web/dates/DayMenu.tsx'
import { reloadInPlace } from '#web/list/position/keptPlace.ts'
import { askToProceed, showMessage } from '#web/message/messages.ts'

interface Props extends Pick<ComponentProps<typeof DayMenu>, 'label' | 'target'> {
  lead: Pick<LeadRow, 'lead_id' | 'companyName' | 'followup_date'>
}

/**
 * Menu for choosing a new follow-up date, which must be confirmed with the question in A §4; declining
 * reloads the page.
 */
export function FollowupMenu({ label, target, lead }: Props) {
  const send = useLeadChange(leads.changeFollowupDate, lead.lead_id, ({ query }) => ({
    followup_date: (query.date as string) || null,
  }))

  async function choose(day: string | null): Promise<void> {
    if (day === lead.followup_date) return
    if (
      !(await askToProceed(messages.followupQuestion, {
        about: `${lead.companyName}: ${day ? dayText(day) : 'no follow-up date'}`,
      }))
    )
      return reloadInPlace()
    if (await send({ query: { id: lead.lead_id, date: day ?? '' } })) void showMessage(messages.dateChanged)
  }

  return (
    <DayMenu
      label={label}
      target={target}
      day={lead.followup_date}
      mayRemove={lead.followup_date !== null}
      onChoose={(day) => void choose(day)}
    />
  )
}
