import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { attemptsWithoutAnswer, callWords } from '#features/crm/leads/calls/rules.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const path = `${at}/lead-calls`

async function withLead(values: Parameters<typeof enterLead>[1] = {}) {
  const started = await startTestApp()
  const lead_id = await enterLead(started.db, { followup_date: '2026-03-16', ...values })
  return { ...started, ...about(started, lead_id) }
}

const about = ({ as, db }: TestApp, lead_id: number) => ({
  lead_id,
  log: (who: string, values: object = {}) => as(who).post(path, { lead_id, outcome: 1, ...values }),
  listed: async () => (await as('crm').get(`${path}?lead_id=${lead_id}`))['data'] as { id: number }[],
  lead: async () => (await as('crm').get(`${at}/getdemo?id=${lead_id}`))['data'],
  all: async () => [
    await db.selectFrom('lead_calls').selectAll().orderBy('id').execute(),
    await db.selectFrom('leads').selectAll().orderBy('lead_id').execute(),
  ],
})

test('calls are read with lead_detail and written with lead_edit; others are refused, and nothing changes', async () => {
  const { as, lead_id, log, all } = await withLead()
  const { data } = await log('crm')
  const before = await all()
  for (const role of [...roleIds, undefined]) {
    const who = as(role)
    const may = (right: 'lead_detail' | 'lead_edit') =>
      role === undefined ? 401 : defaultGrants[role].includes(right) ? 200 : 403
    expect([role, (await who.get(`${path}?lead_id=${lead_id}`)).status]).toEqual([role, may('lead_detail')])
    if (may('lead_edit') === 200) continue
    for (const [method, to, body] of [
      ['POST', path, { lead_id, outcome: 1, followup_date: '2026-03-20' }],
      ['POST', `${path}/${data.id}`, { note: 'Changed' }],
      ['DELETE', `${path}/${data.id}`, undefined],
    ] as const)
      expect([role, (await who.send(method, to, body)).status]).toEqual([role, may('lead_edit')])
  }
  expect(await all()).toEqual(before)
})

test('a call is logged together with the next follow-up date; both are undone and redone as one', async () => {
  const { as, lead_id, log, listed, lead } = await withLead()
  const reply = await log('crm', { minutes: 12, note: 'Has the proposal.', followup_date: '2026-03-20' })
  expect(reply).toMatchObject({
    status: 200,
    message: 'Call logged. Follow-up date: 20 Mar 2026.',
    data: {
      lead_id,
      direction: 'out',
      outcome: 1,
      minutes: 12,
      note: 'Has the proposal.',
      followup_date: '2026-03-20',
      who: expect.any(String),
    },
    operation: { summary: 'Call logged: 1 lead' },
  })
  const { id } = reply.operation
  expect(await lead()).toMatchObject({ followup_date: '2026-03-20' })
  expect(await listed()).toMatchObject([{ id: reply.data.id, operation: { id, way: 'undo' } }])
  const history = await as('crm').get(`/admin/records/lead/${lead_id}/history`)
  expect(history['data']).toMatchObject([
    {
      act: 'Logged a call',
      changes: [
        { field: 'call', after: '12 min · Reached' },
        { field: 'call_id' },
        { field: 'call_note', after: 'Has the proposal.' },
      ],
      operation: { id, way: 'undo' },
    },
    { changes: [{ field: 'followup_date', before: '2026-03-16', after: '2026-03-20' }], operation: null },
  ])

  expect(await as('crm').post(`/admin/operations/${id}/undo`)).toMatchObject({ status: 200 })
  expect(await listed()).toEqual([])
  expect(await lead()).toMatchObject({ followup_date: '2026-03-16' })
  expect(await as('crm').post(`/admin/operations/${id}/redo`)).toMatchObject({ status: 200 })
  expect(await listed()).toMatchObject([{ id: reply.data.id, note: 'Has the proposal.' }])
  expect(await lead()).toMatchObject({ followup_date: '2026-03-20' })
})

test('without a follow-up date, the lead stays as it is', async () => {
  const { log, lead } = await withLead()
  const before = await lead()
  for (const followup_date of [undefined, '', null])
    expect(await log('crm', { outcome: 2, followup_date })).toMatchObject({
      message: 'Call logged.',
      data: { outcome: 2, minutes: null, note: '', followup_date: null },
    })
  expect(await lead()).toEqual(before)
})

test.each([
  [{ outcome: '' }, 'outcome', 'This field is required.'],
  [{ outcome: undefined }, 'outcome', 'This field is required.'],
  [{ outcome: 5 }, 'outcome', 'This outcome doesn’t exist.'],
  [{ outcome: 0 }, 'outcome', 'This outcome doesn’t exist.'],
  [{ direction: 'up' }, 'direction', 'Choose “out” or “in”.'],
  [{ minutes: 601 }, 'minutes', 'Enter 600 or less.'],
  [{ minutes: -1 }, 'minutes', 'Enter 0 or more.'],
  [{ minutes: 'ten' }, 'minutes', 'Enter a whole number.'],
  [{ followup_date: '20 March' }, 'followup_date', 'Enter a date (YYYY-MM-DD) between 1900 and 2199.'],
])('a call with %j is refused at %s', async (values, field, message) => {
  const { log, listed } = await withLead()
  expect(await log('crm', values)).toMatchObject({ status: 422, errors: { [field]: [message] } })
  expect(await listed()).toEqual([])
})

test('a note that is too long is refused', async () => {
  const { log } = await withLead()
  expect(await log('crm', { note: 'x'.repeat(10_001) })).toMatchObject({
    status: 422,
    errors: { note: ['Use 10000 characters or fewer.'] },
  })
})

test('a call is not logged if someone else has changed the follow-up date', async () => {
  const { as, lead_id, log, listed, lead } = await withLead()
  const seen = { version: 1, base: { followup_date: '2026-03-16' } }
  await as('admin').get(`${at}/change-followup-date?id=${lead_id}&date=2026-03-18`)
  expect(await log('crm', { followup_date: '2026-03-20', ...seen })).toMatchObject({
    status: 409,
    message: 'Someone else changed this lead after you opened it.',
    current: { followup_date: '2026-03-18' },
  })
  expect(await listed()).toEqual([])
  expect(await lead()).toMatchObject({ followup_date: '2026-03-18' })
  // Without a date, nothing of the lead changes.
  expect(await log('crm', seen)).toMatchObject({ status: 200 })
  const again = { version: 2, base: { followup_date: '2026-03-18' } }
  expect(await log('crm', { followup_date: '2026-03-20', ...again })).toMatchObject({ status: 200 })
})

test('a change of another field by someone else is no conflict', async () => {
  const { as, lead_id, log, lead } = await withLead()
  await as('admin').post(`${at}/update-demo-requests`, { lead_id, phone: '030 1234' })
  const seen = { version: 1, base: { followup_date: '2026-03-16' } }
  expect(await log('crm', { followup_date: '2026-03-20', ...seen })).toMatchObject({ status: 200 })
  expect(await lead()).toMatchObject({ followup_date: '2026-03-20', phone: '030 1234' })
})

test('only the person who logged a call changes and deletes it, and both can be undone', async () => {
  const { as, log, listed, all } = await withLead()
  const { data } = await log('crm', { note: 'First', followup_date: '2026-03-20' })
  const before = await all()
  for (const [method, body] of [
    ['POST', { note: 'Not mine' }],
    ['DELETE', undefined],
  ] as const)
    expect(await as('super_admin').send(method, `${path}/${data.id}`, body)).toMatchObject({
      status: 403,
      message: 'Only the person who logged this call can change it.',
    })
  expect(await all()).toEqual(before)

  const changed = await as('crm').post(`${path}/${data.id}`, { note: 'Second', minutes: 3 })
  expect(changed).toMatchObject({
    message: 'Call saved.',
    data: { note: 'Second', minutes: 3, outcome: 1, followup_date: '2026-03-20' },
    operation: { summary: 'Call changed' },
  })
  // Nothing differs.
  expect(await as('crm').post(`${path}/${data.id}`, { note: 'Second' })).toMatchObject({ operation: null })
  const removed = await as('crm').send('DELETE', `${path}/${data.id}`)
  expect(removed).toMatchObject({ message: 'Call deleted.', operation: { summary: 'Call deleted' } })
  expect(await listed()).toEqual([])
  await as('crm').post(`/admin/operations/${removed.operation.id}/undo`)
  expect(await listed()).toMatchObject([{ id: data.id, note: 'Second' }])
  await as('crm').post(`/admin/operations/${changed.operation.id}/undo`)
  expect(await listed()).toMatchObject([{ id: data.id, note: 'First', minutes: null }])
  expect(await as('crm').send('DELETE', `${path}/9999`)).toMatchObject({ status: 404 })
})

test('after a merge the kept lead shows the calls of both, and undo separates them again', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const [keep, other] = [about(started, await enterLead(db)), about(started, await enterLead(db))]
  const { data } = await keep.log('crm', { note: 'Of the kept one' })
  const of = await other.log('crm', { note: 'Of the other' })
  const merged = await as('crm').post(`${at}/merge-leads`, {
    keep: keep.lead_id,
    other: other.lead_id,
    keep_version: 1,
    other_version: 1,
    take: [],
  })
  expect(merged.status).toBe(200)
  expect((await keep.listed()).map(({ id }) => id)).toEqual([of.data.id, data.id])
  expect(await as('crm').send('DELETE', `${path}/${of.data.id}`)).toMatchObject({ status: 404 })
  await as('crm').post(`/admin/operations/${merged.operation.id}/undo`)
  expect(await keep.listed()).toMatchObject([{ id: data.id }])
  expect(await other.listed()).toMatchObject([{ id: of.data.id }])
})

test('the calls of a lead in the trash, or of another product, are neither shown nor logged', async () => {
  const { as, db, lead_id, log } = await withLead()
  const { data } = await log('crm')
  const refused = async () => {
    expect(await as('crm').get(`${path}?lead_id=${lead_id}`)).toMatchObject({ status: 404 })
    expect(await log('crm', { followup_date: '2026-03-20' })).toMatchObject({ status: 404 })
    expect(await as('crm').post(`${path}/${data.id}`, { note: 'Late' })).toMatchObject({ status: 404 })
    expect(await as('crm').send('DELETE', `${path}/${data.id}`)).toMatchObject({ status: 404 })
  }
  await db
    .updateTable('leads')
    .set({ deleted_at: '2026-03-16T08:00:00Z', deleted_by: 1 })
    .where('lead_id', '=', lead_id)
    .execute()
  await refused()
  await db.updateTable('leads').set({ deleted_at: null, deleted_by: null }).execute()
  expect(await as('crm').get(`${path}?lead_id=${lead_id}`)).toMatchObject({ data: [{ id: data.id }] })
  await db.updateTable('leads').set({ lead_for: 2 }).execute()
  await db.deleteFrom('staff_products').where('product_id', '=', 2).execute()
  await refused()
})

test('attempts are counted since the lead was last reached, without calls from the lead', () => {
  const call = (outcome: number, direction = 'out') => ({ outcome, direction })
  expect(attemptsWithoutAnswer([])).toBe(0)
  expect(attemptsWithoutAnswer([call(2), call(3, 'in'), call(4)])).toBe(2)
  expect(attemptsWithoutAnswer([call(2), call(1, 'in'), call(2)])).toBe(1)
  expect(attemptsWithoutAnswer([call(1), call(2)])).toBe(0)
})

test('the history names the length, the outcome, and calls from the lead', () => {
  expect(callWords({ direction: 'out', outcome: 2, minutes: null })).toBe('No answer')
  expect(callWords({ direction: 'in', outcome: 1, minutes: 0 })).toBe('Incoming · 0 min · Reached')
})
