import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'

test('a draft is stored as typed for its author, until it is removed', async () => {
  const { as } = await startTestApp()
  const draft = { values: { content: `NUL \u0000, half a sign \ud800, ${'ü'.repeat(200_000)}` }, at: 1 }
  expect((await as('crm').send('PUT', '/drafts/contract-new', { draft })).status).toBe(200)
  expect(await as('crm').get('/drafts/contract-new')).toMatchObject({ status: 200, data: draft })
  expect(await as('designer').get('/drafts/contract-new')).toMatchObject({ status: 200, data: null })
  await as('crm').send('PUT', '/drafts/contract-new', { draft: { ...draft, at: 2 } })
  expect(await as('crm').get('/drafts/contract-new')).toMatchObject({ data: { at: 2 } })
  await as('crm').send('PUT', '/drafts/contract-new', { draft: null })
  expect(await as('crm').get('/drafts/contract-new')).toMatchObject({ data: null })
})

test('more than 2 MB, too many drafts, and an invalid name are refused with a message', async () => {
  const { as, db } = await startTestApp()
  const keep = (name: string, length: number) =>
    as('crm').send('PUT', `/drafts/${name}`, { draft: { values: { a: 'x'.repeat(length) }, at: 1 } })
  expect((await keep('a', 2_000_000)).status).toBe(413)
  expect((await keep('a%2Fb', 1)).status).toBe(404)
  const values = Array.from({ length: 50 }, (_, n) => ({
    staff_id: as('crm').id,
    name: `form-${n}`,
    draft: '{}',
  }))
  await db.insertInto('drafts').values(values).execute()
  expect((await keep('one-more', 1)).status).toBe(429)
  expect((await keep('form-7', 1)).status).toBe(200)
})
