import { expect, test } from 'vitest'
import { hidesProduct, productIds, switcherSection, visibleProducts } from '#shared/products.ts'

test('the product switcher is exactly where the specification says, without product 2 on categories and posts', () => {
  const offered = (path: string) =>
    switcherSection(path) ? productIds.filter((id) => !hidesProduct(path, id)) : []
  for (const path of [
    '/demo-leads',
    '/demo-leads/aalto/1',
    '/tasks',
    '/development-tasks',
    '/designer-tasks/designerschedular',
    '/common/development/task',
    '/common/designer/task/banner',
    '/case-study',
    '/user-guide',
    '/event',
    '/brochure/create',
    '/webinar',
  ])
    expect(offered(path), path).toEqual([1, 2, 3, 4])
  for (const path of ['/categories', '/categories/news/posts', '/posts', '/posts/unpublished'])
    expect(offered(path), path).toEqual([1, 3, 4])
  for (const path of [
    '/dashboard',
    '/on-boarding',
    '/users',
    '/tags',
    '/progress-report',
    '/settings',
    '/demo-leads-x',
    '/postscript',
  ])
    expect(offered(path), path).toEqual([])
})

test('a product that is not assigned or not active is not offered', () => {
  const products = [
    { id: 1, slug: 'linen', name: 'Linen', status: 1 },
    { id: 3, slug: 'equipmate', name: 'equipmate', status: 1 },
    { id: 4, slug: 'lineniq', name: 'lineniq', status: 0 },
  ]
  expect(visibleProducts(products, [1, 4]).map(({ id }) => id)).toEqual([1])
})
