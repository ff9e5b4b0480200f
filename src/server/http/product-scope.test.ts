import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkedByQuery, endpoint, type Viewer } from '#shared/endpoint.ts'
import { recordId } from '#shared/schemas.ts'
import { checkProducts, assertProductsDeclared } from '#server/http/product-scope.ts'

const shape = { method: 'POST', path: '/x', summary: '', access: 'signed-in' } as const
const viewer: Viewer = { id: 1, role_id: 0, permissions: new Set(), products: [1, 2] }

test.each([
  ['query.lead_for', { query: z.object({ lead_for: recordId.optional() }) }],
  ['params.product', { params: z.object({ product: recordId }) }],
  [
    'body.product_id',
    { body: z.preprocess((input) => input, z.object({ product_id: recordId.nullable().default(null) })) },
  ],
  ['body.rows.productId', { body: z.object({ rows: z.array(z.object({ productId: recordId })) }) }],
  [
    'body.change.lead_for',
    {
      body: z
        .object({ change: z.union([z.object({ a: z.string() }), z.object({ lead_for: recordId })]) })
        .refine(() => true),
    },
  ],
  [
    'body.of.product',
    {
      body: z.object({
        of: z.record(
          z.string(),
          z.lazy(() => z.object({ product: recordId })),
        ),
      }),
    },
  ],
])('an endpoint with %s that does not declare it does not start', (place, schemas) => {
  expect(() => assertProductsDeclared({ ...shape, ...schemas })).toThrow(place)
  expect(() => assertProductsDeclared({ ...shape, ...schemas, product: [place as 'query.x'] })).not.toThrow()
  expect(() => assertProductsDeclared({ ...shape, ...schemas, product: checkedByQuery })).not.toThrow()
})

test('a declared place that does not exist does not start either', () => {
  expect(() =>
    assertProductsDeclared({
      ...shape,
      query: z.object({ lead_for: recordId }),
      product: ['query.lead_for', 'query.lead_four'],
    }),
  ).toThrow('query.lead_four')
})

test("each named product must be the caller's, however deep; without a product nothing is refused", () => {
  const sheet = endpoint({ ...shape, product: ['body.rows.product_id', 'body.product_ids'] })
  const check = (body: object) => () => checkProducts(sheet, viewer, { params: {}, query: {}, body })
  expect(check({ rows: [{ product_id: 1 }, { product_id: 2 }], product_ids: [1] })).not.toThrow()
  expect(check({ rows: [{ product_id: null }, {}] })).not.toThrow()
  expect(check({ rows: [{ product_id: 1 }, { product_id: 3 }] })).toThrow(
    'You don’t have access to this product.',
  )
  expect(check({ product_ids: [2, 9] })).toThrow('You don’t have access to this product.')
})
