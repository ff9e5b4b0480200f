import { sql, type SelectQueryBuilder } from 'kysely'
import { columnsOf, referencesOf } from '#shared/field.ts'
import { mostFiles } from '#shared/files.ts'
import type { Viewer } from '#shared/endpoint.ts'
import {
  contractsPerPage,
  type Contract,
  type ContractFilters,
  type ContractRow,
} from '#features/admin/customer-contracts/contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'
import { finishedStatuses } from '#features/admin/customer-contracts/rules.ts'
import { ofProducts } from '#features/crm/organizations/server/organizations.queries.ts'
import type { Database, Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { conditionsOf, findPage, matchesSearch, nullsLast, whereAll } from '#server/record/list.ts'
import { recordKind } from '#server/record/rows.ts'

/**
 * Limits contracts to those without an organization and those whose organization has one of these products.
 */
const ofOwnOrganization = (alias: string, products: readonly number[]) =>
  sql<boolean>`(${sql.ref(`${alias}.organization_id`)} is null or ${ofProducts(alias, products)})`

export const contractKind = recordKind({
  type: 'contract',
  table: 'customer_contracts',
  name: 'r.title',
  page: '/customer-contracts/update-contract/$id',
  columns: columnsOf(contractFields),
  references: referencesOf(contractFields),
  files: { file_ids: { role: 'attachment', most: mostFiles } },
  richText: ['content'],
  visibility: {
    scope: ({ products }) => ofOwnOrganization('r', products),
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
})

const matching = (db: Db, filters: ContractFilters, { products }: Viewer) =>
  whereAll(
    db
      .selectFrom('customer_contracts as c')
      .where('c.deleted_at', 'is', null)
      .where(ofOwnOrganization('c', products)),
    conditionsOf<ContractFilters>(filters, {
      search: (search) => matchesSearch('c.search', search),
      status: (status) => sql`c.status = ${status}`,
      finished: (finished) => sql`(c.status = any(${[...finishedStatuses]}::int[])) = ${finished === 1}`,
      due_from: (from) => sql`c.due_date >= ${from}::date`,
      due_to: (to) => sql`c.due_date <= ${to}::date`,
    }),
  )

const sorts = {
  id: 'c.id',
  title: 'c.search',
  due_date: 'c.due_date',
  status: 'c.status',
  updated_at: 'c.updated_at',
} as const

const rowColumns = [
  'c.id',
  'c.title',
  'c.due_date',
  'c.status',
  'c.organization_id',
  'o.name as organization',
  'c.updated_at',
  'c.version',
] as const

const shown = (
  matches: SelectQueryBuilder<Database & { c: Database['customer_contracts'] }, 'c', {}>,
  { column, direction }: ContractFilters,
) =>
  matches
    .leftJoin('organizations as o', 'o.organization_id', 'c.organization_id')
    .select(rowColumns)
    .orderBy(sorts[column], column === 'due_date' ? nullsLast(direction) : direction)
    .orderBy('c.id', direction)

/** Returns a page of the contracts that match the filters. */
export const findContracts = (
  db: Db,
  filters: ContractFilters,
  viewer: Viewer,
): Promise<{ data: ContractRow[]; total: number; per_page: number }> =>
  findPage(db, matching(db, filters, viewer), filters.page, contractsPerPage, (matches) =>
    shown(matches, filters),
  )

/** Compiles the query for all matching contracts, for the export. */
export const allContracts = (db: Db, filters: ContractFilters, viewer: Viewer) =>
  shown(matching(db, filters, viewer), filters)
    .innerJoin('contract_statuses as s', 's.id', 'c.status')
    .select('s.name as status_name')
    .compile()

/** @throws HttpError 404 */
export async function getContract(db: Db, id: number, { products }: Viewer, links: Links): Promise<Contract> {
  const contract = await db
    .selectFrom('customer_contracts as c')
    .leftJoin('organizations as o', 'o.organization_id', 'c.organization_id')
    .leftJoin('staff as s', 's.id', 'c.created_by')
    .select([...rowColumns, 'c.content', 'c.created_at'])
    .select('s.name as created_by_name')
    .where('c.id', '=', id)
    .where('c.deleted_at', 'is', null)
    .where(ofOwnOrganization('c', products))
    .executeTakeFirst()
  if (!contract) throw notFound('Contract not found.')
  return { ...contract, files: (await filesOf(db, 'contract', [id], links, 'attachment')).get(id) ?? [] }
}
