import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'

const at = '/admin/users/lead-imports'
const file = `Company,Status,Source,Own laundry
Aalto,Gewonnen,Website,ja
Birch,gewonnen,Fair,nein
Cedar,New,Website,
`

const check = (who: TestClient, id: number, mapping: object) => who.post(`${at}/${id}/dry-run`, mapping)
const rowsOf = async (who: TestClient, id: number) => (await who.get(`${at}/${id}/rows`)).data

test('words that no entry of a list has are named, and mean what the importer says', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const field = await addField(app, { name: 'Own laundry', type: 'yes_no' })
  const own = `custom_${field.id}`
  const form = { lead_for: '1', file: { name: 'list.csv', bytes: file, type: 'text/csv' } }
  const { data } = await crm.post(at, undefined, { form })
  expect(data.mapping.columns).toEqual(['companyName', 'status', 'hear_about', own])

  const plain = await check(crm, data.id, data.mapping)
  expect(plain.data.unknown_words).toEqual([
    { field: 'status', word: 'Gewonnen', rows: 2 },
    { field: own, word: 'ja', rows: 1 },
    { field: 'hear_about', word: 'Fair', rows: 1 },
    { field: own, word: 'nein', rows: 1 },
  ])
  expect((await rowsOf(crm, data.id))[0]).toMatchObject({
    outcome: 'error',
    reason: 'Status: The status “Gewonnen” doesn’t exist. Own laundry: Enter yes or no.',
  })

  const words = [
    { field: 'status', word: 'Gewonnen', entry: 'Won' },
    { field: 'hear_about', word: 'Fair', entry: '' },
    { field: own, word: 'Ja', entry: 'Yes' },
    { field: own, word: 'nein', entry: 'No' },
  ]
  const meant = await check(crm, data.id, { ...data.mapping, words })
  expect(meant.data).toMatchObject({
    unknown_words: [],
    counts: { create: 3, error: 0 },
    mapping: { words },
  })
  const [aalto, birch, cedar] = await rowsOf(crm, data.id)
  expect(aalto.values).toMatchObject({ status: { value: 'Won' }, [own]: { value: 'Yes' } })
  expect(birch.values).toMatchObject({ status: { value: 'Won' }, [own]: { value: 'No' } })
  expect(birch.values.hear_about).toBeUndefined()
  expect(cedar.values).toMatchObject({ status: { value: 'New' } })
})

test('a word can’t mean an entry that its list doesn’t have', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const form = { lead_for: '1', file: { name: 'list.csv', bytes: file, type: 'text/csv' } }
  const { data } = await crm.post(at, undefined, { form })
  const words = [{ field: 'status', word: 'Gewonnen', entry: 'Victory' }]
  expect(await check(crm, data.id, { ...data.mapping, words })).toMatchObject({
    status: 422,
    errors: { words: ['“Victory” isn’t in the list for “Gewonnen”.'] },
  })
})

test('an upload proposes what its words meant in started imports of the product, if the lists still have the entry', async () => {
  const { as, db } = await startTestApp()
  const crm = as('crm')
  const upload = async (bytes = file, product = 1) => {
    const form = { lead_for: String(product), file: { name: 'list.csv', bytes, type: 'text/csv' } }
    return (await crm.post(at, undefined, { form })).data
  }
  const { id, mapping } = await upload()
  const words = [
    { field: 'status', word: 'Gewonnen', entry: 'Won' },
    { field: 'hear_about', word: 'Fair', entry: 'Referral' },
  ]
  await check(crm, id, { ...mapping, words })
  expect((await upload()).mapping.words).toBeUndefined()
  expect(await crm.post(`${at}/${id}/run`, { today: '2026-03-16' })).toMatchObject({ status: 200 })

  const next = await upload()
  expect(next.mapping.words).toEqual(
    expect.arrayContaining(words.map((one) => ({ ...one, remembered: true }))),
  )
  expect(await check(crm, next.id, next.mapping)).toMatchObject({ status: 200 })
  expect((await upload('Company,Stage\nElm,GEWONNEN\n')).mapping.words).toEqual([
    { field: 'status', word: 'Gewonnen', entry: 'Won', remembered: true },
  ])
  expect((await upload(file, 2)).mapping.words).toBeUndefined()
  await db.updateTable('lead_sources').set({ name: 'Word of mouth' }).where('name', '=', 'Referral').execute()
  expect((await upload()).mapping.words).toEqual([
    { field: 'status', word: 'Gewonnen', entry: 'Won', remembered: true },
  ])
})
