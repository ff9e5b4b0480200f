import { z } from 'zod'
import { anyOf, endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { instant, plainDay, recordId, requiredText, text, webAddress, wholeNumber } from '#shared/schemas.ts'
import { MailRow } from '#shared/mails.ts'
import { pageNumber } from '#shared/page.ts'
import { changedReply, listReply, recordIds, editBaseFields, RecordCounts } from '#shared/record.contract.ts'
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
  trial_from: plainDay.optional(),
  trial_to: plainDay.optional(),
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

const Saved = changedReply(Organization)

const NamedReply = z.array(z.object({ id: z.number().int(), name: z.string() }))
const params = z.object({ id: recordId })

export const organizations = {
  list: endpoint({
    method: 'GET',
    path: '/admin/users/all-organizations-data',
    shows: ['organization'],
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
    shows: ['organization', 'customer_user', 'onboarding'],
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
  used: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/organization/used',
    summary: 'Count the records that would be hidden along with these organizations.',
    access: 'all_organization_update_status',
    body: z.object({ ids: recordIds }),
    response: z.object({ data: RecordCounts, documents: count }),
  }),
}
