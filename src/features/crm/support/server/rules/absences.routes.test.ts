import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const dayMs = 86_400_000

/** Starts the panel with a rule that assigns every new ticket to these members of the cast in turn. */
async function withRule(names: readonly string[]) {
  const started = await startTestApp()
  const staff_ids = names.map((name) => started.as(name).id)
  const rules = [{ id: null, category: null, organization_id: null, staff_ids }]
  const { status } = await started.as('admin').post('/admin/support/assignment-rules', { version: 0, rules })
  expect(status).toBe(200)
  return started
}

const leave = ({ as }: TestApp, name: string, until: string | null = null) =>
  as(name).post(`/admin/admin-users/${as(name).id}/away`, { until })

async function file({ as, db }: TestApp) {
  const reply = await as('admin').post('/admin/support/ticket', {
    title: 'The scanner stopped',
    message: '<p>It shows nothing.</p>',
  })
  const { id } = reply['data']
  const { assignee_id } = await db
    .selectFrom('tickets')
    .select('assignee_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { id, assignee_id }
}

test('a rule skips those who are away, until they are back', async () => {
  const started = await withRule(['support', 'csm'])
  await leave(started, 'support', '2026-03-17')
  const assignees = async () => [(await file(started)).assignee_id, (await file(started)).assignee_id]
  const { support, csm } = { support: started.as('support').id, csm: started.as('csm').id }
  expect(await assignees()).toEqual([csm, csm])
  started.clock.advance(2 * dayMs)
  expect(await assignees()).toEqual([support, csm])
})

test('a ticket whose rule has only people who are away stays unassigned, and its history says why', async () => {
  const started = await withRule(['support'])
  await leave(started, 'support', '2026-03-17')
  const { id, assignee_id } = await file(started)
  expect(assignee_id).toBeNull()
  const { data } = await started.as('csm').get(`/admin/records/ticket/${id}/history`)
  expect(data[0]).toMatchObject({
    act: 'Left unassigned',
    who: 'System',
    changes: [{ field: 'absent_people', after: expect.stringMatching(/ \(away until 17 Mar 2026\)$/) }],
  })
})

test('the choices of an assignee and the rules say who is away; they can still be chosen', async () => {
  const started = await withRule(['support'])
  await leave(started, 'support')
  const { id: support } = started.as('support')
  const { data } = await started.as('csm').get('/admin/support/assignable')
  const isSupport = ({ id }: { id: number }) => id === support
  expect(data.find(isSupport)).toMatchObject({ away: { until: null } })
  expect(data.find((one: { id: number }) => !isSupport(one))).toMatchObject({ away: null })
  const rules = (await started.as('admin').get('/admin/support/assignment-rules'))['data']
  expect(rules.people.find(isSupport)).toMatchObject({ is_present: true, away: { until: null } })
  const { id } = await enterTicket(started.db, { sender_email: 'zoe@aalto.example' })
  const assigned = await started.as('csm').post('/admin/support/change-tickets', {
    selection: { ids: [id] },
    change: { kind: 'assign', assignee_id: support },
  })
  expect(assigned).toMatchObject({ status: 200, left_out: [] })
})

test('a ticket that is reopened stays with an assignee who is away', async () => {
  const started = await withRule(['csm'])
  const { id: assignee_id } = started.as('support')
  const { id } = await enterTicket(started.db, {
    assignee_id,
    status: 5,
    sender_email: 'zoe@aalto.example',
  })
  await leave(started, 'support')
  const reply = await started.as('csm').post(`/admin/support/change-ticket-status/${id}/0`)
  expect(reply['data']).toMatchObject({ assignee_id })
})
