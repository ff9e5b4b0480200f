import { lazy, Suspense, useState, type ReactNode } from 'react'
import { leads, messages, type LeadRow } from '#features/leads/contract.ts'
import { rejectedStatus } from '#features/leads/rules.ts'
import { todayHere } from '#features/leads/web/period.ts'
import { refreshedByLead, showInList } from '#features/leads/web/showInList.ts'
import classes from '#features/leads/web/leads.module.css'
import { useMay, useSend } from '#web/api/useSend.ts'
import { askToProceed, showMessage } from '#web/shell/messages.ts'
import { dayText } from '#web/time.ts'
import { loadChunk } from '#web/shell/lazy.tsx'

const DayMenu = lazy(() => loadChunk(() => import('#features/leads/web/DayMenu.tsx')))

type Lead = Pick<LeadRow, 'lead_id' | 'companyName' | 'followup_date' | 'status'>

/** The follow-up date of a lead, changed in place after the question of A §4; declined, the page reloads. */
export function FollowupCell({ lead }: { lead: Lead }) {
  const [wanted, setWanted] = useState(false)
  const { send } = useSend(leads.changeFollowupDate, {
    refresh: refreshedByLead,
    showAtOnce: ({ query }, queries) => showInList(queries, query.id as number, { followup_date: (query.date as string) || null }),
  })
  const mayChange = useMay(leads.changeFollowupDate, { query: { id: lead.lead_id, date: '' } })
  const shown = <FollowupDay lead={lead} />
  if (!mayChange) return shown

  async function choose(date: string | null): Promise<void> {
    if (date === lead.followup_date) return
    if (!(await askToProceed(messages.followupQuestion))) return location.reload()
    if (await send({ query: { id: lead.lead_id, date: date ?? '' } })) void showMessage(messages.dateChanged)
  }

  const button = (props: object = {}): ReactNode => (
    <button
      type="button"
      className={classes.cellButton}
      aria-haspopup="dialog"
      aria-label={`Follow-up of ${lead.companyName}: ${followupWords(lead)}`}
      onClick={() => setWanted(true)}
      {...props}
    >
      {shown}
    </button>
  )
  if (!wanted) return button()
  return (
    <Suspense fallback={button()}>
      <DayMenu
        label={`Follow-up of ${lead.companyName}`}
        target={button}
        day={lead.followup_date}
        mayRemove={lead.followup_date !== null}
        onChoose={(date) => void choose(date)}
      />
    </Suspense>
  )
}

const noDay = 'Set a date'

/** Overdue in red and in words; a rejected lead needs no follow-up. */
function FollowupDay({ lead }: { lead: Lead }) {
  const due = dueness(lead)
  return (
    <span className={classes.followup} data-due={due} title={due === 'overdue' ? 'Overdue' : due === 'today' ? 'Today' : undefined}>
      {lead.followup_date ? due === 'today' ? 'Today' : dayText(lead.followup_date) : <span className={classes.noDay}>{noDay}</span>}
      {due === 'overdue' && (
        <span className={classes.overdueMark} aria-hidden>
          !
        </span>
      )}
    </span>
  )
}

function dueness({ followup_date, status }: Lead): 'overdue' | 'today' | undefined {
  if (!followup_date || status === rejectedStatus) return undefined
  const today = todayHere()
  return followup_date < today ? 'overdue' : followup_date === today ? 'today' : undefined
}

/** What stands in the cell, and what its colour says. */
function followupWords(lead: Lead): string {
  if (!lead.followup_date) return noDay
  const due = dueness(lead)
  return due === 'today' ? 'Today' : `${dayText(lead.followup_date)}${due ? `, ${due}` : ''}`
}
