import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { LeadFilters, sortColumns } from '#features/crm/leads/contract.ts'
import { exportQuery } from '#features/crm/leads/list/server/export.ts'
import { openCsv } from '#server/record/list.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users/export-leads'
const rowsOf = (text: string) => parse<Record<string, string>>(text, { columns: true, bom: true })

test('the export is for users with the list, and for their own products', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, { lead_for: 3, company_name: 'Foreign' })
  await enterLead(db)
  expect((await as(undefined).get(at)).status).toBe(401)
  for (const role of roleIds)
    expect([role, (await as(role).get(at)).status]).toEqual([
      role,
      defaultGrants[role].includes('lead_list') ? 200 : 403,
    ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  expect(rowsOf((await as('crm').get(at)).text).map((row) => row['Company'])).toEqual(['Aalto Linen'])
  expect((await as('crm').get(`${at}?lead_for=3`)).status).toBe(403)
  for (const query of ['fromDate=x', 'column=version', 'nonsense=1', 'search=a%00'])
    expect([query, (await as('crm').get(`${at}?${query}`)).status]).toEqual([query, 422])
})

test('a file for spreadsheets: names instead of ids, and no cell starts a formula', async () => {
  const { as, db } = await startTestApp()
  const wicked = ['=1+1', '+1', '-1', '@SUM(A1)', '\tx', '\rx']
  for (const company_name of wicked) await enterLead(db, { company_name })
  const lead_id = await enterLead(db, {
    company_name: 'Ünï, "quoted"\nline',
    assign_to: 3,
    services: 'Consulting',
    color: 2,
    demo_status: 2,
    lead_type: 1,
  })
  await db
    .insertInto('lead_tag_links')
    .values([
      { lead_id, tag_id: 1 },
      { lead_id, tag_id: 2 },
    ])
    .execute()
  const reply = await as('crm').get(`${at}?column=lead_id&direction=asc`)
  expect(reply.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': 'attachment; filename="leads-2026-03-16.csv"',
    'cache-control': 'no-store',
  })
  const rows = rowsOf(reply.text)
  expect(rows.slice(0, -1).map((row) => row['Company'])).toEqual(wicked.map((text) => `'${text}`))
  expect(rows.at(-1)).toMatchObject({
    Number: String(lead_id),
    Company: 'Ünï, "quoted"\nline',
    Product: 'Linen',
    Status: 'New',
    Priority: 'Medium',
    Assignee: 'Paula Ferreira',
    'Lead date': '2026-03-10',
    'Follow-up date': '',
    Demo: 'Scheduled',
    Type: 'Outbound',
    Tags: expect.stringMatching(/^Hospital, /),
  })
})

test('the same leads in the same order as the list, page after page, by every column', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values(
      Array.from({ length: 45 }, (_, index) => ({
        company_name: `Company ${(index * 7) % 45}`,
        lead_for: 1,
        lead_date: '2026-03-10',
        color: index % 5,
        assign_to: index % 3 ? 3 : null,
      })),
    )
    .execute()
  for (const column of sortColumns) {
    const query = `column=${column}&direction=desc&search=company`
    const pages = await Promise.all(
      [1, 2, 3].map((page) => as('crm').get(`/admin/users/get-demo-requests?${query}&page=${page}`)),
    )
    const listed = pages.flatMap((page) =>
      page['data'].leads.map((lead: { lead_id: number }) => String(lead.lead_id)),
    )
    expect([
      column,
      rowsOf((await as('crm').get(`${at}?${query}&page=2`)).text).map((row) => row['Number']),
    ]).toEqual([column, listed])
  }
})

test('many rows arrive in chunks; an aborted download returns its connection, and a fifth download must wait', async () => {
  const { app, as, db } = await startTestApp()
  await db
    .insertInto('leads')
    .values(
      Array.from({ length: 2500 }, (_, index) => ({
        company_name: `Company ${index}`,
        lead_for: 1,
        lead_date: '2026-03-10',
      })),
    )
    .execute()
  expect(rowsOf((await as('crm').get(at)).text)).toHaveLength(2500)
  const viewer = { id: 3, role_id: 2, permissions: new Set(), products: [1] } as const
  const query = exportQuery(LeadFilters.parse({}), viewer as never, '2026-03-16')
  const open = () => openCsv(app.pool, [{ query, line: Object.values }])
  const readers = [await open(), await open(), await open(), await open()]
  await expect(open()).rejects.toMatchObject({ status: 503 })
  expect(await as('crm').get(at)).toMatchObject({ status: 503 })
  // All lists share the limit.
  expect(await as('admin').get('/admin/users/all-organizations-data/export')).toMatchObject({ status: 503 })
  // One reader was never read, one was read halfway, and one has a batch in flight.
  const [, second, third] = readers
  await second!.iterator().next()
  third!.read()
  for (const reader of readers) reader.destroy()
  await expect.poll(() => app.pool.totalCount - app.pool.idleCount).toBe(0)
  expect((await as('crm').get(at)).status).toBe(200)
})

test('imported details are in the export, and the search finds them', async () => {
  const { as, db } = await startTestApp()
  await enterLead(db, {
    company_name: 'Aalto',
    details: JSON.stringify([
      { label: 'Sector', value: 'Hotels' },
      { label: 'Beds', value: '120' },
    ]),
  })
  await enterLead(db, { company_name: 'Tamsel' })
  const { text } = await as('crm').get('/admin/users/export-leads?fromDate=all&toDate=all')
  expect(text).toContain('Sector: Hotels; Beds: 120')
  expect(
    await as('crm').get('/admin/users/get-demo-requests?fromDate=all&toDate=all&search=hotels'),
  ).toMatchObject({
    total: 1,
    data: { leads: [{ companyName: 'Aalto' }] },
  })
})

test('an exported phone number keeps its + and is imported again, also with an apostrophe before it', async () => {
  const { as, db } = await startTestApp()
  const phone = '+49 30 901820-0'
  await enterLead(db, { phone, company_name: '=Aalto' })
  const { text } = await as('crm').get(at)
  expect(rowsOf(text)[0]).toMatchObject({ Phone: phone, Company: "'=Aalto" })

  for (const cell of [phone, `'${phone}`]) {
    await db.deleteFrom('leads').execute()
    const { data } = await as('crm').post('/admin/users/lead-imports', undefined, {
      form: {
        lead_for: '1',
        file: { name: 'list.csv', bytes: `Company,Phone\n'=Aalto,${cell}\n`, type: 'text/csv' },
      },
    })
    await as('crm').post(`/admin/users/lead-imports/${data.id}/dry-run`, data.mapping)
    await as('crm').post(`/admin/users/lead-imports/${data.id}/run`)
    await expect
      .poll(() => db.selectFrom('leads').select(['company_name', 'phone']).execute())
      .toEqual([{ company_name: '=Aalto', phone }])
  }
})
