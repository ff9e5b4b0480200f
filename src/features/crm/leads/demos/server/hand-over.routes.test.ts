import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const ten = '2026-11-26T10:00:00Z'

async function withSession(session: object = {}) {
  const started = await startTestApp()
  const { as, db } = started
  const crm = as('crm')
  const lead_id = await enterLead(db, {
    company_name: 'Aalto Linen',
    email: 'nora@aalto.example',
    assign_to: crm.id,
  })
  const { data } = await crm.post(`${at}/save-demo-session`, {
    lead_id,
    sessions: [{ type: 'Demo', final_date: ten, ...session }],
  })
  const { id: demoId } = data[0]
  const handOver = (body: object, who = 'crm') =>
    started.as(who).post(`${at}/hand-over-session`, { demoId, ...body })
  const hosts = async () =>
    (await crm.get(`${at}/demo-sessions?lead_id=${lead_id}`))['data'][0].host_ids as number[]
  return {
    ...started,
    crm,
    admin: as('admin').id,
    support: as('support').id,
    lead_id,
    demoId,
    handOver,
    hosts,
  }
}

test('the new host is notified, the history names both, and Undo gives the session back', async () => {
  const { as, db, crm, admin, support, lead_id, handOver, hosts } = await withSession()
  const name = async (id: number) =>
    (await db.selectFrom('staff').select('name').where('id', '=', id).executeTakeFirstOrThrow()).name
  await as('admin').post('/admin/notices/settings', { emails_assignments: true })
  const reply = await handOver({ host_id: admin })
  expect(reply).toMatchObject({
    status: 200,
    message: `Session handed over to ${await name(admin)}.`,
    data: { host_ids: [admin] },
  })
  expect(await db.selectFrom('notices').select(['kind', 'staff_id', 'record_id', 'words']).execute()).toEqual(
    [
      {
        kind: 'assigned',
        staff_id: admin,
        record_id: lead_id,
        words: 'Paula Ferreira assigned the session “Demo” of this lead to you.',
      },
    ],
  )
  expect(await db.selectFrom('mails').select(['kind', 'subject']).execute()).toEqual([
    {
      kind: 'assigned',
      subject: 'Paula Ferreira assigned the session “Demo” of the lead “Aalto Linen” to you',
    },
  ])
  const { data: events } = await crm.get(`/admin/records/lead/${lead_id}/history`)
  expect(events[0].changes).toMatchObject([{ field: 'session_hosts', after: await name(admin) }])
  await crm.post(`/admin/operations/${reply['operation'].id}/undo`)
  expect(await hosts()).toEqual([])

  // Without the choice of emails, or without access to leads, there is no email; the author gets no notice.
  await handOver({ host_id: support })
  await handOver({ host_id: crm.id })
  expect(await db.selectFrom('mails').select('id').execute()).toHaveLength(1)
  const notified = await db.selectFrom('notices').select('staff_id').execute()
  expect(notified.filter(({ staff_id }) => staff_id === crm.id)).toEqual([])
})

test('the new host takes the place of the caller or of the only host; of several others, one is chosen', async () => {
  const { as, admin, support, handOver, hosts } = await withSession()
  await handOver({ host_id: admin })
  await handOver({ host_id: support })
  expect(await hosts()).toEqual([support])
  const both = await withSession({ host_ids: [as('crm').id, admin] })
  const csm = both.as('csm').id
  await both.handOver({ host_id: both.support })
  expect(await both.hosts()).toEqual([both.admin, both.support])
  expect(await both.handOver({ host_id: csm })).toMatchObject({
    status: 422,
    errors: { from: ['Choose whose place they take.'] },
  })
  await both.handOver({ host_id: csm, from: both.admin })
  expect(await both.hosts()).toEqual([both.support, csm])
})

test('a session that can’t be handed over says why', async () => {
  const { as, db, crm, admin, demoId, handOver, hosts } = await withSession()
  expect(await handOver({})).toMatchObject({ status: 422, errors: { host_id: [expect.any(String)] } })
  expect(await handOver({ host_id: 999_999 })).toMatchObject({
    status: 422,
    errors: { host_id: ['This admin user is deactivated or doesn’t exist.'] },
  })
  expect(await handOver({ host_id: admin, from: admin })).toMatchObject({
    status: 422,
    errors: { from: ['This admin user doesn’t lead the session.'] },
  })
  await handOver({ host_id: admin })
  expect(await handOver({ host_id: admin })).toMatchObject({
    status: 422,
    errors: { host_id: ['This admin user leads the session already.'] },
  })
  await crm.post(`${at}/update-demo-status`, { demoId, status: 0 })
  expect(await handOver({ host_id: crm.id })).toMatchObject({
    status: 409,
    message: 'A canceled session can’t be handed over.',
  })
  expect(await hosts()).toEqual([admin])
  expect(await handOver({ host_id: crm.id, demoId: 999_999 })).toMatchObject({ status: 404 })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('csm').id).execute()
  expect((await handOver({ host_id: crm.id }, 'csm')).status).not.toBe(200)
})

test('people invited get an updated invitation of the new host, and only then', async () => {
  const { db, crm, admin, support, lead_id, demoId, handOver } = await withSession({ invite: true })
  const invitations = async () =>
    (await db.selectFrom('mails').select(['kind', 'calendar', 'reply_to']).orderBy('id').execute())
      .filter(({ kind }) => kind.startsWith('session-'))
      .map(({ kind, calendar, reply_to }) => [
        kind,
        reply_to,
        (calendar ?? '')
          .replaceAll('\r\n ', '')
          .match(/^ORGANIZER;.*:mailto:(.*)$/im)?.[1]
          ?.trim(),
        (calendar ?? '').match(/SEQUENCE:(\d)/)?.[1],
      ])
  const emailOf = async (id: number) =>
    (await db.selectFrom('staff').select('email').where('id', '=', id).executeTakeFirstOrThrow()).email
  const [own, others] = [await emailOf(crm.id), await emailOf(admin)]
  await handOver({ host_id: admin })
  await crm.post(`${at}/save-demo-session`, {
    lead_id,
    sessions: [{ id: demoId, final_comment: 'Two sites' }],
  })
  expect(await invitations()).toEqual([
    ['session-scheduled', own, own, '0'],
    ['session-changed', others, others, '1'],
  ])
  // A further host changes nothing for the guests.
  await crm.post(`${at}/save-demo-session`, {
    lead_id,
    sessions: [{ id: demoId, host_ids: [admin, support] }],
  })
  expect(await invitations()).toHaveLength(2)
})

test('a session is handed over by the roles that edit leads', async () => {
  const { as, demoId, support } = await withSession()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('lead_edit')
    const { status } = await as(role).post(`${at}/hand-over-session`, { demoId, host_id: support })
    if (role === undefined) expect(status).toBe(401)
    else expect([role, status === 403]).toEqual([role, !may])
  }
})
