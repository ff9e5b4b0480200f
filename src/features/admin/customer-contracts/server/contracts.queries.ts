import { sql } from 'kysely'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
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
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { matchesSearch } from '#server/record/list.ts'
import { readsOf, sortedBy } from '#server/record/reads.ts'
import { recordKind } from '#server/record/rows.ts'

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
    // A contract without an organization is visible to everyone.
    scope: ({ products }) => sql`(r.organization_id is null or ${ofProducts('r', products)})`,
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
})

const rowColumns = `r.id, ${selectOf(contractFields, 'r').join(', ')}, o.name as organization, r.updated_at, r.version`

export const contractReads = readsOf<
  ContractRow,
  ContractFilters,
  Omit<Contract, keyof ContractRow | 'files'>
>({
  kind: contractKind,
  columns: rowColumns,
  details: `r.content, r.created_at, (select s.name from staff s where s.id = r.created_by) as created_by_name`,
  joins: 'left join organizations o on o.organization_id = r.organization_id',
  conditions: {
    search: (search) => matchesSearch('r.search', search),
    status: (status) => sql`r.status = ${status}`,
    finished: (finished) => sql`(r.status = any(${[...finishedStatuses]}::int[])) = ${finished === 1}`,
    due_from: (from) => sql`r.due_date >= ${from}::date`,
    due_to: (to) => sql`r.due_date <= ${to}::date`,
  },
  order: sortedBy(
    {
      id: 'r.id',
      title: 'r.search',
      due_date: 'r.due_date',
      status: 'r.status',
      updated_at: 'r.updated_at',
    },
    'r.id',
    ['due_date'],
  ),
  perPage: contractsPerPage,
  csv: {
    name: 'contracts.csv',
    fields: contractFields,
    columns: `${rowColumns}, (select s.name from contract_statuses s where s.id = r.status) as status_name`,
  },
})

/** @throws HttpError 404 */
export async function getContract(db: Db, id: number, viewer: Viewer, links: Links): Promise<Contract> {
  const contract = await contractReads.whole(db, id, viewer)
  return { ...contract, files: (await filesOf(db, 'contract', [id], links, 'attachment')).get(id) ?? [] }
}
