import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { instant, requiredText } from '#shared/schemas.ts'

const int = z.number().int()

/** The fields of a tag, in the order of the list. */
export const tagFields = {
  id: { label: 'Number', column: false, reply: int },
  name: {
    label: 'Name',
    input: requiredText(60),
    reply: z.string(),
    empty: '',
    list: { width: 300, always: true },
  },
  slug: { label: 'Slug', reply: z.string(), list: { width: 260 } },
  /** Counted in the viewer's products. */
  total_posts: { label: 'Posts', column: false, reply: int, list: { align: 'right', width: 100 } },
  updated_at: { label: 'Updated', column: false, reply: instant, list: { align: 'right', width: 130 } },
} as const satisfies Fields
