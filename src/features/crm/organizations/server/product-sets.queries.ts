import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import { compactKeptCounts } from '#server/db/kept-counts.ts'

/** Who reads organizations, or what belongs to them. */
export interface OrganizationReader extends Viewer {
  /** Whether every organization is known to have any of their products, so that none needs to be checked. */
  seesAllOrganizations?: boolean
}

/**
 * Returns whether every organization has any of the viewer's products, so that no record needs to be checked for its
 * organization. The database keeps how many organizations have which products (migration 0269).
 */
export async function seesAllOrganizations(db: Db, { products }: Viewer): Promise<boolean> {
  const { rows } = await sql`select from organization_product_sets s
    where not s.products && ${[...products]}::int[] group by s.products having sum(s.change) > 0 limit 1`.execute(
    db,
  )
  return rows.length === 0
}

export const compactProductSets = (db: Db): Promise<void> =>
  compactKeptCounts(db, 'organization_product_sets', ['products'])
