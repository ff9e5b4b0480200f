import { leadOperations } from '#features/crm/leads/operations/contract.ts'
import { findDuplicates } from '#features/crm/leads/record/server/duplicates.queries.ts'
import { findTrash, idsInTrash, restoreLeads } from '#features/crm/leads/operations/server/trash.queries.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

/** Registers the endpoints for the trash, tag creation, and duplicate search. */
export function leadTrashRoutes(app: App): void {
  implement(app, leadOperations.trash, ({ query }, { db, viewer }) => findTrash(db, query, viewer))

  implement(app, leadOperations.restore, async ({ body }, { db, viewer, record, changed }) => {
    const ids = body.ids ?? (await idsInTrash(db, body.search!, body.lead_for, viewer))
    const { changes, kept } = await restoreLeads(
      db,
      [...new Set(ids)].toSorted((a, b) => a - b),
      viewer,
    )
    if (!changes.length && !kept.length) throw notFound('Lead not found.')
    if (!changes.length)
      throw conflict(
        `Another lead now has ${kept.length === 1 ? 'this lead’s external ID' : 'the external ID of each of these leads'}.`,
      )
    for (const change of changes) record(change)
    const restored = changes.map(({ id }) => id)
    changed('leads', restored)
    const left = kept.length
      ? ` ${kept.length === 1 ? 'One stays' : `${kept.length} stay`} in the trash because another lead now has the same external ID.`
      : ''
    return {
      message: `${restored.length === 1 ? '1 lead' : `${restored.length} leads`} restored.${left}`,
      restored,
      kept,
    }
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
