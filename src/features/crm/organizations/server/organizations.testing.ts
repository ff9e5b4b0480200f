import type { Insertable } from 'kysely'
import type { Db } from '#server/db/db.ts'
import type { Organizations } from '#server/db/tables.ts'

/** Inserts an organization for tests. */
export async function enterOrganization(
  db: Db,
  values: Partial<Insertable<Organizations>> = {},
  product_ids: readonly number[] = [1],
): Promise<number> {
  const { organization_id } = await db
    .insertInto('organizations')
    .values({ name: 'Aalto Linen', ...values })
    .returning('organization_id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('organization_products')
    .values(product_ids.map((product_id) => ({ organization_id, product_id })))
    .execute()
  return organization_id
}

/** Inserts a user into an organization. */
export async function enterUser(
  db: Db,
  organization_id: number,
  first_name: string,
  values: object = {},
): Promise<number> {
  const { id } = await db
    .insertInto('customer_users')
    .values({ organization_id, first_name, email: `${first_name.toLowerCase()}@aalto.example`, ...values })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
