import { z } from 'zod'
import type { Permission } from '#shared/access.ts'
import { anyOf, endpoint, type DecidedAccess } from '#shared/endpoint.ts'
import {
  code,
  emptyIsNull,
  instant,
  plainDay,
  recordId,
  requiredText,
  text,
  wholeNumber,
} from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { bulkFields, BulkValues } from '#features/crm/leads/bulk-values.contract.ts'
import { CustomValue } from '#features/crm/leads/custom-fields.rules.ts'
import { Lead, LeadFilters } from '#features/crm/leads/contract.ts'
import { batchSize } from '#shared/operations.ts'
import { selectionOf } from '#shared/selection.ts'
import { Operation, OperationRef } from '#shared/record.contract.ts'
import { mergeableFields } from '#features/crm/leads/fields.ts'
import type { BulkKind, OperationKind } from '#features/crm/leads/operations.rules.ts'

/* Bulk operations on leads and how they can be undone: docs/product.md#bulk-operations. */

const LeadSelection = selectionOf(LeadFilters)
export type LeadSelection = z.output<typeof LeadSelection>

export const Rejection = z.object({
  reject_reason_id: emptyIsNull(recordId).optional(),
  reject_msg: requiredText(2000),
})

/** The change to apply to each lead. */
const BulkChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('status'), status: code }),
  z.object({ kind: z.literal('reject'), ...Rejection.shape }),
  z.object({ kind: z.literal('color'), color: code }),
  z.object({ kind: z.literal('assign'), assign_to: recordId.nullable() }),
  /** Null removes the date. */
  z.object({ kind: z.literal('followup'), followup_date: plainDay.nullable() }),
  z.object({ kind: z.literal('tags'), tag_id: recordId, add: z.boolean() }),
  z.object({ kind: z.literal('edit'), values: BulkValues }),
  z.object({ kind: z.literal('delete') }),
])
export type BulkChange = z.output<typeof BulkChange>

/** The permission required for each operation and for its undo. */
export const rightOf: Record<OperationKind, Permission> = {
  status: 'lead_edit',
  reject: 'lead_reject',
  color: 'lead_select_pripority',
  assign: 'lead_edit',
  followup: 'lead_edit',
  tags: 'lead_edit',
  delete: 'lead_edit',
  restore: 'lead_edit',
  merge: 'lead_edit',
  import: 'lead_create',
  edit: 'lead_edit',
}

const byChange: DecidedAccess = {
  says: 'lead_reject to reject, lead_select_pripority to change the priority, lead_edit for all other changes',
  permissions: ['lead_edit', 'lead_select_pripority', 'lead_reject'],
  allows: (viewer, { body }) => {
    const right = rightOf[(body.change as { kind?: BulkKind } | undefined)?.kind ?? 'status']
    return viewer.permissions.has(right)
  },
}

/**
 * A lead that an undo skips, because it has been changed since or because one of its former values no longer
 * exists.
 */
export const ChangedSince = z.object({
  lead_id: z.number().int(),
  companyName: z.string(),
  /** The user who last changed the lead, and when. */
  who: z.string(),
  at: instant,
  /** Why the lead cannot be restored even though it was not changed; null if it was changed. */
  why: z.string().nullable(),
})
export type ChangedSince = z.output<typeof ChangedSince>

const operationRights = anyOf('lead_edit', 'lead_reject', 'lead_select_pripority', 'lead_create')

/** The organization created from a lead; null if there is none. */
const OwnOrganization = z.object({ organization_id: z.number().int(), name: z.string() }).nullable()

/** One to `most` values, sent repeated or comma-separated. */
export const listed = <S extends z.ZodType>(one: S, most: number) =>
  z.preprocess(
    (value) =>
      (Array.isArray(value) ? value : [value]).flatMap((part) =>
        typeof part === 'string' ? part.split(',') : [part],
      ),
    z.array(one).min(1).max(most),
  )

export const leadOperations = {
  change: endpoint({
    method: 'POST',
    path: '/admin/users/change-leads',
    summary: `Apply one change to many leads: immediately for up to ${batchSize}, in the background for more. Returns 409 if the number of matching leads has changed.`,
    act: 'Edited in bulk',
    access: byChange,
    product: ['body.selection.filters.lead_for'],
    body: z.object({ selection: LeadSelection, change: BulkChange }),
    response: z.object({
      message: z.string(),
      /** Null if nothing changed. */
      operation: OperationRef.nullable(),
      /** Whether the operation continues in the background. */
      running: z.boolean(),
      changed: z.number().int(),
      /** Number of leads that already had the value. */
      unchanged: z.number().int(),
      /** Number of IDs that are unknown or now in the trash. */
      missing: z.number().int(),
    }),
  }),
  currentValues: endpoint({
    method: 'POST',
    path: '/admin/users/change-leads/current-values',
    reads: true,
    shows: ['leads'],
    summary:
      'Count the values that the selected leads have in a field now, the five most frequent ones first, before it is changed for all of them.',
    access: 'lead_edit',
    product: ['body.selection.filters.lead_for'],
    body: z.object({
      selection: LeadSelection,
      /** A custom field is `custom_` and its ID. */
      field: z.union([
        z.enum(bulkFields),
        z.string().regex(/^custom_[1-9]\d{0,8}$/, 'Use custom_ and an ID.'),
      ]),
      /** The value that the field would be set to. */
      values: BulkValues.optional(),
    }),
    response: z.object({
      /** `value` is null for no value; an amount has its currency. */
      data: z.array(
        z.object({
          value: CustomValue.nullable(),
          currency: z.string().nullable(),
          leads: z.number().int(),
        }),
      ),
      /** Number of leads with values that are not in `data`. */
      others: z.number().int(),
      /** Number of leads that `values` would change; null without `values`. */
      changes: z.number().int().nullable(),
    }),
  }),
  list: endpoint({
    method: 'GET',
    path: '/admin/users/lead-operations',
    shows: ['leads', 'lead-operations'],
    summary:
      'List operations on leads (bulk changes, rejections, imports, merges, deletions), newest first, 20 per page. Roles 0 and 1 see everyone’s; others see their own.',
    access: operationRights,
    query: z.object({ page: pageNumber.default(1) }),
    response: z.object({ data: z.array(Operation), total: z.number().int(), per_page: z.number().int() }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-operations/{id}',
    shows: ['leads', 'lead-operations'],
    summary:
      'Get an operation with its progress and the leads changed since then or, if it was undone, the leads that were skipped.',
    access: operationRights,
    params: z.object({ id: recordId }),
    response: z.object({
      data: Operation,
      changed_since: z.array(ChangedSince),
      changed_since_total: z.number().int(),
      /** Number of leads that an undo would restore now. */
      restorable: z.number().int(),
      /** The latest operation that must be undone first to restore more leads. */
      undo_first: OperationRef.extend({ who: z.string() }).nullable(),
    }),
  }),
  createTag: endpoint({
    method: 'POST',
    path: '/admin/users/lead-tags',
    summary: 'Create a tag, or get the existing tag with this name.',
    act: 'Created a tag',
    access: 'lead_edit',
    body: z.object({ name: requiredText(80) }),
    response: z.object({ data: z.object({ id: z.number().int(), name: z.string() }) }),
  }),
  exportCsv: endpoint({
    method: 'GET',
    path: '/admin/users/export-leads',
    summary:
      'Export all leads that match the filters as CSV, in list order. Values that look like formulas are escaped.',
    access: 'lead_list',
    product: ['query.lead_for'],
    query: LeadFilters,
  }),
  mergePreview: endpoint({
    method: 'GET',
    path: '/admin/users/merge-leads',
    summary:
      'Compare two leads. Returns the fields that differ and the values of the other lead that would fill empty fields.',
    access: 'lead_edit',
    query: z.object({ keep: recordId, other: recordId }),
    response: z.object({
      keep: Lead,
      other: Lead,
      differing: z.array(z.enum(mergeableFields)),
      suggested: z.array(z.enum(mergeableFields)),
      /** ID of the lead to keep: the more complete one or, if they are equal, the older one. */
      better: z.number().int(),
      /**
       * The other lead's organization moves to the kept lead if the kept lead has none; if both leads have
       * one, neither is moved.
       */
      organizations: z.object({ keep: OwnOrganization, other: OwnOrganization }),
    }),
  }),
  merge: endpoint({
    method: 'POST',
    path: '/admin/users/merge-leads',
    act: 'Merged',
    summary:
      'Merge two leads. The kept lead takes the chosen fields, all of the other lead’s tags, details, and contacts, and, if it has no organization, the other lead’s. `contactName` stands for the whole primary contact; the one who isn’t primary becomes another contact. The other lead moves to trash.',
    access: 'lead_edit',
    body: z.object({
      keep: recordId,
      other: recordId,
      /** The versions of the leads that the caller saw. */
      keep_version: wholeNumber(1, 2_147_483_647),
      other_version: wholeNumber(1, 2_147_483_647),
      /** Fields for which the other lead's value is taken. */
      take: z.array(z.enum(mergeableFields)).max(mergeableFields.length),
    }),
    response: z.object({ message: z.string(), data: Lead, operation: OperationRef }),
  }),
  duplicates: endpoint({
    method: 'GET',
    path: '/admin/users/lead-duplicates',
    shows: ['leads'],
    summary: 'List up to five leads for the product with this company name, email, or phone number.',
    access: anyOf('lead_create', 'lead_edit'),
    product: ['query.lead_for'],
    query: z.object({
      lead_for: recordId,
      companyName: text(200).default(''),
      email: text(254).default(''),
      phone: text(60).default(''),
      except: recordId.optional(),
    }),
    response: z.object({
      data: z.array(
        z.object({
          lead_id: z.number().int(),
          companyName: z.string(),
          email: z.string(),
          phone: z.string(),
          status: z.number().int(),
          same: z.enum(['companyName', 'email', 'phone']),
        }),
      ),
    }),
  }),
  presence: endpoint({
    method: 'GET',
    path: '/admin/users/lead-presence',
    summary: 'List the people viewing each of these leads right now.',
    access: 'lead_list',
    query: z.object({ ids: listed(recordId, 100) }),
    response: z.object({
      data: z.array(
        z.object({
          lead_id: z.number().int(),
          people: z.array(z.object({ id: z.number().int(), name: z.string() })),
        }),
      ),
    }),
  }),
}
