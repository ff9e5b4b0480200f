import { drafts } from '#shared/drafts.ts'
import { HttpError } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** Maximum number of drafts per admin user, so that no one can fill the disk. */
const mostDrafts = 50

export function draftRoutes(app: App): void {
  implement(app, drafts.read, async ({ params }, { db, viewer }) => {
    const row = await db
      .selectFrom('drafts')
      .select('draft')
      .where('staff_id', '=', viewer.id)
      .where('name', '=', params.name)
      .executeTakeFirst()
    return { data: row ? (JSON.parse(row.draft) as { values: Record<string, unknown>; at: number }) : null }
  })

  implement(app, drafts.keep, async ({ params: { name }, body }, { db, viewer }) => {
    if (body.draft === null) {
      await db.deleteFrom('drafts').where('staff_id', '=', viewer.id).where('name', '=', name).execute()
      return { message: 'Draft deleted.' }
    }
    const { count } = await db
      .selectFrom('drafts')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('staff_id', '=', viewer.id)
      .where('name', '!=', name)
      .executeTakeFirstOrThrow()
    if (count >= mostDrafts)
      throw new HttpError(429, 'You have too many long drafts. Save or discard some first.', {
        retryAfter: 3600,
      })
    const draft = JSON.stringify(body.draft)
    const updated_at = new Date().toISOString()
    await db
      .insertInto('drafts')
      .values({ staff_id: viewer.id, name, draft, updated_at })
      .onConflict((conflict) => conflict.columns(['staff_id', 'name']).doUpdateSet({ draft, updated_at }))
      .execute()
    return { message: 'Draft saved.' }
  })
}
