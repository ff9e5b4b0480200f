import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { requiredText, wholeNumber } from '#shared/schemas.ts'
import { articleFields } from '#features/cms/articles/shared/fields.ts'

export const tagNames = z.preprocess(
  (value) => (value === undefined || value === null ? undefined : Array.isArray(value) ? value : [value]),
  z.array(requiredText(60)).max(30, 'You can add up to 30 tags.'),
)
const tagsGiven = z.preprocess(
  (value) => (value === undefined ? undefined : Array.isArray(value) ? value : value === '' ? [] : [value]),
  tagNames.optional(),
)

/** The fields of a post: those of every article, its category, and its tags. */
export const postFields = {
  ...articleFields,
  category: {
    label: 'Category',
    of: 'article_categories',
    input: wholeNumber(1, 2_147_483_647, 'This number is too large.'),
    reply: z.number().int(),
    empty: '',
    list: { width: 155 },
  },
  tags: {
    label: 'Tags',
    column: false,
    input: tagsGiven,
    detail: z.array(z.string()),
    empty: [] as string[],
  },
} as const satisfies Fields
