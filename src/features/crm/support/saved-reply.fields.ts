import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { filesField } from '#shared/files.ts'
import { code, emptyIsNull, requiredText, richText, text, yesNo } from '#shared/schemas.ts'

const int = z.number().int()

/** The fields of a saved reply. */
export const savedReplyFields = {
  id: { label: 'Number', column: false, reply: int },
  name: { label: 'Name', input: requiredText(120), reply: z.string(), empty: '' },
  /** Finds the reply in the composer: `/count`. */
  shortcut: {
    label: 'Shortcut',
    input: text(40).refine(
      (value) => /^[a-z0-9-]*$/.test(value),
      'Use lowercase letters, digits, and hyphens only.',
    ),
    reply: z.string(),
    empty: '',
  },
  category: {
    label: 'Suggested for category',
    input: emptyIsNull(code),
    reply: int.nullable(),
    empty: '',
  },
  /** Status of a ticket after the reply was sent; null leaves it as it is. */
  status: {
    label: 'Status after sending',
    input: emptyIsNull(code),
    reply: int.nullable(),
    empty: '',
  },
  /** Formatted text with variables. */
  content: { label: 'Text', input: richText(100_000), empty: '' },
  file_ids: filesField,
  is_shared: {
    label: 'Everyone can use it',
    input: yesNo,
    reply: z.boolean(),
    empty: false,
    words: (value) => (value === true ? 'Yes' : 'No'),
  },
} as const satisfies Fields
