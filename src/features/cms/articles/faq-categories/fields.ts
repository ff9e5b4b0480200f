import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { lastFields, treeFields } from '#features/cms/articles/categories/fields.ts'

const count = { column: false, reply: z.number().int() } as const

/** The fields of an FAQ category, in the order of the list. */
export const faqCategoryFields = {
  ...treeFields,
  total_faqs: { label: 'FAQs', ...count, list: { align: 'right', width: 90 } },
  published_faqs: { label: 'Published', ...count, list: { align: 'right', width: 100 } },
  ...lastFields,
} as const satisfies Fields
