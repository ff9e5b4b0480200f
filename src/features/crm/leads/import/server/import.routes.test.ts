import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type Reply, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { workbookOf } from '#features/crm/leads/import/server/workbook.testing.ts'
import { processImportBatch, runImport } from '#features/crm/leads/import/server/run-import.ts'

const at = '/admin/users/lead-imports'
const companies = readFileSync(new URL('fixtures/companies.csv', import.meta.url))

const upload = (
  who: TestClient,
  bytes: Buffer | string,
  lead_for = '1',
  headers: Record<string, string> = {},
) =>
  who.post(at, undefined, {
    form: { lead_for, file: { name: 'list.csv', bytes, type: 'text/csv' } },
    headers,
  })
const check = (who: TestClient, { id, mapping }: { id: number; mapping: object }, change: object = {}) =>
  who.post(`${at}/${id}/dry-run`, { ...mapping, ...change })

/** Uploads a file and previews it with the guessed column mapping; returns the import. */
async function checked(
  who: TestClient,
  bytes: Buffer | string,
  change: object = {},
  lead_for = '1',
): Promise<Reply> {
  const { data } = await upload(who, bytes, lead_for)
  const reply = await check(who, data, change)
  expect(reply.status).toBe(200)
  return reply.data
}

/** Runs a previewed import through the background job and waits until it ends. */
async function ran(who: TestClient, { id }: { id: number }): Promise<Reply['data']> {
  expect(await who.post(`${at}/${id}/run`)).toMatchObject({ status: 200, data: { state: 'running' } })
  await expect.poll(async () => (await who.get(`${at}/${id}`)).data.state, { interval: 100 }).toBe('done')
  return (await who.get(`${at}/${id}`)).data
}

const rowsOf = async (who: TestClient, id: number) =>
  (await who.get(`${at}/${id}/rows`)).data.map((row: { line: number; outcome: string; reason: string }) => [
    row.line,
    row.outcome,
    row.reason,
  ])
/** Does the job's work without going through the queue. */
const runAtOnce = ({ db }: TestApp, id: number) =>
  runImport(
    db,
    id,
    () => '2026-03-16',
    () => {},
  )
const startRun = ({ db }: TestApp, id: number) =>
  db.updateTable('lead_imports').set({ state: 'running' }).where('id', '=', id).execute()

test('a workbook is imported, with its days and numbers as they are shown', async () => {
  const { as, db } = await startTestApp()
  const { data } = await upload(
    as('crm'),
    workbookOf([
      ['Company', 'Tel.', 'Follow-up date', 'Size'],
      ['Aalto Linen', 358_401_234_567, { day: 46_100 }, 12.5],
    ]),
  )
  expect(data).toMatchObject({ read_as: 'Excel', row_count: 1 })
  await check(as('crm'), data)
  expect((await ran(as('crm'), data)).counts).toMatchObject({ create: 1, error: 0 })
  expect(
    await db.selectFrom('leads').select(['company_name', 'phone', 'followup_date', 'details']).execute(),
  ).toEqual([
    {
      company_name: 'Aalto Linen',
      phone: '358401234567',
      followup_date: '2026-03-19',
      details: [{ label: 'Size', value: '12.5' }],
    },
  ])
})

test('the 503 real companies are imported once, field by field, and a second time not at all', async () => {
  const { as, db, live } = await startTestApp()
  const uploaded = (await upload(as('crm'), companies)).data
  expect(uploaded).toMatchObject({
    state: 'uploaded',
    file_name: 'list.csv',
    read_as: 'UTF-8',
    row_count: 503,
    counts: null,
    rows_done: 0,
    who: 'Paula Ferreira',
    finished_at: null,
  })
  expect(uploaded.mapping).toEqual({
    lead_for: 1,
    lead_type: 1,
    columns: ['reference', 'companyName', 'detail', 'detail', 'detail', 'detail', 'detail', 'detail'],
  })
  expect(uploaded.sample[3]).toEqual([
    'ABBV',
    'AbbVie',
    'Health Care',
    'Biotechnology',
    'North Chicago, Illinois',
    '2012-12-31',
    '1551152',
    '2013 (1888)',
  ])

  expect((await check(as('crm'), uploaded)).data).toMatchObject({
    state: 'checked',
    counts: { create: 503, update: 0, duplicate: 0, error: 0 },
    rows_done: 0,
  })
  expect(await db.selectFrom('leads').selectAll().execute()).toEqual([])

  live.length = 0
  expect(await ran(as('crm'), uploaded)).toMatchObject({
    counts: { create: 503, update: 0, duplicate: 0, error: 0 },
    rows_done: 503,
    finished_at: expect.any(String),
  })
  expect(live.filter(({ channel }) => channel === 'private-records.lead-imports').length).toBeGreaterThan(3)
  expect(live.some(({ channel }) => channel === 'private-records.leads')).toBe(true)

  const [header, ...file] = parse(companies)
  const leads = await db
    .selectFrom('leads')
    .select([
      'reference',
      'company_name',
      'details',
      'lead_for',
      'lead_type',
      'lead_date',
      'status',
      'created_by',
    ])
    .orderBy('lead_id')
    .execute()
  expect(leads).toEqual(
    file.map(([symbol, name, ...rest]) => ({
      reference: symbol,
      company_name: name,
      details: rest.map((value, index) => ({ label: header![index + 2], value })),
      lead_for: 1,
      lead_type: 1,
      lead_date: '2026-03-16',
      status: 1,
      created_by: as('crm').id,
    })),
  )
  const audited = await db
    .selectFrom('audit_log')
    .select((of) => of.fn.countAll<number>().as('rows'))
    .where('target_type', '=', 'lead')
    .executeTakeFirstOrThrow()
  expect(audited.rows).toBe(503)

  const again = await checked(as('crm'), companies)
  expect(again['counts']).toEqual({ create: 0, update: 0, duplicate: 503, error: 0 })
  expect((await ran(as('crm'), again as unknown as { id: number })).counts).toEqual({
    create: 0,
    update: 0,
    duplicate: 503,
    error: 0,
  })
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(503)
  expect(await checked(as('crm'), companies, { lead_for: 2 }, '2')).toMatchObject({ counts: { create: 503 } })
})

test("an imported lead's history says who imported it", async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(as('crm'), 'Key,Company,Sector\nA1,Aalto,Textiles\n')
  await startRun(app, id)
  await runAtOnce(app, id)
  const { lead_id } = await db.selectFrom('leads').select('lead_id').executeTakeFirstOrThrow()
  expect((await as('crm').get(`/admin/records/lead/${lead_id}/history`)).data).toMatchObject([
    {
      who: 'Paula Ferreira',
      endpoint: 'POST /admin/users/lead-imports/{id}/run',
      changes: expect.arrayContaining([{ field: 'reference', before: null, after: 'A1' }]),
    },
  ])
  expect((await as('crm').get(`/admin/users/getdemo?id=${lead_id}`)).data).toMatchObject({
    companyName: 'Aalto',
    reference: 'A1',
    details: [{ label: 'Sector', value: 'Textiles' }],
    created_by_name: 'Paula Ferreira',
  })
})

test('the preview gives the outcome of each row and why, and the run does exactly that', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const known = await enterLead(db, {
    company_name: 'Known',
    reference: 'K1',
    phone: '1',
    email: 'old@known.example',
    additional_info: 'by hand',
    details: JSON.stringify([
      { label: 'Sector', value: 'Hotels' },
      { label: 'Own', value: 'stays' },
    ]),
  })
  const same = await enterLead(db, {
    company_name: 'Same',
    reference: 'K2',
    phone: '2',
    details: JSON.stringify([{ label: 'Sector', value: 'Spas' }]),
  })
  const named = await enterLead(db, { company_name: 'Named', email: 'ann@named.example' })
  await enterLead(db, { company_name: 'Elsewhere', reference: 'K9', lead_for: 2 })
  const file = [
    'Key,Company,Phone,E-Mail,Website,Sector,Status',
    'K1,Known,11,,,Resorts,',
    'K2,Same,2,,,Spas,',
    'K3,New,,new@new.example,https://new.example,"Linen, hotels ",contacted',
    'K3,New again,,,,,',
    ',NAMED,,Ann@Named.example,,,',
    ',Named,,other@named.example,,,',
    ',named,,Other@named.example,,,',
    'K9,Elsewhere,,,,,',
    'K4,,,nobody,javascript:alert(1),,',
    'K5,Too short',
    'K6,Lost,,,,,8',
    'K7,Odd,,,,,no such',
  ].join('\n')
  const before = await allOfLeads(db)
  const { id } = await checked(as('crm'), file)
  expect([(before as unknown[])[0]]).toEqual([((await allOfLeads(db)) as unknown[])[0]])
  const expected = [
    [2, 'update', 'Updates Phone, Sector.'],
    [3, 'duplicate', 'A lead with this external ID already exists with the same values.'],
    [4, 'create', ''],
    [5, 'duplicate', 'Line 4 of this file has the same external ID.'],
    [6, 'duplicate', 'A lead with this company name and email already exists.'],
    [7, 'duplicate', `Possible duplicate: lead ${named}, “Named”, has the same company name.`],
    [8, 'duplicate', `Possible duplicate: lead ${named}, “Named”, has the same company name.`],
    [9, 'create', ''],
    [
      10,
      'error',
      'Company name: This field is required. Email: Enter a valid email address. Website: Enter a URL that starts with http:// or https://.',
    ],
    [11, 'error', 'This row has 2 cells, but the first line of the file has 7.'],
    [12, 'error', 'Status: You can’t set this status directly. Reject the lead instead and give a reason.'],
    [13, 'error', 'Status: The status “no such” doesn’t exist.'],
  ]
  expect(await rowsOf(as('crm'), id)).toEqual(expected)
  await startRun(app, id)
  await runAtOnce(app, id)
  expect(await rowsOf(as('crm'), id)).toEqual(expected)
  const show = async (lead_id: number) => (await as('crm').get(`/admin/users/getdemo?id=${lead_id}`)).data
  expect(await show(known)).toMatchObject({
    phone: '11',
    email: 'old@known.example',
    additional_info: 'by hand',
    version: 2,
    details: [
      { label: 'Sector', value: 'Resorts' },
      { label: 'Own', value: 'stays' },
    ],
  })
  expect(await show(same)).toMatchObject({ version: 1 })
  expect(await show(named)).toMatchObject({ version: 1 })
  const created = await db
    .selectFrom('leads')
    .select(['company_name', 'status', 'details', 'company_url'])
    .where('reference', '=', 'K3')
    .executeTakeFirst()
  expect(created).toEqual({
    company_name: 'New',
    status: 2,
    company_url: 'https://new.example',
    details: [{ label: 'Sector', value: 'Linen, hotels ' }],
  })
  expect((await as('crm').get(`/admin/records/lead/${known}/history`)).data).toMatchObject([
    { changes: expect.arrayContaining([{ field: 'phone', before: '1', after: '11' }]) },
  ])
  expect(await as('crm').get(`${at}/${id}/rows?outcome=error`)).toMatchObject({
    total: 4,
    per_page: 100,
    data: [{ line: 10, company: '' }, { company: 'Too short' }, { company: 'Lost' }, { company: 'Odd' }],
  })
})

test('an import changes a status back from rejected, and clears its message', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const lost = await enterLead(db, { company_name: 'Lost', reference: 'K1', status: 8, reject_msg: 'No' })
  const { id } = await checked(as('crm'), 'Key,Company,Status\nK1,Lost,rejected\n')
  expect(await rowsOf(as('crm'), id)).toEqual([
    [2, 'duplicate', 'A lead with this external ID already exists with the same values.'],
  ])
  const second = await checked(as('crm'), 'Key,Company,Status\nK1,Lost,Qualified\n')
  await startRun(app, second['id'])
  await runAtOnce(app, second['id'])
  expect((await as('crm').get(`/admin/users/getdemo?id=${lost}`)).data).toMatchObject({
    status: 3,
    reject_msg: null,
  })
})

test('options are matched ignoring case; an unknown option fails its row', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(
    as('crm'),
    'Company,Service,Source\nA,linen RENTAL,webinar\nB,Window cleaning,A dream\n',
  )
  expect(await rowsOf(as('crm'), id)).toEqual([
    [2, 'create', ''],
    [
      3,
      'error',
      'Service: The service “Window cleaning” doesn’t exist. Source: The source “A dream” doesn’t exist.',
    ],
  ])
  await startRun(app, id)
  await runAtOnce(app, id)
  expect(await db.selectFrom('leads').select(['services', 'hear_about']).execute()).toEqual([
    { services: 'Linen rental', hear_about: 'Webinar' },
  ])
})

test('a mapping that does not fit the file is 422, and a preview can be repeated with another one', async () => {
  const { as } = await startTestApp()
  const { data } = await upload(as('crm'), 'Company,Name\nAalto,Ann\n')
  const wrong = async (columns: string[]) => (await check(as('crm'), data, { columns })).errors
  expect(await wrong(['companyName'])).toEqual({
    columns: ['The file has 2 columns. Provide one mapping per column.'],
  })
  expect(await wrong(['detail', 'contactName'])).toEqual({ columns: ['Map one column to the company name.'] })
  expect(await wrong(['companyName', 'companyName'])).toEqual({
    columns: ['Two columns can’t map to the same field. Keep one of them as an imported detail.'],
  })
  expect((await check(as('crm'), data, { columns: ['companyName', 'password'] })).status).toBe(422)
  expect((await check(as('crm'), data, { lead_type: 3 })).status).toBe(422)
  expect(await as('crm').get(`${at}/${data.id}/rows`)).toMatchObject({ status: 200, data: [], total: 0 })
  expect((await check(as('crm'), data)).data).toMatchObject({ counts: { create: 1 } })
  expect(
    (await check(as('crm'), data, { columns: ['detail', 'companyName'], lead_type: 2 })).data,
  ).toMatchObject({
    state: 'checked',
    mapping: { lead_type: 2, columns: ['detail', 'companyName'] },
  })
  expect((await as('crm').get(`${at}/${data.id}/rows`)).data).toMatchObject([{ line: 2, company: 'Ann' }])
})

test('an import runs once: not before its preview, not while it runs, not after it is done', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { data } = await upload(as('crm'), 'Company\nAalto\n')
  expect(await as('crm').post(`${at}/${data.id}/run`)).toMatchObject({
    status: 409,
    message: 'Preview the import before you run it.',
  })
  await check(as('crm'), data)
  await startRun(app, data.id)
  expect(await as('crm').post(`${at}/${data.id}/run`)).toMatchObject({
    status: 409,
    message: 'This import is already running.',
  })
  expect(await check(as('crm'), data)).toMatchObject({
    status: 409,
    message: 'This import has already started.',
  })
  await runAtOnce(app, data.id)
  expect(await as('crm').post(`${at}/${data.id}/run`)).toMatchObject({
    status: 409,
    message: 'This import is already complete.',
  })
  await runAtOnce(app, data.id)
  expect(await db.selectFrom('leads').select('company_name').execute()).toEqual([{ company_name: 'Aalto' }])
})

test('a crash in the middle of a batch leaves nothing of it, and the restarted job imports each row once', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(as('crm'), companies)
  await startRun(app, id)
  await db.transaction().execute((tx) => processImportBatch(tx, id, '2026-03-16'))
  const crash = db.transaction().execute(async (tx) => {
    await processImportBatch(tx, id, '2026-03-16')
    throw new Error('the process is killed')
  })
  await expect(crash).rejects.toThrow('the process is killed')
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(200)
  expect((await as('crm').get(`${at}/${id}`)).data).toMatchObject({ state: 'running', rows_done: 200 })
  // The queue may deliver a job twice.
  await Promise.all([runAtOnce(app, id), runAtOnce(app, id)])
  expect((await as('crm').get(`${at}/${id}`)).data).toMatchObject({
    state: 'done',
    rows_done: 503,
    counts: { create: 503, duplicate: 0, error: 0, update: 0 },
  })
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(503)
  const touched = await db
    .selectFrom('audit_log')
    .select('target_id')
    .where('target_type', '=', 'lead')
    .execute()
  expect(new Set(touched.map((row) => row.target_id)).size).toBe(touched.length)
})

test('an importer who can create but not edit leads changes none, even if the permission is revoked after the preview', async () => {
  const app = await startTestApp()
  const { as, db } = app
  await enterLead(db, { company_name: 'Aalto', reference: 'K1', phone: '1' })
  const file = 'Key,Company,Phone\nK1,Aalto,2\nK2,Tamsel,3\n'
  const { id } = await checked(as('crm'), file)
  await as('super_admin').post('/admin/roles/change-permissions', { role_id: 2, revoke: ['lead_edit'] })
  const reason = 'A lead with this external ID already exists, and you don’t have permission to edit leads.'
  const { id: later } = await checked(as('crm'), file)
  for (const one of [id, later]) {
    await startRun(app, one)
    await runAtOnce(app, one)
    expect((await rowsOf(as('crm'), one))[0]).toEqual([2, 'error', reason])
  }
  expect(await db.selectFrom('leads').select(['reference', 'phone']).orderBy('reference').execute()).toEqual([
    { reference: 'K1', phone: '1' },
    { reference: 'K2', phone: '3' },
  ])
})

test('a lead whose row has no date came in on the current date of the user who starts the import', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(as('crm'), 'Company\nAalto\n')
  expect(await as('crm').post(`${at}/${id}/run`, { today: '2026-03-17' })).toMatchObject({ status: 200 })
  await expect
    .poll(async () => (await db.selectFrom('leads').select('lead_date').executeTakeFirst())?.lead_date)
    .toBe('2026-03-17')
})

test('an unknown status fails with a message', async () => {
  const { as } = await startTestApp()
  const { id } = await checked(as('crm'), 'Company,Status\nAalto,Somewhere\nTamsel,999\n')
  expect(await rowsOf(as('crm'), id)).toEqual([
    [2, 'error', 'Status: The status “Somewhere” doesn’t exist.'],
    [3, 'error', expect.stringMatching(/^Status: The status doesn’t exist/)],
  ])
})

test('rows are evaluated again at the time of the run: a lead created since the preview is not created twice', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(as('crm'), 'Key,Company,E-Mail\nK1,Aalto,\n,Tamsel,a@tamsel.example\n')
  await enterLead(db, { company_name: 'Aalto', reference: 'K1' })
  await enterLead(db, { company_name: 'tamsel', email: 'A@tamsel.example' })
  await startRun(app, id)
  await runAtOnce(app, id)
  expect((await as('crm').get(`${at}/${id}`)).data.counts).toEqual({
    create: 0,
    update: 0,
    duplicate: 2,
    error: 0,
  })
})

test('the same key twice in a file is a duplicate, even if the rows are far apart', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const rows = Array.from({ length: 250 }, (_, index) => `K${index},Company ${index},${index}`)
  const { id } = await checked(
    as('crm'),
    [
      'Key,Company,Phone',
      ...rows,
      'K0,Company 0,999',
      ',Company 7,1',
      ',Other,1',
      ...rows.slice(1, 150),
      ',other,2',
    ].join('\n'),
  )
  const judged = await db
    .selectFrom('lead_import_rows')
    .select(['line', 'outcome', 'reason'])
    .orderBy('line')
    .execute()
  await startRun(app, id)
  await runAtOnce(app, id)
  expect(
    await db.selectFrom('lead_import_rows').select(['line', 'outcome', 'reason']).orderBy('line').execute(),
  ).toEqual(judged)
  const last = (await as('crm').get(`${at}/${id}/rows?page=3`)).data.slice(50, 53)
  expect(
    last.map((row: { line: number; outcome: string; reason: string }) => [row.line, row.outcome, row.reason]),
  ).toEqual([
    [252, 'duplicate', 'Line 2 of this file has the same external ID.'],
    [253, 'duplicate', 'Line 9 of this file has the same company name and email.'],
    [254, 'create', ''],
  ])
  expect((await as('crm').get(`${at}/${id}`)).data.counts).toEqual({
    create: 251,
    update: 0,
    duplicate: 152,
    error: 0,
  })
  expect(
    await db.selectFrom('leads').select('phone').where('reference', '=', 'K0').executeTakeFirst(),
  ).toEqual({ phone: '0' })
})

test('two concurrent imports of the same companies create each company once', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const file = `Company\n${Array.from({ length: 300 }, (_, index) => `Company ${index}`).join('\n')}`
  const [first, second] = [await checked(as('crm'), file), await checked(as('admin'), file)]
  await Promise.all([startRun(app, first['id']), startRun(app, second['id'])])
  await Promise.all([runAtOnce(app, first['id']), runAtOnce(app, second['id'])])
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(300)
})

test('the failed rows are a CSV that a spreadsheet reads as text only', async () => {
  const { as } = await startTestApp()
  const { id } = await checked(
    as('crm'),
    'Company,E-Mail,Note\n=1+1,x,"@SUM(1)\nsecond ""line"""\n-2+3,x,\tTab\nÆrø,x,"a, b"\nShort\nGood,good@good.example,\n',
  )
  const reply = await as('crm').get(`${at}/${id}/failed.csv`)
  expect(reply).toMatchObject({
    status: 200,
    headers: expect.objectContaining({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="failed-${id}.csv"`,
      'x-content-type-options': 'nosniff',
    }),
  })
  const noMail = 'Email: Enter a valid email address.'
  expect(parse(reply.text, { bom: true })).toEqual([
    ['Company', 'E-Mail', 'Note', 'line', 'reason'],
    ["'=1+1", 'x', '\'@SUM(1)\nsecond "line"', '2', noMail],
    ["'-2+3", 'x', "'\tTab", '4', noMail],
    ['Ærø', 'x', 'a, b', '5', noMail],
    ['Short', '', '', '6', 'This row has 1 cell, but the first line of the file has 3.'],
  ])
  expect(reply.text.startsWith('\ufeff')).toBe(true)
})

test('an import is visible to its importer and the admins; for others it does not exist', async () => {
  const app = await startTestApp()
  const { as } = app
  const { id, mapping } = (await checked(as('crm'), 'Company\nAalto\n')) as unknown as {
    id: number
    mapping: object
  }
  const calls: ((who: TestClient) => Promise<Reply>)[] = [
    (who) => who.get(`${at}/${id}`),
    (who) => who.get(`${at}/${id}/rows`),
    (who) => who.get(`${at}/${id}/failed.csv`),
    (who) => check(who, { id, mapping }),
    (who) => who.post(`${at}/${id}/run`),
  ]
  for (const [index, call] of calls.entries()) {
    expect([index, (await call(as('digital_marketing'))).status]).toEqual([index, 404])
    expect([index, (await call(as('support'))).status]).toEqual([index, 403])
    expect([index, (await call(as(undefined))).status]).toEqual([index, 401])
  }
  expect((await as('digital_marketing').get(at)).data).toEqual([])
  expect((await as('crm').get(at)).data).toMatchObject([{ id }])
  expect((await as('super_admin').get(at)).data).toMatchObject([{ id }])
  expect((await as('admin').get(`${at}/${id}`)).status).toBe(200)
  expect((await as('crm').get(`${at}/99999`)).status).toBe(404)
  expect((await as('crm').get(`${at}/x`)).status).toBe(404)
})

test('another product cannot be imported into, even if it was unassigned in between', async () => {
  const { as, db } = await startTestApp()
  const { data } = await upload(as('crm'), 'Company\nAalto\n', '3')
  await check(as('crm'), data)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  for (const path of ['', '/rows', '/failed.csv'])
    expect((await as('crm').get(`${at}/${data.id}${path}`)).status).toBe(404)
  expect((await as('crm').get(at))['data']).toEqual([])
  expect((await as('crm').post(`${at}/${data.id}/run`)).status).toBe(404)
  expect((await upload(as('crm'), 'Company\nAalto\n', '3')).status).toBe(403)
  expect((await check(as('crm'), data)).status).toBe(403)
  expect(await db.selectFrom('leads').select('lead_id').execute()).toEqual([])
})

test('a file that is not a CSV, no file, or no form is refused with a message, and nothing is stored', async () => {
  const { as, db } = await startTestApp()
  const nothing = await allOfLeads(db)
  expect(await upload(as('crm'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2]))).toMatchObject({
    status: 422,
    errors: { file: [expect.stringContaining('This isn’t a valid CSV file')] },
  })
  expect(await upload(as('crm'), '')).toMatchObject({ status: 422 })
  expect(await upload(as('crm'), 'Company\nAalto\n', 'x')).toMatchObject({
    status: 422,
    errors: { lead_for: [expect.any(String)] },
  })
  expect(await as('crm').post(at, undefined, { form: { lead_for: '1' } })).toMatchObject({
    status: 422,
    errors: { file: ['Choose a file.'] },
  })
  expect(
    await as('crm').post(at, undefined, {
      form: { lead_for: '1', other: { name: 'a.csv', bytes: 'Company\nA' } },
    }),
  ).toMatchObject({ status: 422 })
  expect(await as('crm').post(at, { lead_for: 1 })).toMatchObject({
    status: 422,
    errors: { file: ['Choose a file.'] },
  })
  expect(
    await upload(as('crm'), Buffer.concat([Buffer.from('Company\n'), Buffer.alloc(10_000_001, 'x')])),
  ).toMatchObject({ status: 422, errors: { 'file.0': ['list.csv is larger than 10 MB.'] } })
  const malformed = await as('crm').send(
    'POST',
    at,
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nCompany\nA',
    {
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    },
  )
  expect(malformed).toMatchObject({ status: 400 })
  expect(await allOfLeads(db)).toEqual(nothing)
})

test('an upload sent twice with one key is stored once; the same key with another file is refused', async () => {
  const { as, db } = await startTestApp()
  const key = { 'Idempotency-Key': 'key-of-this-upload' }
  const first = await upload(as('crm'), 'Company\nAalto\n', '1', key)
  expect(await upload(as('crm'), 'Company\nAalto\n', '1', key)).toEqual(first)
  expect(await upload(as('crm'), 'Company\nTamsel\n', '1', key)).toMatchObject({ status: 422 })
  expect(await db.selectFrom('lead_imports').select('id').execute()).toHaveLength(1)
})

test('a run with a permanent error fails with nothing half done, and continues from there when it is restarted', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const { id } = await checked(as('crm'), companies)
  await startRun(app, id)
  await db.transaction().execute((tx) => processImportBatch(tx, id, '2026-03-16'))
  await sql`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
    db,
  )
  await sql`create trigger refuse before insert on leads for each row execute function refuse()`.execute(db)
  await expect(runAtOnce(app, id)).rejects.toThrow('no room')
  expect((await as('crm').get(`${at}/${id}`)).data).toMatchObject({ state: 'failed', rows_done: 200 })
  await sql`drop trigger refuse on leads`.execute(db)
  expect(await ran(as('crm'), { id })).toMatchObject({ counts: { create: 503 }, rows_done: 503 })
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(503)
})

test('users who can create leads see the progress of imports', async () => {
  const { as } = await startTestApp()
  const join = (who: string) =>
    as(who).post('/broadcasting/auth', { socket_id: 's1', channel_name: 'private-records.lead-imports' })
  expect(await join('crm')).toMatchObject({ status: 200 })
  expect(await join('data_entry')).toMatchObject({ status: 403 })
})

test('an exported list that is imported again unchanged changes nothing', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  await ran(
    crm,
    (await checked(
      crm,
      'Company name,Email,External ID,Amount,Currency,Billing,Expected close\nKeyed,k@key.example,K-1,"12,000.50",eur,Monthly,2026-05-31\n',
    )) as never,
  )
  const { lead_id } = await db.selectFrom('leads').select('lead_id').executeTakeFirstOrThrow()
  await db.insertInto('lead_tag_links').values({ lead_id, tag_id: 1 }).execute()
  await db.insertInto('lead_contacts').values({ lead_id, name: 'Sam Whitlock', phone: '+1 212' }).execute()
  const leadNow = () => db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()
  const before = await leadNow()
  const file = (await crm.get('/admin/users/export-leads')).text
  expect(file).toContain('K-1')
  const again = await checked(crm, file)
  expect(again['counts']).toEqual({ create: 0, update: 0, duplicate: 1, error: 0 })
  await ran(crm, again as never)
  expect(await leadNow()).toEqual(before)
  // Control: a changed cell is imported.
  const changed = await checked(crm, file.replace('k@key.example', 'new@key.example'))
  expect(changed['counts']).toMatchObject({ update: 1 })
})

test('amounts are imported with their currency, and refused without; a blank cell changes nothing', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const head = 'Company name,External ID,Deal value,Currency,Billing,Close date\n'
  const first = await checked(
    crm,
    `${head}Aalto,A-1,"12,000.50",eur,monthly,2026-05-31\nBirch,B-1,5,,,\nCedar,C-1,,USD,,\nDogwood,D-1,5,EUR,weekly,\nElm,E-1,,,,\n`,
  )
  expect(first['counts']).toEqual({ create: 2, update: 0, duplicate: 0, error: 3 })
  const rows = (await crm.get(`${at}/${first['id']}/rows?outcome=error`))['data']
  expect(rows.map(({ company, reason }: Record<string, string>) => [company, reason])).toEqual([
    ['Birch', 'Currency: Choose the currency of the amount.'],
    ['Cedar', 'Amount: Enter the amount, or remove the currency.'],
    ['Dogwood', 'Billing: Choose once, monthly, or yearly.'],
  ])
  await ran(crm, first as never)
  const dealOf = (reference: string) =>
    db
      .selectFrom('leads')
      .select(['amount', 'currency', 'recurring', 'expected_close'])
      .where('reference', '=', reference)
      .executeTakeFirstOrThrow()
  const deal = { amount: 12_000.5, currency: 'EUR', recurring: 'monthly', expected_close: '2026-05-31' }
  expect(await dealOf('A-1')).toEqual(deal)
  const again = await checked(crm, `${head}Aalto,A-1,7,,,\nElm,E-1,3,NOK,,\n`)
  expect(again['counts']).toEqual({ create: 0, update: 2, duplicate: 0, error: 0 })
  await ran(crm, again as never)
  expect(await dealOf('A-1')).toEqual({ ...deal, amount: 7 })
  expect(await dealOf('E-1')).toEqual({ amount: 3, currency: 'NOK', recurring: 'once', expected_close: null })
})

test.each([
  [
    'permission',
    (db: TestApp['db'], id: number) =>
      db
        .deleteFrom('role_permissions')
        .where('role_id', '=', (of) => of.selectFrom('staff').select('role_id').where('id', '=', id))
        .where('permission', '=', 'lead_create')
        .execute(),
  ],
  [
    'product',
    (db: TestApp['db'], id: number) =>
      db.deleteFrom('staff_products').where('staff_id', '=', id).where('product_id', '=', 1).execute(),
  ],
  [
    'account',
    (db: TestApp['db'], id: number) =>
      db.updateTable('staff').set({ banned_at: '2026-03-16' }).where('id', '=', id).execute(),
  ],
] as const)(
  'a running import stops before its next batch when its author loses the %s',
  async (what, lose) => {
    const started = await startTestApp()
    const { as, db } = started
    const crm = as('crm')
    const { id } = await checked(crm, companies)
    await startRun(started, id)
    await db.transaction().execute((tx) => processImportBatch(tx, id, '2026-03-16'))
    const count = async () => (await db.selectFrom('leads').select('lead_id').execute()).length
    expect(await count()).toBe(200)
    await lose(db, crm.id)
    await runAtOnce(started, id)
    expect(await count()).toBe(200)
    const stopped = { line: 202, reason: what, who: 'Paula Ferreira' }
    expect((await as('admin').get(`${at}/${id}`)).data).toMatchObject({
      state: 'failed',
      rows_done: 200,
      stopped,
    })
    expect((await as('admin').get(at)).data).toMatchObject([{ id, stopped }])
  },
)

test('an import that stopped is continued by another user, in whose name the rest is imported', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [crm, admin] = [as('crm'), as('admin')]
  const { id } = await checked(crm, companies)
  await startRun(started, id)
  await db.transaction().execute((tx) => processImportBatch(tx, id, '2026-03-16'))
  await db.deleteFrom('staff_products').where('staff_id', '=', crm.id).where('product_id', '=', 1).execute()
  await runAtOnce(started, id)
  expect((await admin.get(`${at}/${id}`)).data).toMatchObject({ state: 'failed', rows_done: 200 })
  // Refused: its author, another importer, and users who can't import or lack the product.
  for (const [who, status] of [
    ['crm', 404],
    ['digital_marketing', 404],
    ['support', 403],
  ] as const)
    expect([who, (await as(who).post(`${at}/${id}/run`)).status]).toEqual([who, status])
  await db.deleteFrom('staff_products').where('staff_id', '=', admin.id).where('product_id', '=', 1).execute()
  expect((await admin.post(`${at}/${id}/run`)).status).toBe(404)
  await db.insertInto('staff_products').values({ staff_id: admin.id, product_id: 1 }).execute()
  expect(await ran(admin, { id })).toMatchObject({ who: 'Paula Ferreira', rows_done: 503, stopped: null })
  const people = await db
    .selectFrom('leads')
    .select(['created_by', (of) => of.fn.countAll<number>().as('leads')])
    .groupBy('created_by')
    .orderBy('leads')
    .execute()
  expect(people).toEqual([
    { created_by: crm.id, leads: 200 },
    { created_by: admin.id, leads: 303 },
  ])
  const log = await db
    .selectFrom('audit_log')
    .select('staff_id')
    .distinct()
    .where('target_type', '=', 'lead')
    .where('request_id', '=', `import ${id}`)
    .execute()
  expect(log.map(({ staff_id }) => staff_id).toSorted()).toEqual([crm.id, admin.id].toSorted())
})

/** Returns the date fields of the leads that were created last, in order. */
const datesOf = ({ db }: TestApp) =>
  db
    .selectFrom('leads')
    .select(['company_name', 'lead_date', 'followup_date'])
    .orderBy('lead_id')
    .execute()
    .then((leads) => leads.map((lead) => [lead.company_name, lead.lead_date, lead.followup_date]))

test('dates are read as people and spreadsheets write them', async () => {
  const started = await startTestApp()
  const { as } = started
  const file = `Company name;Lead date;Follow-up date;Request date
Iso;2026-03-04;2026-03-05;46085
German;04.03.2026;31.12.2026;46085.5
US;12/31/2026;5/5/2026;
Time;2026-03-04 00:00:00;2026-03-05T10:00:00Z;
Words;4 Mar 2026;March 4, 2026;
Weekday;Wed, 4 March 2026 14:30;4-Mar-26;
No year;4 Mar;;
Mixed;46085;;
No day;31.02.2026;;
`
  const { id, date_forms, mapping } = await checked(as('crm'), file)
  expect([date_forms, mapping.date_orders]).toEqual([[null, null, null, 'serial'], undefined])
  const refused = 'Lead date: Enter a date (YYYY-MM-DD) between 1900 and 2199.'
  expect((await rowsOf(as('crm'), id)).slice(6)).toEqual([8, 9, 10].map((line) => [line, 'error', refused]))
  await startRun(started, id)
  await runAtOnce(started, id)
  expect(await datesOf(started)).toEqual([
    ['Iso', '2026-03-04', '2026-03-05'],
    ['German', '2026-03-04', '2026-12-31'],
    ['US', '2026-12-31', '2026-05-05'],
    ['Time', '2026-03-04', '2026-03-05'],
    ['Words', '2026-03-04', '2026-03-04'],
    ['Weekday', '2026-03-04', '2026-03-04'],
  ])
  const requested = await started.db.selectFrom('leads').select('request_date').orderBy('lead_id').execute()
  expect(requested.slice(0, 3).map(({ request_date }) => request_date)).toEqual([
    '2026-03-04',
    '2026-03-04',
    null,
  ])
})

test('one unclear date of a column with many spellings makes the preview ask for its order', async () => {
  const { as } = await startTestApp()
  const { data } = await upload(
    as('crm'),
    `Company name,Email,Lead date,Follow-up date
Iso,i@d.example,2026-03-04,2026-03-05
German,g@d.example,04.03.2026,31.12.2026
US,u@d.example,03/04/2026,12/31/2026
Serial,e@d.example,46085,
DateTime,t@d.example,2026-03-04 00:00:00,2026-03-04T10:00:00Z
`,
  )
  expect(data.date_forms).toEqual([null, null, 'unclear', null])
  expect((await check(as('crm'), data)).status).toBe(422)
  const date_orders = [null, null, 'month', null]
  expect((await check(as('crm'), data, { date_orders })).data).toMatchObject({
    counts: { create: 4, error: 1 },
  })
  // A number is read as a date only in a column that has nothing else.
  expect((await rowsOf(as('crm'), data.id))[3].slice(0, 2)).toEqual([5, 'error'])
})

test('each column has one order of day and month, proposed by its other rows, and never guessed', async () => {
  const started = await startTestApp()
  const { as } = started
  const file = `Company name,Lead date,Follow-up date,Request date
One,03/04/2026,03/04/2026,03/04/2026
Two,05/06/2026,31/12/2026,12/31/2026
`
  const { data } = await upload(as('crm'), file)
  expect([data.date_forms, data.mapping.date_orders]).toEqual([
    [null, 'unclear', 'day', 'month'],
    [null, null, 'day', 'month'],
  ])
  expect(await check(as('crm'), data)).toMatchObject({
    status: 422,
    errors: {
      date_orders: [
        'Day first or month first? Choose the order of dates such as 03/04/2026 for “Lead date”.',
      ],
    },
  })
  expect(await check(as('crm'), data, { date_orders: undefined })).toMatchObject({
    status: 422,
    errors: { date_orders: [expect.stringContaining('“Lead date” and “Follow-up date” and “Request date”')] },
  })
  // A column that isn't a date of the lead needs no answer.
  expect(
    await check(as('crm'), data, { columns: ['companyName', 'detail', 'followup_date', 'request_date'] }),
  ).toMatchObject({ status: 200 })
  const date_orders = [null, 'month', 'day', 'month']
  expect(await check(as('crm'), data, { date_orders })).toMatchObject({
    status: 200,
    data: { mapping: { date_orders }, counts: { create: 2, error: 0 } },
  })
  await startRun(started, data.id)
  await runAtOnce(started, data.id)
  expect(await datesOf(started)).toEqual([
    ['One', '2026-03-04', '2026-04-03'],
    ['Two', '2026-05-06', '2026-12-31'],
  ])
})

test('rows that the undo of an import skipped can be undone once the later change is undone', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const crm = as('crm')
  const rows = Array.from({ length: 13 }, (_, index) => `Towel ${index + 1}`)
  const { id } = await checked(crm, `Company name\n${rows.join('\n')}\n`)
  const { operation_id } = await ran(crm, { id })
  const leads = await db.selectFrom('leads').select('lead_id').orderBy('lead_id').execute()
  const inTrash = async () =>
    (
      await db
        .selectFrom('leads')
        .select('lead_id')
        .where('deleted_at', 'is not', null)
        .orderBy('lead_id')
        .execute()
    ).map(({ lead_id }) => lead_id)
  const ids = leads.map(({ lead_id }) => lead_id)
  const bulk = await crm.post('/admin/users/change-leads', {
    selection: { ids: ids.slice(1) },
    change: { kind: 'color', color: 4 },
  })
  const turn = (way: 'undo' | 'redo', operation: number) => crm.post(`/admin/operations/${operation}/${way}`)
  const shown = () => crm.get(`/admin/users/lead-operations/${operation_id}`)

  expect(await turn('undo', operation_id)).toMatchObject({ status: 200, undone: 1 })
  expect(await inTrash()).toEqual(ids.slice(0, 1))
  expect(await shown()).toMatchObject({
    restorable: 0,
    changed_since_total: 12,
    undo_first: { id: bulk['operation'].id },
  })
  expect(await turn('undo', operation_id)).toMatchObject({
    status: 409,
    message: 'This was already undone.',
  })
  expect(await turn('undo', bulk['operation'].id)).toMatchObject({ undone: 12 })
  expect(await shown()).toMatchObject({ restorable: 12, undo_first: null })
  expect(await turn('undo', operation_id)).toMatchObject({ status: 200, undone: 12, skipped: [] })
  expect(await inTrash()).toEqual(ids)
  expect(await turn('undo', operation_id)).toMatchObject({ status: 409 })

  expect(await turn('redo', operation_id)).toMatchObject({ status: 200, redone: 13, skipped: [] })
  expect(await inTrash()).toEqual([])
  expect(await turn('redo', bulk['operation'].id)).toMatchObject({ redone: 12, skipped: [] })
  expect(await turn('undo', operation_id)).toMatchObject({ undone: 1 })
  expect(await turn('redo', operation_id)).toMatchObject({ status: 200, redone: 1 })
  expect(await inTrash()).toEqual([])
})
