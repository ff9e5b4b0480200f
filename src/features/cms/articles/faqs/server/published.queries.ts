import { sql } from 'kysely'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { matchesSearch } from '#server/record/list.ts'

const published = (db: Db) =>
  db.selectFrom('faqs as f').where('f.deleted_at', 'is', null).where('f.published', '=', 1)

/** Returns up to `most` published FAQs whose question matches a search, newest first. */
export const findPublishedFaqs = (db: Db, search: string, most: number) =>
  published(db)
    .where(matchesSearch('f.search', search))
    .select(['f.id', 'f.title', sql<string>`f.published_at`.as('published_at')])
    .orderBy('f.id', 'desc')
    .limit(most)
    .execute()

/**
 * Returns the answer of a published FAQ as HTML.
 * @throws HttpError 404
 */
export async function getPublishedAnswer(db: Db, id: number): Promise<string> {
  const faq = await published(db).where('f.id', '=', id).select('f.body').executeTakeFirst()
  if (!faq) throw notFound('FAQ not found.')
  return faq.body
}
