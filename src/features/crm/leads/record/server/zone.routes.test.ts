import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { fillIn, saveForm } from '#features/crm/leads/web-form/server/web-forms.testing.ts'

/* The time zone of a new lead, if nothing says it. */

const inOslo = { headers: { 'x-time-zone': 'Europe/Oslo' } }
const zones = async ({ db }: TestApp) =>
  (await db.selectFrom('leads').select('timezone').orderBy('lead_id').execute()).map(
    ({ timezone }) => timezone,
  )

test('a new lead has the zone of its phone number or country, or else its creator’s', async () => {
  const started = await startTestApp()
  const create = (values: object, sent = inOslo) =>
    started
      .as('crm')
      .post('/admin/users/save-demo-requests', { companyName: 'A', lead_for: 1, ...values }, sent)
  await create({ phone: '+358 40 1234567' })
  await create({ country: 'Germany' })
  await create({ phone: '+1 206 555 0142', timezone: 'Asia/Tokyo' })
  await create({ country: 'USA' })
  await create({}, {} as typeof inOslo)
  expect(await zones(started)).toEqual([
    'Europe/Helsinki',
    'Europe/Berlin',
    'Asia/Tokyo',
    'Europe/Oslo',
    'UTC',
  ])
})

test('the form gets the zone with what it was found by; only users who write leads can ask', async () => {
  const { as } = await startTestApp()
  const at = '/admin/users/lead-time-zone'
  const found = async (query: string) => (await as('crm').get(`${at}?${query}`, inOslo))['data']
  expect(await found('phone=%2B49+30+901820')).toEqual({
    timezone: 'Europe/Berlin',
    from: 'phone',
    place: 'Germany',
  })
  expect(await found('country=Denmark')).toMatchObject({ timezone: 'Europe/Copenhagen', from: 'country' })
  expect(await found('country=USA')).toEqual({ timezone: 'Europe/Oslo', from: 'caller', place: '' })
  expect((await as('support').get(at)).status).toBe(403)
  expect((await as(undefined).get(at)).status).toBe(401)
})

test('a change of the phone number keeps the zone of an existing lead', async () => {
  const started = await startTestApp()
  const { data } = await started
    .as('crm')
    .post('/admin/users/save-demo-requests', { companyName: 'A', lead_for: 1, country: 'Norway' })
  await started
    .as('crm')
    .post('/admin/users/update-demo-requests', { lead_id: data.lead_id, phone: '+358 40 1234567' })
  expect(await zones(started)).toEqual(['Europe/Oslo'])
})

test('a lead of a web form has the zone of its phone number, or else that of the person who saved the form', async () => {
  const started = await startTestApp()
  const { address, version } = await saveForm(started)
  const path = new URL(address!).pathname.replace('/api', '')
  const send = (values: Record<string, string>) =>
    fillIn(started, path, { contactName: 'Nora', companyName: 'Aalto', ...values })
  await send({ email: 'a@aalto.example', phone: '+358 40 1234567' })
  await send({ email: 'b@birch.example' })
  const body = (await started.as('admin').get('/admin/settings/web-forms/1'))['data']
  expect(body.version).toBe(version)
  await started.as('admin').post('/admin/settings/web-forms/1', body, inOslo)
  await send({ email: 'c@cedar.example' })
  expect(await zones(started)).toEqual(['Europe/Helsinki', 'UTC', 'Europe/Oslo'])
})
