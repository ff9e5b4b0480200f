import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const reject = (id: number, rest: string) =>
  `${at}/change-demorequest-status?id=${id}&status=8&reject_msg=Too+small${rest}`

test('a rejection can name a reason from the list, and another status clears it', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const lead = async () => (await as('crm').get(`${at}/getdemo?id=${id}`))['data']
  const { reject_reasons } = await as('crm').get(`${at}/lead-options`)
  expect(reject_reasons.map(({ name }: { name: string }) => name)).toEqual([
    'Price',
    'Chose another vendor',
    'No budget this year',
    'No answer',
    'Missing feature',
    'Not a fit',
    'Duplicate',
    'Other',
  ])
  expect(await as('crm').get(reject(id, '&reject_reason_id=999'))).toMatchObject({
    status: 422,
    errors: { reject_reason_id: ['The reject reason doesn’t exist.'] },
  })
  expect(
    await as('crm').get(`${at}/change-demorequest-status?id=${id}&status=2&reject_reason_id=1`),
  ).toMatchObject({
    status: 422,
    errors: { reject_reason_id: ['Send reject_reason_id only with the rejected status.'] },
  })
  // The words stay required.
  expect(
    await as('crm').get(`${at}/change-demorequest-status?id=${id}&status=8&reject_reason_id=1`),
  ).toMatchObject({ status: 422, errors: { reject_msg: ['Enter a reason for rejecting this lead.'] } })

  const rejected = await as('crm').get(reject(id, '&reject_reason_id=6'))
  expect(rejected).toMatchObject({ status: 200, message: 'Lead rejected.' })
  expect(await lead()).toMatchObject({ status: 8, reject_msg: 'Too small', reject_reason_id: 6 })
  await as('crm').post(`/admin/operations/${rejected['operation'].id}/undo`, {})
  expect(await lead()).toMatchObject({ status: 1, reject_msg: null, reject_reason_id: null })
  await as('crm').post(`/admin/operations/${rejected['operation'].id}/redo`, {})
  expect(await lead()).toMatchObject({ status: 8, reject_reason_id: 6 })
  await as('crm').get(`${at}/change-lead-status?id=${id}&status=3`)
  expect(await lead()).toMatchObject({ status: 3, reject_msg: null, reject_reason_id: null })
})

test('many leads are rejected with one reason, which filters the list; leads rejected before keep theirs', async () => {
  const { as, db } = await startTestApp()
  const ids = [await enterLead(db), await enterLead(db, { company_name: 'Birch' })]
  const before = await enterLead(db, { status: 8, reject_msg: 'No', reject_reason_id: 1 })
  const change = { kind: 'reject', reject_msg: 'Too small', reject_reason_id: 2 }
  const send = (values: object) =>
    as('crm').post(`${at}/change-leads`, { selection: { ids: [...ids, before] }, change: values })
  expect(await send({ ...change, reject_reason_id: 999 })).toMatchObject({
    status: 422,
    errors: { 'change.reject_reason_id': ['The reject reason doesn’t exist.'] },
  })
  expect(await send(change)).toMatchObject({ status: 200, changed: 2, unchanged: 1 })
  const found = async (reason: number) =>
    (await as('crm').get(`${at}/get-demo-requests?reject_reason=${reason}&column=lead_id&direction=asc`))[
      'data'
    ].leads.map(({ lead_id }: { lead_id: number }) => lead_id)
  expect(await found(2)).toEqual(ids)
  expect(await found(1)).toEqual([before])
  // Without a reason, as the specification has it.
  const other = await enterLead(db)
  const plain = { selection: { ids: [other] }, change: { kind: 'reject', reject_msg: 'No' } }
  expect(await as('crm').post(`${at}/change-leads`, plain)).toMatchObject({ status: 200, changed: 1 })
})

test('a merge takes the reason with the status; a reason that leads have can’t be removed', async () => {
  const { as, db } = await startTestApp()
  const keep = await enterLead(db)
  const other = await enterLead(db, { status: 8, reject_msg: 'No', reject_reason_id: 5 })
  const body = { keep, other, keep_version: 1, other_version: 1, take: ['status'] }
  expect(await as('crm').post(`${at}/merge-leads`, body)).toMatchObject({
    status: 200,
    data: { status: 8, reject_msg: 'No', reject_reason_id: 5 },
  })
  expect(await as('admin').post('/admin/lists/reject_reasons/remove', { key: '5' })).toMatchObject({
    status: 409,
    message: '“Missing feature” can’t be removed. 2 leads use “Missing feature”.',
  })
})

test('a rejection whose reason was removed since is not redone', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const { operation } = await as('crm').get(reject(id, '&reject_reason_id=7'))
  await as('crm').post(`/admin/operations/${operation.id}/undo`, {})
  expect(await as('admin').post('/admin/lists/reject_reasons/remove', { key: '7' })).toMatchObject({
    status: 200,
  })
  const redone = await as('crm').post(`/admin/operations/${operation.id}/redo`, {})
  expect(redone).toMatchObject({ message: 'Redone: 0 leads changed. One can’t be restored.' })
  expect((await as('crm').get(`${at}/getdemo?id=${id}`)).data).toMatchObject({
    status: 1,
    reject_reason_id: null,
  })
})
