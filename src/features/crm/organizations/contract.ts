import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { knownPlaceholders } from '#shared/placeholders.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { fileIds, recordFile } from '#shared/files.ts'
import {
  emptyIsAbsent,
  instant,
  messageReply,
  plainDay,
  recordId,
  requiredText,
  subjectLine,
  text,
  webAddress,
  wholeNumber,
} from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import {
  ActReply,
  changedReply,
  listReply,
  recordIds,
  editBaseFields,
  RecordCounts,
} from '#shared/record.contract.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import { organizationFields, organizationStatus } from '#features/crm/organizations/fields.ts'

/** The texts from A §8, verbatim. */
export const organizationMessages = {
  statusChanged: 'status changed!',
  videoStored: 'Video link has been uploaded successfully',
} as const

export const organizationsPerPage = 20
export const organizationSorts = [
  'organization_id',
  'name',
  'status',
  'trial_end_date',
  'country',
  'updated_at',
] as const

const status = organizationStatus

/** docs/spec-gaps.md, "Organizations", describes which organizations match each filter. */
export const OrganizationFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  status: status.optional(),
  product: recordId.optional(),
  filter: z.enum(['all', 'ends_soon', 'ended', 'no_end']).default('all'),
  state: text(80).default(''),
  country: text(80).default(''),
  column: z.enum(organizationSorts).default('organization_id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type OrganizationFilters = z.output<typeof OrganizationFilters>

export const OrganizationRow = z.object({
  ...repliesOf(organizationFields),
  /** The organization's master user or, without one, its first user; 0 if there are no users. */
  user_id: z.number().int(),
  assigned_name: z.string().nullable(),
  updated_at: instant,
  version: z.number().int(),
})
export type OrganizationRow = z.output<typeof OrganizationRow>

export const Organization = OrganizationRow.extend({
  created_at: instant,
  created_by_name: z.string().nullable(),
})
export type Organization = z.output<typeof Organization>

const CustomerUser = z.object({
  id: z.number().int(),
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string(),
  is_master: z.boolean(),
  role: z.string(),
  status: z.number().int(),
  is_subscribed: z.number().int(),
  banned: z.boolean(),
})
export type CustomerUser = z.output<typeof CustomerUser>

const OrganizationDetail = z.object({
  organization: Organization,
  /** The user whose ID is in the URL; null if the ID is 0. */
  user: CustomerUser.nullable(),
  users: z.array(CustomerUser),
  leads: z.array(z.object({ lead_id: z.number().int(), companyName: z.string(), status: z.string() })),
  onboardings: z.array(
    z.object({
      id: z.number().int(),
      stage: z.string(),
      status: z.number().int(),
      next_expected_date: z.string().nullable(),
      company: z.string(),
    }),
  ),
  documents: z.number().int(),
  mails: z.array(MailRow),
  /** The current date in the organization's time zone. */
  today: z.string(),
})
export type OrganizationDetail = z.output<typeof OrganizationDetail>

/** Number of records of a type that belong to the organizations. */
const count = z.number().int()
export const OrganizationChange = z.object(inputsOf(organizationFields)).partial().extend(editBaseFields)
export const DemoVideo = z.object({ video_label: requiredText(200), video_link: webAddress })
export const TrialDate = z
  .object({ trial_date: emptyIsAbsent(plainDay), trial_in_days: emptyIsAbsent(wholeNumber(1, 3650)) })
  .refine(({ trial_date, trial_in_days }) => (trial_date === undefined) !== (trial_in_days === undefined), {
    path: ['trial_date'],
    message: 'Enter either a date or a number of days.',
  })

/** Status change for one or more organizations. Setting an end date requires a trial. */
const StatusChange = z
  .object({
    status,
    org_id: recordId.optional(),
    org_ids: recordIds.optional(),
    trial_end_date: emptyIsAbsent(plainDay),
  })
  .refine(({ org_id, org_ids }) => (org_id === undefined) !== (org_ids === undefined), {
    path: ['org_ids'],
    message: 'Send either org_id or org_ids.',
  })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, {
    path: ['trial_end_date'],
    message: 'Only trials can have an end date.',
  })
/** Status change for all organizations that match the filters, instead of a selection. */
const MatchingChange = z
  .object({
    status,
    filters: OrganizationFilters.partial(),
    trial_end_date: emptyIsAbsent(plainDay),
    expected: wholeNumber(0, 1_000_000).optional(),
  })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, {
    path: ['trial_end_date'],
    message: 'Only trials can have an end date.',
  })

const Saved = changedReply(Organization)
const StatusReply = ActReply.extend({ changed: z.number().int(), unchanged: z.number().int() })
const NamedReply = z.array(z.object({ id: z.number().int(), name: z.string() }))
const LeftOut = z.array(
  z.object({
    who: z.string(),
    why: z.enum(['banned', 'unsubscribed', 'no address', 'no valid address', 'twice']),
  }),
)
const params = z.object({ id: recordId })

export const OrganizationMail = z.object({
  subject: knownPlaceholders(subjectLine),
  message: knownPlaceholders(requiredText(10_000)),
})

export const organizations = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/all-organizations-data',
    summary: 'List organizations of the caller’s products, with filters, 20 per page.',
    access: 'all_organization_list',
    product: ['query.product'],
    query: OrganizationFilters,
    response: listReply(OrganizationRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/all-organizations-data/export',
    summary: 'Export organizations that match the filters as CSV.',
    access: 'all_organization_list',
    product: ['query.product'],
    query: OrganizationFilters,
  }),
  commonAll: endpoint({
    method: 'GET',
    path: '/common/organization/all',
    summary:
      'List the IDs and names of up to 1,000 organizations of the caller’s products, sorted by name, for selection fields.',
    calledBy: 'clients of A §7',
    access: 'signed-in',
    product: ['query.product'],
    query: z.object({ search: text(200).default(''), product: recordId.optional() }),
    response: z.object({ data: NamedReply }),
  }),
  states: endpoint({
    method: 'GET',
    path: '/admin/users/organization/filter-data/state',
    summary: 'List the states (regions) that organizations are in, for the filter.',
    access: 'all_organization_list',
    response: z.object({ data: z.array(z.string()) }),
  }),
  countries: endpoint({
    method: 'GET',
    path: '/admin/users/countries',
    summary: 'List the countries that organizations are in, for the filter.',
    access: anyOf('all_organization_list', 'all_users_list'),
    response: z.object({ countries: z.array(z.string()) }),
  }),
  orgUser: endpoint({
    method: 'GET',
    path: '/admin/getOrgUser',
    summary:
      'Get an organization with its users, leads, onboardings, and emails. `user` is the ID of one of its users, or 0.',
    access: 'all_organization_list',
    query: z.object({ user: wholeNumber(0, 2_147_483_647).default(0), org_id: recordId }),
    response: z.object({ data: OrganizationDetail }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/update',
    summary:
      'Update the given fields of an organization. Returns 409 with the current organization if the version is out of date.',
    act: 'Edited',
    access: 'all_organization_update_status',
    product: ['body.product_ids'],
    record: 'organization',
    params,
    body: OrganizationChange,
    response: Saved,
  }),
  changeStatus: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-organization-status',
    summary:
      'Set the status of one organization (org_id) or several (org_ids). A trial requires an end date.',
    act: 'Changed status',
    access: 'all_organization_update_status',
    query: StatusChange,
    response: StatusReply,
  }),
  changeMatching: endpoint({
    method: 'POST',
    path: '/admin/users/change-organization-status/matching',
    summary:
      'Set the status of all organizations that match the filters, up to 10,000. Returns 409 if the number of matches differs from the expected number.',
    act: 'Changed status',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: MatchingChange,
    response: StatusReply,
  }),
  previewStatus: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/change-organization-status/preview',
    summary:
      'Preview a status change: how many organizations would change, already have the status, or can’t be changed.',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: z.object({
      status,
      org_ids: recordIds.optional(),
      filters: OrganizationFilters.partial().optional(),
      trial_end_date: emptyIsAbsent(plainDay),
    }),
    response: z.object({ changing: z.number().int(), already: z.number().int(), refused: z.number().int() }),
  }),
  startTrial: endpoint({
    method: 'POST',
    path: '/admin/organization/start-trial',
    summary: 'Start an organization’s trial. Returns 409 if a trial is already running.',
    act: 'Started a trial',
    access: 'all_organization_update_status',
    body: z.object({ org_id: recordId }),
    response: Saved,
  }),
  updateTrialDate: endpoint({
    method: 'POST',
    path: '/admin/organization/update_trial_date',
    summary:
      'Set a trial’s end date, either as a date or as a number of days from today in the organization’s time zone.',
    act: 'Changed trial end date',
    access: 'all_organization_update_status',
    body: TrialDate.safeExtend({ id: recordId }),
    response: Saved,
  }),
  storeVideo: endpoint({
    method: 'POST',
    path: '/admin/organization/demo-video-link',
    summary: 'Add an organization’s demo video.',
    act: 'Added demo video',
    access: 'all_organization_note',
    body: DemoVideo.extend({ org_id: recordId }),
    response: Saved,
  }),
  updateVideo: endpoint({
    method: 'POST',
    path: '/admin/organization/update-demo-video-link',
    summary: 'Update an organization’s demo video. `id` is the organization’s ID.',
    act: 'Changed demo video',
    access: 'all_organization_note',
    body: DemoVideo.extend({ id: recordId }),
    response: Saved,
  }),
  documents: endpoint({
    method: 'GET',
    path: '/admin/organization/{id}/documents',
    summary: 'List an organization’s documents, including removed ones.',
    access: 'all_organization_list',
    params,
    response: z.object({
      data: z.array(recordFile),
      removed: z.array(z.object({ id: z.number().int(), name: z.string(), at: instant })),
      organization: z.object({ id: z.number().int(), name: z.string() }),
    }),
  }),
  addDocuments: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/documents',
    summary: 'Add documents to an organization, optionally with a label.',
    act: 'Added documents',
    access: 'all_organization_note',
    params,
    files: { attachment: { most: 10, maxBytes: sizeInBytes('10M') } },
    body: z.object({ file_ids: fileIds.optional(), label: text(200).default('') }),
    response: ActReply,
  }),
  removeDocument: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/documents/remove',
    summary: 'Remove or restore a document.',
    act: 'Changed documents',
    access: 'all_organization_note',
    params,
    body: z.object({ file_id: recordId, back: z.boolean().default(false) }),
    response: ActReply,
  }),
  used: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/organization/used',
    summary: 'Count the records that would be hidden along with these organizations.',
    access: 'all_organization_update_status',
    body: z.object({ ids: recordIds }),
    response: z.object({ data: RecordCounts, documents: count }),
  }),
  mailRecipients: endpoint({
    method: 'GET',
    path: '/admin/organization/{id}/mail/recipients',
    summary: 'Count an organization’s users who would receive an email, and list those who wouldn’t.',
    access: 'all_organization_email',
    params,
    response: z.object({ count, left_out: LeftOut, left_out_total: count }),
  }),
  mail: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/mail',
    summary:
      'Send an email to an organization’s users. Excludes banned and unsubscribed users and users without an email address.',
    act: 'Sent an email',
    access: 'all_organization_email',
    params,
    body: OrganizationMail,
    response: z.object({ message: z.string(), left_out: LeftOut }),
  }),
  reminders: endpoint({
    method: 'GET',
    path: '/admin/organization/reminders',
    summary:
      'List the caller’s open reminders about trials that are ending and onboardings that are due, earliest first, up to 100.',
    access: anyOf('all_organization_list', 'onboarding_list'),
    response: z.object({
      data: z.array(
        z.object({
          id: z.number().int(),
          organization_id: z.number().int(),
          onboarding_id: z.number().int().nullable(),
          name: z.string(),
          due_on: z.string(),
        }),
      ),
    }),
  }),
  remindersDone: endpoint({
    method: 'POST',
    path: '/admin/organization/reminders/{id}',
    summary: 'Mark one of the caller’s reminders as done, or reopen it.',
    act: 'Updated a reminder',
    access: anyOf('all_organization_list', 'onboarding_list'),
    params,
    body: z.object({ done: z.boolean('This must be true or false.') }),
    response: messageReply,
  }),
}
