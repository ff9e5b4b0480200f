import { sql, type RawBuilder } from 'kysely'
import type { StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import { daysKept, type CustomChoice, type CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import type { Db } from '#server/db/db.ts'
import { touchRecords } from '#server/record/touch.ts'

/** SQL for a `CustomField` from `custom_fields f`, as JSON. */
export const fieldAsJson = sql`json_build_object('id', f.id, 'product_id', f.product_id, 'name', f.name, 'type', f.type,
  'choices', f.choices, 'is_deleted', f.removed_at is not null)`

/** Lets other changes to the fields of a product wait. */
export async function lockFields(db: Db, product_id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('custom-fields'), ${product_id})`.execute(db)
}

/** Returns the fields of products that aren’t deleted, in their order. */
export async function findFields(db: Db, products: readonly number[]): Promise<CustomField[]> {
  const { rows } = await sql<{ field: CustomField }>`select ${fieldAsJson} as field from custom_fields f
    where f.product_id = any(${products}::int[]) and f.removed_at is null order by f.product_id, f.position, f.id`.execute(
    db,
  )
  return rows.map(({ field }) => field)
}

/** Returns the fields of a product with how many leads have a value, the deleted ones that can be restored last. */
export async function findStoredFields(
  db: Db,
  product_id: number,
): Promise<{ data: StoredCustomField[]; leads: number }> {
  const ofProduct = sql`l.lead_for = ${product_id} and l.deleted_at is null`
  const [{ rows: data }, { rows: counted }] = await Promise.all([
    sql<StoredCustomField>`select f.id, f.product_id, f.name, f.type, f.choices, f.removed_at is not null as is_deleted,
        f.version, coalesce(n.filled, 0)::int as filled, f.removed_at as deleted_at, f.removed_at + ${keptFor} as kept_until
      from custom_fields f left join (select k.id, count(*) as filled from leads l
          cross join lateral jsonb_object_keys(l.custom_values) as k(id)
          where ${ofProduct} and l.custom_values <> '{}' group by k.id) n on n.id = f.id::text
      where f.product_id = ${product_id} and f.purged_at is null
      order by f.removed_at desc nulls first, f.position, f.id`.execute(db),
    sql<{ leads: number }>`select count(*)::int as leads from leads l where ${ofProduct}`.execute(db),
  ])
  return { data, leads: counted[0]!.leads }
}

export async function insertField(
  db: Db,
  product_id: number,
  { name, type, choices }: Pick<CustomField, 'name' | 'type' | 'choices'>,
): Promise<void> {
  await sql`insert into custom_fields (product_id, name, type, choices, position)
    values (${product_id}, ${name}, ${type}, ${JSON.stringify(choices)}::jsonb,
      (select coalesce(max(position), 0) + 1 from custom_fields where product_id = ${product_id}))`.execute(
    db,
  )
}

const changeField = async (db: Db, id: number, assigned: RawBuilder<unknown>): Promise<void> => {
  await sql`update custom_fields set ${assigned}, version = version + 1 where id = ${id}`.execute(db)
}

export const updateField = (
  db: Db,
  id: number,
  { name, choices }: { name: string; choices: readonly CustomChoice[] },
): Promise<void> => changeField(db, id, sql`name = ${name}, choices = ${JSON.stringify(choices)}::jsonb`)

export const markDeleted = (db: Db, id: number, now: Date): Promise<void> =>
  changeField(db, id, sql`removed_at = ${now.toISOString()}`)

export const unmarkDeleted = (db: Db, id: number): Promise<void> =>
  changeField(db, id, sql`removed_at = null`)

export async function putFieldsInOrder(db: Db, ids: readonly number[]): Promise<void> {
  await sql`update custom_fields f set position = o.position
    from unnest(${[...ids]}::int[]) with ordinality as o (id, position) where f.id = o.id`.execute(db)
}

const keptFor = sql`make_interval(days => ${sql.lit(daysKept)})`
const atOnce = 1000

/**
 * Removes the values of a field that was deleted too long ago from up to a thousand leads; returns whether more can be
 * left. No version changes: the values could no longer be seen.
 */
export async function purgeSome(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`select id from custom_fields
    where purged_at is null and removed_at < ${now.toISOString()}::timestamptz - ${keptFor} order by id limit 1`.execute(
    db,
  )
  if (!rows[0]) return false
  const { id } = rows[0]
  const key = String(id)
  const has = sql`r.lead_id in (select lead_id from leads where custom_values <> '{}' and custom_values ? ${key}::text
    limit ${atOnce})`
  const without = { custom_values: sql`r.custom_values - ${key}::text` }
  const done = await touchRecords({ db }, { table: 'leads', id: 'lead_id' }, has, without, {
    keepsVersion: true,
  })
  if (done.length < atOnce)
    await sql`update custom_fields set purged_at = ${now.toISOString()} where id = ${id}`.execute(db)
  return true
}
