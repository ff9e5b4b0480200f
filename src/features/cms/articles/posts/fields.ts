import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { articleFields } from '#features/cms/articles/shared/fields.ts'

/** The fields of a post: those of every article, its category, and its tags. */
export const postFields = {
  ...articleFields,
  category: { label: 'Category', reply: z.number().int(), list: { width: 155 } },
  tags: { label: 'Tags', column: false, detail: z.array(z.string()) },
} as const satisfies Fields
