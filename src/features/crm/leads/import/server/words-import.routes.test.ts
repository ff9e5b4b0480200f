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
