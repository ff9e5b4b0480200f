import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

const address = '/admin/users/post-session'
const at = '2026-03-20T15:00:00.000Z'

async function open() {
  const started = await startTestApp()
  const { id } = await winLead(started, { email: 'aino@aalto.example' })
  const post = (session: object) =>
    started.as('data_entry').post(address, { lead_onboaring_id: id, type: 'Training', ...session })
  return { ...started, id, post }
}

test('length, hosts, place, and guests of an onboarding’s session are saved, and shown in its history', async () => {
  const { as, id, post } = await open()
  const host_ids = [as('support').id]
  const { data } = await post({
    final_date: at,
    minutes: 45,
    host_ids,
    place: 'Room 2',
    guests: ['sam@inn.example'],
  })
  const [session] = data.sessions
  expect(session).toMatchObject({ minutes: 45, host_ids, place: 'Room 2', guests: ['sam@inn.example'] })
  expect(session.led_by).toBe('Tom Whitfield')
  const changed = await post({ id: session.id, minutes: 90, host_ids: [] })
  expect(changed.data.sessions).toMatchObject([{ minutes: 90, host_ids: [], place: 'Room 2' }])
  const { data: events } = await as('data_entry').get(`/admin/records/onboarding/${id}/history`)
  expect(events[0].changes).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'session_minutes', before: 45, after: 90 }),
      expect.objectContaining({ field: 'session_hosts', before: 'Tom Whitfield', after: '' }),
    ]),
  )
  await as('data_entry').post(`/admin/operations/${changed.operation.id}/undo`)
  const { data: undone } = await as('data_entry').get(`/admin/users/onboarding?id=${id}`)
  expect(undone.sessions).toMatchObject([{ minutes: 45, host_ids }])
})

test('the contact and the guests of an onboarding’s session are invited if it is asked for', async () => {
  const { db, post } = await open()
  const invited = () => db.selectFrom('session_invitations').select('guests').execute()
  await post({ final_date: at, guests: ['sam@inn.example'] })
  expect(await invited()).toEqual([])
  await post({ final_date: at, guests: ['sam@inn.example'], invite: true })
  expect(await invited()).toEqual([{ guests: ['sam@inn.example'] }])
})

test.each([
  [{ minutes: 0 }, 'minutes'],
  [{ guests: ['nobody'] }, 'guests.0'],
  [{ host_ids: [999_999] }, 'host_ids'],
  [{ place: 'x'.repeat(301) }, 'place'],
])('%j is refused with an error at its field', async (wrong, field) => {
  const { db, post } = await open()
  expect(await post({ final_date: at, ...wrong })).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
  expect(await db.selectFrom('lead_demos').select('id').execute()).toEqual([])
})
