import { leadOperations, rightOf } from '#features/crm/leads/operations/contract.ts'
import { findDuplicates } from '#features/crm/leads/record/server/duplicates.queries.ts'
import { findTrash, idsInTrash } from '#features/crm/leads/operations/server/trash.queries.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { conflict, HttpError } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { inBackground, restoreInBulk } from '#server/record/batches.ts'

/** Registers the endpoints for the trash, tag creation, and duplicate search. */
export function leadTrashRoutes(app: App): void {
  implement(app, leadOperations.trash, ({ query }, { db, viewer }) => findTrash(db, query, viewer))

  implement(app, leadOperations.restore, async ({ body }, context) => {
    const ids = body.ids ?? (await idsInTrash(context.db, body.search!, body.lead_for, context.viewer))
    const { changed, kept, running, operation } = await restoreInBulk(
      context,
      leadKind,
      ids,
      rightOf.restore,
    ).catch(inLeadWords(ids.length))
    const left = kept.length
      ? ` ${kept.length === 1 ? 'One stays' : `${kept.length} stay`} in the trash because another lead now has the same external ID.`
      : ''
    const done = `${changed.length === 1 ? '1 lead' : `${changed.length} leads`} restored.${left}`
    return { message: running ? inBackground : done, restored: changed, kept, operation }
  })

  implement(app, leadOperations.createTag, async ({ body: { name } }, { db, record }) => {
    const made = await db
      .insertInto('lead_tags')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .returning(['id', 'name'])
      .executeTakeFirst()
    if (made) record({ target: 'lead-tag', id: made.id, after: { name: made.name } })
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

/** Says which leads another lead's external ID keeps in the trash. */
const inLeadWords =
  (count: number) =>
  (error: unknown): never => {
    if (!(error instanceof HttpError) || error.status !== 409) throw error
    const whose = count === 1 ? 'this lead’s external ID' : 'the external ID of each of these leads'
    throw conflict(`Another lead now has ${whose}.`)
  }
