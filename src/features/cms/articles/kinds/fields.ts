import { z } from 'zod'
import { articleKindRow, type ArticleKindName } from '#shared/article-kinds.ts'
import { isPlainDate } from '#shared/dates.ts'
import type { Fields } from '#shared/field.ts'
import { fileIds } from '#shared/files.ts'
import { text } from '#shared/schemas.ts'
import { zoneName } from '#shared/zones.ts'
import { whenText } from '#features/cms/articles/event.rules.ts'
import { articleFields, type WithFile } from '#features/cms/articles/shared/fields.ts'

const isWallTime = (typed: string) =>
  isPlainDate(typed.slice(0, 10)) && /^T([01]\d|2[0-3]):[0-5]\d$/.test(typed.slice(10))
/** Local time in the time zone `zone`; empty if unknown. */
const wallTime = text(16).refine(
  (typed) => typed === '' || isWallTime(typed),
  'Enter a date and time as YYYY-MM-DDTHH:MM.',
)
const asTime = (value: unknown) => whenText(String(value))

/** The fields of articles with a time. Replies have them only for kinds with this part. */
export const timeFields = {
  starts: {
    label: 'Starts',
    input: wallTime,
    reply: z.string().optional(),
    words: asTime,
    empty: '',
    list: { after: 'title', sortBy: 'starts', width: 150 },
  },
  ends: { label: 'Ends', input: wallTime, detail: z.string().optional(), words: asTime, empty: '' },
  zone: {
    label: 'Time zone',
    input: z.union([z.literal(''), zoneName]),
    reply: z.string().optional(),
    empty: '',
  },
  /** The place is a venue or a link. */
  place: { label: 'Location or link', input: text(500), detail: z.string().optional(), empty: '' },
} as const satisfies Fields

/** The field of articles with a PDF. */
export const pdfFields = {
  /** Staged PDF (`POST /files/stage`); an empty list removes it. */
  pdf_ids: {
    label: 'PDF file',
    column: false,
    input: fileIds.max(1, 'You can add only one PDF.'),
    empty: [] as number[],
    formValue: ({ pdf }: WithFile<'pdf'>) => pdf && [pdf.id],
  },
} as const satisfies Fields

/** The fields of all kinds of articles. */
export const kindFields = { ...articleFields, ...timeFields, ...pdfFields } as const satisfies Fields

const fieldsOfPart = { time: timeFields, pdf: pdfFields }
/** Returns the fields that articles of a kind have in addition to the common ones. */
export const partFieldsOf = (kind: ArticleKindName): Fields =>
  Object.assign({}, ...(articleKindRow(kind).parts ?? []).map((part) => fieldsOfPart[part]))
