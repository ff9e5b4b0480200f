import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'

const day = '2026-11-26'
const at = (time: string, on = day) => `${on}T${time}:00.000Z`

async function open() {
  const started = await startTestApp()
  const crm = started.as('crm')
  const lead_id = await enterLead(started.db, { company_name: 'Aalto Linen', assign_to: crm.id })
  const save = async (session: object, lead = lead_id): Promise<number> => {
    const sessions = [{ type: 'Demo', ...session }]
    const { data } = await crm.post('/admin/users/save-demo-session', { lead_id: lead, sessions })
    return Math.max(...data.map(({ id }: { id: number }) => id))
  }
  const busy = async (query: object = {}, of = `lead/${lead_id}`, who = 'crm') => {
    const asked = new URLSearchParams({ day, timezone: 'UTC', ...query }).toString()
    return (await started.as(who).get(`/admin/appointments/${of}/busy?${asked}`))['data']
  }
  return { ...started, crm, lead_id, save, busy }
}

test('the day of each host has their scheduled sessions in all products, by the day of a time zone', async () => {
  const { as, db, crm, save, busy } = await open()
  const other = await enterLead(db, { company_name: 'Iris Laundry', lead_for: 2, assign_to: crm.id })
  const own = await save({ final_date: at('10:00'), minutes: 45 })
  await save({ final_date: at('23:30'), minutes: 60 }, other)
  await save({ requested_date: at('12:00') })
  const canceled = await save({ final_date: at('14:00') })
  await crm.post('/admin/users/update-demo-status', { demoId: canceled, status: 0 })
  const support = as('support')
  const held = await save({ final_date: at('16:00'), host_ids: [support.id, crm.id] })

  const late = { at: at('23:30'), minutes: 60, session: { companyName: 'Iris Laundry' } }
  expect(await busy()).toMatchObject([
    {
      id: crm.id,
      name: 'Paula Ferreira',
      busy: [
        { id: own, at: at('10:00'), minutes: 45, session: { type: 'Demo', companyName: 'Aalto Linen' } },
        { id: held },
        late,
      ],
    },
  ])
  // The session itself is left out, and one that ends after midnight is in both days.
  expect(await busy({ except: String(own) })).toMatchObject([{ busy: [{ id: held }, late] }])
  expect(await busy({ day: '2026-11-27' })).toMatchObject([{ busy: [late] }])
  expect(await busy({ day: '2026-11-27', timezone: 'Asia/Tokyo' })).toMatchObject([
    { busy: [{ id: held }, late] },
  ])
  const hosts = [support.id, as('admin').id].join(',')
  expect(await busy({ host_ids: hosts })).toMatchObject([
    { name: 'Martin Keller', busy: [] },
    { name: 'Tom Whitfield', busy: [{ id: held }] },
  ])
})

test('a lead without an assignee has no hosts', async () => {
  const { db, busy } = await open()
  const id = await enterLead(db, { company_name: 'Iris Laundry', assign_to: null })
  expect(await busy({}, `lead/${id}`)).toEqual([])
})

test('a session of a lead that the reader can’t see is busy without its title', async () => {
  const { as, db, crm, save, busy } = await open()
  const hidden = await enterLead(db, { lead_for: 2, company_name: 'Secret Spa', assign_to: crm.id })
  await save({ final_date: at('09:00') }, hidden)
  await db.deleteFrom('staff_products').where('staff_id', '=', crm.id).where('product_id', '=', 2).execute()
  expect(await busy()).toMatchObject([{ busy: [{ at: at('09:00'), session: null }] }])
  expect((await as('crm').get(`/admin/appointments/lead/${hidden}/busy?day=${day}`)).status).toBe(404)
})

test('the host of an onboarding’s session is its assignee, and readers of onboardings see only their titles', async () => {
  const opened = await open()
  const { as, crm, save, busy } = opened
  const { id, lead_id: won } = await winLead(opened, { company_name: 'Iris Laundry' })
  await crm.post(`/admin/users/onboarding/${id}`, { assign_to: crm.id })
  await crm.post('/admin/users/post-session', {
    lead_onboaring_id: id,
    type: 'Training',
    final_date: at('11:00'),
  })
  await save({ final_date: at('15:00') })
  const of = `onboarding/${id}`
  expect(await busy({}, of, 'data_entry')).toMatchObject([
    {
      name: 'Paula Ferreira',
      busy: [
        { at: at('11:00'), session: { type: 'Training', record_type: 'onboarding', record_id: id } },
        { at: at('15:00'), session: null },
      ],
    },
  ])
  expect(await busy({}, of)).toMatchObject([
    { busy: [{ session: { record_type: 'lead', record_id: won } }, { session: { record_type: 'lead' } }] },
  ])
  const conflicts = await as('data_entry').get(
    `/admin/appointments/${of}/conflicts?at=${at('11:30')}&minutes=30`,
  )
  expect(conflicts).toMatchObject({ data: [{ host: 'Paula Ferreira', session: { type: 'Training' } }] })
})

test('the times that are proposed are free for all hosts, and within working hours of both time zones', async () => {
  const { as, lead_id, save } = await open()
  const free = async (query: object = {}) => {
    const asked = new URLSearchParams({ timezone: 'UTC', customer_timezone: 'UTC', minutes: '60', ...query })
    const { data, in_both } = await as('crm').get(
      `/admin/appointments/lead/${lead_id}/free?${asked.toString()}`,
    )
    return [data, in_both]
  }
  // 26 November is a Thursday.
  await save({ final_date: at('10:00'), minutes: 90 })
  const held = await save({ final_date: at('13:00'), minutes: 60, host_ids: [as('support').id] })
  expect(await free({ after: at('08:00') })).toEqual([
    [at('09:00'), at('11:30'), at('09:00', '2026-11-27')],
    true,
  ])
  expect(await free({ after: at('09:00') })).toEqual([
    [at('11:30'), at('12:30'), at('09:00', '2026-11-27')],
    true,
  ])
  const both = [as('support').id, as('crm').id].join()
  expect(await free({ after: at('09:00'), host_ids: both })).toEqual([
    [at('11:30'), at('14:00'), at('09:00', '2026-11-27')],
    true,
  ])
  expect(await free({ after: at('11:30'), host_ids: both, except: String(held) })).toMatchObject([
    [at('12:00'), at('13:00'), at('09:00', '2026-11-27')],
    true,
  ])
  // After Friday comes Monday, and the working hours of Los Angeles begin when those of Berlin are over.
  expect(await free({ after: at('16:00', '2026-11-27'), customer_timezone: 'America/New_York' })).toEqual([
    [at('14:00', '2026-11-30'), at('15:00', '2026-11-30'), at('14:00', '2026-12-01')],
    true,
  ])
  expect(
    await free({ after: at('08:00'), timezone: 'Europe/Berlin', customer_timezone: 'America/Los_Angeles' }),
  ).toEqual([[at('17:00'), at('18:00'), at('17:00', '2026-11-27')], false])
})

test('past times aren’t proposed, and none for a session without hosts', async () => {
  const { as, db, lead_id, clock } = await open()
  const free = async (id: number) =>
    (await as('crm').get(`/admin/appointments/lead/${id}/free?after=${at('10:00', '2020-01-02')}`))['data']
  const times: string[] = await free(lead_id)
  expect(times).toHaveLength(3)
  for (const time of times) expect(Date.parse(time)).toBeGreaterThan(clock.now().getTime())
  expect(await free(await enterLead(db, { company_name: 'Iris Laundry', assign_to: null }))).toEqual([])
})

test.each([
  [{ after: 'soon' }, 'after'],
  [{ minutes: '0' }, 'minutes'],
  [{ customer_timezone: 'Mars/Base' }, 'customer_timezone'],
])('%j is refused with an error at its field of free times', async (wrong, field) => {
  const { as, lead_id } = await open()
  const asked = new URLSearchParams(wrong).toString()
  expect(await as('crm').get(`/admin/appointments/lead/${lead_id}/free?${asked}`)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
})

test.each([
  [{ day: '2026-11-31' }, 'day'],
  [{ timezone: 'Mars/Base' }, 'timezone'],
  [{ host_ids: Array.from({ length: 21 }, (_, index) => index + 1).join() }, 'host_ids'],
])('%j is refused with an error at its field', async (wrong, field) => {
  const { as, lead_id } = await open()
  const asked = new URLSearchParams({ day, ...wrong }).toString()
  expect(await as('crm').get(`/admin/appointments/lead/${lead_id}/busy?${asked}`)).toMatchObject({
    status: 422,
    errors: { [field]: [expect.any(String)] },
  })
})

test('conflicts, busy times, and free times are for the roles that see the schedule of the record’s type', async () => {
  const started = await startTestApp()
  const { id, lead_id } = await winLead(started)
  for (const [of, key] of [
    [`lead/${lead_id}`, 'lead_list'],
    [`onboarding/${id}`, 'onboarding_list'],
  ] as const)
    for (const role of [...roleIds, undefined]) {
      const expected = role === undefined ? 401 : defaultGrants[role].includes(key) ? 200 : 403
      for (const address of [`conflicts?at=${at('10:00')}`, `busy?day=${day}`, 'free'])
        expect((await started.as(role).get(`/admin/appointments/${of}/${address}`)).status).toBe(expected)
    }
})
