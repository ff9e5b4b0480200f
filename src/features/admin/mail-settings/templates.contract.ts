import { z } from 'zod'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { templateNames } from '#shared/mail-templates.ts'
import {
  emptyIsAbsent,
  headerLine,
  instant,
  messageReply,
  recordId,
  richText,
  text,
} from '#shared/schemas.ts'

const kind = z.enum(templateNames)
const count = z.number().int()

const TemplateRow = z.object({
  /** Null for a kind that has the text of the program. */
  id: recordId.nullable(),
  kind,
  name: z.string(),
  group: z.string(),
  product_id: recordId.nullable(),
  /** Version of the text in use: the product's own or that of all products; 0 for that of the program. */
  version: count,
})
export type TemplateRow = z.output<typeof TemplateRow>

const Version = z.object({
  /** 0 is the text of the program. */
  version: count,
  note: z.string(),
  who: z.string().nullable(),
  created_at: instant.nullable(),
})
export type Version = z.output<typeof Version>

export const Template = z.object({
  id: recordId.nullable(),
  kind,
  name: z.string(),
  product_id: recordId.nullable(),
  version: count,
  subject: z.string(),
  content: z.string(),
  /** Newest first, up to 200. */
  versions: z.array(Version),
})
export type Template = z.output<typeof Template>

/** Which template: that of a kind and product, or one of the composer. */
const which = { kind, product_id: recordId.nullable(), id: recordId.nullable().default(null) }
const words = { subject: headerLine(300).min(1, 'This field is required.'), content: richText(100_000) }

export const TemplateInput = z.object({
  ...which,
  ...words,
  /** Only for a template of the composer. */
  name: headerLine(80).default(''),
  /** The version that the change is based on; 0 if it is the text of the program. */
  version: z.number().int().min(0),
})

const Previewed = z.object({ ...which, ...words, record_id: recordId.optional() })

const query = z.object({
  kind,
  product_id: emptyIsAbsent(recordId.optional()),
  id: emptyIsAbsent(recordId.optional()),
})
const Saved = messageReply.extend({ data: Template })

/** Texts of emails, which roles 0 and 1 edit. */
export const mailTemplates = {
  list: endpoint({
    method: 'GET',
    path: '/admin/mail-templates',
    shows: ['settings'],
    summary: 'List the templates of emails, for one product or for all, with the version in use.',
    access: adminsOnly,
    product: ['query.product_id'],
    query: z.object({ product_id: emptyIsAbsent(recordId.optional()) }),
    response: z.object({ data: z.array(TemplateRow) }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/mail-template',
    shows: ['settings'],
    summary: 'Get a template with its versions.',
    access: adminsOnly,
    product: ['query.product_id'],
    query,
    response: z.object({ data: Template }),
  }),
  version: endpoint({
    method: 'GET',
    path: '/admin/mail-template/version',
    summary: 'Get the text of one version; 0 is the text of the program.',
    access: adminsOnly,
    product: ['query.product_id'],
    query: query.extend({ version: z.coerce.number().int().min(0) }),
    response: z.object({ data: z.object({ subject: z.string(), content: z.string() }) }),
  }),
  save: endpoint({
    method: 'POST',
    path: '/admin/mail-template',
    summary: 'Save a template as a new version, after checking its variables.',
    act: 'Saved an email template',
    access: adminsOnly,
    product: ['body.product_id'],
    body: TemplateInput,
    response: Saved,
  }),
  restore: endpoint({
    method: 'POST',
    path: '/admin/mail-template/restore',
    summary: 'Save an earlier version, or the text of the program (0), as a new version.',
    act: 'Restored an email template',
    access: adminsOnly,
    product: ['body.product_id'],
    body: z.object({ ...which, restored: count.min(0), version: count.min(0) }),
    response: Saved,
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/mail-template/remove',
    summary: 'Remove a template of the composer.',
    act: 'Removed an email template',
    access: adminsOnly,
    body: z.object({ id: recordId }),
    response: messageReply,
  }),
  records: endpoint({
    method: 'GET',
    path: '/admin/mail-template/records',
    summary: 'Find records of the caller to preview a template with, up to 20.',
    access: adminsOnly,
    query: z.object({ kind, search: text(200).default('') }),
    response: z.object({ data: z.array(z.object({ id: count, name: z.string() })) }),
  }),
  preview: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/mail-template/preview',
    summary: 'Preview a template exactly as it would be sent for a record, by default the newest one.',
    access: adminsOnly,
    product: ['body.product_id'],
    body: Previewed,
    response: z.object({
      data: z.object({
        from: z.string(),
        subject: z.string(),
        html: z.string(),
        text: z.string(),
        /** Null if there is no record, so that the variables show what they stand for. */
        record: z.object({ id: count, name: z.string() }).nullable(),
        /** The value of each variable as text. */
        values: z.record(z.string(), z.string()),
      }),
    }),
  }),
  test: endpoint({
    method: 'POST',
    path: '/admin/mail-template/test',
    summary: 'Send the preview of a template to the caller only.',
    act: 'Sent a test email',
    access: adminsOnly,
    product: ['body.product_id'],
    body: Previewed,
    response: messageReply,
  }),
}
