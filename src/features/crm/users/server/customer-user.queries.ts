import { sql, type RawBuilder } from 'kysely'
import { ofProducts, productIds } from '#features/crm/organizations/server/organizations.queries.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { columnsOf, referencesOf } from '#shared/field.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { Candidate } from '#shared/recipients.ts'
import { recordKind } from '#server/record/rows.ts'

/** Customers' users as records. */
export const customerUserKind = recordKind({
  type: 'customer_user',
  table: 'customer_users',
  name: `r.name`,
  page: '/users/detail/user/$id',
  columns: columnsOf(userFields),
  references: referencesOf(userFields),
  visibility: {
    products: { of: productIds, movedBy: ['organization_id'] },
    scope: ({ products }) => ofProducts('r', products),
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
  people: async (db, id) => {
    const { rows } = await sql<Candidate>`
      select name as who, email::text as address, banned_at is not null as banned from customer_users where id = ${id}`.execute(
      db,
    )
    return rows
  },
})

/**
 * Returns the SQL condition that a viewer can see an email address (SQL of type citext): it is that of a user of one
 * of the viewer's customers, deleted users included, or of no customer's user.
 */
export const seesAddress = ({ products }: Viewer, address: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql`coalesce((select bool_or(${ofProducts('r', products)}) from customer_users r where r.email = ${address}), true)`
