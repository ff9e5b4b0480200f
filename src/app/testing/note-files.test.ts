import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

async function stage(who: ReturnType<TestApp['as']>): Promise<number> {
  const staged = await who.post('/files/stage', undefined, {
    form: { file: { name: 'offer.txt', bytes: Buffer.from('340 towels') } },
  })
  return staged['data'].id
}

test('the files of a note come and go with it', async () => {
  const { as, db } = await startTestApp()
  const at = `/admin/general/notes/lead/${await enterLead(db)}`
  const { operation } = await as('crm').post(at, { note: 'Their offer.', file_ids: [await stage(as('crm'))] })
  const files = async () =>
    (await as('crm').get(at))['data'].map(({ attachments }: { attachments: { name: string }[] }) =>
      attachments.map(({ name }) => name),
    )
  expect(await files()).toEqual([['offer.txt']])
  await as('crm').post(`/admin/operations/${operation.id}/undo`)
  expect(await files()).toEqual([])
  await as('crm').post(`/admin/operations/${operation.id}/redo`)
  expect(await files()).toEqual([['offer.txt']])
})

test('the files of a note can be used by everyone who can see its record, and by no one else', async () => {
  const { as, db } = await startTestApp()
  const lead = await enterLead(db)
  const contract = (await as('editor').post('/admin/create_contract', { title: 'Linen supply' }))['data'].id
  const file = await stage(as('crm'))
  await as('crm').post(`/admin/general/notes/lead/${lead}`, { note: 'Their offer.', file_ids: [file] })
  const reuse = (who: string) =>
    as(who).post(`/admin/general/notes/contract/${contract}`, { note: 'See this.', file_ids: [file] })
  expect(await reuse('editor')).toMatchObject({
    status: 422,
    errors: { 'file_ids.0': [expect.any(String)] },
  })
  expect((await as('editor').get(`/admin/general/notes/contract/${contract}`))['data']).toEqual([])
  expect(await reuse('super_admin')).toMatchObject({ status: 200 })
})
