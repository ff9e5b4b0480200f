import { expect, test } from 'vitest'
import { roleIds } from '#shared/access.ts'
import { productIds } from '#shared/products.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

const path = '/admin/dashboard/numbers'
const period = 'period=90&today=2026-03-16'

/** The call of each area, by its name in the reply. */
const calls = (product: number) => ({
  leads: `/admin/users/lead-numbers?lead_for=${product}&${period}`,
  tickets: `/admin/support/ticket-numbers?${period}`,
  organizations: `/admin/users/organization-numbers?${period}`,
  development: `/common/task/numbers?product_id=${product}&${period}`,
  designer: `/common/designertask/numbers?product_id=${product}&${period}`,
  workload: `/common/task/workload?product_id=${product}&today=2026-03-16`,
  posts: `/admin/post-numbers?product_id=${product}&${period}`,
})

test('one request returns the numbers of all areas, those that the calls of the areas return', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values(
      productIds.map((lead_for) => ({ company_name: 'Aalto Linen', lead_for, lead_date: '2026-03-02' })),
    )
    .execute()
  await db
    .insertInto('tasks')
    .values(
      productIds.flatMap((product_id) =>
        (['development', 'designer'] as const).map((discipline) => ({
          title: 'Sort the racks',
          product_id,
          discipline,
          status: 2,
          assigned_to: as('developer').id,
        })),
      ),
    )
    .execute()
  await db.insertInto('tickets').values({ title: 'The scanner stopped', sender_name: 'Jana' }).execute()
  const seen = new Set<string>()
  for (const role of roleIds)
    for (const product of productIds) {
      const { status, ...all } = await as(role).get(`${path}?product_id=${product}&${period}`)
      expect(status).toBe(200)
      for (const [area, call] of Object.entries(calls(product))) {
        const { status: own, ...numbers } = await as(role).get(call)
        expect([role, product, area, all[area]]).toEqual([
          role,
          product,
          area,
          own === 200 ? numbers : undefined,
        ])
        if (own === 200) seen.add(area)
        else expect([area, own]).toEqual([area, 403])
      }
    }
  expect(seen.size).toBe(7)
})

test('numbers need a session, and a product that is assigned to the caller', async () => {
  const { as, db } = await startTestApp()
  expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await as('crm').get(`${path}?product_id=2`)).toMatchObject({ status: 403 })
  expect(await as('crm').get(`${path}?product_id=1`)).toMatchObject({ status: 200 })
  expect(await as('crm').get(`${path}?period=60`)).toMatchObject({ status: 422 })
})
