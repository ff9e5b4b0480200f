import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { inputsOf, repliesOf } from '#shared/field.ts'
import { code, instant, oneOf, plainDay, recordId, text } from '#shared/schemas.ts'
import { recordFile } from '#shared/files.ts'
import { pageNumber } from '#shared/page.ts'
import { ActReply, changedReply, listReply, editBaseFields } from '#shared/record.contract.ts'
import { contractFields } from '#features/admin/customer-contracts/fields.ts'

export const contractsPerPage = 20

/**
 * `search` matches part of the title; `status` limits the list to contracts with that status; `finished`: 1 for
 * contracts that are ended or canceled, 0 for the others.
 */
export const ContractFilters = z.object({
  page: pageNumber.default(1),
  search: text(200).default(''),
  status: code.optional(),
  finished: oneOf(0, 1).optional(),
  due_from: plainDay.optional(),
  due_to: plainDay.optional(),
  column: z.enum(['id', 'title', 'due_date', 'status', 'updated_at']).default('id'),
  direction: z.enum(['asc', 'desc']).default('desc'),
})
export type ContractFilters = z.output<typeof ContractFilters>

export const ContractRow = z.object({
  ...repliesOf(contractFields),
  organization: z.string().nullable(),
  version: z.number().int(),
})
export type ContractRow = z.output<typeof ContractRow>
export const Contract = ContractRow.extend({
  content: z.string(),
  files: z.array(recordFile),
  created_at: instant,
  created_by_name: z.string().nullable(),
})
export type Contract = z.output<typeof Contract>

const fields = z.object(inputsOf(contractFields))
export const NewContract = fields.partial().required({ title: true })
/** Only the fields that are sent change. */
export const ContractChange = fields.partial().extend(editBaseFields)

const params = z.object({ id: recordId })

export const contracts = {
  list: endpoint({
    method: 'GET',
    path: '/admin/contract_list',
    shows: ['contract'],
    summary: 'List customer contracts with filters, 20 per page.',
    access: 'contract_list',
    query: ContractFilters,
    response: listReply(ContractRow),
  }),
  export: endpoint({
    method: 'GET',
    path: '/admin/contract_list/export',
    summary: 'Export the contracts that match the filters as CSV.',
    access: 'contract_list',
    query: ContractFilters,
  }),
  show: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/contract/{id}',
    shows: ['contract'],
    summary: 'Get a contract. Read-only, even though the method is POST (docs/spec-gaps.md G142).',
    access: 'contract_list',
    params,
    response: z.object({ data: Contract }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/admin/create_contract',
    summary: 'Create a contract.',
    act: 'Created',
    access: 'contract_list',
    record: 'contract',
    body: NewContract,
    maxBytes: 1_500_000,
    response: z.object({ message: z.string(), data: Contract }),
  }),
  update: endpoint({
    method: 'POST',
    path: '/admin/update_contract/{id}',
    summary:
      'Update the given fields of a contract. Returns 409 with the current contract if the version is out of date.',
    act: 'Edited',
    access: 'contract_list',
    params,
    record: 'contract',
    body: ContractChange,
    maxBytes: 1_500_000,
    response: changedReply(Contract),
  }),
  remove: endpoint({
    method: 'POST',
    path: '/admin/delete_contract/{id}',
    summary: 'Move a contract to trash (plain POST).',
    act: 'Moved to trash',
    calledBy: 'clients of B §7',
    access: 'contract_list',
    params,
    response: ActReply,
  }),
}
