import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'

/*
 * Changes to notes, sessions, onboarding stages, and trainings are operations, which can be undone and
 * redone.
 */

const turn = ({ as }: TestApp, operation: { id: number }, way: 'undo' | 'redo', who = 'super_admin') =>
  as(who).post(`/admin/operations/${operation.id}/${way}`)

async function noteOn(type: string, started: TestApp): Promise<number> {
  if (type === 'lead') return enterLead(started.db)
  if (type === 'organization') return enterOrganization(started.db)
  const { data } = await started.as('editor').post('/admin/create_contract', { title: 'Linen supply' })
  return data.id as number
}

test.each([
  ['contract', 'editor'],
  ['lead', 'crm'],
  ['organization', 'super_admin'],
])('a note on a %s is undone and redone', async (type, who) => {
  const started = await startTestApp()
  const { as } = started
  const id = await noteOn(type, started)
  const at = `/admin/general/notes/${type}/${id}`
  const { operation } = await as(who).post(at, { note: 'Call back' })
  expect(operation).toMatchObject({ summary: 'Note added' })
  const bodies = async () =>
    (await as(who).get(at))['data'].map(({ body }: { body: string }) => body) as string[]
  expect(await bodies()).toEqual(['Call back'])
  expect(await turn(started, operation, 'undo', who)).toMatchObject({ undone: 1, skipped: [] })
  expect(await bodies()).toEqual([])
  expect(await turn(started, operation, 'undo', who)).toMatchObject({ status: 409 })
  expect(await turn(started, operation, 'redo', who)).toMatchObject({ redone: 1, skipped: [] })
  expect(await bodies()).toEqual(['Call back'])
})

test('a note is undone by its author and by roles 0 and 1, with the permission to write notes', async () => {
  const started = await startTestApp()
  const id = await noteOn('contract', started)
  const { operation } = await started
    .as('editor')
    .post(`/admin/general/notes/contract/${id}`, { note: 'Call back' })
  expect(await turn(started, operation, 'undo', 'crm')).toMatchObject({ status: 404 })
  await started.db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 3)
    .where('permission', '=', 'contract_list')
    .execute()
  expect(await turn(started, operation, 'undo', 'editor')).toMatchObject({ status: 403 })
  expect(await turn(started, operation, 'undo', 'admin')).toMatchObject({ undone: 1 })
})

test('a note on a record of another product cannot be undone', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const lead_id = await enterLead(db, { lead_for: 2 })
  const { operation } = await as('super_admin').post(`/admin/general/notes/lead/${lead_id}`, { note: 'Two' })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await turn(started, operation, 'undo', 'admin')).toMatchObject({ status: 404 })
})

test('a note on a user is undone', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const user = await enterUser(db, await enterOrganization(db), 'Aino')
  const { operation } = await as('super_admin').post('/admin/users/save-user-note', {
    user,
    note: 'Call back',
  })
  await turn(started, operation, 'undo')
  expect(await as('super_admin').get(`/admin/general/notes/customer_user/${user}`)).toMatchObject({
    data: [],
  })
})

test('sessions of a lead are undone and redone, with the demo status of the lead', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const lead_id = await enterLead(db)
  const shown = async () => {
    const lead = await db
      .selectFrom('leads')
      .select('demo_status')
      .where('lead_id', '=', lead_id)
      .executeTakeFirstOrThrow()
    const { data } = await as('crm').get(`/admin/users/demo-sessions?lead_id=${lead_id}`)
    return [lead.demo_status, ...data.map((one: { status: number }) => one.status)]
  }
  const before = await shown()
  const saved = await as('crm').post('/admin/users/save-demo-session', {
    lead_id,
    sessions: [{ type: 'Demo', final_date: '2026-12-01T10:00:00Z' }],
  })
  const afterSave = await shown()
  const demoId = saved['data'][0].id
  const done = await as('crm').post('/admin/users/update-demo-status', { demoId, status: 3 })
  const afterDone = await shown()
  const received = await as('crm').post('/admin/users/recevied-date', { demoId, received_date: '2026-11-01' })
  // The session has changed since, so the first operation cannot be undone yet.
  expect(await turn(started, saved['operation'], 'undo')).toMatchObject({ status: 409 })
  await turn(started, received['operation'], 'undo')
  expect(await turn(started, done['operation'], 'undo')).toMatchObject({ undone: 1 })
  expect(await shown()).toEqual(afterSave)
  expect(await turn(started, saved['operation'], 'undo')).toMatchObject({ undone: 1 })
  expect(await shown()).toEqual(before)
  expect(await turn(started, saved['operation'], 'redo')).toMatchObject({ redone: 1 })
  expect(await turn(started, done['operation'], 'redo')).toMatchObject({ redone: 1 })
  expect(await shown()).toEqual(afterDone)
})

test('a completed stage, a training, and a session of an onboarding are undone and redone', async () => {
  const started = await startTestApp()
  const { as } = started
  const won = await winLead(started)
  const show = async () => {
    const { data } = await as('csm').get(`/admin/users/onboarding?id=${won.id}`)
    const { version: _version, updated_at: _at, ...rest } = data
    return rest as Record<string, unknown> & { stage: number; steps: unknown[]; sessions: unknown[] }
  }
  const states = [await show()]
  const acts: { id: number }[] = []
  const body = { lead_onboaring_id: won.id, stage: states[0]!.stage }
  for (const [path, values] of [
    ['post-onboarding', { completed_status: true, passcode: 'Secret 1' }],
    ['add-onboarding-training-session', {}],
    ['post-session', { type: 'Demo' }],
  ] as const) {
    const reply = await as('csm').post(`/admin/users/${path}`, { ...body, ...values })
    acts.push(reply['operation'])
    states.push(await show())
  }
  expect([
    states[1]!.stage === states[0]!.stage,
    states[2]!.steps.length,
    states[3]!.sessions.length,
  ]).toEqual([false, 2, states[0]!.sessions.length + 1])
  for (const index of [2, 1, 0]) {
    expect(await turn(started, acts[index]!, 'undo')).toMatchObject({ undone: 1, skipped: [] })
    expect(await show()).toEqual(states[index])
  }
  for (const index of [0, 1, 2]) {
    expect(await turn(started, acts[index]!, 'redo')).toMatchObject({ redone: 1, skipped: [] })
    expect(await show()).toEqual(states[index + 1])
  }
  const { text } = await as('csm').get(`/admin/records/onboarding/${won.id}/history`)
  expect(text).not.toContain('Secret 1')
})
