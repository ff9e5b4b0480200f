import { sql } from 'kysely'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import { findFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { readGivenValues } from '#features/crm/leads/custom-fields/server/given-values.ts'
import { bulkFields, type BulkValues } from '#features/crm/leads/bulk-values.contract.ts'
import type { BulkChange, leadOperations } from '#features/crm/leads/operations.contract.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'

/* The values that a bulk change sets: those of custom fields, and those that the leads have now. */

const place = 'change.values.custom_values'

/**
 * Returns the custom fields that a change sets, and the change with their values as they are stored.
 * @throws HttpError 422 for values that don't fit their field, for fields that none of the viewer's products has, and for
 * fields of several products.
 */
export async function readCustomValues(
  db: Db,
  change: BulkChange,
  { products }: Viewer,
): Promise<{ custom: CustomField[]; change: BulkChange }> {
  const given = change.kind === 'edit' ? change.values.custom_values : undefined
  if (change.kind !== 'edit' || given === undefined) return { custom: [], change }
  const all = await findFields(db, products)
  const custom = all.filter(({ id }) => given[id] !== undefined)
  const [first] = custom
  if (!first || custom.length < Object.keys(given).length)
    throw invalid(place, 'This custom field doesn’t exist, or was deleted.')
  if (custom.some(({ product_id }) => product_id !== first.product_id))
    throw invalid(place, 'Set the custom fields of one product at a time.')
  const custom_values = (await readGivenValues(db, first.product_id, given))!
  return { custom, change: { kind: 'edit', values: { ...change.values, custom_values } } }
}

/** @throws HttpError 422 with their number if some of the leads are of another product than the custom fields. */
export async function refuseOtherProducts(
  db: Db,
  ids: readonly number[],
  [field]: readonly CustomField[],
  { products }: Viewer,
): Promise<void> {
  if (!field) return
  const { rows } = await sql<{ others: number; product: string }>`select count(*)::int as others,
      (select name from products where id = ${field.product_id}) as product
    from leads where lead_id = any(${ids}::int[]) and lead_for = any(${products}::int[]) and deleted_at is null
      and lead_for <> ${field.product_id}`.execute(db)
  const { others, product } = rows[0]!
  if (others > 0)
    throw invalid(
      place,
      `“${field.name}” is a field of ${product}, and ${others === 1 ? '1 of the selected leads is' : `${others.toLocaleString('en-US')} of the selected leads are`} of another product. Select only leads of ${product}.`,
    )
}

const mostValues = 5

/**
 * Counts the values that leads in the viewer's products have in a field, the most frequent ones first.
 * @param field a field of all leads, or `custom_` and the ID of a custom field
 */
export async function countValues(
  db: Db,
  ids: readonly number[],
  field: string,
  { products }: Viewer,
): Promise<Omit<Reply<typeof leadOperations.currentValues>, 'changes'>> {
  const isListed = bulkFields.some((one) => one === field)
  const value = isListed
    ? sql`to_jsonb(nullif(${sql.ref(`l.${field}`)}::text, ''))`
    : sql`l.custom_values -> ${field.replace('custom_', '')}::text`
  const { rows } = await sql<{ value: never; currency: string | null; leads: number; total: number }>`
    select ${field === 'amount' ? sql`to_jsonb((value #>> '{}')::numeric)` : sql`value`} as value, currency, leads,
      (sum(leads) over ())::int as total
    from (
      select ${value} as value, ${field === 'amount' ? sql`l.currency` : sql`null::text`} as currency, count(*)::int as leads
      from leads l where l.lead_id = any(${ids}::int[]) and l.lead_for = any(${products}::int[]) and l.deleted_at is null
      group by 1, 2
    ) counted order by leads desc, value::text limit ${mostValues}`.execute(db)
  const shown = rows.reduce((sum, { leads }) => sum + leads, 0)
  return {
    data: rows.map(({ total: _total, ...one }) => one),
    others: (rows[0]?.total ?? 0) - shown,
  }
}

/**
 * Counts the leads in the viewer's products that have other values than those that a change sets.
 * @throws HttpError 422 for values that a change can't set
 */
export async function countChanges(
  db: Db,
  ids: readonly number[],
  given: BulkValues,
  viewer: Viewer,
): Promise<number> {
  const { change } = await readCustomValues(db, { kind: 'edit', values: given }, viewer)
  const { custom_values = {}, ...values } = change.kind === 'edit' ? change.values : given
  const differs = [
    ...Object.entries(values).map(([name, value]) => {
      const now = sql.ref(`l.${name}`)
      // Stored amounts have decimals that the given ones can lack.
      if (name === 'amount') return sql`${now} is distinct from ${value}::numeric`
      return sql`nullif(${now}::text, '') is distinct from nullif(${value ?? null}::text, '')`
    }),
    ...Object.entries(custom_values).map(
      ([id, value]) =>
        sql`l.custom_values -> ${id}::text is distinct from nullif(${JSON.stringify(value)}::jsonb, 'null')`,
    ),
  ]
  if (differs.length === 0) return 0
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from leads l
    where l.lead_id = any(${ids}::int[]) and l.lead_for = any(${viewer.products}::int[]) and l.deleted_at is null
      and (${sql.join(differs, sql` or `)})`.execute(db)
  return rows[0]!.count
}
