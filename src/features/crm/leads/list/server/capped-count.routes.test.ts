import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { mostCounted } from '#shared/page.ts'

test('only a number above the cap is a lower bound, and only if the request allows it', async () => {
  const { as, db } = await startTestApp()
  /** Creates leads without a phone number, the first three with an email address and an amount. */
  const createLeads = async (from: number, to: number) => {
    for (let first = from; first <= to; first += 2000)
      await sql`insert into leads (company_name, lead_for, lead_date, email, amount, currency)
        select 'Company ' || i, 1, '2026-03-10', case when i <= 3 then 'a@aalto.example' else '' end,
          case when i <= 3 then 5 end, case when i <= 3 then 'EUR' end
        from generate_series(${first}::int, ${Math.min(first + 1999, to)}::int) i`.execute(db)
  }
  const list = (query: string) => as('crm').get(`/admin/users/get-demo-requests?${query}`)
  const summary = (query: string) => as('crm').get(`/admin/users/lead-summary?${query}`)
  const all = mostCounted + 25

  await createLeads(1, mostCounted)
  const full = await list('count=capped&field_filter=phone:empty')
  expect(full).toMatchObject({ total: mostCounted })
  expect(full).not.toHaveProperty('total_is_capped')

  await createLeads(mostCounted + 1, all)
  const exact = await list('field_filter=phone:empty')
  expect(exact).toMatchObject({ total: all, data: { displayRows: `1–20 of ${all}` } })
  expect(exact).not.toHaveProperty('total_is_capped')
  const capped = await list('field_filter=phone:empty&count=capped')
  expect(capped['data'].leads).toEqual(exact['data'].leads)
  expect(capped).toMatchObject({
    total: mostCounted + 1,
    total_is_capped: true,
    data: { displayRows: `1–20 of ${mostCounted}+` },
  })
  const sums = [{ currency: 'EUR', sum: 15, leads: 3 }]
  expect(await summary('field_filter=phone:empty')).toMatchObject({ total: all, data: sums })
  expect(await summary('')).toMatchObject({ total: all, data: sums })

  // The last page that the cap covers, and the first page beyond it.
  const last = await list(`field_filter=phone:empty&count=capped&page=${mostCounted / 20}`)
  expect(last).toMatchObject({ total_is_capped: true })
  const beyond = await list(`field_filter=phone:empty&count=capped&page=${mostCounted / 20 + 1}`)
  expect(beyond).toMatchObject({ total: all })
  expect(beyond['data'].leads).toHaveLength(20)
  expect(beyond).not.toHaveProperty('total_is_capped')

  // Numbers that are kept by day, or small.
  expect(await list('count=capped')).not.toHaveProperty('total_is_capped')
  const few = await list('count=capped&field_filter=email:filled')
  expect(few).toMatchObject({ total: 3, data: { displayRows: '1–3 of 3' } })
  expect(few).not.toHaveProperty('total_is_capped')
  expect((await list('count=some')).status).toBe(422)
})
