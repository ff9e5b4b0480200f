import { sql } from 'kysely'
import { plainDate, type PlainDate } from '#shared/dates.ts'
import { terms, type Terms, type TermsRow } from '#features/admin/terms/contract.ts'
import { inForce, stateOf, type TermsVersion } from '#features/admin/terms/rules.ts'
import type { Db } from '#server/db/db.ts'
import { cleanHtml, imagesIn } from '#server/html/html-clean.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

const perPage = 20

const rows = (db: Db) =>
  db
    .selectFrom('terms as t')
    .innerJoin('staff as s', 's.id', 't.created_by')
    .select(['t.id', 't.effective_on', 't.created_at', 's.name as who'])

const versionsOf = (db: Db): Promise<TermsVersion[]> =>
  db.selectFrom('terms').select(['id', 'effective_on']).orderBy('effective_on').orderBy('id').execute()

/** @throws HttpError 404 */
async function getTerms(db: Db, id: number, today: PlainDate): Promise<Terms> {
  const [row, versions] = [
    await rows(db).select('t.value').where('t.id', '=', id).executeTakeFirst(),
    await versionsOf(db),
  ]
  if (!row) throw notFound('Terms version not found.')
  return { ...row, state: stateOf(row, versions, today) }
}

export function termsRoutes(app: App): void {
  implement(app, terms.list, async ({ query }, { db, clock }) => {
    const today = plainDate(clock.now())
    const [versions, found] = [
      await versionsOf(db),
      await rows(db)
        .orderBy('t.id', 'desc')
        .limit(perPage)
        .offset((query.page - 1) * perPage)
        .execute(),
    ]
    const withState = (row: Omit<TermsRow, 'state'>): TermsRow => ({
      ...row,
      state: stateOf(row, versions, today),
    })
    const one = async (version: TermsVersion | undefined) => {
      const row =
        version &&
        (found.find(({ id }) => id === version.id) ??
          (await rows(db).where('t.id', '=', version.id).executeTakeFirst()))
      return row ? withState(row) : null
    }
    return {
      data: found.map(withState),
      total: versions.length,
      per_page: perPage,
      in_force: await one(inForce(versions, today)),
      next: await one(versions.find((version) => stateOf(version, versions, today) === 'to come')),
      versions,
    }
  })

  implement(app, terms.show, async ({ params }, { db, clock }) => ({
    data: await getTerms(db, params.id, plainDate(clock.now())),
  }))

  implement(app, terms.store, async ({ body }, { db, viewer, clock, audit }) => {
    const today = plainDate(clock.now())
    const effective_on = body.effective_on ?? today
    if (effective_on < today) throw invalid('effective_on', 'Choose today or a later date.')
    const value = cleanHtml(body.value, 'value')
    if (value.replace(/<[^>]*>|&nbsp;|\s/g, '') === '') throw invalid('value', 'This field is required.')
    if (imagesIn(value).length)
      throw invalid('value', 'Terms can’t contain images. Remove them and try again.')
    // Serialized, so that version numbers have no gaps.
    await sql`select pg_advisory_xact_lock(hashtext('terms'))`.execute(db)
    const { next } = await db
      .selectFrom('terms')
      .select(sql<number>`coalesce(max(id), 0) + 1`.as('next'))
      .executeTakeFirstOrThrow()
    await db.insertInto('terms').values({ id: next, value, effective_on, created_by: viewer.id }).execute()
    audit({ target: 'terms', id: next, after: { effective_on } })
    return { message: `Version ${next} published.`, data: await getTerms(db, next, today) }
  })
}
