import { createContext, use, type ReactNode } from 'react'
import IconPhone from '@tabler/icons-react/dist/esm/icons/IconPhone.mjs'
import { daysBetween, type PlainDate } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { snoozes } from '#features/crm/leads/follow-ups/rules.ts'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FollowupCell } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { leadKeys } from '#features/crm/leads/record/web/leadKeys.ts'
import { LeadCardFrame } from '#features/crm/leads/record/web/LeadCardFrame.tsx'
import { LeadName } from '#features/crm/leads/record/web/LeadLink.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import classes from '#features/crm/leads/follow-ups/web/FollowUps.module.css'
import { RowAction, RowActions } from '#web/list/cells.tsx'
import type { Column } from '#web/list/columns.ts'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { today } from '#web/time.ts'

/** The actions on a row's lead; undefined if the viewer is not allowed to. */
interface Acts {
  call: ((lead: LeadRow) => void) | undefined
  snooze: ((lead: LeadRow, to: PlainDate) => Promise<void>) | undefined
}

const ActsContext = createContext<Acts>({ call: undefined, snooze: undefined })

export const QueueActs = ({ call, snooze, children }: Acts & { children: ReactNode }) => (
  <ActsContext value={{ call, snooze }}>{children}</ActsContext>
)

const buttons = [
  ['tomorrow', 'Tomorrow', leadKeys.tomorrow],
  ['week', 'In a week', leadKeys.week],
] as const

function ActButtons({ lead }: { lead: LeadRow }) {
  const { call, snooze } = use(ActsContext)
  return (
    <RowActions>
      {call && (
        <RowAction
          aria-label={`Log call: ${lead.companyName}`}
          title={`Log call (${leadKeys.call})`}
          data-icon
          onClick={() => call(lead)}
        >
          <IconPhone size={14} stroke={1.5} aria-hidden />
        </RowAction>
      )}
      {snooze &&
        buttons.map(([to, words, key]) => (
          <RowAction
            key={to}
            aria-label={`${words}: ${lead.companyName}`}
            title={`Follow up ${words.toLowerCase()} (${key})`}
            onClick={() => void snooze(lead, snoozes[to](today()))}
          >
            {words}
          </RowAction>
        ))}
    </RowActions>
  )
}

/** Formats a due date, such as `3 days overdue`, `today`, or `in 2 days`. */
export function dueWords(followup_date: PlainDate | null, today: PlainDate): string {
  if (!followup_date) return ''
  const days = daysBetween(followup_date, today)
  const many = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'day' : 'days'}`
  return days > 0 ? `${many(days)} overdue` : days === 0 ? 'today' : `in ${many(-days)}`
}

const due = (lead: LeadRow) => dueWords(lead.followup_date, today())
const mail = (lead: LeadRow) => lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>
const phone = (lead: LeadRow) => lead.phone && <PhoneLink number={lead.phone} />

export const followUpColumns: readonly Column<LeadRow>[] = [
  {
    id: 'company',
    header: 'Company',
    cell: (lead) => <LeadName lead={lead} />,
    title: (lead) => lead.companyName,
    width: 180,
    always: true,
  },
  {
    id: 'contact',
    header: 'Contact',
    cell: (lead) => lead.contactName,
    title: (lead) => lead.contactName,
    width: 125,
  },
  { id: 'status', header: 'Status', cell: (lead) => <StatusCell lead={lead} />, width: 135 },
  { id: 'priority', header: 'Priority', cell: (lead) => <ColorCell lead={lead} />, width: 95 },
  {
    id: 'followup',
    header: 'Follow-up',
    cell: (lead) => <FollowupCell lead={lead} />,
    width: 160,
    align: 'right',
  },
  { id: 'due', header: 'Due', cell: due, title: due, width: 130, align: 'right', hiddenAtFirst: true },
  { id: 'snooze', header: 'Next step', cell: (lead) => <ActButtons lead={lead} />, width: 215 },
  { id: 'phone', header: 'Phone', cell: phone, title: (lead) => lead.phone, width: 140 },
  { id: 'email', header: 'Email', cell: mail, title: (lead) => lead.email, width: 200, hiddenAtFirst: true },
  {
    id: 'assigned',
    header: 'Assignee',
    cell: (lead) => lead.assigned_name ?? '',
    title: (lead) => lead.assigned_name,
    width: 130,
  },
]

/** Card for a follow-up, for phones. */
export function FollowUpCard({ lead }: { lead: LeadRow }) {
  return (
    <LeadCardFrame lead={lead} actions={<ActButtons lead={lead} />}>
      <Soft>{[due(lead), lead.contactName, lead.assigned_name].filter(Boolean).join(' · ')}</Soft>
      <p className={classes.reach}>
        {phone(lead)}
        {mail(lead)}
      </p>
    </LeadCardFrame>
  )
}
