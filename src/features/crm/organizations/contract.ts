import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { fileIds, recordFile } from '#shared/files.ts'
import { instant, isWebAddress, messageReply, oneOf, plainDay, recordId, requiredText, text, wholeNumber } from '#shared/fields.ts'
import { MailRow } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, recordIds, seenBefore } from '#shared/record.contract.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import { zoneName } from '#shared/zones.ts'

/** The texts of A §8, verbatim. */
export const organizationMessages = { statusChanged: 'status changed!', videoStored: 'Video link has been uploaded successfully' } as const

/** Status of an organization (A §4). */
export const organizationStatuses = { 1: 'Active', 2: 'Trial', 3: 'Inactive', 4: 'Warning' } as const

export const organizationsPerPage = 20
export const organizationSorts = ['organization_id', 'name', 'status', 'trial_end_date', 'country', 'updated_at'] as const

const status = oneOf(1, 2, 3, 4)

/** Which organizations each filter keeps: docs/spec-gaps.md, "Organizations". */
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
  organization_id: z.number().int(),
  name: z.string(),
  status: z.number().int(),
  product_ids: z.array(z.number().int()),
  trial_end_date: z.string().nullable(),
  video_label: z.string(),
  video_link: z.string(),
  timezone: z.string(),
  state: z.string(),
  country: z.string(),
  /** The user who manages the others, else the first; 0 if there is none. */
  user_id: z.number().int(),
  user_name: z.string(),
  users: z.number().int(),
  assign_to: z.number().int().nullable(),
  assigned_name: z.string().nullable(),
  updated_at: instant,
  version: z.number().int(),
})
export type OrganizationRow = z.output<typeof OrganizationRow>

export const Organization = OrganizationRow.extend({ domain: z.string(), created_at: instant, created_by_name: z.string().nullable() })
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
  /** The user in the URL; null for 0. */
  user: CustomerUser.nullable(),
  users: z.array(CustomerUser),
  leads: z.array(z.object({ lead_id: z.number().int(), companyName: z.string(), status: z.string() })),
  onboardings: z.array(
    z.object({ id: z.number().int(), stage: z.string(), status: z.number().int(), next_expected_date: z.string().nullable(), company: z.string() }),
  ),
  documents: z.number().int(),
  mails: z.array(MailRow),
  /** The date in its time zone. */
  today: z.string(),
})
export type OrganizationDetail = z.output<typeof OrganizationDetail>

/** Number of records of each kind that organizations have. */
const count = z.number().int()
export const OrganizationsUsed = z.object({
  users: count,
  leads: count,
  onboardings: count,
  documents: count,
  tickets: count,
  tasks: count,
  contracts: count,
})
export type OrganizationsUsed = z.output<typeof OrganizationsUsed>

const blank = (value: unknown) => (value === '' || value === null ? undefined : value)
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(blank, schema.optional())
const webAddress = requiredText(2000).refine(isWebAddress, 'This is not a web address (http or https).')

const fields = z.object({
  name: requiredText(200),
  timezone: zoneName,
  state: text(80),
  country: text(80),
  domain: text(253)
    .transform((value) => value.toLowerCase())
    .refine((value) => value === '' || /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(value), 'This is not a domain, as example.com.'),
  product_ids: z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(recordId).min(1, 'Choose at least one product.').max(20)),
  assign_to: z.preprocess((value) => (value === '' ? null : value), recordId.nullable()),
})
export const OrganizationChange = fields.partial().extend(seenBefore)
export const DemoVideo = z.object({ video_label: requiredText(200), video_link: webAddress })
export const TrialDate = z
  .object({ trial_date: optional(plainDay), trial_in_days: optional(wholeNumber(1, 3650)) })
  .refine(({ trial_date, trial_in_days }) => (trial_date === undefined) !== (trial_in_days === undefined), {
    path: ['trial_date'],
    message: 'Either a date or a number of days.',
  })

/** Of one or many; an end date requires a trial. */
const StatusChange = z
  .object({ status, org_id: recordId.optional(), org_ids: recordIds.optional(), trial_end_date: optional(plainDay) })
  .refine(({ org_id, org_ids }) => (org_id === undefined) !== (org_ids === undefined), { path: ['org_ids'], message: 'Either org_id or org_ids.' })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, { path: ['trial_end_date'], message: 'Only a trial has an end.' })
/** Of all that match, instead of a selection. */
const MatchingChange = z
  .object({ status, filters: OrganizationFilters.partial(), trial_end_date: optional(plainDay), expected: wholeNumber(0, 1_000_000).optional() })
  .refine((sent) => sent.trial_end_date === undefined || sent.status === 2, { path: ['trial_end_date'], message: 'Only a trial has an end.' })

const Saved = changedReply(Organization)
const StatusReply = ActReply.extend({ changed: z.number().int(), unchanged: z.number().int() })
const NamedReply = z.array(z.object({ id: z.number().int(), name: z.string() }))
const LeftOut = z.array(z.object({ who: z.string(), why: z.enum(['banned', 'unsubscribed', 'no address', 'no valid address', 'twice']) }))
const params = z.object({ id: recordId })

export const OrganizationMail = z.object({
  subject: requiredText(200).refine((value) => !/[\r\n]/.test(value), 'This must be one line.'),
  message: requiredText(10_000),
})

export const organizations = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/all-organizations-data',
    summary: "The organizations of the caller's products by filter, twenty to a page.",
    access: 'all_organization_list',
    product: ['query.product'],
    query: OrganizationFilters,
    response: listReply(OrganizationRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/users/all-organizations-data/export',
    summary: 'The organizations that fit the filters as CSV.',
    access: 'all_organization_list',
    product: ['query.product'],
    query: OrganizationFilters,
  }),
  commonAll: endpoint({
    method: 'GET',
    path: '/common/organization/all',
    summary: "Ids and names of the organizations of the caller's products, by name, for forms that choose one; a thousand at most.",
    access: 'signed-in',
    product: ['query.product'],
    query: z.object({ search: text(200).default(''), product: recordId.optional() }),
    response: z.object({ data: NamedReply }),
  }),
  states: endpoint({
    method: 'GET',
    path: '/admin/users/organization/filter-data/state',
    summary: 'The states that organizations have, for the filter.',
    access: 'all_organization_list',
    response: z.object({ data: z.array(z.string()) }),
  }),
  countries: endpoint({
    method: 'GET',
    path: '/admin/users/countries',
    summary: 'The countries that organizations have, for the filter.',
    access: anyOf('all_organization_list', 'all_users_list'),
    response: z.object({ countries: z.array(z.string()) }),
  }),
  orgUser: endpoint({
    method: 'GET',
    path: '/admin/getOrgUser',
    summary: 'An organization with its users, leads, onboardings and mails; `user` is one of its users, or 0.',
    access: 'all_organization_list',
    query: z.object({ user: wholeNumber(0, 2_147_483_647).default(0), org_id: recordId }),
    response: z.object({ data: OrganizationDetail }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/update',
    summary: 'Changes the fields of an organization that are sent; 409 with the current one when the stated version is stale.',
    act: 'Edited',
    access: 'all_organization_update_status',
    product: ['body.product_ids'],
    params,
    body: OrganizationChange,
    response: Saved,
  }),
  changeStatus: endpoint({
    method: 'GET',
    writes: true,
    path: '/admin/users/change-organization-status',
    summary: 'Sets the status of one organization (org_id) or of many (org_ids); a trial needs an end.',
    act: 'Changed the status',
    access: 'all_organization_update_status',
    query: StatusChange,
    response: StatusReply,
  }),
  changeMatching: endpoint({
    method: 'POST',
    path: '/admin/users/change-organization-status/matching',
    summary: 'Sets the status of all organizations that fit the filters, ten thousand at most; 409 when they are not as many as expected.',
    act: 'Changed the status',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: MatchingChange,
    response: StatusReply,
  }),
  previewStatus: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/users/change-organization-status/preview',
    summary: 'How many a change of status would change, how many have it already, and how many it would refuse.',
    access: 'all_organization_update_status',
    product: ['body.filters.product'],
    body: z.object({ status, org_ids: recordIds.optional(), filters: OrganizationFilters.partial().optional(), trial_end_date: optional(plainDay) }),
    response: z.object({ changing: z.number().int(), already: z.number().int(), refused: z.number().int() }),
  }),
  startTrial: endpoint({
    method: 'POST',
    path: '/admin/organization/start-trial',
    summary: 'Begins the trial of an organization; 409 while one runs.',
    act: 'Started a trial',
    access: 'all_organization_update_status',
    body: z.object({ org_id: recordId }),
    response: Saved,
  }),
  updateTrialDate: endpoint({
    method: 'POST',
    path: '/admin/organization/update_trial_date',
    summary: 'Sets the end of a trial: a date, or days from today in the zone of the organization.',
    act: 'Set the end of the trial',
    access: 'all_organization_update_status',
    body: TrialDate.safeExtend({ id: recordId }),
    response: Saved,
  }),
  storeVideo: endpoint({
    method: 'POST',
    path: '/admin/organization/demo-video-link',
    summary: 'Stores the demo video of an organization.',
    act: 'Stored the demo video',
    access: 'all_organization_note',
    body: DemoVideo.extend({ org_id: recordId }),
    response: Saved,
  }),
  updateVideo: endpoint({
    method: 'POST',
    path: '/admin/organization/update-demo-video-link',
    summary: 'Changes the demo video; `id` is the organization.',
    act: 'Changed the demo video',
    access: 'all_organization_note',
    body: DemoVideo.extend({ id: recordId }),
    response: Saved,
  }),
  documents: endpoint({
    method: 'GET',
    path: '/admin/organization/{id}/documents',
    summary: 'The documents of an organization, and those that were taken away.',
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
    summary: 'Adds documents to an organization, with a label if wanted.',
    act: 'Added documents',
    access: 'all_organization_note',
    params,
    files: { attachment: { most: 10, maxBytes: sizeInBytes('10M') } },
    body: z.object({ file_ids: fileIds.optional(), label: text(200).default('') }),
    response: messageReply,
  }),
  removeDocument: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/documents/remove',
    summary: 'Takes a document away, or puts it back.',
    act: 'Changed the documents',
    access: 'all_organization_note',
    params,
    body: z.object({ file_id: recordId, back: z.boolean().default(false) }),
    response: messageReply,
  }),
  used: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/organization/used',
    summary: 'What belongs to organizations and goes out of sight with them, counted.',
    access: 'all_organization_update_status',
    body: z.object({ ids: recordIds }),
    response: z.object({ data: OrganizationsUsed }),
  }),
  mailRecipients: endpoint({
    method: 'GET',
    path: '/admin/organization/{id}/mail/recipients',
    summary: 'How many users of an organization a mail would reach, and whom it would not.',
    access: 'all_organization_email',
    params,
    response: z.object({ count, left_out: LeftOut, left_out_total: count }),
  }),
  mail: endpoint({
    method: 'POST',
    path: '/admin/organization/{id}/mail',
    summary: 'Sends a mail to the users of an organization; banned, unsubscribed and without an address are left out.',
    act: 'Sent a mail',
    access: 'all_organization_email',
    params,
    body: OrganizationMail,
    response: z.object({ message: z.string(), left_out: LeftOut }),
  }),
  reminders: endpoint({
    method: 'GET',
    path: '/admin/organization/reminders',
    summary: "One's own open reminders of trials that end and onboardings that are expected, the earliest first, a hundred at most.",
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
    summary: "Marks one of one's own reminders as done, or as open again.",
    act: 'Dealt with a reminder',
    access: anyOf('all_organization_list', 'onboarding_list'),
    params,
    body: z.object({ done: z.boolean('This must be true or false.') }),
    response: messageReply,
  }),
}
