import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { sortColumns } from '#features/crm/leads/contract.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/** Fetches the list. The time in tests is 16 March 2026. */
const list = (who: TestClient, query = '') => who.get(`/admin/users/get-demo-requests?${query}`)
const names = async (who: TestClient, query: string): Promise<string[]> =>
  (await list(who, query)).data.leads.map((lead: { companyName: string }) => lead.companyName).toSorted()

/** A filter, a lead that matches it, and a lead that differs only in the filtered field. */
const filters: [
  query: string,
  kept: Parameters<typeof enterLead>[1],
  dropped: Parameters<typeof enterLead>[1],
][] = [
  ['status=2', { status: 2 }, { status: 3 }],
  ['color=0', { color: 0 }, { color: 1 }],
  ['follow_up_from=2026-03-20', { followup_date: '2026-03-20' }, { followup_date: '2026-03-19' }],
  ['follow_up_to=2026-03-20', { followup_date: '2026-03-20' }, { followup_date: '2026-03-21' }],
  ['follow_up_to=2026-03-20', { followup_date: '2026-03-20' }, { followup_date: null }],
  ['request_from=2026-03-05', { request_date: '2026-03-05' }, { request_date: '2026-03-04' }],
  ['request_to=2026-03-05', { request_date: '2026-03-05' }, { request_date: '2026-03-06' }],
  ['fromDate=2026-03-09', { lead_date: '2026-03-09' }, { lead_date: '2026-03-08' }],
  ['toDate=2026-03-09', { lead_date: '2026-03-09' }, { lead_date: '2026-03-10' }],
  ['', { lead_date: '2026-03-01' }, { lead_date: '2026-02-28' }],
  ['', { lead_date: '2026-03-31' }, { lead_date: '2026-04-01' }],
  ['toDate=2026-02-28', { lead_date: '2025-01-01' }, { lead_date: '2026-03-01' }],
  ['today=2026-02-10', { lead_date: '2026-02-28' }, { lead_date: '2026-03-01' }],
  [
    'fromDate=all',
    { lead_date: '2020-01-01' },
    { lead_for: 4, company_name: 'Dropped', lead_date: '2019-12-31' },
  ],
  ['followup_filter=0', { followup_date: null }, { followup_date: '2026-03-16' }],
  ['followup_filter=1', { followup_date: '2026-03-15' }, { followup_date: '2026-03-16' }],
  ['followup_filter=2', { followup_date: '2026-03-16' }, { followup_date: '2026-03-17' }],
  ['followup_filter=3', { followup_date: '2026-03-17' }, { followup_date: '2026-03-16' }],
  ['followup_filter=4', { followup_date: '2026-03-23' }, { followup_date: '2026-03-24' }],
  ['followup_filter=4', { followup_date: '2026-03-17' }, { followup_date: '2026-03-16' }],
  ['followup_filter=2&today=2026-03-17', { followup_date: '2026-03-17' }, { followup_date: '2026-03-16' }],
  ['demo_filter=0', { demo_status: 0 }, { demo_status: 1 }],
  ['demo_filter=3', { demo_status: 3 }, { demo_status: 2 }],
  ['software_filter=Consulting', { services: 'Consulting' }, { services: 'Integration' }],
  ['software_filter=Consulting', { services: 'Consulting' }, { services: null }],
  ['lead_filter=1', { lead_type: 1 }, { lead_type: 2 }],
  ['lead_filter=2', { lead_type: 2 }, { lead_type: 1 }],
  ['crm_id=4', { assign_to: 4 }, { assign_to: 5 }],
  ['assigned_filter=mine', { assign_to: 3 }, { assign_to: 4 }],
  ['assigned_filter=assigned', { assign_to: 9 }, { assign_to: null }],
  ['assigned_filter=unassigned', { assign_to: null }, { assign_to: 9 }],
  ['search=kept', {}, {}],
  ['search=Ann', { contact_name: 'Joanna' }, {}],
  ['search=%40KEPT.example', { email: 'a@kept.example' }, { email: 'a@dropped.example' }],
  ['search=555', { phone: '+1 555' }, { phone: '+1 444' }],
  ['search=%2B491234567', { phone: '+49 (123) 45-67' }, { phone: '+49 (123) 45-68' }],
  ['search=1234567', { phone: '+49 123 45 67' }, { phone: '+49 123 45 68' }],
  ['search=0123%2F45%2067', { phone: '+491234567' }, { phone: '+491234568' }],
  ['search=norw', { country: 'Norway' }, { country: 'Sweden' }],
  ['search=nrw-7', { reference: 'NRW-7' }, { reference: 'NRW-8' }],
  ['search=50%25', { contact_name: '50% off' }, { contact_name: '500 off' }],
  ['search=a_b', { contact_name: 'a_b' }, { contact_name: 'axb' }],
  ['search=a%5Cb', { contact_name: 'a\\b' }, { contact_name: 'ab' }],
  ['search=%F0%9F%A7%BA', { contact_name: '🧺' }, { contact_name: '🧹' }],
  ['search=%D9%85%D8%BA%D8%B3%D9%84%D8%A9', { contact_name: 'مغسلة' }, { contact_name: 'مطعم' }],
  ['search=%C3%98STBY', { contact_name: 'Ostby' }, { contact_name: 'Oestby' }],
]

test('leads.list: each filter keeps its leads and drops the nearest other one', async () => {
  const { as, db } = await startTestApp()
  for (const [query, kept, dropped] of filters) {
    await enterLead(db, { company_name: 'Kept', ...kept })
    await enterLead(db, { company_name: 'Dropped', ...dropped })
    const expected = query === 'fromDate=all' ? ['Dropped', 'Kept'] : ['Kept']
    expect([query, await names(as('crm'), query)]).toEqual([query, expected])
    expect([query, (await list(as('crm'), query)).total]).toEqual([query, expected.length])
    await db.deleteFrom('leads').execute()
  }
})

test('leads.list: the longest texts of the widest characters are stored completely, and found by their beginning', async () => {
  const { as, db } = await startTestApp()
  const basket = '🧺'
  const longest = {
    companyName: basket.repeat(100),
    contactName: `Æ${'漢'.repeat(199)}`,
    phone: '洗'.repeat(60),
    country: '濯'.repeat(80),
    email: `${'a'.repeat(60)}@b.example`,
  }
  // Only numbers from before numbers were checked can be as wide.
  const { phone: _, ...entered } = longest
  const { data } = await as('crm').post('/admin/users/save-demo-requests', { lead_for: 1, ...entered })
  // The widest possible row, which must still fit into an index entry.
  await sql`update leads set reference = repeat(${basket}, 200), company_name = repeat(${basket}, 200), contact_name = repeat(${basket}, 200), phone = repeat(${basket}, 60), email = repeat(${basket}, 254)`.execute(
    db,
  )
  const { rows } = await sql<{ bytes: number }>`select octet_length(search) as bytes from leads`.execute(db)
  expect(rows[0]!.bytes).toBeGreaterThan(2500)
  for (const [field, text] of Object.entries({
    company_name: longest.companyName,
    contact_name: longest.contactName,
    phone: longest.phone,
    email: longest.email,
  }))
    await db
      .updateTable('leads')
      .set({ [field]: text, reference: null })
      .execute()
  expect((await list(as('crm'), `search=${encodeURIComponent('æ漢漢')}`)).data.leads).toMatchObject([
    { lead_id: data.lead_id, ...longest },
  ])
})

test('leads.list: search results, and leads without a value, are counted with an index-only scan', async () => {
  const { as, db } = await startTestApp()
  await sql`insert into leads (company_name, lead_for, lead_date) select 'Company ' || i, 1,
    case when i <= 500 then date '2026-03-10' else date '2024-01-01' + i % 300 end from generate_series(1, 5000::int) i`.execute(
    db,
  )
  // A transaction of another connection can delay that pages become visible to all.
  const vacuumed = async () => {
    await sql`vacuum (analyze) leads`.execute(db)
    const { rows } = await sql<{
      pages: number
    }>`select relallvisible as pages from pg_class where relname = 'leads'`.execute(db)
    return rows[0]!.pages
  }
  await expect.poll(vacuumed, { timeout: 10_000 }).toBeGreaterThan(50)
  const explained = (search: string) =>
    db.connection().execute(async (one) => {
      for (const kind of ['seqscan', 'bitmapscan']) await sql`set enable_${sql.raw(kind)} = off`.execute(one)
      return JSON.stringify(
        (
          await sql`explain select count(*) from leads l where l.deleted_at is null and l.lead_for = 1
            and l.lead_date >= '2026-03-01' and ${sql.raw(search)}`.execute(one)
        ).rows,
      )
    })
  for (const condition of [
    `l.search like '%any%'`,
    `(l.search like '%any%' or l.lead_id = any(array(select c.lead_id from leads c where c.contacts_search like '%any%')))`,
    '(l.filled & 2) = 0',
  ])
    expect(await explained(condition)).toMatch(/Index Only Scan.* using leads_by_day(_of_all)? /)
  // Control: a column that the index does not include.
  expect(await explained(`l.contact_name like '%any%'`)).not.toContain('Index Only Scan')
  expect((await list(as('crm'), 'search=any')).total).toBe(500)
})

test('leads.list: the defaults of the specification filter nothing except the dates', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { followup_date: '2026-01-01', color: 4, status: 8, reject_msg: 'No', assign_to: 4 })
  await enterLead(db, { lead_for: 4, lead_type: 1 })
  await enterLead(db, { lead_date: '2025-12-31' })
  expect(
    await list(
      as('crm'),
      'followup_filter=10&demo_filter=all&assigned_filter=all&lead_filter=all&software_filter=all&tags_filter=0&search=&status=&color=',
    ),
  ).toMatchObject({ status: 200, total: 2 })
})

test('leads.list: zero filters by zero where it is a value, and does not filter in tags_filter', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { color: 0, demo_status: 0, followup_date: null })
  await enterLead(db, { color: 2, demo_status: 2, followup_date: '2026-03-16' })
  for (const query of ['color=0', 'demo_filter=0', 'followup_filter=0'])
    expect([
      query,
      (await list(as('crm'), query)).data.leads.map((lead: { lead_id: number }) => lead.lead_id),
    ]).toEqual([query, [id]])
  expect(await list(as('crm'), 'tags_filter=0')).toMatchObject({ total: 2 })
  expect(await list(as('crm'), 'status=0')).toMatchObject({ total: 0 })
})

test('leads.list: tags in each list notation keep a lead with any of them', async () => {
  const { as, db } = await startTestApp()
  const [hotel, spa] = [
    await enterLead(db, { company_name: 'Hotel' }),
    await enterLead(db, { company_name: 'Spa' }),
  ]
  await enterLead(db, { company_name: 'None' })
  await db
    .insertInto('lead_tag_links')
    .values([
      { lead_id: hotel, tag_id: 2 },
      { lead_id: hotel, tag_id: 8 },
      { lead_id: spa, tag_id: 6 },
    ])
    .execute()
  expect(await names(as('crm'), 'tags_filter=2')).toEqual(['Hotel'])
  for (const query of [
    'tags_filter=2,6',
    'tags_filter=2&tags_filter=6',
    'tags_filter[]=2&tags_filter[]=6',
    'tags_filter%5B%5D=2&tags_filter%5B%5D=6',
    'tags_filter=0,2,6',
  ]) {
    expect([query, await names(as('crm'), query)]).toEqual([query, ['Hotel', 'Spa']])
  }
  const { data } = await list(as('crm'), 'tags_filter=8')
  expect(data.leads).toMatchObject([{ companyName: 'Hotel', tag_ids: [2, 8] }])
})

test("leads.list: of one product or of all of the caller's", async () => {
  const { as, db } = await startTestApp()
  for (const lead_for of [1, 2, 3, 4]) await enterLead(db, { company_name: `Of ${lead_for}`, lead_for })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', 'in', [1, 4])
    .execute()
  expect(await names(as('crm'), '')).toEqual(['Of 2', 'Of 3'])
  expect(await names(as('crm'), 'lead_for=3')).toEqual(['Of 3'])
  expect((await list(as('crm'), 'lead_for=4')).status).toBe(403)
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  expect(await list(as('crm'))).toMatchObject({
    status: 200,
    total: 0,
    user_product: [],
    active_products: [],
  })
})

test('leads.list: a page past the end is empty and keeps its total', async () => {
  const { as, db } = await startTestApp()
  for (let number = 1; number <= 41; number += 1) await enterLead(db, { company_name: `Company ${number}` })
  const texts = await Promise.all(
    [1, 2, 3, 4, 1_000_000_000].map(async (page) => {
      const reply = await list(as('crm'), `page=${page}`)
      return [reply.data.leads.length, reply.data.displayRows, reply.total, reply.per_page]
    }),
  )
  expect(texts).toEqual([
    [20, '1–20 of 41', 41, 20],
    [20, '21–40 of 41', 41, 20],
    [1, '41–41 of 41', 41, 20],
    [0, '0 of 41', 41, 20],
    [0, '0 of 41', 41, 20],
  ])
  const ids = (await Promise.all([1, 2, 3].map((page) => list(as('crm'), `page=${page}`)))).flatMap((reply) =>
    reply.data.leads.map((lead: { lead_id: number }) => lead.lead_id),
  )
  expect(new Set(ids).size).toBe(41)
})

test('leads.list: each column sorts both ways, empty values are last, and ties are in id order', async () => {
  const { as, db } = await startTestApp()
  // All values of the first lead sort before those of the second; the third is empty in every field that can
  // be.
  const first = await enterLead(db, {
    company_name: 'alder',
    contact_name: 'ada',
    country: 'Chile',
    lead_date: '2026-03-01',
    request_date: '2026-03-01',
    followup_date: '2026-03-01',
    status: 2,
    color: 1,
    lead_type: 1,
    assign_to: 11,
    updated_at: '2026-03-01T00:00:00Z',
  })
  const second = await enterLead(db, {
    company_name: 'Birch',
    contact_name: 'Bob',
    country: 'denmark',
    lead_date: '2026-03-02',
    request_date: '2026-03-02',
    followup_date: '2026-03-02',
    status: 3,
    color: 2,
    lead_type: 2,
    assign_to: 14,
    updated_at: '2026-03-02T00:00:00Z',
  })
  const third = await enterLead(db, {
    company_name: 'Cedar',
    contact_name: 'Cleo',
    country: 'Egypt',
    lead_date: '2026-03-03',
    request_date: null,
    followup_date: null,
    status: 4,
    color: 3,
    lead_type: 2,
    assign_to: null,
    updated_at: '2026-03-03T00:00:00Z',
  })
  const order = async (column: string, direction: string) =>
    (await list(as('crm'), `column=${column}&direction=${direction}`)).data.leads.map(
      (lead: { lead_id: number }) => lead.lead_id,
    )
  for (const column of sortColumns) {
    const isEmptyLast = ['request_date', 'followup_date', 'assign_to'].includes(column)
    expect([column, await order(column, 'asc')]).toEqual([column, [first, second, third]])
    expect([column, await order(column, 'desc')]).toEqual([
      column,
      isEmptyLast ? [second, first, third] : [third, second, first],
    ])
  }
  expect((await list(as('crm'))).data.leads.map((lead: { lead_id: number }) => lead.lead_id)).toEqual([
    third,
    second,
    first,
  ])
})

test('leads.list: statuses and colors sort by their position, not by their number', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { company_name: 'New', status: 1, color: 0 })
  await enterLead(db, { company_name: 'Won', status: 7, color: 4 })
  await db.updateTable('lead_statuses').set({ position: 90 }).where('id', '=', 1).execute()
  await db.updateTable('lead_colors').set({ position: 90 }).where('id', '=', 0).execute()
  for (const column of ['status', 'color'])
    expect(
      (await list(as('crm'), `column=${column}&direction=asc`)).data.leads.map(
        (lead: { companyName: string }) => lead.companyName,
      ),
    ).toEqual(['Won', 'New'])
})

test("leads.list: the reply also has the caller's visible products and all tags", async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { assign_to: as('crm').id })
  await db.updateTable('products').set({ status: 0 }).where('id', '=', 4).execute()
  const reply = await list(as('crm'))
  expect(reply.user_product).toEqual([1, 2, 3, 4])
  expect(reply.active_products.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3])
  expect(reply.active_products[0]).toEqual({ id: 1, slug: 'linen', name: 'Linen', status: 1 })
  expect(reply.all_tags).toHaveLength(10)
  expect(reply.all_tags[0]).toEqual({ id: 9, name: 'Call back' })
  expect(reply.data.leads[0]).toEqual({
    custom_values: {}, lead_id: 1, companyName: 'Aalto Linen', contactName: '', phone: '', email: '', country: '', lead_for: 1, services: null, company_url: '', hear_about: null, lead_type: 2, color: 0, status: 1, demo_status: 0,
    lead_date: '2026-03-10', request_date: null, followup_date: null, reject_msg: null, assign_to: 3, assigned_name: 'Paula Ferreira', tag_ids: [], version: 1,
    amount: null, currency: null, recurring: 'once', expected_close: null, stuck_days: null,
  }) // prettier-ignore
})

test("leads.list: at the turn of a month the date is the browser's if it sends one", async () => {
  const { as, db } = await startTestApp({ now: '2026-03-31T23:30:00Z' })
  await enterLead(db, { company_name: 'March', lead_date: '2026-03-31' })
  await enterLead(db, { company_name: 'April', lead_date: '2026-04-01' })
  expect(await names(as('crm'), 'today=2026-03-31')).toEqual(['March'])
  expect(await names(as('crm'), 'today=2026-04-01')).toEqual(['April'])
})

test('leads.list: far pages, which are read from the end of the list, continue where the previous page ended', async () => {
  const { as, db } = await startTestApp()
  const count = 2_515
  await sql`insert into leads (company_name, lead_for, lead_date, status, color, followup_date)
    select 'Company ' || i % 700, 1, '2026-03-10', 1 + i % 5, i % 4, case when i % 3 > 0 then '2026-03-01'::date + i % 90 end from generate_series(1, ${count}::int) i`.execute(
    db,
  )
  const page = async (query: string, number: number): Promise<number[]> =>
    (await list(as('crm'), `${query}&page=${number}`)).data.leads.map(
      (lead: { lead_id: number }) => lead.lead_id,
    )
  for (const column of ['lead_date', 'followup_date'])
    for (const direction of ['asc', 'desc']) {
      const query = `column=${column}&direction=${direction}`
      const pages = await Promise.all(Array.from({ length: 127 }, (_, index) => page(query, index + 1)))
      const opposite = await page(`column=${column}&direction=${direction === 'asc' ? 'desc' : 'asc'}`, 1)
      expect([pages.map((ids) => ids.length), new Set(pages.flat()).size]).toEqual([
        [...Array.from({ length: 125 }, () => 20), 15, 0],
        count,
      ])
      // Empty values come last in both directions.
      if (column !== 'followup_date') expect(pages.flat().slice(-20).toReversed()).toEqual(opposite)
      const { rows } = await sql<{
        empty: boolean
      }>`select followup_date is null as empty from unnest(${pages.flat()}::int[]) with ordinality as shown(lead_id, place)
        join leads using (lead_id) order by place`.execute(db)
      if (column === 'followup_date')
        expect(rows.map(({ empty }) => empty)).toEqual(
          rows.map((_, index) => index >= rows.filter(({ empty }) => !empty).length),
        )
    }
})
