import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { recordId, text } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'

/**
 * Organizations offered in the forms and filters in every area. Only names are returned, so being signed in
 * is enough.
 */
export const organizationNames = endpoint({
  method: 'GET',
  path: '/admin/users/get-all-organizations',
  summary:
    'List the IDs and names of organizations of the caller’s products, sorted by name, 100 per page. If an ID is given, return only that organization.',
  access: 'signed-in',
  product: ['query.product'],
  query: z.object({
    page: pageNumber.default(1),
    search: text(200).default(''),
    product: recordId.optional(),
    id: recordId.optional(),
  }),
  response: z.object({
    data: z.array(z.object({ id: z.number().int(), name: z.string() })),
    total: z.number().int(),
    per_page: z.number().int(),
  }),
})
