import { sql } from 'kysely'
import type { Judgement } from '#features/crm/leads/import/server/judge-row.ts'
import type { Db } from '#server/db/db.ts'
import type { Change } from '#server/http/audit.ts'

/** Creates the tags that rows name and that don't exist yet, and gives them to the leads of these rows. */
export async function createTags(db: Db, judgements: readonly Judgement[]): Promise<Change[]> {
  const naming = judgements.filter(({ values, new_tags = [] }) => values && new_tags.length > 0)
  const names = [...new Set(naming.flatMap(({ new_tags = [] }) => new_tags))]
  if (names.length === 0) return []
  const { rows: created } = await sql<{ id: number; name: string }>`insert into lead_tags (name)
    select name from unnest(${names}::text[]) as name on conflict do nothing returning id, name`.execute(db)
  const { rows } = await sql<{ id: number; key: string }>`select id, lower(name::text) as key from lead_tags
    where name = any(${names}::citext[])`.execute(db)
  const idOf = new Map(rows.map(({ id, key }) => [key, id]))
  for (const { values, new_tags = [] } of naming)
    values!.tag_ids = [
      ...new Set([
        ...(values!.tag_ids ?? []),
        ...new_tags.flatMap((name) => idOf.get(name.toLowerCase()) ?? []),
      ]),
    ]
  return created.map(({ id, name }) => ({ target: 'lead-tag', id, after: { name } }))
}
