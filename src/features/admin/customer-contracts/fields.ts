import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { filesField } from '#shared/files.ts'
import { code, emptyIsNull, plainDay, recordId, requiredText, richText } from '#shared/schemas.ts'

/** The fields of a customer contract, in the order of the list and of the CSV. */
export const contractFields = {
  id: { label: 'Number', column: false, reply: z.number().int(), csv: true },
  title: {
    label: 'Title',
    input: requiredText(200),
    reply: z.string(),
    empty: '',
    list: { sortBy: 'title', width: 340, always: true },
    csv: true,
  },
  organization_id: {
    label: 'Organization',
    of: 'organizations',
    input: emptyIsNull(recordId),
    reply: z.number().int().nullable(),
    empty: '',
    shownAs: 'organization',
    list: { id: 'organization', width: 220 },
    csv: true,
  },
  due_date: {
    label: 'Due date',
    input: emptyIsNull(plainDay),
    reply: z.string().nullable(),
    empty: '',
    list: { sortBy: 'due_date', align: 'right', width: 160 },
    csv: true,
  },
  status: {
    label: 'Status',
    input: code,
    reply: z.number().int(),
    empty: '1',
    shownAs: 'status_name',
    list: { sortBy: 'status', width: 140 },
    csv: true,
  },
  updated_at: {
    label: 'Updated',
    column: false,
    reply: z.iso.datetime(),
    list: { sortBy: 'updated_at', align: 'right', width: 130 },
  },
  /** Formatted text with uploaded images. */
  content: { label: 'Content', input: richText(500_000), empty: '' },
  file_ids: filesField,
} as const satisfies Fields
