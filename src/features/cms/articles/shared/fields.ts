import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { fileIds } from '#shared/files.ts'
import { instant, flag, requiredText, richText, text } from '#shared/schemas.ts'
import { longestSlug } from '#features/cms/articles/rules.ts'

/** Maximum length of a body in characters, including tags. */
export const longestBody = 2_000_000

const int = z.number().int()
const yesNo = (value: unknown) => (value === 1 || value === true ? 'yes' : 'no')

/** A record with or without an uploaded file. */
export type WithFile<Name extends string> = { [Key in Name]?: { id: number } | null }

/** The fields common to articles of all kinds (B §3 Post), in the order of the lists. */
export const articleFields = {
  id: { label: 'Number', column: false, reply: int },
  title: {
    label: 'Title',
    input: requiredText(200),
    reply: z.string(),
    empty: '',
    list: { sortBy: 'title', width: 330, always: true },
  },
  slug: { label: 'Slug', reply: z.string() },
  /** Ignored if the caller is not allowed to publish (docs/spec-gaps.md G22). */
  published: {
    label: 'Published',
    input: flag,
    reply: int,
    words: yesNo,
    list: { id: 'state', width: 140 },
  },
  published_at: {
    label: 'Published on',
    reply: instant.nullable(),
    list: { sortBy: 'published_at', width: 130 },
  },
  /** Only posts have a category. */
  category: { label: 'Category' },
  author_id: {
    label: 'Author',
    of: 'staff',
    shownAs: ({ author }: { author: { name: string } }) => author.name,
    list: { id: 'author', width: 160 },
  },
  featured: { label: 'Featured', input: flag, reply: int, words: yesNo, empty: false, list: { width: 100 } },
  updated_at: {
    label: 'Updated',
    column: false,
    reply: instant,
    list: { sortBy: 'updated_at', align: 'right', width: 130 },
  },
  body: { label: 'Text', input: richText(longestBody), detail: z.string(), empty: '' },
  caption: { label: 'Caption', input: text(300), detail: z.string(), empty: '' },
  short_description: { label: 'Short description', input: text(2000), detail: z.string(), empty: '' },
  meta_title: { label: 'Meta title', input: text(300), detail: z.string(), empty: '' },
  meta_description: { label: 'Meta description', input: text(1000), detail: z.string(), empty: '' },
  meta_keyword: { label: 'Meta keywords', input: text(1000), detail: z.string(), empty: '' },
  show_in_admin: { label: 'Show on dashboard', input: flag, detail: int, words: yesNo, empty: false },
  send_email: { label: 'Send email', input: flag, detail: int, words: yesNo, empty: false },
  first_published_at: { label: 'First published', detail: instant.nullable() },
  /** Overrides the slug that is derived from the title. */
  new_slug: {
    label: 'Slug',
    column: false,
    input: text(longestSlug),
    empty: '',
    formValue: ({ slug }: { slug?: string }) => slug,
  },
  /** Staged image (`POST /files/stage`), if the image is not part of the request. */
  image_ids: {
    label: 'Image',
    column: false,
    input: fileIds.max(1, 'You can add only one image.'),
    empty: [] as number[],
    formValue: ({ image }: WithFile<'image'>) => image && [image.id],
  },
} as const satisfies Fields
