import { daysBetween, type PlainDate } from '#shared/dates.ts'
import type { FollowUpRow } from '#features/crm/leads/follow-ups/contract.ts'
import { LeadTime } from '#features/crm/leads/record/web/LeadTime.tsx'
import classes from '#features/crm/leads/page/web/queue/queue.module.css'
import { tonedEntryById, useLeadOptions } from '#features/crm/leads/record/web/LeadOptions.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import type { InboxLines } from '#web/list/inbox/InboxRow.tsx'
import { Flag, Tone } from '#web/parts/Tone.tsx'
import { useToday } from '#web/time.ts'

/** Formats a due date, such as `3 days overdue`, `today`, or `in 2 days`. */
export function dueWords(followup_date: PlainDate | null, today: PlainDate): string {
  if (!followup_date) return 'no follow-up'
  const days = daysBetween(followup_date, today)
  const many = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
  return days > 0 ? `${many(days)} overdue` : days === 0 ? 'today' : `in ${many(-days)}`
}

/** Returns the content of a lead's row: who, when, and what was said last. `about` names more than the contact. */
export const queueLines = (row: FollowUpRow, about: readonly (string | null)[]): InboxLines => ({
  title: row.companyName,
  shown: <strong>{row.companyName}</strong>,
  clock: <Due row={row} />,
  from: [row.contactName, ...about].filter(Boolean).join(' · '),
  status: <LeadTime zone={row.timezone} />,
  note: <Facts row={row} />,
})

function Due({ row: { followup_date } }: { row: FollowUpRow }) {
  const now = useToday()
  return (
    <span className={classes.due} data-overdue={(followup_date ?? now) < now || undefined}>
      {dueWords(followup_date, now)}
    </span>
  )
}

function Facts({ row }: { row: FollowUpRow }) {
  const { statuses, colors } = useLeadOptions()
  const [status, color] = [tonedEntryById(statuses, row.status), tonedEntryById(colors, row.color)]
  return (
    <span className={classes.facts}>
      {row.color !== 0 && <Flag tone={color.tone}>{color.name}</Flag>}
      <Tone tone={status.tone}>{status.name}</Tone>
      <StuckMark lead={row} />
      <span className={classes.words}>{row.last_words}</span>
    </span>
  )
}
