import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const ten = '2026-11-26T10:00:00Z'
const minutesAfterTen = (minutes: number) => new Date(Date.parse(ten) + minutes * 60_000).toISOString()

async function withLead(more: object = {}) {
  const started = await startTestApp()
  const crm = started.as('crm')
  const lead_id = await enterLead(started.db, { company_name: 'Aalto Linen', assign_to: crm.id, ...more })
  const save = (session: object, lead = lead_id) =>
    crm.post(`${at}/save-demo-session`, { lead_id: lead, sessions: [{ type: 'Demo', ...session }] })
  const conflicts = async (query: object, lead = lead_id) => {
    const asked = new URLSearchParams({ at: ten, ...query })
    return (await crm.get(`/admin/appointments/lead/${lead}/conflicts?${asked.toString()}`))['data']
  }
  return { ...started, crm, lead_id, save, conflicts }
}

test('length, hosts, place, and guests are saved, shown in the history by name, and undone', async () => {
  const { as, crm, save, lead_id } = await withLead()
  const sessions = async () => (await crm.get(`${at}/demo-sessions?lead_id=${lead_id}`))['data']
  const hosts = [as('admin').id, as('support').id]
  const first = await save({
    final_date: ten,
    minutes: 45,
    host_ids: hosts,
    place: 'Room 2',
    guests: ['Sam@inn.example'],
  })
  expect(await sessions()).toMatchObject([
    {
      minutes: 45,
      host_ids: hosts,
      place: 'Room 2',
      guests: ['sam@inn.example'],
      led_by: expect.stringContaining(', '),
    },
  ])
  const { id } = first['data'][0]
  const second = await save({ id, host_ids: [hosts[1]] })
  expect(await sessions()).toMatchObject([{ host_ids: [hosts[1]], led_by: 'Tom Whitfield' }])
  const { data: events } = await crm.get(`/admin/records/lead/${lead_id}/history`)
  expect(events[0].changes).toMatchObject([
    { field: 'session_hosts', before: expect.stringContaining('Martin Keller'), after: 'Tom Whitfield' },
  ])
  await crm.post(`/admin/operations/${second.operation.id}/undo`)
  expect(await sessions()).toMatchObject([{ host_ids: expect.arrayContaining(hosts), minutes: 45 }])
  // Without hosts, the assignee leads it.
  await save({ id, host_ids: [] })
  expect(await sessions()).toMatchObject([{ host_ids: [], led_by: 'Paula Ferreira' }])
})

test.each([
  [{ minutes: 0 }, 'minutes'],
  [{ minutes: 721 }, 'minutes'],
  [{ minutes: 'long' }, 'minutes'],
  [{ guests: ['nobody'] }, 'guests.0'],
  [{ guests: Array.from({ length: 21 }, (_, index) => `a${index}@b.example`) }, 'guests'],
  [{ host_ids: [999_999] }, 'host_ids'],
  [{ place: 'x'.repeat(301) }, 'place'],
])('%j is refused with an error at its field', async (wrong, field) => {
  const { db, save } = await withLead()
  expect(await save({ final_date: ten, ...wrong })).toMatchObject({
    status: 422,
    errors: { [`sessions.0.${field}`]: [expect.any(String)] },
  })
  expect(await db.selectFrom('lead_demos').select('id').execute()).toEqual([])
})

test('only sessions of the same host that overlap are conflicts', async () => {
  const { as, db, save, conflicts, crm } = await withLead()
  const other = await enterLead(db, { company_name: 'Iris Laundry', assign_to: crm.id })
  const support = String(as('support').id)
  await save({ final_date: minutesAfterTen(30), minutes: 60 }, other)
  // Requested and canceled sessions take no time.
  await save({ requested_date: ten }, other)
  const { id } = (await save({ final_date: ten }, other))['data'].find(
    (one: any) => one.final_date === new Date(ten).toISOString(),
  )
  await crm.post(`${at}/update-demo-status`, { demoId: id, status: 0 })

  expect(await conflicts({ minutes: '30' })).toEqual([])
  expect(await conflicts({ minutes: '31' })).toMatchObject([
    {
      minutes: 60,
      host: 'Paula Ferreira',
      session: { type: 'Demo', record_type: 'lead', record_id: other, companyName: 'Iris Laundry' },
    },
  ])
  expect(await conflicts({ at: minutesAfterTen(89), minutes: '5' })).toHaveLength(1)
  expect(await conflicts({ at: minutesAfterTen(90), minutes: '5' })).toEqual([])
  expect(await conflicts({ minutes: '60', host_ids: support })).toEqual([])
  const saved = await save({ final_date: ten, host_ids: [Number(support)] }, other)
  const held = saved['data'].find((one: any) => one.host_ids.length > 0)
  expect(await conflicts({ minutes: '60', host_ids: support })).toMatchObject([{ host: 'Tom Whitfield' }])
  // The session itself is no conflict.
  expect(await conflicts({ minutes: '60', host_ids: support, except: String(held.id) })).toEqual([])
})

test('a session of a lead that the user can’t see is named without its company', async () => {
  const { as, db, conflicts, crm } = await withLead()
  const hidden = await enterLead(db, { lead_for: 2, company_name: 'Secret Spa', assign_to: crm.id })
  await db.deleteFrom('staff_products').where('staff_id', '=', crm.id).where('product_id', '=', 2).execute()
  await db
    .insertInto('lead_demos')
    .values({ lead_id: hidden, type: 'Demo', final_date: ten, status: 2 })
    .execute()
  expect(await conflicts({})).toMatchObject([{ host: 'Paula Ferreira', session: null }])
  expect((await as('crm').get(`/admin/appointments/lead/${hidden}/conflicts?at=${ten}`)).status).toBe(404)
})
