import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, permissions, roleIds, type Permission } from '#shared/access.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const trashPath = '/admin/records/lead/trash'
const restorePath = '/admin/records/lead/restore'
const remove = (who: TestClient, ...ids: number[]) =>
  who.post(`${at}/change-leads`, { selection: { ids }, change: { kind: 'delete' } })
const restore = (who: TestClient, ...ids: number[]) => who.post(restorePath, { ids })

const calls: [
  name: string,
  needs: Permission[],
  (who: TestClient, id: number) => Promise<{ status: number }>,
][] = [
  ['trash', ['lead_edit'], (who) => who.get(trashPath)],
  ['restore', ['lead_edit'], (who, id) => restore(who, id)],
  ['createTag', ['lead_edit'], (who, id) => who.post(`${at}/lead-tags`, { name: `Tag ${id}` })],
  [
    'duplicates',
    ['lead_create', 'lead_edit'],
    (who) => who.get(`${at}/lead-duplicates?lead_for=1&companyName=x`),
  ],
]

test('the trash, restoring, new tags, and duplicates need their permission', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 })
  const before = await allOfLeads(db)
  for (const [name, needs, call] of calls) {
    expect([name, (await call(as(undefined), id)).status]).toEqual([name, 401])
    for (const role of roleIds.filter((one) => !needs.some((right) => defaultGrants[one].includes(right))))
      expect([role, name, (await call(as(role), id)).status]).toEqual([role, name, 403])
  }
  expect(await allOfLeads(db)).toEqual(before)
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  for (const right of permissions.filter((name) => name.startsWith('lead_'))) {
    await db.insertInto('role_permissions').values({ role_id: 13, permission: right }).execute()
    for (const [name, needs, call] of calls) {
      const trashed = await enterLead(db, { deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 })
      expect([right, name, (await call(as('designer'), trashed)).status]).toEqual([
        right,
        name,
        needs.includes(right) ? 200 : 403,
      ])
    }
    await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  }
})

test('a lead in the trash is in no list, on no dashboard, under no id, and cannot be changed', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { followup_date: '2026-03-16', email: 'a@aalto.example' })
  await remove(as('crm'), id)
  const before = await allOfLeads(db)
  expect(await as('crm').get(`${at}/get-demo-requests`)).toMatchObject({ total: 0, data: { leads: [] } })
  expect(await as('crm').get('/admin/users/lead-numbers')).toMatchObject({ today: { total: 0 } })
  expect(
    (await as('crm').get('/admin/users/lead-numbers')).by_status.every(({ counts }: { counts: number[] }) =>
      counts.every((count) => count === 0),
    ),
  ).toBe(true)
  expect(
    (await as('crm').get(`${at}/lead-duplicates?lead_for=1&companyName=Aalto+Linen&email=a@aalto.example`))
      .data,
  ).toEqual([])
  expect((await as('crm').get(`${at}/export-leads`)).text).not.toContain('Aalto')
  for (const path of [
    `getdemo?id=${id}`,
    `change-demorequest-color?id=${id}&color=1`,
    `change-lead-status?id=${id}&status=2`,
    `change-followup-date?id=${id}&date=`,
    `change-demorequest-status?id=${id}&status=8&reject_msg=x`,
  ])
    expect([path, (await as('crm').get(`${at}/${path}`)).status]).toEqual([path, 404])
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id: id, phone: '111' })).toMatchObject({
    status: 404,
  })
  expect(await as('crm').post(`/admin/general/notes/lead/${id}`, { note: 'x' })).toMatchObject({
    status: 404,
  })
  expect(await as('crm').get(`/admin/records/lead/${id}/history`)).toMatchObject({ status: 404 })
  expect(await allOfLeads(db)).toEqual(before)
})

test("the trash lists deleted leads of the user's products, last deleted first, and restores them completely", async () => {
  const { as, db } = await startTestApp()
  const [first, second, foreign] = [
    await enterLead(db),
    await enterLead(db, { company_name: '50% Spa' }),
    await enterLead(db, { lead_for: 3 }),
  ]
  await as('crm').post(`/admin/general/notes/lead/${first}`, { note: 'Called.' })
  await remove(as('crm'), first)
  await remove(as('admin'), second, foreign)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  const trash = async (query = '') =>
    (await as('crm').get(`${trashPath}?${query}`)).data.map(({ id }: { id: number }) => id)
  expect(await as('crm').get(trashPath)).toMatchObject({
    total: 2,
    per_page: 20,
    data: [
      { id: second, name: '50% Spa', note: expect.any(String), deleted_by: 'Martin Keller' },
      { id: first, name: 'Aalto Linen', deleted_by: 'Paula Ferreira' },
    ],
  })
  expect(await trash('search=50%25')).toEqual([second])
  expect(await trash('search=zzz')).toEqual([])
  await db.updateTable('leads').set({ phone: '+49 (30) 12-34' }).where('lead_id', '=', second).execute()
  expect(await trash('search=%2B49301234')).toEqual([second])
  expect(await trash('page=2')).toEqual([])
  expect(await trash('product=2')).toEqual([])
  expect(await as('crm').get(`${trashPath}?product=3`)).toMatchObject({ status: 403 })
  expect(await restore(as('crm'), foreign)).toMatchObject({ status: 404 })
  expect(await restore(as('crm'), first, first, foreign)).toMatchObject({
    status: 200,
    message: 'Restored: 1 lead.',
    restored: [first],
  })
  expect((await as('crm').get(`${at}/getdemo?id=${first}`)).data).toMatchObject({ version: 3 })
  expect((await as('crm').get(`/admin/general/notes/lead/${first}`)).data).toMatchObject([
    { body: 'Called.' },
  ])
  expect((await as('crm').get(`/admin/records/lead/${first}/history`)).data[0]).toMatchObject({
    endpoint: 'POST /admin/records/{type}/restore',
    changes: [{ field: 'in_trash', before: true, after: false }],
  })
  expect(await restore(as('crm'), first)).toMatchObject({ status: 404 })
  for (const ids of [[], ['x'], [0], 'all', null, Array.from({ length: 10_001 }, (_, index) => index + 1)])
    expect((await as('crm').post(restorePath, { ids })).status).toBe(422)
})

test('all search results are restored in one go, of one product if it is named; neither ids nor a search, or both, is refused', async () => {
  const { as, db } = await startTestApp()
  const ids = [
    await enterLead(db),
    await enterLead(db, { lead_for: 3 }),
    await enterLead(db, { company_name: 'Brackwater Hotel' }),
  ]
  await remove(as('crm'), ...ids)
  expect(await as('crm').post(restorePath, {})).toMatchObject({
    status: 422,
    errors: { ids: ['Send either `ids` or `search`.'] },
  })
  expect(await as('crm').post(restorePath, { ids, search: '' })).toMatchObject({ status: 422 })
  expect(await as('crm').post(restorePath, { search: 'aalto', product: 1 })).toMatchObject({
    status: 200,
    restored: [ids[0]],
  })
  expect(await as('crm').post(restorePath, { search: '' })).toMatchObject({
    status: 200,
    restored: [ids[1], ids[2]],
  })
  expect((await as('crm').get(trashPath)).total).toBe(0)
})

test('a key is free while its lead is in the trash; a lead that uses it keeps it, and the other stays in the trash', async () => {
  const { as, db } = await startTestApp()
  const old = await enterLead(db, { reference: 'A1' })
  const deleted = await remove(as('crm'), old)
  await enterLead(db, { reference: 'A1' })
  expect(await restore(as('crm'), old)).toMatchObject({
    status: 409,
    message: 'Another lead now has the same external ID.',
  })
  expect(await as('crm').post(`/admin/operations/${deleted['operation'].id}/undo`)).toMatchObject({
    status: 200,
    undone: 0,
    skipped: [expect.stringMatching('Another lead now has the same external ID.')],
  })
  const [one, two] = [
    await enterLead(db, { reference: 'B1', deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 }),
    await enterLead(db, { reference: 'B1', deleted_at: '2026-03-16T09:00:00Z', deleted_by: 1 }),
  ]
  expect(await restore(as('crm'), one, two, old)).toMatchObject({
    status: 200,
    restored: [one],
    message: expect.stringContaining('2 couldn’t be restored'),
  })
})

test('a tag is created once, ignoring case', async () => {
  const { as, db } = await startTestApp()
  const { data } = await as('crm').post(`${at}/lead-tags`, { name: ' Airline <b> ' })
  expect(data).toMatchObject({ name: 'Airline <b>' })
  expect((await as('crm').post(`${at}/lead-tags`, { name: 'AIRLINE <b>' })).data).toEqual(data)
  expect((await as('crm').get(`${at}/lead-options`)).tags).toContainEqual(data)
  const made = await Promise.all([1, 2, 3].map(() => as('crm').post(`${at}/lead-tags`, { name: 'Ferry' })))
  expect(new Set(made.map((reply) => reply['data'].id)).size).toBe(1)
  const before = await db.selectFrom('lead_tags').selectAll().execute()
  for (const name of ['', '  ', 'x'.repeat(81), 'a\u0000', 7, null])
    expect((await as('crm').post(`${at}/lead-tags`, { name })).status).toBe(422)
  expect(await db.selectFrom('lead_tags').selectAll().execute()).toEqual(before)
})

test('duplicates: the same company or email in the product, ignoring case; not the lead itself, not blanks', async () => {
  const { as, db } = await startTestApp()
  const byName = await enterLead(db, { company_name: 'AALTO linen' })
  const byEmail = await enterLead(db, { company_name: 'Other', email: 'Info@Aalto.example' })
  await enterLead(db, { company_name: 'Aalto Linen', lead_for: 2 })
  const found = async (query: string) =>
    (await as('crm').get(`${at}/lead-duplicates?${query}`)).data.map(
      (lead: { lead_id: number; same: string }) => [lead.lead_id, lead.same],
    )
  expect(await found('lead_for=1&companyName=Aalto+Linen&email=info@aalto.example')).toEqual([
    [byName, 'companyName'],
    [byEmail, 'email'],
  ])
  expect(await found(`lead_for=1&companyName=Aalto+Linen&except=${byName}`)).toEqual([])
  expect(await found('lead_for=1')).toEqual([])
  expect(await found('lead_for=1&companyName=Aalto%25')).toEqual([])
  for (let index = 0; index < 9; index++)
    await enterLead(db, { company_name: 'Many', email: 'm@many.example' })
  expect(await found('lead_for=1&companyName=many&email=m@many.example')).toHaveLength(5)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  for (const [query, status] of [
    ['lead_for=3&companyName=x', 403],
    ['companyName=x', 422],
    ['lead_for=1&except=x', 422],
    ['lead_for=1&companyName=a%00', 422],
    ['lead_for=1&nonsense=1', 422],
  ] as const)
    expect([query, (await as('crm').get(`${at}/lead-duplicates?${query}`)).status]).toEqual([query, status])
})

test('duplicates: the same phone number in the product, with or without its country, also of another contact', async () => {
  const { as, db } = await startTestApp()
  const lead = await enterLead(db, { company_name: 'Alder', phone: '+49 (0)40 123456-7' })
  const other = await enterLead(db, { company_name: 'Birch' })
  await db.insertInto('lead_contacts').values({ lead_id: other, name: 'Ida', phone: '040 1234567' }).execute()
  await enterLead(db, { company_name: 'Cedar', phone: '+49 40 1234567', lead_for: 2 })
  await enterLead(db, { company_name: 'Elm', phone: '4567' })
  const found = async (phone: string) =>
    (await as('crm').get(`${at}/lead-duplicates?lead_for=1&phone=${encodeURIComponent(phone)}`)).data.map(
      (one: { lead_id: number; same: string }) => [one.lead_id, one.same],
    )
  for (const phone of ['040/1234567', '+49401234567', '0049 40 1234567'])
    expect([phone, await found(phone)]).toEqual([
      phone,
      [
        [lead, 'phone'],
        [other, 'phone'],
      ],
    ])
  expect(await found('4567')).toEqual([])
  expect(await found('040 1234568')).toEqual([])
})

test('the trash says of a single lead who put it there, and what it was merged into', async () => {
  const { as, db } = await startTestApp()
  const [gone, other, kept] = [await enterLead(db), await enterLead(db), await enterLead(db)]
  await remove(as('crm'), gone)
  const versions = { keep_version: 1, other_version: 1, take: [] }
  const merged = await as('admin').post(`${at}/merge-leads`, { keep: kept, other, ...versions })
  expect(merged.status).toBe(200)
  expect(await as('crm').get(`${trashPath}?id=${gone}`)).toMatchObject({
    total: 1,
    data: [{ id: gone, deleted_by: 'Paula Ferreira', merged_into: null }],
  })
  expect(await as('crm').get(`${trashPath}?id=${other}`)).toMatchObject({
    total: 1,
    data: [{ id: other, deleted_by: 'Martin Keller', merged_into: kept }],
  })
  expect(await as('crm').get(`${trashPath}?id=${kept}`)).toMatchObject({ total: 0, data: [] })
})
