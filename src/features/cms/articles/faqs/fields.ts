import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { fileIds } from '#shared/files.ts'
import { instant, requiredText, richText, text, webAddressOrEmpty, wholeNumber } from '#shared/schemas.ts'
import { longestSlug } from '#features/cms/articles/rules.ts'
import { longestBody, type WithFile } from '#features/cms/articles/shared/fields.ts'

const int = z.number().int()

/** A position; a number greater than the last position means last. */
export const place = wholeNumber(1, 1_000_000, 'This number is too large.')

/** The fields of an FAQ, in the order of the list. */
export const faqFields = {
  id: { label: 'Number', column: false, reply: int },
  /** Position within the FAQ's category: 1…n. In requests, empty means last. */
  order_number: {
    label: 'Position',
    input: z.preprocess((value) => (value === '' || value === null ? undefined : value), place.optional()),
    reply: int,
    empty: '',
    list: { id: 'place', width: 130 },
  },
  title: {
    label: 'Question',
    input: requiredText(300),
    reply: z.string(),
    empty: '',
    list: { width: 310, always: true },
  },
  category_id: {
    label: 'Category',
    of: 'article_categories',
    input: wholeNumber(1, 2_147_483_647, 'This number is too large.'),
    reply: int,
    empty: '',
    list: { id: 'category', width: 155 },
  },
  published: { label: 'Published', reply: int, list: { id: 'state', width: 140 } },
  published_at: { label: 'Published on', reply: instant.nullable(), list: { width: 130 } },
  author_id: {
    label: 'Author',
    of: 'staff',
    shownAs: ({ author }: { author: { name: string } }) => author.name,
    list: { id: 'author', width: 150 },
  },
  updated_at: { label: 'Updated', column: false, reply: instant, list: { align: 'right', width: 130 } },
  /** In requests, overrides the slug that is derived from the title. */
  slug: { label: 'Slug', input: text(longestSlug), reply: z.string(), empty: '' },
  body: { label: 'Answer', input: richText(longestBody), detail: z.string(), empty: '' },
  /** A URL; uploaded files are in `video_file`. */
  video: { label: 'Video', input: webAddressOrEmpty, detail: z.string(), empty: '' },
  /** Staged video (`POST /files/stage`); an empty list removes it. */
  video_ids: {
    label: 'Video file',
    column: false,
    input: fileIds.max(1, 'You can add only one video.'),
    empty: [] as number[],
    formValue: ({ video_file }: WithFile<'video_file'>) => video_file && [video_file.id],
  },
  first_published_at: { label: 'First published' },
} as const satisfies Fields
