import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const save = (who: TestClient, body: object) => who.post('/admin/users/update-demo-requests', body)

test('changes to different fields are merged without a question', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  await save(as('crm'), { lead_id, version: 1, phone: '111', tag_ids: [2, 1] })
  const reply = await save(as('admin'), {
    lead_id,
    version: 1,
    email: 'a@aalto.example',
    base: { email: '' },
  })
  expect(reply).toMatchObject({
    status: 200,
    data: { phone: '111', tag_ids: [1, 2], email: 'a@aalto.example', version: 3 },
  })
})

test('two changes of one field to different values: 409 with both, and nothing changes', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { country: 'Norway' })
  await save(as('crm'), { lead_id, version: 1, phone: '111', followup_date: '2026-04-01', country: 'Sweden' })
  const mine = { phone: '222', followup_date: '2026-04-02', country: 'Sweden', email: 'a@aalto.example' }
  const reply = await save(as('admin'), {
    lead_id,
    version: 1,
    ...mine,
    base: { phone: '', followup_date: null, country: 'Norway', email: '' },
  })
  expect(reply).toMatchObject({
    status: 409,
    message: 'Someone else changed this lead after you opened it.',
    current: { lead_id, version: 2, phone: '111' },
  })
  // Both users chose Sweden, so there is no conflict.
  expect(reply['clashes']).toEqual([
    { field: 'phone', yours: '222', theirs: '111', who: 'Paula Ferreira' },
    { field: 'followup_date', yours: '2026-04-02', theirs: '2026-04-01', who: 'Paula Ferreira' },
  ])
  expect((await as('crm').get(`/admin/users/getdemo?id=${lead_id}`)).data).toMatchObject({
    version: 2,
    phone: '111',
    email: '',
  })
  // The conflict is resolved field by field, with the version from the response.
  expect(
    await save(as('admin'), { lead_id, version: 2, phone: '222', email: 'a@aalto.example' }),
  ).toMatchObject({
    status: 200,
    data: { phone: '222', followup_date: '2026-04-01' },
  })
})

test('without base, or if it omits a field, a stale version is 409 for each field that differs', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  await save(as('crm'), { lead_id, version: 1, country: 'Norway' })
  expect(await save(as('admin'), { lead_id, version: 1, phone: '1' })).toMatchObject({
    status: 409,
    clashes: [{ field: 'phone', yours: '1', theirs: '' }],
  })
  expect(await save(as('admin'), { lead_id, version: 1, phone: '1', base: {} })).toMatchObject({
    status: 409,
  })
  expect(
    await save(as('admin'), { lead_id, version: 1, phone: '1', base: { phone: 'something else' } }),
  ).toMatchObject({ status: 409 })
  for (const base of ['x', [], 7])
    expect(await save(as('admin'), { lead_id, version: 1, phone: '1', base })).toMatchObject({ status: 422 })
  expect((await as('crm').get(`/admin/users/getdemo?id=${lead_id}`)).data).toMatchObject({
    version: 2,
    phone: '',
  })
})
