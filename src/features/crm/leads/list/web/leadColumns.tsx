import { dayText } from '#shared/dates.ts'
import type { LeadRow } from '#features/crm/leads/contract.ts'
import { demoStates, leadTypes } from '#features/crm/leads/rules.ts'
import { ColorCell } from '#features/crm/leads/cells/web/ColorCell.tsx'
import { FollowupCell } from '#features/crm/leads/cells/web/FollowupCell.tsx'
import { LeadActions } from '#features/crm/leads/cells/web/LeadActions.tsx'
import { LeadLink } from '#features/crm/leads/cells/web/LeadLink.tsx'
import { MoreActs } from '#features/crm/leads/cells/web/MoreActs.tsx'
import { PresenceMark } from '#features/crm/leads/list/web/PresenceMarks.tsx'
import { StatusCell } from '#features/crm/leads/cells/web/StatusCell.tsx'
import { TagNames } from '#features/crm/leads/cells/web/TagNames.tsx'
import classes from '#features/crm/leads/list/web/leads.module.css'
import type { Column } from '#web/list/columns.ts'

const day = (value: string | null) => (value ? dayText(value) : '')

export const leadColumns: readonly Column<LeadRow>[] = [
  {
    id: 'company',
    header: 'Company',
    cell: (lead) => (
      <>
        <LeadLink lead={lead} className={classes.company} />
        <PresenceMark id={lead.lead_id} />
      </>
    ),
    title: (lead) => lead.companyName,
    sortBy: 'companyName',
    width: 200,
    always: true,
  },
  {
    id: 'contact',
    header: 'Contact',
    cell: (lead) => lead.contactName,
    title: (lead) => lead.contactName,
    sortBy: 'contactName',
    width: 135,
  },
  {
    id: 'status',
    header: 'Status',
    cell: (lead) => <StatusCell lead={lead} />,
    sortBy: 'status',
    width: 155,
  },
  {
    id: 'priority',
    header: 'Priority',
    cell: (lead) => <ColorCell lead={lead} />,
    sortBy: 'color',
    width: 105,
  },
  {
    id: 'followup',
    header: 'Follow-up',
    cell: (lead) => <FollowupCell lead={lead} />,
    sortBy: 'followup_date',
    width: 160,
    align: 'right',
  },
  {
    id: 'assigned',
    header: 'Assignee',
    cell: (lead) => lead.assigned_name ?? '',
    title: (lead) => lead.assigned_name,
    sortBy: 'assign_to',
    width: 130,
  },
  {
    id: 'email',
    header: 'Email',
    cell: (lead) => lead.email && <a href={`mailto:${lead.email}`}>{lead.email}</a>,
    title: (lead) => lead.email,
    width: 200,
    hiddenAtFirst: true,
  },
  { id: 'phone', header: 'Phone', cell: (lead) => lead.phone, title: (lead) => lead.phone, width: 130 },
  {
    id: 'country',
    header: 'Country',
    cell: (lead) => lead.country,
    title: (lead) => lead.country,
    sortBy: 'country',
    width: 120,
    hiddenAtFirst: true,
  },
  {
    id: 'service',
    header: 'Service',
    cell: (lead) => lead.services ?? '',
    title: (lead) => lead.services,
    width: 140,
    hiddenAtFirst: true,
  },
  {
    id: 'type',
    header: 'Type',
    cell: (lead) => leadTypes[lead.lead_type as 1],
    sortBy: 'lead_type',
    width: 100,
    hiddenAtFirst: true,
  },
  {
    id: 'demo',
    header: 'Demo',
    cell: (lead) => demoStates[lead.demo_status as 0],
    width: 110,
    hiddenAtFirst: true,
  },
  {
    id: 'tags',
    header: 'Tags',
    cell: (lead) => <TagNames ids={lead.tag_ids} />,
    width: 160,
    hiddenAtFirst: true,
  },
  {
    id: 'request',
    header: 'Request date',
    cell: (lead) => day(lead.request_date),
    sortBy: 'request_date',
    width: 120,
    align: 'right',
    hiddenAtFirst: true,
  },
  {
    id: 'date',
    header: 'Lead date',
    cell: (lead) => day(lead.lead_date),
    sortBy: 'lead_date',
    width: 105,
    align: 'right',
  },
  {
    id: 'number',
    header: 'Number',
    cell: (lead) => lead.lead_id,
    sortBy: 'lead_id',
    width: 90,
    align: 'right',
    hiddenAtFirst: true,
  },
]

export const leadRowActs = (lead: LeadRow) => (
  <span className={classes.actions}>
    <LeadActions lead={lead} />
    <MoreActs lead={lead} />
  </span>
)
