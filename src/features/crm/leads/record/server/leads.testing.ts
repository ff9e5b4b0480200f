import type { Insertable } from 'kysely'
import type { Db } from '#server/db/db.ts'
import type { Leads } from '#server/db/tables.ts'

/** Inserts a lead with the given column values; returns its ID. */
export async function enterLead(db: Db, values: Partial<Insertable<Leads>> = {}): Promise<number> {
  const { lead_id } = await db
    .insertInto('leads')
    .values({ company_name: 'Aalto Linen', lead_for: 1, lead_date: '2026-03-10', ...values })
    .returning('lead_id')
    .executeTakeFirstOrThrow()
  return lead_id
}

/** Returns the contents of all lead tables, for checking that nothing changed. */
export async function allOfLeads(db: Db): Promise<unknown> {
  return [
    await db.selectFrom('leads').selectAll().orderBy('lead_id').execute(),
    await db.selectFrom('lead_tag_links').selectAll().orderBy('lead_id').orderBy('tag_id').execute(),
    await db.selectFrom('notes').selectAll().orderBy('id').execute(),
    await db.selectFrom('lead_imports').select(['id', 'state', 'mapping']).orderBy('id').execute(),
  ]
}
