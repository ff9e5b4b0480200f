import { dayText } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { AssignCell } from '#features/crm/leads/record/web/AssignCell.tsx'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FieldCell } from '#features/crm/leads/record/web/FieldCell.tsx'
import { FollowupCell } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { amountOf } from '#features/crm/leads/record/web/leadAmounts.ts'
import { LeadActions } from '#features/crm/leads/record/web/LeadActions.tsx'
import { LeadName } from '#features/crm/leads/record/web/LeadLink.tsx'
import type { WideRow } from '#features/crm/leads/list/web/moreColumns.tsx'
import { MoreActs } from '#features/crm/leads/list/web/MoreActs.tsx'
import { PresenceMark } from '#features/crm/leads/list/web/PresenceMarks.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import { TagsCell } from '#features/crm/leads/record/web/TagsCell.tsx'
import { Website } from '#features/crm/leads/record/web/Website.tsx'
import { Moment } from '#web/Moment.tsx'
import { RowActions } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'

type Day = 'request_date' | 'lead_date' | 'expected_close'

const dayCell = (name: Day) => ({
  cell: (lead: LeadRow) => (
    <FieldCell lead={lead} name={name} shown={lead[name] ? dayText(lead[name]) : ''} />
  ),
})

const momentCell = (name: 'created_at' | 'updated_at' | 'last_activity') => ({
  cell: ({ [name]: at }: WideRow) => at && <Moment at={at} />,
})

const text = (shown: (lead: WideRow) => string) => ({ cell: shown, title: shown })

export const leadColumns = columnsOfFields<LeadRow, typeof leadFields>(leadFields, {
  companyName: {
    cell: (lead) => (
      <>
        <LeadName lead={lead} />
        <PresenceMark id={lead.lead_id} />
      </>
    ),
    title: (lead) => lead.companyName,
  },
  status: {
    cell: (lead) => (
      <>
        <StatusCell lead={lead} />
        <StuckMark lead={lead} />
      </>
    ),
  },
  color: { cell: (lead) => <ColorCell lead={lead} /> },
  followup_date: { cell: (lead) => <FollowupCell lead={lead} /> },
  email: {
    cell: (lead) => lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>,
    title: (lead) => lead.email,
  },
  company_url: {
    cell: (lead) => <Website address={lead.company_url} />,
    title: (lead) => lead.company_url,
  },
  assign_to: { cell: (lead) => <AssignCell lead={lead} /> },
  amount: {
    cell: (lead) => <FieldCell lead={lead} name="amount" shown={amountOf(lead)} />,
    title: amountOf,
  },
  tag_ids: { cell: (lead) => <TagsCell lead={lead} /> },
  request_date: dayCell('request_date'),
  lead_date: dayCell('lead_date'),
  expected_close: dayCell('expected_close'),
  implement_date: text(({ implement_date }) => (implement_date ? dayText(implement_date) : '')),
  cog_types: text(({ cog_types = [] }) => cog_types.join(', ')),
  created_at: momentCell('created_at'),
  updated_at: momentCell('updated_at'),
  last_activity: momentCell('last_activity'),
})

export const leadRowActs = (lead: LeadRow) => (
  <RowActions>
    <LeadActions lead={lead} />
    <MoreActs lead={lead} />
  </RowActions>
)
