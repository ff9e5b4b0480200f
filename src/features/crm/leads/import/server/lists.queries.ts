import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import type { Lists } from '#features/crm/leads/import/server/read-value.ts'
import { findChoices } from '#features/crm/leads/record/server/choices.queries.ts'
import type { Db } from '#server/db/db.ts'
import { sql } from 'kysely'

/** Returns the entries that the cells of a file for this product can name. */
export async function findLists(db: Db, product: number): Promise<Lists> {
  const { rows } = await sql<Pick<Lists, 'people' | 'priorities' | 'all_tags'>>`select
    (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'email', email, 'is_active', banned_at is null) order by id), '[]')
      from staff) as people,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]') from lead_colors) as priorities,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]') from lead_tags) as all_tags`.execute(
    db,
  )
  return { ...(await findChoices(db)), ...rows[0]!, custom_fields: await findFields(db, [product]) }
}
