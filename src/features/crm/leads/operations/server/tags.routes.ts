import { leadOperations } from '#features/crm/leads/operations.contract.ts'
import { findDuplicates } from '#features/crm/leads/record/server/duplicates.queries.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

/** Registers the endpoints for tag creation and duplicate search. */
export function leadTagRoutes(app: App): void {
  implement(app, leadOperations.createTag, async ({ body: { name } }, { db, audit }) => {
    const made = await db
      .insertInto('lead_tags')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (made) audit({ target: 'lead-tag', id: made.id, after: { name: made.name } })
    return {
      data:
        made ??
        (await db
          .selectFrom('lead_tags')
          .select(['id', 'name'])
          .where('name', '=', name)
          .executeTakeFirstOrThrow()),
    }
  })

  implement(app, leadOperations.duplicates, async ({ query }, { db }) => ({
    data: await findDuplicates(db, query),
  }))
}
