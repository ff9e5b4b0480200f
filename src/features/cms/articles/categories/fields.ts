import { z } from 'zod'
import type { Fields } from '#shared/field.ts'
import { fileIds, recordFile } from '#shared/files.ts'
import { instant, recordId, requiredText, text } from '#shared/schemas.ts'
import { longestSlug } from '#features/cms/articles/rules.ts'

const int = z.number().int()

/** The fields of categories of posts and of FAQs. */
export const treeFields = {
  id: { label: 'Number', column: false, reply: int },
  title: {
    label: 'Title',
    input: requiredText(200),
    reply: z.string(),
    empty: '',
    list: { width: 340, always: true },
  },
  /** Derived from the title if empty. */
  slug: {
    label: 'Slug',
    input: text(longestSlug),
    reply: z.string(),
    empty: '',
    list: { width: 220 },
  },
  description: { label: 'Description', input: text(10_000), detail: z.string(), empty: '' },
  parent_id: {
    label: 'Parent category',
    input: z.preprocess(
      (value) => (value === '' || value === '0' || value === 0 ? null : value),
      recordId.nullable(),
    ),
    reply: int.nullable(),
    empty: '',
  },
} as const satisfies Fields

/** The last columns of both lists. */
const lastFields = {
  moderated: {
    label: 'Your role',
    column: false,
    reply: z.boolean(),
    words: (moderated) => (moderated ? 'Moderator' : ''),
    list: { width: 140 },
  },
  updated_at: { label: 'Updated', column: false, reply: instant, list: { align: 'right', width: 130 } },
} as const satisfies Fields

/** The fields of a category of posts, in the order of the list. */
export const categoryFields = {
  ...treeFields,
  product_id: { label: 'Product', column: false, reply: int },
  /** Text icon. A category has either a text or an image icon; setting one removes the other. */
  icon: { label: 'Icon', input: text(200), reply: z.string(), empty: '' },
  icon_file: { label: 'Icon', column: false, reply: recordFile.nullable() },
  /**
   * Staged image (`POST /files/stage`), if the image is not part of the request; an empty list removes it.
   */
  icon_ids: {
    label: 'Icon',
    column: false,
    input: fileIds.max(1, 'You can add only one icon.'),
    empty: [] as number[],
    formValue: ({ icon_file }: { icon_file?: { id: number } | null }) => icon_file && [icon_file.id],
  },
  total_posts: { label: 'Posts', column: false, reply: int, list: { align: 'right', width: 90 } },
  published_posts: { label: 'Published', column: false, reply: int, list: { align: 'right', width: 100 } },
  meta_title: { label: 'Meta title', input: text(300), detail: z.string(), empty: '' },
  meta_description: { label: 'Meta description', input: text(1000), detail: z.string(), empty: '' },
  meta_keyword: { label: 'Meta keywords', input: text(1000), detail: z.string(), empty: '' },
  ...lastFields,
} as const satisfies Fields

/** The fields of a category of FAQs, in the order of the list. */
export const faqCategoryFields = {
  ...treeFields,
  total_faqs: { label: 'FAQs', column: false, reply: int, list: { align: 'right', width: 90 } },
  published_faqs: { label: 'Published', column: false, reply: int, list: { align: 'right', width: 100 } },
  ...lastFields,
} as const satisfies Fields

export const categoryFieldsOf: Readonly<Record<'post' | 'faq', typeof treeFields>> = {
  post: categoryFields,
  faq: faqCategoryFields,
}
