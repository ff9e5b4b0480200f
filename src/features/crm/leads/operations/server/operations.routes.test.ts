import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, permissions, roleIds } from '#shared/access.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { processOperationBatch } from '#server/record/run-operation.ts'
import { beginOperation } from '#server/record/operations.ts'
import { applyChanges } from '#server/record/record.ts'
import { findRecords } from '#server/record/rows.ts'
import { engineOf } from '#server/record/undo.ts'

const at = '/admin/users'
const change = (who: TestClient, ids: readonly number[], what: object) =>
  who.post(`${at}/change-leads`, { selection: { ids }, change: what })
const changeAll = (who: TestClient, filters: object, total: number, what: object) =>
  who.post(`${at}/change-leads`, { selection: { filters, total }, change: what })
const undo = (who: TestClient, id: number) => who.post(`/admin/operations/${id}/undo`)
const redo = (who: TestClient, id: number) => who.post(`/admin/operations/${id}/redo`)

/** Each change, the permission that it requires, and its effect on a new lead. */
const acts = [
  [{ kind: 'status', status: 3 }, 'lead_edit', { status: 3 }],
  [
    { kind: 'reject', reject_msg: ' No <b>budget</b> ' },
    'lead_reject',
    { status: 8, reject_msg: 'No <b>budget</b>' },
  ],
  [{ kind: 'color', color: 4 }, 'lead_select_pripority', { color: 4 }],
  [{ kind: 'assign', assign_to: 3 }, 'lead_edit', { assign_to: 3 }],
  [{ kind: 'followup', followup_date: '2026-03-20' }, 'lead_edit', { followup_date: '2026-03-20' }],
  [{ kind: 'tags', tag_id: 2, add: true }, 'lead_edit', { tag_ids: [2] }],
  [
    { kind: 'edit', values: { amount: '1200', currency: 'EUR' } },
    'lead_edit',
    { amount: 1200, currency: 'EUR' },
  ],
  [
    { kind: 'edit', values: { expected_close: '2026-12-03', lead_date: '2026-02-01' } },
    'lead_edit',
    { expected_close: '2026-12-03', lead_date: '2026-02-01' },
  ],
  [{ kind: 'edit', values: { hear_about: 'Referral' } }, 'lead_edit', { hear_about: 'Referral' }],
  [{ kind: 'delete' }, 'lead_edit', undefined],
] as const

/** Returns all lead data except for traces of changes: versions and timestamps. */
async function asTheyStand({ db }: Pick<TestApp, 'db'>): Promise<unknown> {
  const leads = await db.selectFrom('leads').selectAll().orderBy('lead_id').execute()
  const tags = await db
    .selectFrom('lead_tag_links')
    .selectAll()
    .orderBy('lead_id')
    .orderBy('tag_id')
    .execute()
  return [leads.map(({ version: _version, updated_at: _at, status_at: _set, ...lead }) => lead), tags]
}

test('each operation needs its permission, and so does its undo; a refused caller changes nothing', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const before = await allOfLeads(db)
  for (const [what, needs] of acts) {
    expect([what.kind, (await change(as(undefined), [id], what)).status]).toEqual([what.kind, 401])
    for (const role of roleIds.filter((one) => !defaultGrants[one].includes(needs)))
      expect([role, what.kind, (await change(as(role), [id], what)).status]).toEqual([role, what.kind, 403])
  }
  expect(await allOfLeads(db)).toEqual(before)
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  for (const right of permissions.filter((name) => name.startsWith('lead_'))) {
    await db.insertInto('role_permissions').values({ role_id: 13, permission: right }).execute()
    for (const [what, needs] of acts) {
      const reply = await change(as('designer'), [await enterLead(db)], what)
      expect([right, what.kind, reply.status]).toEqual([right, what.kind, right === needs ? 200 : 403])
      if (right !== needs) continue
      await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
      await db
        .insertInto('role_permissions')
        .values({ role_id: 13, permission: right === 'lead_edit' ? 'lead_reject' : 'lead_edit' })
        .execute()
      expect([what.kind, (await undo(as('designer'), reply['operation'].id)).status]).toEqual([
        what.kind,
        403,
      ])
      await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
      await db.insertInto('role_permissions').values({ role_id: 13, permission: right }).execute()
      expect([what.kind, (await undo(as('designer'), reply['operation'].id)).status]).toEqual([
        what.kind,
        200,
      ])
    }
    await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  }
})

test('each operation changes all its leads and their histories, and undo restores them', async () => {
  const app = await startTestApp()
  const { as, db, live } = app
  const others = await enterLead(db, { company_name: 'Untouched' })
  for (const [what, , expected] of acts) {
    const ids = [await enterLead(db, { assign_to: 4, color: 1 }), await enterLead(db, { status: 5 })]
    await db.insertInto('lead_tag_links').values({ lead_id: ids[0]!, tag_id: 7 }).execute()
    const before = await asTheyStand(app)
    live.length = 0
    const reply = await change(as('crm'), ids, what)
    expect(reply).toMatchObject({
      status: 200,
      running: false,
      changed: 2,
      unchanged: 0,
      missing: 0,
      operation: { summary: expect.stringMatching(/: 2 leads$/) },
    })
    expect(live.map(({ channel }) => channel)).toEqual([
      'private-records.leads',
      'private-records.appointments',
      'private-records.lead-operations',
    ])
    for (const id of ids) {
      const shown = await as('crm').get(`${at}/getdemo?id=${id}`)
      if (expected === undefined) expect(shown.status).toBe(404)
      else
        expect(shown.data).toMatchObject({
          ...expected,
          ...(what.kind === 'tags' && id === ids[0] ? { tag_ids: [2, 7] } : {}),
          version: 2,
        })
    }
    const { id: operation } = reply['operation']
    const after = await asTheyStand(app)
    expect(await undo(as('crm'), operation)).toMatchObject({
      status: 200,
      message: 'Undone: 2 leads restored.',
      undone: 2,
      skipped: [],
    })
    expect([what.kind, await asTheyStand(app)]).toEqual([what.kind, before])
    expect(await redo(as('crm'), operation)).toMatchObject({
      status: 200,
      message: 'Redone: 2 leads changed.',
      redone: 2,
      skipped: [],
    })
    expect([what.kind, await asTheyStand(app)]).toEqual([what.kind, after])
    expect(await undo(as('crm'), operation)).toMatchObject({ status: 200, undone: 2, skipped: [] })
    expect([what.kind, await asTheyStand(app)]).toEqual([what.kind, before])
    const history = (await as('crm').get(`/admin/records/lead/${ids[1]}/history`)).data
    expect(history.map(({ endpoint, who }: { endpoint: string; who: string }) => [endpoint, who])).toEqual([
      ['POST /admin/operations/{id}/undo', 'Paula Ferreira'],
      ['POST /admin/operations/{id}/redo', 'Paula Ferreira'],
      ['POST /admin/operations/{id}/undo', 'Paula Ferreira'],
      ['POST /admin/users/change-leads', 'Paula Ferreira'],
    ])
  }
  expect((await as('crm').get(`${at}/getdemo?id=${others}`)).data).toMatchObject({ version: 1 })
})

test('a lead changed since is skipped and named, with the user who changed it', async () => {
  const { as, db } = await startTestApp()
  const [first, second] = [await enterLead(db), await enterLead(db, { company_name: 'Brackwater Hotel' })]
  const { operation } = await change(as('crm'), [first, second], { kind: 'color', color: 3 })
  await as('digital_marketing').post(`${at}/update-demo-requests`, { lead_id: second, phone: '777' })
  const since = [
    {
      lead_id: second,
      companyName: 'Brackwater Hotel',
      who: 'Jonas Lindqvist',
      at: expect.any(String),
      why: null,
    },
  ]
  expect(await as('crm').get(`${at}/lead-operations/${operation.id}`)).toMatchObject({
    changed_since: since,
    changed_since_total: 1,
  })
  expect(await undo(as('crm'), operation.id)).toMatchObject({
    message: 'Undone: 1 lead restored. One was skipped because it has changed since then.',
    undone: 1,
    skipped: ['Brackwater Hotel (Jonas Lindqvist)'],
  })
  expect((await as('crm').get(`${at}/getdemo?id=${first}`)).data).toMatchObject({ color: 0 })
  expect((await as('crm').get(`${at}/getdemo?id=${second}`)).data).toMatchObject({ color: 3, phone: '777' })
  expect(await as('crm').get(`${at}/lead-operations/${operation.id}`)).toMatchObject({
    changed_since: since,
    data: { state: 'undone' },
  })
})

test('a lead whose old options were removed is skipped and named with the reason, before and after; the others are restored', async () => {
  const { as, db } = await startTestApp()
  await db.insertInto('lead_services').values({ name: 'Old service' }).execute()
  await db.insertInto('lead_sources').values({ name: 'Old source' }).execute()
  await db
    .insertInto('lead_statuses')
    .values({ id: 90, name: 'Old status', tone: 'gray', position: 90 })
    .execute()
  await db
    .insertInto('lead_colors')
    .values({ id: 90, name: 'Old priority', tone: 'gray', position: 90 })
    .execute()
  const was = [
    { services: 'Old service' },
    { hear_about: 'Old source' },
    { status: 90 },
    { color: 90 },
    { services: null },
    { hear_about: 'Old source' },
  ]
  const ids: number[] = []
  for (const values of was) ids.push(await enterLead(db, values))
  const changed = { services: null, hear_about: null, status: 2, color: 1, phone: '777' }
  const { operation } = await db.transaction().execute(async (tx) =>
    applyChanges(
      {
        db: tx,
        viewer: { id: as('crm').id },
        called: { endpoint: '', input: null },
        audit: () => {},
        changed: () => {},
      },
      leadKind,
      await findRecords(tx, leadKind, ids, undefined, { lock: true }),
      () => changed,
      { kind: 'status', summary: 'Updated', needs: 'lead_edit' },
    ),
  )
  const { id } = operation!
  await as('digital_marketing').post(`${at}/update-demo-requests`, { lead_id: ids[5], phone: '888' })
  // At this point, only the later change blocks the undo.
  expect(await as('crm').get(`${at}/lead-operations/${id}`)).toMatchObject({
    changed_since: [{ lead_id: ids[5], why: null }],
    changed_since_total: 1,
  })

  const lists = (list: string, what: string, body: object) =>
    as('admin').post(`/admin/lists/${list}/${what}`, body)
  expect(await lists('services', 'change', { key: 'Old service', name: 'New service' })).toMatchObject({
    status: 200,
  })
  for (const [list, key] of [
    ['sources', 'Old source'],
    ['statuses', '90'],
    ['colors', '90'],
  ] as const)
    expect([list, await lists(list, 'remove', { key })]).toMatchObject([list, { status: 200 }])

  const left = [
    { lead_id: ids[0], why: 'The service “Old service” was removed or renamed.' },
    { lead_id: ids[1], why: 'The source “Old source” was removed or renamed.' },
    { lead_id: ids[2], why: 'Its status was removed.' },
    { lead_id: ids[3], why: 'Its priority was removed.' },
    { lead_id: ids[5], who: 'Jonas Lindqvist', why: null },
  ]
  expect(await as('crm').get(`${at}/lead-operations/${id}`)).toMatchObject({
    changed_since: left,
    changed_since_total: 5,
  })
  expect(await undo(as('crm'), id)).toMatchObject({
    status: 200,
    message:
      'Undone: 1 lead restored. One was skipped because it has changed since then. 4 can’t be restored.',
    undone: 1,
    skipped: left.map(({ why }) => expect.stringMatching(why ?? 'Jonas Lindqvist')),
  })
  expect(await as('crm').get(`${at}/lead-operations/${id}`)).toMatchObject({
    changed_since: left,
    data: { state: 'undone' },
  })
  expect(await db.selectFrom('leads').select(['phone', 'version']).orderBy('lead_id').execute()).toEqual(
    ids.map((_, index) =>
      index === 4
        ? { phone: '', version: 3 }
        : index === 5
          ? { phone: '888', version: 3 }
          : { phone: '777', version: 2 },
    ),
  )
})

test('entries that are missing from an empty list don’t hide that another one is missing', async () => {
  const { as, db } = await startTestApp()
  await db
    .insertInto('lead_statuses')
    .values({ id: 90, name: 'Old status', tone: 'gray', position: 90 })
    .execute()
  const id = await enterLead(db, { status: 90, services: null })
  const { operation } = await change(as('crm'), [id], { kind: 'status', status: 2 })
  await db.deleteFrom('lead_services').execute()
  await db.deleteFrom('lead_statuses').where('id', '=', 90).execute()
  expect(await as('crm').get(`${at}/lead-operations/${operation.id}`)).toMatchObject({
    changed_since: [{ lead_id: id, why: 'Its status was removed.' }],
  })
})

test('a second undo is 409, an unknown one 404, and two concurrent ones undo once', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const { operation } = await change(as('crm'), [id], { kind: 'status', status: 2 })
  const replies = await Promise.all([1, 2, 3].map(() => undo(as('crm'), operation.id)))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect(await undo(as('crm'), operation.id)).toMatchObject({
    status: 409,
    message: 'This was already undone.',
  })
  expect(await undo(as('crm'), 99_999)).toMatchObject({ status: 404 })
  for (const wrong of ['x', 0, -1, null, 2_147_483_648])
    expect([wrong, (await as('crm').post(`/admin/operations/${wrong}/undo`)).status]).toEqual([wrong, 404])
  expect((await as('crm').get(`${at}/getdemo?id=${id}`)).data).toMatchObject({ status: 1, version: 3 })
})

test('operations are undone one after the other, last first, back to the start', async () => {
  const app = await startTestApp()
  const { as, db } = app
  const id = await enterLead(db)
  const before = await asTheyStand(app)
  const operations = []
  for (const what of [
    { kind: 'status', status: 2 },
    { kind: 'color', color: 2 },
    { kind: 'status', status: 4 },
    { kind: 'delete' },
  ])
    operations.push((await change(as('crm'), [id], what))['operation'].id)
  for (const operation of operations.toReversed())
    expect(await undo(as('crm'), operation)).toMatchObject({ undone: 1, skipped: [] })
  expect(await asTheyStand(app)).toEqual(before)
})

test("users see and undo their own operations; roles 0 and 1 everyone's; never those on products of others", async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { lead_for: 3 })
  const { operation } = await change(as('crm'), [id], { kind: 'status', status: 2 })
  await change(as('admin'), [id], { kind: 'color', color: 2 })
  const list = async (who: string) =>
    (await as(who).get(`${at}/lead-operations`)).data.map(
      ({ kind, who: by }: { kind: string; who: string }) => [kind, by],
    )
  expect(await list('crm')).toEqual([['status', 'Paula Ferreira']])
  expect(await list('admin')).toEqual([
    ['color', 'Martin Keller'],
    ['status', 'Paula Ferreira'],
  ])
  expect(await list('digital_marketing')).toEqual([])
  expect(await as('digital_marketing').get(`${at}/lead-operations/${operation.id}`)).toMatchObject({
    status: 404,
  })
  expect(await undo(as('digital_marketing'), operation.id)).toMatchObject({ status: 404 })
  expect(await undo(as('support'), operation.id)).toMatchObject({ status: 404 })
  const both = [await enterLead(db), await enterLead(db, { lead_for: 3 })]
  const { operation: mixed } = await change(as('crm'), both, { kind: 'status', status: 3 })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 3)
    .execute()
  expect(await list('admin')).toEqual([['status', 'Paula Ferreira']])
  expect(await as('admin').get(`${at}/lead-operations/${operation.id}`)).toMatchObject({ status: 404 })
  expect(await undo(as('admin'), operation.id)).toMatchObject({ status: 404 })
  expect(await undo(as('admin'), mixed.id)).toMatchObject({
    status: 403,
    message: 'You can’t do this because it affects leads for a product you don’t have access to.',
  })
  expect((await as('admin').get(`${at}/lead-operations/${mixed.id}`)).changed_since).toEqual([])
  expect(await undo(as('super_admin'), operation.id)).toMatchObject({
    status: 200,
    undone: 0,
    skipped: [expect.stringMatching('Martin Keller')],
  })
})

test('leads that already have the value are skipped; an operation that changes nothing is not stored', async () => {
  const { as, db } = await startTestApp()
  const [same, other] = [await enterLead(db, { status: 8, reject_msg: 'Old reason' }), await enterLead(db)]
  expect(await change(as('crm'), [same, other], { kind: 'reject', reject_msg: 'New reason' })).toMatchObject({
    changed: 1,
    unchanged: 1,
  })
  expect((await as('crm').get(`${at}/getdemo?id=${same}`)).data).toMatchObject({
    reject_msg: 'Old reason',
    version: 1,
  })
  expect(await change(as('crm'), [same, other], { kind: 'reject', reject_msg: 'Again' })).toMatchObject({
    changed: 0,
    unchanged: 2,
    operation: null,
  })
  expect(await change(as('crm'), [other], { kind: 'status', status: 2 })).toMatchObject({ changed: 1 })
  expect((await as('crm').get(`${at}/getdemo?id=${other}`)).data).toMatchObject({
    status: 2,
    reject_msg: null,
  })
  expect((await as('crm').get(`${at}/lead-operations`)).total).toBe(2)
})

test('a lead that is gone, of another product, or in the trash counts as missing; none at all is 404', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  const [own, foreign, trashed] = [
    await enterLead(db),
    await enterLead(db, { lead_for: 3 }),
    await enterLead(db),
  ]
  await change(as('crm'), [trashed], { kind: 'delete' })
  const before = await allOfLeads(db)
  expect(await change(as('crm'), [foreign, trashed, 99_999], { kind: 'color', color: 2 })).toMatchObject({
    status: 404,
  })
  expect(await allOfLeads(db)).toEqual(before)
  expect(
    await change(as('crm'), [own, own, foreign, trashed, 99_999], { kind: 'color', color: 2 }),
  ).toMatchObject({ changed: 1, missing: 3 })
  expect(
    await db.selectFrom('leads').select('color').where('lead_id', '=', foreign).executeTakeFirst(),
  ).toEqual({ color: 0 })
})

test('the follow-up date of many leads is set and cleared in one operation, shown as a readable date, and undone', async () => {
  const { as, db } = await startTestApp()
  const ids = [await enterLead(db, { followup_date: '2026-03-02' }), await enterLead(db)]
  const days = async () =>
    (await db.selectFrom('leads').select('followup_date').orderBy('lead_id').execute()).map(
      (lead) => lead.followup_date,
    )
  const set = await change(as('crm'), ids, { kind: 'followup', followup_date: '2026-03-20' })
  expect(set).toMatchObject({ changed: 2, message: 'Follow-up date set to 20 Mar 2026: 2 leads.' })
  expect(await days()).toEqual(['2026-03-20', '2026-03-20'])
  const removed = await change(as('crm'), [ids[0]!], { kind: 'followup', followup_date: null })
  expect(removed).toMatchObject({ message: 'Follow-up date cleared: 1 lead.' })
  expect(await days()).toEqual([null, '2026-03-20'])
  await undo(as('crm'), removed['operation'].id)
  await undo(as('crm'), set['operation'].id)
  expect(await days()).toEqual(['2026-03-02', null])
})

test('invalid input is 422 with a message, and nothing changes', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const before = await allOfLeads(db)
  const wrong: [selection: unknown, change: unknown][] = [
    [{}, { kind: 'delete' }],
    [{ ids: [] }, { kind: 'delete' }],
    [{ ids: ['x'] }, { kind: 'delete' }],
    [{ ids: Array.from({ length: 10_001 }, (_, index) => index + 1) }, { kind: 'delete' }],
    [{ ids: [id], filters: {}, total: 1 }, { kind: 'delete' }],
    [{ filters: {} }, { kind: 'delete' }],
    [{ filters: { fromDate: 'x' }, total: 1 }, { kind: 'delete' }],
    [{ filters: {}, total: 0 }, { kind: 'delete' }],
    [null, { kind: 'delete' }],
    [{ ids: [id] }, { kind: 'status', status: 8 }],
    [{ ids: [id] }, { kind: 'status', status: 77 }],
    [{ ids: [id] }, { kind: 'status' }],
    [{ ids: [id] }, { kind: 'reject', reject_msg: '  ' }],
    [{ ids: [id] }, { kind: 'edit', values: {} }],
    [{ ids: [id] }, { kind: 'edit', values: { amount: 5 } }],
    [{ ids: [id] }, { kind: 'edit', values: { currency: 'EUR' } }],
    [{ ids: [id] }, { kind: 'edit', values: { lead_date: null } }],
    [{ ids: [id] }, { kind: 'edit', values: { services: 'Unknown' } }],
    [{ ids: [id] }, { kind: 'edit', values: { hear_about: 'Unknown' } }],
    [{ ids: [id] }, { kind: 'edit', values: { companyName: 'No' } }],
    [{ ids: [id] }, { kind: 'reject', reject_msg: 'a\u0000b' }],
    [{ ids: [id] }, { kind: 'color', color: 9 }],
    [{ ids: [id] }, { kind: 'assign', assign_to: 999 }],
    [{ ids: [id] }, { kind: 'assign' }],
    [{ ids: [id] }, { kind: 'followup' }],
    [{ ids: [id] }, { kind: 'followup', followup_date: '' }],
    [{ ids: [id] }, { kind: 'followup', followup_date: '2026-02-30' }],
    [{ ids: [id] }, { kind: 'tags', tag_id: 999, add: true }],
    [{ ids: [id] }, { kind: 'tags', tag_id: 1, add: 'yes' }],
    [{ ids: [id] }, { kind: 'drop table' }],
    [{ ids: [id] }, null],
    [{ ids: [id] }, { kind: 'constructor' }],
  ]
  for (const [selection, what] of wrong)
    expect([
      selection,
      what,
      (await as('admin').post(`${at}/change-leads`, { selection, change: what })).status,
    ]).toEqual([selection, what, 422])
  expect(await allOfLeads(db)).toEqual(before)
  expect((await as('admin').get(`${at}/lead-operations`)).total).toBe(0)
})

test('all matching: exactly the leads that match the filters; 409 with the current count if it differs from the one the user saw', async () => {
  const { as, db } = await startTestApp()
  const ids = [
    await enterLead(db, { country: 'Norway' }),
    await enterLead(db, { country: 'Norway', lead_date: '2026-03-01' }),
  ]
  const [other, earlier] = [
    await enterLead(db, { country: 'Sweden' }),
    await enterLead(db, { country: 'Norway', lead_date: '2025-01-01' }),
  ]
  const before = await allOfLeads(db)
  expect(await changeAll(as('crm'), { search: 'norway' }, 3, { kind: 'color', color: 2 })).toMatchObject({
    status: 409,
    current: { total: 2 },
  })
  expect(await changeAll(as('crm'), { lead_for: 3 }, 3, { kind: 'color', color: 2 })).toMatchObject({
    status: 409,
    current: { total: 0 },
  })
  expect(await allOfLeads(db)).toEqual(before)
  expect(await changeAll(as('crm'), { search: 'norway' }, 2, { kind: 'color', color: 2 })).toMatchObject({
    status: 200,
    changed: 2,
  })
  const colors = await db.selectFrom('leads').select(['lead_id', 'color']).orderBy('lead_id').execute()
  expect(colors).toEqual([
    ...ids.map((lead_id) => ({ lead_id, color: 2 })),
    { lead_id: other, color: 0 },
    { lead_id: earlier, color: 0 },
  ])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  expect(await changeAll(as('crm'), { lead_for: 3 }, 1, { kind: 'color', color: 2 })).toMatchObject({
    status: 403,
  })
})

test('the same request twice with one key changes once', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const send = () =>
    as('crm').post(
      `${at}/change-leads`,
      { selection: { ids: [id] }, change: { kind: 'color', color: 2 } },
      { headers: { 'Idempotency-Key': 'key-of-this-act' } },
    )
  const first = await send()
  expect(await send()).toEqual(first)
  expect((await as('crm').get(`${at}/lead-operations`)).total).toBe(1)
})

/* ---- In the background ---- */

const many = 1203
const enterMany = ({ db }: TestApp) =>
  db
    .insertInto('leads')
    .values(
      Array.from({ length: many }, (_, index) => ({
        company_name: `Company ${index}`,
        lead_for: 1,
        lead_date: '2026-03-10',
        color: index % 3,
      })),
    )
    .execute()

test('above 500 leads the work runs in the background with progress, as one operation with one undo', async () => {
  const app = await startTestApp()
  const { as, live } = app
  await enterMany(app)
  const before = await asTheyStand(app)
  const reply = await changeAll(as('crm'), {}, many, { kind: 'color', color: 2 })
  expect(reply).toMatchObject({
    status: 200,
    running: true,
    operation: { summary: 'Priority set to Medium: 1,203 leads' },
  })
  const { id } = reply['operation']
  const state = async () => (await as('crm').get(`${at}/lead-operations/${id}`)).data
  await expect.poll(async () => (await state()).state, { interval: 50 }).toBe('done')
  expect(await state()).toMatchObject({
    total: many,
    seen: many,
    changed: 802,
    summary: 'Priority set to Medium: 802 leads',
  })
  expect((await as('crm').get(`${at}/get-demo-requests?color=2`)).total).toBe(many)
  expect(live.filter(({ channel }) => channel === 'private-records.lead-operations').length).toBeGreaterThan(
    2,
  )

  expect((await undo(as('crm'), id)).status).toBe(200)
  await expect.poll(async () => (await state()).state, { interval: 50 }).toBe('undone')
  expect(await asTheyStand(app)).toEqual(before)
})

test('an operation on more than 500 leads is undone in the background', async () => {
  const app = await startTestApp()
  const { as } = app
  await enterMany(app)
  const before = await asTheyStand(app)
  const { operation } = await changeAll(as('crm'), {}, many, { kind: 'tags', tag_id: 1, add: true })
  const state = async () => (await as('crm').get(`${at}/lead-operations/${operation.id}`)).data.state
  expect(await undo(as('crm'), operation.id)).toMatchObject({
    status: 409,
    message: 'This is still in progress.',
  })
  await expect.poll(state, { interval: 50 }).toBe('done')
  const after = await asTheyStand(app)
  const background = {
    status: 200,
    message: 'This is being undone in the background. You can leave this page.',
  }
  expect(await undo(as('crm'), operation.id)).toMatchObject(background)
  expect(await undo(as('crm'), operation.id)).toMatchObject({ status: 409 })
  await expect.poll(state, { interval: 50 }).toBe('undone')
  expect(await asTheyStand(app)).toEqual(before)
  expect(await redo(as('crm'), operation.id)).toMatchObject({
    status: 200,
    message: expect.stringMatching('redone in the background'),
  })
  expect(await redo(as('crm'), operation.id)).toMatchObject({ status: 409 })
  await expect.poll(state, { interval: 50 }).toBe('done')
  expect(await asTheyStand(app)).toEqual(after)
})

test('each batch checks that the person still has the permission, also while undoing', async () => {
  const { app, as, db } = await startTestApp()
  const ids = [await enterLead(db, { lead_for: 1 }), await enterLead(db, { lead_for: 1 })]
  const operation = await beginOperation(db, {
    type: 'lead',
    kind: 'followup',
    staff_id: as('crm').id,
    summary: 'Follow-up date set',
    needs: 'lead_edit',
    called: { endpoint: '', input: null },
    background: { todo: ids, change: { kind: 'followup', followup_date: '2026-04-01' } },
  })
  const batch = () => db.transaction().execute((tx) => processOperationBatch(tx, engineOf(app), operation))
  const set = (values: object) =>
    db.updateTable('operations').set(values).where('id', '=', operation).execute()
  const dates = async () =>
    (await db.selectFrom('leads').select('followup_date').execute()).map((row) => row.followup_date)
  const role = { role_id: 2, permission: 'lead_edit' }
  const revoke = () =>
    db.deleteFrom('role_permissions').where('role_id', '=', 2).where('permission', '=', 'lead_edit').execute()
  await revoke()
  expect(await batch()).toMatchObject({ finished: true })
  expect(await dates()).toEqual([null, null])
  // Control: with the permission, both leads are changed.
  await db.insertInto('role_permissions').values(role).execute()
  await set({ state: 'running' })
  expect(await batch()).toMatchObject({ changed: [{ type: 'leads', ids }, { type: 'lead-operations' }] })
  await batch()
  await revoke()
  const undoing = { state: 'undoing', undone_at: '2026-03-16T10:00:00Z', undone_by: as('crm').id }
  await set(undoing)
  expect(await batch()).toMatchObject({ finished: true })
  expect(await dates()).toEqual(['2026-04-01', '2026-04-01'])
  await db.insertInto('role_permissions').values(role).execute()
  await db.deleteFrom('staff_products').where('staff_id', '=', as('crm').id).execute()
  await set(undoing)
  expect(await batch()).toMatchObject({ finished: true })
  expect(await dates()).toEqual(['2026-04-01', '2026-04-01'])
})

test('a change of one lead is undone and redone, and is in no list of operations', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { phone: '111' })
  const changes = [
    await as('crm').get(`${at}/change-lead-status?id=${id}&status=3`),
    await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=2`),
    await as('crm').get(`${at}/change-followup-date?id=${id}&date=2026-04-01`),
    await as('crm').post(`${at}/update-demo-requests`, {
      lead_id: id,
      companyName: 'Tamsel',
      phone: '222',
      tag_ids: [1],
      services: null,
    }),
  ]
  const shown = async () => (await as('crm').get(`${at}/getdemo?id=${id}`)).data
  const after = {
    status: 3,
    color: 2,
    followup_date: '2026-04-01',
    companyName: 'Tamsel',
    phone: '222',
    tag_ids: [1],
  }
  expect(await shown()).toMatchObject(after)
  for (const { operation } of changes.toReversed())
    expect(await undo(as('crm'), operation.id)).toMatchObject({ undone: 1, skipped: [] })
  expect(await shown()).toMatchObject({
    status: 1,
    color: 0,
    followup_date: null,
    companyName: 'Aalto Linen',
    phone: '111',
    tag_ids: [],
  })
  for (const { operation } of changes)
    expect(await redo(as('crm'), operation.id)).toMatchObject({ redone: 1, skipped: [] })
  expect(await shown()).toMatchObject(after)
  expect((await as('crm').get(`${at}/lead-operations`)).total).toBe(0)
  expect(await as('crm').get(`${at}/change-lead-status?id=${id}&status=3`)).toMatchObject({ operation: null })
})

test('a record changed after the undo is skipped by the redo; the rest is redone', async () => {
  const { as, db } = await startTestApp()
  const [first, second] = [await enterLead(db), await enterLead(db, { company_name: 'Brackwater Hotel' })]
  const { operation } = await change(as('crm'), [first, second], { kind: 'status', status: 3 })
  expect(await redo(as('crm'), operation.id)).toMatchObject({
    status: 409,
    message: 'This hasn’t been undone.',
  })
  await undo(as('crm'), operation.id)
  await as('digital_marketing').post(`${at}/update-demo-requests`, { lead_id: second, phone: '777' })
  expect(await redo(as('crm'), operation.id)).toMatchObject({
    status: 200,
    redone: 1,
    skipped: ['Brackwater Hotel (Jonas Lindqvist)'],
  })
  const statuses = await db.selectFrom('leads').select('status').orderBy('lead_id').execute()
  expect(statuses).toEqual([{ status: 3 }, { status: 1 }])
  // A skipped lead is no longer part of the operation.
  expect(await undo(as('crm'), operation.id)).toMatchObject({ undone: 1 })
  expect(await db.selectFrom('leads').select('status').execute()).toEqual([{ status: 1 }, { status: 1 }])
})

test('a batch lost in a crash is processed again, none is processed twice, and a lead deleted in between is left out', async () => {
  const app = await startTestApp()
  const { as, db } = app
  await enterMany(app)
  const ids = (await db.selectFrom('leads').select('lead_id').orderBy('lead_id').execute()).map(
    ({ lead_id }) => lead_id,
  )
  const { id } = await db
    .insertInto('operations')
    .values({
      kind: 'status',
      staff_id: as('crm').id,
      summary: 'Status set',
      needs: 'lead_edit',
      state: 'running',
      todo: ids,
      change: '{"kind":"status","status":3}',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const piece = () => db.transaction().execute((tx) => processOperationBatch(tx, engineOf(app.app), id))
  await piece()
  await db
    .transaction()
    .execute(async (tx) => {
      await processOperationBatch(tx, engineOf(app.app), id)
      throw new Error('killed')
    })
    .catch(() => {})
  await db
    .updateTable('leads')
    .set({ deleted_at: '2026-03-16T10:00:00Z', deleted_by: 1 })
    .where('lead_id', '=', ids[600]!)
    .execute()
  await Promise.all([piece(), piece(), piece(), piece()])
  expect(
    await db
      .selectFrom('operations')
      .select(['state', 'seen', 'changed'])
      .where('id', '=', id)
      .executeTakeFirst(),
  ).toEqual({
    state: 'done',
    seen: many,
    changed: many - 1,
  })
  const versions = await db
    .selectFrom('leads')
    .select((of) => ['version', of.fn.countAll<number>().as('leads')])
    .groupBy('version')
    .orderBy('version')
    .execute()
  expect(versions).toEqual([
    { version: 1, leads: 1 },
    { version: 2, leads: many - 1 },
  ])
})

test('an undo that would restore nothing names the operation to undo first, and can be repeated after it', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const ids = [await enterLead(db), await enterLead(db)]
  const first = await change(crm, ids, { kind: 'status', status: 3 })
  const second = await change(crm, ids, { kind: 'color', color: 4 })
  expect(await crm.get(`${at}/lead-operations/${first['operation'].id}`)).toMatchObject({
    restorable: 0,
    changed_since_total: 2,
    undo_first: { id: second['operation'].id, summary: second['operation'].summary, who: expect.any(String) },
  })
  const reply = await undo(crm, first['operation'].id)
  expect(reply).toMatchObject({ status: 200, undone: 0 })
  expect(reply['message']).toBe(
    `Nothing was undone: all 2 leads were changed since then. Undo “${second['operation'].summary}” first.`,
  )
  await undo(crm, second['operation'].id)
  expect(await crm.get(`${at}/lead-operations/${first['operation'].id}`)).toMatchObject({
    data: { state: 'done' },
    restorable: 2,
    undo_first: null,
  })
  expect(await undo(crm, first['operation'].id)).toMatchObject({ undone: 2, skipped: [] })
  // A redo that would change nothing leaves the operation undone.
  await change(crm, ids, { kind: 'assign', assign_to: 3 })
  expect(await redo(crm, first['operation'].id)).toMatchObject({ redone: 0 })
  expect(await crm.get(`${at}/lead-operations/${first['operation'].id}`)).toMatchObject({
    data: { state: 'undone' },
  })
})
