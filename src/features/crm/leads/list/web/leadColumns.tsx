import { dayText } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { ColorCell } from '#features/crm/leads/record/web/ColorCell.tsx'
import { FollowupCell } from '#features/crm/leads/record/web/FollowupCell.tsx'
import { amountOf } from '#features/crm/leads/record/web/leadAmounts.ts'
import { LeadActions } from '#features/crm/leads/record/web/LeadActions.tsx'
import { LeadName } from '#features/crm/leads/record/web/LeadLink.tsx'
import { MoreActs } from '#features/crm/leads/list/web/MoreActs.tsx'
import { PresenceMark } from '#features/crm/leads/list/web/PresenceMarks.tsx'
import { StuckMark } from '#features/crm/leads/record/web/StuckMark.tsx'
import { StatusCell } from '#features/crm/leads/record/web/StatusCell.tsx'
import { TagNames } from '#features/crm/leads/record/web/TagNames.tsx'
import { RowActions } from '#web/list/cells.tsx'
import { columnsOfFields } from '#web/list/columns.ts'

const day = (value: string | null) => (value ? dayText(value) : '')

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
  amount: { cell: amountOf, title: amountOf },
  tag_ids: { cell: (lead) => <TagNames ids={lead.tag_ids} /> },
  request_date: { cell: (lead) => day(lead.request_date) },
  lead_date: { cell: (lead) => day(lead.lead_date) },
})

export const leadRowActs = (lead: LeadRow) => (
  <RowActions>
    <LeadActions lead={lead} />
    <MoreActs lead={lead} />
  </RowActions>
)
