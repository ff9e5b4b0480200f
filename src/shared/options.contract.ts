import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { codeUpTo, recordId, text } from '#shared/schemas.ts'

/*
 * Options for the filters and forms in every area. They contain only names, so being signed in is enough to
 * read them.
 */

const Option = z.object({ id: z.number().int(), name: z.string(), tone: z.string().optional() })
export type Option = z.output<typeof Option>

const names = z.preprocess(
  (value) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) =>
      typeof one === 'string' ? one.split(',') : [one],
    ),
  z.array(text(60)).min(1).max(20),
)

export const options = {
  lists: endpoint({
    method: 'GET',
    path: '/admin/options/lists',
    shows: ['lists'],
    summary: 'Get the entries of the named lists, in order. Unknown lists are omitted.',
    access: 'signed-in',
    query: z.object({ names }),
    response: z.object({ data: z.record(z.string(), z.array(Option)) }),
  }),
  staff: endpoint({
    method: 'GET',
    path: '/admin/options/staff',
    summary:
      'List staff who can be assigned work: not banned and, if a product is given, with access to it; with former=1, also those who were banned or deactivated.',
    access: 'signed-in',
    query: z.object({
      product_id: recordId.optional(),
      /** 1 to include those who were banned or deactivated, whose names histories have. */
      former: codeUpTo(1).optional(),
    }),
    product: ['query.product_id'],
    response: z.object({ data: z.array(Option) }),
  }),
}
