import { z } from 'zod'
import { detailsOf, inputsOf, repliesOf } from '#shared/field.ts'
import { recordFile, largestFile } from '#shared/files.ts'
import { instant, oneOf, recordId, wholeNumber } from '#shared/schemas.ts'
import { editBaseFields } from '#shared/record.contract.ts'
import { articleFields } from '#features/cms/articles/shared/fields.ts'

/*
 * The fields common to every kind of article (B §3 Post), and the requests for creating, changing, and
 * publishing one.
 */

export const articlesPerPage = 20
/** Request size limit in bytes for an article: its text and fields, encoded. */
export const articleBytes = 5_000_000
/** An ID or a slug; a value that is all digits is an ID (docs/spec-gaps.md G19). */
export const slugParam = z.string().min(1).max(300)
export const bySlug = z.object({ slug: slugParam })
export const productQuery = z.object({ product_id: recordId.optional() })

const articleInputs = z.object({
  ...inputsOf(articleFields),
  /** Removes the image. */
  remove_image: oneOf(0, 1),
})

export const NewArticle = articleInputs.partial().required({ title: true })
/** Only the fields that are sent change. */
export const ArticleChange = articleInputs.partial().extend(editBaseFields)

export const articleFiles = { image: { most: 1, maxBytes: largestFile, kinds: ['image'] } } as const

export const Author = z.object({ id: z.number().int(), slug: z.string(), name: z.string() })

/** An article as shown in lists. */
export const ArticleRow = z.object({
  ...repliesOf(articleFields),
  product_id: z.number().int(),
  /** Whether publishing the article now sends its email. */
  announces: z.boolean(),
  author: Author,
  version: z.number().int(),
})

export const Article = ArticleRow.extend({
  ...detailsOf(articleFields),
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
