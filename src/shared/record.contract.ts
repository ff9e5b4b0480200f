import { z } from 'zod'
import { everything } from '#shared/changed.ts'
import { allows, endpoint, permissionNames, type DecidedAccess } from '#shared/endpoint.ts'
import { instant, recordId, text, wholeNumber } from '#shared/schemas.ts'
import { operationStates, stopReasons } from '#shared/operations.ts'
import { pageNumber } from '#shared/page.ts'
import {
  isRecordType,
  liveNameOf,
  recordTypeNames,
  rightOn,
  type RecordAct,
  type RecordType,
} from '#shared/records.ts'
import { writtenParts } from '#shared/writing.ts'

// Endpoints of every record type: docs/spec-gaps.md, "Records, lists, and views". The `type` in a path refers to a row
// in records.ts, which defines the required permission.

/** Access by the permission that the record type in a parameter has for an action. */
export const byType = (act: RecordAct, param: 'type' | 'a' = 'type'): DecidedAccess => ({
  accessFor: ({ params }) => rightOn(params[param], act),
  says: `the record type’s ${act} permission`,
  permissions: [...new Set(recordTypeNames.flatMap((type) => permissionNames(rightOn(type, act))))],
  allows: (viewer, input) => {
    const type: unknown = input.params[param]
    return isRecordType(type) && allows(rightOn(type, act), viewer, input)
  },
})

const type = z.enum(recordTypeNames)
const ofRecord = z.object({ type, id: recordId })

/** The part of a record that is shown where a text refers to it. */
const RecordCard = z.object({
  type,
  id: z.number().int(),
  name: z.string(),
  /** The record's status; null for types without one. */
  state: z.object({ name: z.string(), tone: z.string() }).nullable(),
})
export type RecordCard = z.output<typeof RecordCard>

/** Comma-separated references to records, such as `lead:482,ticket:145`. */
const references = text(2000)
  .transform((list, context) =>
    list.split(',').map((reference) => {
      const [, name, id] = /^([a-z_]+):([1-9]\d{0,8})$/.exec(reference) ?? []
      if (name === undefined || !isRecordType(name))
        context.addIssue({ code: 'custom', message: 'Use references such as lead:482,ticket:145.' })
      return { type: name as RecordType, id: Number(id) }
    }),
  )
  .refine((list) => list.length <= 50, 'Use 50 references or fewer.')

/** Reference to an operation that can be undone as a whole. */
export const OperationRef = z.object({
  id: z.number().int(),
  summary: z.string(),
  /** Whether the operation, or its undo or redo, continues in the background. */
  running: z.boolean().optional(),
})
export type OperationRef = z.output<typeof OperationRef>

/** A field that two users changed to different values. */
export interface Clash {
  field: string
  yours: unknown
  theirs: unknown
  /** Name of the user who changed it last; absent if the caller can't see the record's history. */
  who?: string
}

/**
 * Sent with a change: the version that the user saw, and the values of the changed fields in that version.
 */
export const editBaseFields = {
  version: wholeNumber(1, 2_147_483_647).optional(),
  base: z.record(z.string(), z.unknown()).optional(),
}

/** Response to a write that changed one record. */
export const changedReply = <S extends z.ZodType>(data: S) =>
  z.object({ message: z.string(), data, operation: OperationRef.nullish() })
/** Response to an undoable action on records. */
export const ActReply = z.object({ message: z.string(), operation: OperationRef.nullable() })

/** Response of a list endpoint (A §7). */
export const listReply = <S extends z.ZodType>(row: S) =>
  z.object({ data: z.array(row), total: z.number().int(), per_page: z.number().int() })

/** An operation that the caller can undo or redo, and the number of records that it changed. */
export const ReversibleOperation = z.object({
  id: z.number().int(),
  way: z.enum(['undo', 'redo']),
  changed: z.number().int(),
})
export type ReversibleOperation = z.output<typeof ReversibleOperation>

export const RecordEvent = z.object({
  id: z.number().int(),
  at: instant,
  who: z.string(),
  /** Description of the operation. */
  act: z.string(),
  /** The endpoint, as a method and a path. */
  endpoint: z.string(),
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
  /** The operation that made the change, if the caller can undo or redo it. */
  operation: ReversibleOperation.nullable(),
})
export type RecordEvent = z.output<typeof RecordEvent>

export const TrashedRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** What else tells the record apart, such as an email address; empty for most types. */
  note: z.string(),
  deleted_at: instant,
  deleted_by: z.string(),
  /** ID of the record that it was merged into; null if it was moved to the trash otherwise. */
  merged_into: z.number().int().nullable(),
})
export type TrashedRecord = z.output<typeof TrashedRecord>

export const Operation = OperationRef.extend({
  record_type: z.string(),
  kind: z.string(),
  at: instant,
  who: z.string(),
  staff_id: z.number().int(),
  needs: z.string(),
  state: z.enum(operationStates),
  /** Number of records in the operation, processed by the background job, and changed. */
  total: z.number().int(),
  seen: z.number().int(),
  changed: z.number().int(),
  /** Number of records that the operation left out, or that its undo skipped. */
  skipped: z.number().int(),
  undone_at: instant.nullable(),
  undone_by: z.string().nullable(),
  /** Why the operation, or if it isn't `failed`, its undo or redo, stopped before its end, and as whom it ran. */
  stopped: z.object({ reason: z.enum(stopReasons), who: z.string() }).nullable(),
})
export type Operation = z.output<typeof Operation>

/** A record that an undo or redo skips, because of a later change or, if `why` is set, for that reason. */
export const SkippedRecord = z.object({
  id: z.number().int(),
  name: z.string(),
  /** The user who last changed the record, and when. */
  who: z.string(),
  at: instant,
  why: z.string().nullable(),
})
export type SkippedRecord = z.output<typeof SkippedRecord>

/** Numbers of records by type, without types of which there are none. */
export const RecordCounts = z.partialRecord(z.enum(recordTypeNames), z.number().int())
export type RecordCounts = z.output<typeof RecordCounts>

/** IDs of several records. */
export const recordIds = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === 'string' ? one.split(',') : [one],
    ),
  z.array(recordId).min(1, 'Select at least one item.').max(10_000, 'Select up to 10,000 items at a time.'),
)

export const records = {
  history: endpoint({
    method: 'GET',
    path: '/admin/records/{type}/{id}/history',
    shows: ({ params: { type } }) => [everything, liveNameOf(type)],
    summary: 'List a record’s change history, newest first, 50 at a time.',
    access: byType('read'),
    params: ofRecord,
    query: z.object({ before: recordId.optional() }),
    /** `hidden`: the caller can open the record, but can't see its history. */
    response: z.object({ data: z.array(RecordEvent), hidden: z.boolean() }),
  }),
  trash: endpoint({
    method: 'GET',
    path: '/admin/records/{type}/trash',
    shows: [everything],
    summary: 'List records of this type in the trash, most recently deleted first, 20 per page.',
    access: byType('remove'),
    product: ['query.product'],
    params: z.object({ type }),
    query: z.object({
      page: pageNumber.default(1),
      search: text(200).default(''),
      /** Only this record. */
      id: recordId.optional(),
      /** Only records of this product; ignored for types without products. */
      product: recordId.optional(),
    }),
    response: listReply(TrashedRecord),
  }),
  restore: endpoint({
    method: 'POST',
    path: '/admin/records/{type}/restore',
    summary:
      'Restore records from the trash by ID, or all that match a search, of one product if it is named.',
    access: byType('remove'),
    product: ['body.product'],
    params: z.object({ type }),
    body: z.object({
      ids: recordIds.optional(),
      search: text(200).optional(),
      product: recordId.optional(),
    }),
    act: 'Restored from the trash',
    response: ActReply.extend({ restored: z.array(z.number().int()) }),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/records/{type}/trash',
    summary: 'Move records to trash.',
    access: byType('remove'),
    params: z.object({ type }),
    body: z.object({ ids: recordIds }),
    act: 'Moved to trash',
    response: ActReply,
  }),
  writing: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/records/{type}/{id}/writing',
    summary:
      'Announce to the others who have a record open that the caller is writing, or has stopped. Nothing is stored; an announcement that isn’t repeated lasts ten seconds.',
    access: byType('read'),
    params: ofRecord,
    body: z.object({ what: z.enum(writtenParts), stopped: z.boolean().default(false) }),
    response: z.object({ message: z.string() }),
  }),
  cards: endpoint({
    method: 'GET',
    path: '/admin/records/cards',
    summary:
      'Get the names and states of up to 50 records, such as `lead:482,ticket:145`. Records that the caller can’t open are omitted.',
    access: 'signed-in',
    query: z.object({ records: references }),
    response: z.object({ data: z.array(RecordCard) }),
  }),
  operation: endpoint({
    method: 'GET',
    path: '/admin/operations/{id}',
    summary:
      'Get an operation with its progress and the records that it left out, that changed since then or, if it was undone, that were skipped.',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    response: z.object({
      data: Operation,
      skipped: z.array(SkippedRecord),
      skipped_total: z.number().int(),
    }),
  }),
  undo: endpoint({
    method: 'POST',
    path: '/admin/operations/{id}/undo',
    summary:
      'Undo an operation. Records that have changed since then are skipped and listed. Requires the operation’s permission.',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    act: 'Undid an operation',
    response: z.object({
      message: z.string(),
      undone: z.number().int(),
      skipped: z.array(z.string()),
      operation: OperationRef,
    }),
  }),
  redo: endpoint({
    method: 'POST',
    path: '/admin/operations/{id}/redo',
    summary: 'Redo an undone operation.',
    access: 'signed-in',
    params: z.object({ id: recordId }),
    act: 'Redid an operation',
    response: z.object({
      message: z.string(),
      redone: z.number().int(),
      skipped: z.array(z.string()),
      operation: OperationRef,
    }),
  }),
}
