import { z } from 'zod'
import { fileIds, recordFile, largestFile } from '#shared/files.ts'
import { instant, oneOf, recordId, requiredText, richText, text, wholeNumber } from '#shared/schemas.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { longestSlug } from '#features/cms/articles/rules.ts'

/*
 * The fields common to every kind of article (B §3 Post), and the requests for creating, changing, and
 * publishing one.
 */

export const articlesPerPage = 20
/** Request size limit in bytes for an article: its text and fields, encoded. */
export const articleBytes = 5_000_000
/** Maximum length of a body in characters, including tags. */
export const longestBody = 2_000_000

const flag = oneOf(0, 1)

/** An ID or a slug; a value that is all digits is an ID (docs/spec-gaps.md G19). */
export const slugParam = z.string().min(1).max(300)
export const bySlug = z.object({ slug: slugParam })
export const productQuery = z.object({ product_id: recordId.optional() })

/** Fields common to all kinds. `category` and `tags` exist only for posts. */
export const articleFields = z.object({
  title: requiredText(200),
  body: richText(longestBody),
  caption: text(300),
  short_description: text(2000),
  meta_title: text(300),
  meta_description: text(1000),
  meta_keyword: text(1000),
  show_in_admin: flag,
  featured: flag,
  send_email: flag,
  /** Ignored if the caller is not allowed to publish (docs/spec-gaps.md G22). */
  published: flag,
  /** Removes the image. */
  remove_image: flag,
  /** Overrides the slug that is derived from the title. */
  new_slug: text(longestSlug),
  /** Staged image (`POST /files/stage`), if the image is not part of the request. */
  image_ids: fileIds.max(1, 'You can add only one image.'),
})

export const NewArticle = articleFields.partial().required({ title: true })
/** Only the fields that are sent change. */
export const ArticleChange = articleFields.partial().extend(editBaseFields)

export const articleFiles = { image: { most: 1, maxBytes: largestFile, kinds: ['image'] } } as const

export const Author = z.object({ id: z.number().int(), slug: z.string(), name: z.string() })

/** An article as shown in lists. */
export const ArticleRow = z.object({
  id: z.number().int(),
  slug: z.string(),
  title: z.string(),
  product_id: z.number().int(),
  featured: z.number().int(),
  published: z.number().int(),
  published_at: instant.nullable(),
  /** Whether publishing the article now sends its email. */
  announces: z.boolean(),
  author: Author,
  updated_at: instant,
  version: z.number().int(),
})

export const Article = ArticleRow.extend({
  body: z.string(),
  caption: z.string(),
  short_description: z.string(),
  meta_title: z.string(),
  meta_description: z.string(),
  meta_keyword: z.string(),
  show_in_admin: z.number().int(),
  send_email: z.number().int(),
  first_published_at: instant.nullable(),
  created_at: instant,
  image: recordFile.nullable(),
  /** The email sent when the article was first published. */
  mail_id: z.number().int().nullable(),
  /** Former slugs that still lead to this article. */
  old_slugs: z.array(z.string()),
})
export type Article = z.output<typeof Article>

export const publishAction = z.enum(['publish', 'unpublish'], 'Send publish or unpublish.')

/** `expected`: the number of email recipients shown to the caller before first publication. */
export const publishQuery = productQuery.extend({ expected: wholeNumber(0, 100_000_000).optional() })
