import { z } from 'zod'
import { anyOf, endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import { detailsOf, repliesOf } from '#shared/field.ts'
import { filterGroups } from '#shared/filter-groups.ts'
import { code, currencyCode, instant, oneOf, plainDay, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { moneyAmount } from '#shared/numbers.ts'
import { Note } from '#shared/notes.contract.ts'
import { OperationRef } from '#shared/record.contract.ts'
import { CountFilter, pageNumber, totalIsCapped } from '#shared/page.ts'
import { choiceFilters, idList, idOrZero } from '#features/crm/leads/choice-filters.contract.ts'
import { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { CustomFilters } from '#features/crm/leads/custom-filters.rules.ts'
import { EmptyFilters } from '#features/crm/leads/empty-filters.rules.ts'
import { leadFields } from '#features/crm/leads/fields.ts'
import { leadActivities, leadEvents, rejectedStatus, type LeadEvent } from '#features/crm/leads/rules.ts'
import { ProductShape } from '#shared/products.contract.ts'
import { LeadChange, NewLead } from '#features/crm/leads/input.contract.ts'

/** The texts from A §4, verbatim. */
export const messages = {
  followupQuestion: 'Are you sure you want to change the followup date?',
  dateChanged: 'Date Changed!',
} as const

export const leadsPerPage = 20

/** Columns that the list can be sorted by. */
export const sortColumns = [
  'lead_id',
  'companyName',
  'contactName',
  'country',
  'lead_date',
  'request_date',
  'followup_date',
  'expected_close',
  'status',
  'color',
  'lead_type',
  'assign_to',
  'updated_at',
] as const

/** Inputs of these filters take what they take. */
export const untouchedDays = wholeNumber(1, 3650)
export const contactRole = text(80)

/** Filters of leads that are the same in the list and in each of its groups. */
const conditions = {
  search: text(200).default(''),
  status: code.optional(),
  color: code.optional(),
  /** `status_any`, `status_not`, `color_any`, and so on. */
  ...choiceFilters,
  follow_up_from: plainDay.optional(),
  follow_up_to: plainDay.optional(),
  request_from: plainDay.optional(),
  request_to: plainDay.optional(),
  /** The day since which a lead has its status. */
  status_from: plainDay.optional(),
  status_to: plainDay.optional(),
  /** The day when a lead came into the panel. */
  created_from: plainDay.optional(),
  created_to: plainDay.optional(),
  implement_from: plainDay.optional(),
  implement_to: plainDay.optional(),
  /** The role of any contact of a lead, ignoring case. */
  contact_role: contactRole.default(''),
  followup_filter: oneOf(0, 1, 2, 3, 4, 10).default(10),
  /** So many days up to today without a change, a note, a call, an email, or a session. */
  untouched_days: untouchedDays.optional(),
  /** `stuck`: leads with more days without activity than their status allows. */
  stuck_filter: z.enum(['all', 'stuck']).default('all'),
  /** Why a lead was rejected. */
  reject_reason: recordId.optional(),
  /** Leads that are neither won nor rejected are open. */
  outcome_filter: z.enum(['all', 'open', 'closed']).default('all'),
  amount_filter: z.enum(['all', 'with', 'without']).default('all'),
  amount_from: moneyAmount.optional(),
  amount_to: moneyAmount.optional(),
  currency: currencyCode.optional(),
  close_from: plainDay.optional(),
  close_to: plainDay.optional(),
  /** `none`: leads without an expected close. */
  close_filter: z.enum(['all', 'none']).default('all'),
  demo_filter: z.enum(['all', '0', '1', '2', '3']).default('all'),
  software_filter: text(80).default('all'),
  /** The name of a source; `none`: leads without one. */
  source_filter: text(80).default('all'),
  /** What happened to a lead for the first time, or what was done for it, as the sales report counts it. */
  event: z.enum(Object.keys({ ...leadEvents, ...leadActivities }) as LeadEvent[]).optional(),
  /** The status that a lead got. */
  event_status: code.optional(),
  event_from: plainDay.optional(),
  event_to: plainDay.optional(),
  /** The assignee at that time, or who did something for the lead; 0 for none. */
  event_by: idOrZero.optional(),
  /** The reject reason at that time; 0 for none. */
  event_reason: idOrZero.optional(),
  assigned_filter: z.enum(['all', 'mine', 'assigned', 'unassigned']).default('all'),
  crm_id: recordId.optional(),
  /** Leads with any of these tags. 0 is the seed's default and does not filter. */
  tags_filter: idList,
  /** Leads with none of these tags. */
  tags_not: idList,
  /** Fields without or with a value, such as `email:empty` and `phone:filled` (empty-filters.rules.ts). */
  field_filter: EmptyFilters,
  /** `none`: open leads with neither a follow-up date nor a session ahead. */
  next_step_filter: z.enum(['all', 'none']).default('all'),
  /** Conditions on custom fields, such as `12:in:5..10` (custom-filters.rules.ts). */
  custom_filter: CustomFilters,
  lead_filter: z.enum(['all', '1', '2']).default('all'),
  /** Leads that an import created or changed; none for one that the caller can't see. */
  import_id: recordId.optional(),
}

/** The filters of a group, all of which a lead must match. Without a date, leads of all days match. */
export const LeadGroup = z.object({
  ...conditions,
  fromDate: plainDay.optional(),
  toDate: plainDay.optional(),
})
export type LeadGroup = z.output<typeof LeadGroup>
export const leadGroups = filterGroups(LeadGroup)

/**
 * All filters of the lead list, shared by the page URL, the API query, and the SQL filter.
 * docs/product.md#lead-filters describes which leads match each filter.
 */
export const LeadFilters = z.object({
  page: pageNumber.default(1),
  ...conditions,
  /**
   * The day when the lead was created. If neither date is set, the current month applies; `all` means
   * unbounded (rules.ts, leadDates).
   */
  fromDate: plainDay.or(z.literal('all')).optional(),
  toDate: plainDay.or(z.literal('all')).optional(),
  /** Groups of filters, at least one of which a lead must match: `status=2;color=4` (filter-groups.ts). */
  or: leadGroups.schema,
  lead_for: recordId.optional(),
  column: z.enum(sortColumns).default('lead_date'),
  direction: z.enum(['asc', 'desc']).default('desc'),
  /**
   * The browser's date, used for overdue, today, and the current month (docs/spec-gaps.md G77); defaults to
   * the server's date.
   */
  today: plainDay.optional(),
})
export type LeadFilters = z.output<typeof LeadFilters>

const Tag = z.object({ id: z.number().int(), name: z.string() })

/** A lead as shown in the list. */
export const LeadRow = z.object({
  ...repliesOf(leadFields),
  assigned_name: z.string().nullable(),
  version: z.number().int(),
})
export type LeadRow = z.output<typeof LeadRow>

/** A lead with all its data. */
export const Lead = LeadRow.extend({
  ...detailsOf(leadFields),
  website_checked_at: instant.nullable(),
  organization_id: z.number().int().nullable(),
  organization_name: z.string().nullable(),
  created_at: instant,
  updated_at: instant,
  created_by_name: z.string().nullable(),
})
export type Lead = z.output<typeof Lead>

export const LeadListReply = z.object({
  data: z.object({ leads: z.array(LeadRow), displayRows: z.string() }),
  total: z.number().int(),
  total_is_capped: totalIsCapped,
  per_page: z.number().int(),
  user_product: z.array(z.number().int()),
  active_products: z.array(ProductShape),
  all_tags: z.array(Tag),
})
export type LeadListReply = z.output<typeof LeadListReply>

const rejectOrEdit: DecidedAccess = {
  says: `lead_reject for status ${rejectedStatus} (rejected), lead_edit for any other status`,
  permissions: ['lead_reject', 'lead_edit'],
  accessFor: ({ query }) => (query.status === rejectedStatus ? 'lead_reject' : 'lead_edit'),
  allows: (viewer, { query }) =>
    viewer.permissions.has(query.status === rejectedStatus ? 'lead_reject' : 'lead_edit'),
}

/** Null if nothing changed. */
const act = OperationRef.nullable()
const Changed = z.object({ message: z.string(), data: LeadRow, operation: act })

const seenVersion = wholeNumber(1, 2_147_483_647).optional()

const NamedOption = z.object({ id: z.number().int(), name: z.string() })

/** The options in lead filters and forms; they are data, not code (docs/spec-gaps.md G108). */
export const LeadOptions = z.object({
  /**
   * `probability` is how likely a lead in the status is won, in percent; `is_won` says that it is. `for_demo` says that
   * leads in it have a scheduled (2) or completed (3) demo.
   */
  statuses: z.array(
    NamedOption.extend({
      tone: z.string(),
      probability: z.number().int(),
      is_won: z.boolean(),
      for_demo: z.number().int().nullable(),
    }),
  ),
  reject_reasons: z.array(NamedOption),
  colors: z.array(NamedOption.extend({ tone: z.string() })),
  services: z.array(z.string()),
  sources: z.array(z.string()),
  cog_types: z.array(z.string()),
  tags: z.array(Tag),
  /** Possible assignees. */
  staff: z.array(NamedOption),
  /** Admin users who created leads of the caller’s products, former ones included. */
  creators: z.array(NamedOption),
  products: z.array(ProductShape),
  /** The fields of all the caller’s products, in their order; also deleted ones, which history and views name. */
  custom_fields: z.array(CustomField),
  /** The names of the imported details that leads of the caller’s products have, up to 500. */
  detail_labels: z.array(z.object({ product_id: z.number().int(), label: z.string() })),
  /** Of the newest lead with an amount; null if there is none. */
  last_currency: z.string().nullable(),
})
export type LeadOptions = z.output<typeof LeadOptions>

export const leads = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/get-demo-requests',
    shows: ['leads', 'lists', 'lead-tag'],
    summary: 'List leads for one product, or for all of the caller’s products, with filters, 20 per page.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: LeadFilters.extend({ count: CountFilter }),
    response: LeadListReply,
  }),
  options: endpoint({
    method: 'GET',
    path: '/admin/users/lead-options',
    // The names of imported details come with imports.
    shows: ['lists', 'lead-tag', 'lead-imports'],
    summary: 'List the options for lead filters and forms.',
    access: anyOf('lead_list', 'lead_create', 'lead_edit'),
    response: LeadOptions,
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/getdemo',
    shows: ['leads'],
    summary: 'Get a lead with all its details, and its newest 50 notes.',
    access: 'lead_detail',
    query: z.object({ id: recordId }),
    response: z.object({ data: Lead.extend({ notes: z.array(Note) }) }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/users/save-demo-requests',
    summary: 'Create a lead.',
    act: 'Created',
    access: 'lead_create',
    product: ['body.lead_for'],
    record: 'lead',
    body: NewLead,
    /** Undoing the operation moves the lead to the trash. */
    response: z.object({ message: z.string(), data: Lead, operation: act }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/users/update-demo-requests',
    summary:
      'Update the given fields of a lead. Returns 409 with the current lead if the version is out of date.',
    act: 'Edited',
    access: 'lead_edit',
    product: ['body.lead_for'],
    record: 'lead',
    notFields: ['lead_id'],
    body: LeadChange,
    response: z.object({ message: z.string(), data: Lead, operation: act }),
  }),
  changeDemoRequestStatus: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-demorequest-status',
    summary:
      'Set the status of a lead. The rejected status requires `reject_msg`. Returns 409 if someone else changed the status after the given version.',
    act: 'Changed status',
    access: rejectOrEdit,
    query: z.object({
      id: recordId,
      status: code,
      reject_msg: text(2000).optional(),
      reject_reason_id: recordId.optional(),
      version: seenVersion,
    }),
    /** Includes the operation, so that a rejection can be undone. */
    response: Changed,
  }),
  changeLeadStatus: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-lead-status',
    summary: 'Set the status of a lead. Returns 409 if someone else changed it after the given version.',
    act: 'Changed status',
    access: rejectOrEdit,
    query: z.object({ id: recordId, status: code, version: seenVersion }),
    response: Changed,
  }),
  changeColor: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-demorequest-color',
    summary: 'Set the priority of a lead.',
    act: 'Changed priority',
    access: 'lead_select_pripority',
    query: z.object({ id: recordId, color: code }),
    response: Changed,
  }),
  changeFollowupDate: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-followup-date',
    summary: 'Set the follow-up date of a lead. Send an empty `date` to clear it.',
    act: 'Changed follow-up date',
    access: 'lead_edit',
    query: z.object({ id: recordId, date: plainDay.nullable() }),
    response: Changed,
  }),
}
