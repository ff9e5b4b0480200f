import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'
import { allOfLeads } from '#features/crm/leads/record/server/leads.testing.ts'

/*
 * Operations that are performed and then undone in reverse order must restore the same rows: leads that are
 * not in the trash, and their tags, demos, organizations, emails, and answers. The operations are fixed, not
 * random.
 */

const at = '/admin/users'

/** Returns the leads that are not in the trash, without traces of changes. */
async function living({ db }: TestApp): Promise<unknown> {
  const leads = await db
    .selectFrom('leads')
    .selectAll()
    .where('deleted_at', 'is', null)
    .orderBy('lead_id')
    .execute()
  const tags = await db
    .selectFrom('lead_tag_links as t')
    .innerJoin('leads as l', 'l.lead_id', 't.lead_id')
    .selectAll('t')
    .where('l.deleted_at', 'is', null)
    .orderBy('t.lead_id')
    .orderBy('t.tag_id')
    .execute()
  const theirs = [
    await db.selectFrom('lead_demos').selectAll().orderBy('id').execute(),
    await db.selectFrom('organizations').selectAll().orderBy('organization_id').execute(),
    await db.selectFrom('mails').select(['id', 'record_type', 'record_id']).orderBy('id').execute(),
    await db
      .selectFrom('lead_prospection_answers')
      .selectAll()
      .orderBy('lead_id')
      .orderBy('question_id')
      .execute(),
  ]
  return [leads.map(({ version: _version, updated_at: _at, status_at: _set, ...lead }) => lead), tags, theirs]
}

async function enterTwelve({ db }: TestApp): Promise<number[]> {
  const rows = Array.from({ length: 12 }, (_, index) => ({
    company_name: `Company ${index}`,
    lead_for: 1 + (index % 3),
    lead_date: '2026-03-10',
    status: 1 + (index % 7),
    color: index % 5,
    assign_to: index % 4 ? 3 : null,
    reference: index % 2 ? `K${index}` : null,
    details: JSON.stringify(index % 3 ? [{ label: 'Sector', value: `Sector ${index}` }] : []),
    cog_types: index % 5 ? ['Mats', 'a "quoted", {word}'] : [],
    additional_info: index % 3 ? '' : 'Line one\nline "two" \\ 🧺',
  }))
  const ids = (await db.insertInto('leads').values(rows).returning('lead_id').execute()).map(
    ({ lead_id }) => lead_id,
  )
  await db
    .insertInto('lead_tag_links')
    .values(ids.map((lead_id, index) => ({ lead_id, tag_id: 1 + (index % 3) })))
    .execute()
  for (const [index, lead_id] of ids.entries()) {
    if (index % 2)
      await db
        .insertInto('lead_demos')
        .values({ lead_id, type: 'Demo', requested_date: `2026-04-${10 + index}T15:00:00Z` })
        .execute()
    // For the merges below: in one merge, only the other lead has an organization; in another, both leads
    // have one; and in a third, only the kept lead has one.
    if ([3, 5, 6].includes(index)) {
      const { organization_id } = await db
        .insertInto('organizations')
        .values({ name: `Organization ${index}` })
        .returning('organization_id')
        .executeTakeFirstOrThrow()
      await db.updateTable('leads').set({ organization_id }).where('lead_id', '=', lead_id).execute()
    }
    await db
      .insertInto('lead_prospection_answers')
      .values({ lead_id, question_id: 1, answer: `${index}`, staff_id: 1 })
      .execute()
    await db
      .insertInto('mails')
      .values({
        kind: 'prospection',
        subject: 'Linen',
        html: '',
        text: '',
        message_id: `<${index}@example>`,
        record_type: 'lead',
        record_id: lead_id,
      })
      .execute()
  }
  return ids
}

/** Runs an import of a file to completion; returns the operation that can undo it. */
async function importFile(who: TestClient, csv: string): Promise<number> {
  const { data } = await who.post(`${at}/lead-imports`, undefined, {
    form: { lead_for: '1', file: { name: 'list.csv', bytes: csv } },
  })
  await who.post(`${at}/lead-imports/${data.id}/dry-run`, data.mapping)
  const { data: running } = await who.post(`${at}/lead-imports/${data.id}/run`)
  await expect.poll(async () => (await who.get(`${at}/lead-imports/${data.id}`)).data.state).toBe('done')
  return running.operation_id
}

type Act = (who: TestClient, ids: readonly number[]) => Promise<number | null>
const bulk =
  (change: object, ...which: number[]): Act =>
  async (who, ids) =>
    (await who.post(`${at}/change-leads`, { selection: { ids: which.map((index) => ids[index]!) }, change }))[
      'operation'
    ]?.id ?? null
const merge =
  (keep: number, other: number, ...take: string[]): Act =>
  async (who, ids) => {
    const shown = await who.get(`${at}/merge-leads?keep=${ids[keep]}&other=${ids[other]}`)
    if (shown.status !== 200) return null
    const versions = { keep_version: shown['keep'].version, other_version: shown['other'].version }
    return (await who.post(`${at}/merge-leads`, { keep: ids[keep], other: ids[other], ...versions, take }))[
      'operation'
    ].id
  }
const rejectOne =
  (index: number): Act =>
  async (who, ids) =>
    (await who.get(`${at}/change-demorequest-status?id=${ids[index]}&status=8&reject_msg=No`))['operation']
      ?.id ?? null

const acts: readonly Act[] = [
  bulk({ kind: 'status', status: 3 }, 0, 1, 2, 3, 4, 5),
  bulk({ kind: 'tags', tag_id: 2, add: true }, 0, 1, 2, 6, 7),
  merge(1, 3, 'companyName', 'reference', 'status'),
  merge(1, 5, 'companyName', 'reference', 'cog_types', 'additional_info'),
  bulk({ kind: 'delete' }, 0, 1, 9),
  rejectOne(2),
  bulk({ kind: 'reject', reject_msg: 'All of them' }, 2, 4, 6, 8),
  bulk({ kind: 'status', status: 1 }, 2, 4, 6),
  bulk({ kind: 'color', color: 4 }, 2, 3, 4, 5, 6, 7, 8),
  bulk({ kind: 'assign', assign_to: null }, 4, 6, 7, 10),
  bulk({ kind: 'tags', tag_id: 1, add: false }, 2, 6, 10),
  merge(6, 9, 'companyName'),
  merge(6, 7, 'companyName', 'lead_for', 'status', 'color', 'reference'),
  (who) =>
    importFile(
      who,
      'Key,Company,Sector,Status\nK11,Company 11 renamed,Other sector,Won\nNEW-1,New one,Textiles,\nK9,Company 9,Sector 9,\n',
    ),
  bulk({ kind: 'assign', assign_to: 4 }, 11, 10),
  bulk({ kind: 'followup', followup_date: '2026-03-20' }, 1, 4, 10),
  bulk({ kind: 'followup', followup_date: null }, 2, 4, 10),
]

/** The same operations in various orders. */
const orders = [
  acts.map((_, index) => index),
  acts.map((_, index) => acts.length - 1 - index),
  acts.map((_, index) => (index * 4) % acts.length),
  acts.map((_, index) => (index * 7 + 3) % acts.length),
]

test.each(orders.map((order) => [order]))(
  'operations in the order %j, undone from last to first, leave the same rows',
  async (order) => {
    const app = await startTestApp()
    const admin = app.as('admin')
    const ids = await enterTwelve(app)
    const before = await living(app)
    const done: number[] = []
    for (const index of order) {
      const operation = await acts[index]!(admin, ids)
      if (operation !== null) done.push(operation)
    }
    expect(done.length).toBeGreaterThan(9)
    expect(await living(app)).not.toEqual(before)
    for (const id of done.toReversed())
      expect([id, await admin.post(`/admin/operations/${id}/undo`)]).toMatchObject([
        id,
        { status: 200, skipped: [] },
      ])
    expect(await living(app)).toEqual(before)
  },
)

test('an import is undone except for leads edited since, which are named before and after; it cannot be run again', async () => {
  const app = await startTestApp()
  const { as, db } = app
  await db
    .insertInto('leads')
    .values({ company_name: 'Aalto', reference: 'A1', lead_for: 1, lead_date: '2026-03-10' })
    .execute()
  const id = await importFile(
    as('crm'),
    'Key,Company,Country\nA1,Aalto,Finland\nA2,Brackwater,Norway\nA3,Tamsel,Norway\n',
  )
  const edited = (await as('crm').get(`${at}/get-demo-requests?search=tamsel`)).data.leads[0].lead_id
  await as('digital_marketing').post(`${at}/update-demo-requests`, { lead_id: edited, phone: '777' })
  const since = [{ lead_id: edited, companyName: 'Tamsel', who: 'Jonas Lindqvist' }]
  expect(await as('crm').get(`${at}/lead-operations/${id}`)).toMatchObject({
    data: { kind: 'import', summary: 'Imported list.csv: 3 leads', changed: 3 },
    changed_since: since,
  })
  expect(await as('crm').post(`/admin/operations/${id}/undo`)).toMatchObject({
    status: 200,
    undone: 2,
    skipped: ['Tamsel (Jonas Lindqvist)'],
  })
  expect(
    (await as('crm').get(`${at}/get-demo-requests?column=lead_id&direction=asc`)).data.leads,
  ).toMatchObject([
    { companyName: 'Aalto', country: '' },
    { companyName: 'Tamsel', phone: '777' },
  ])
  const before = await allOfLeads(db)
  await db.updateTable('lead_imports').set({ state: 'failed' }).execute()
  const [{ id: imported }] = (await as('crm').get(`${at}/lead-imports`)).data
  expect(await as('crm').post(`${at}/lead-imports/${imported}/run`)).toMatchObject({
    status: 409,
    message: 'This import was undone. Upload the file again to import it.',
  })
  await db.updateTable('lead_imports').set({ state: 'done' }).execute()
  expect(await allOfLeads(db)).toEqual(before)
})
