import { sql } from 'kysely'
import { ofProducts, productIds } from '#features/crm/organizations/server/organizations.queries.ts'
import { userFields } from '#features/crm/users/fields.ts'
import { columnsOf } from '#shared/field.ts'
import type { RecordKind } from '#server/record/rows.ts'

/** Customers' users as records. */
export const customerUserKind: RecordKind = {
  type: 'customer_user',
  table: 'customer_users',
  name: `r.name`,
  columns: columnsOf(userFields),
  products: { of: productIds, movedBy: ['organization_id'] },
  scope: ({ products }) => ofProducts('r', products),
  belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
}
