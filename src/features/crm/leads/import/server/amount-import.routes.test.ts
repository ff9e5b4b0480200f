import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'

/* Amounts in the formats of several countries. */

const at = '/admin/users/lead-imports'

async function upload(who: TestClient, bytes: string) {
  const form = { lead_for: '1', file: { name: 'list.csv', bytes, type: 'text/csv' } }
  return (await who.post(at, undefined, { form }))['data']
}
async function imported({ as, db }: TestApp, bytes: string, change: object = {}) {
  const data = await upload(as('crm'), bytes)
  const reply = await as('crm').post(`${at}/${data.id}/dry-run`, { ...data.mapping, ...change })
  expect(reply.status).toBe(200)
  const rows = (await as('crm').get(`${at}/${data.id}/rows`))['data']
  await as('crm').post(`${at}/${data.id}/run`)
  await expect
    .poll(async () => (await as('crm').get(`${at}/${data.id}`))['data'].state, { interval: 100 })
    .toBe('done')
  const leads = await db.selectFrom('leads').select(['company_name', 'amount', 'currency']).execute()
  return {
    rows,
    amounts: Object.fromEntries(leads.map((one) => [one.company_name, [one.amount, one.currency]])),
  }
}

test.each([
  ['1,500.00', '20.5'],
  ['1.500,00', '20,5'],
  ['1 500,00', '20,50'],
  ['1.500', '20'],
])('%s is 1,500, by the format of its column', async (thousands, small) => {
  const { amounts } = await imported(
    await startTestApp(),
    `Company;Amount;Currency\nAalto;${thousands};EUR\nBirch;${small};EUR\n`,
  )
  expect(amounts['Aalto']).toEqual([1500, 'EUR'])
  expect(amounts['Birch']![0]).toBe(Number(small.replace(',', '.')))
})

test('a sign or a code is the currency, unless another column has one', async () => {
  const app = await startTestApp()
  const { rows, amounts } = await imported(
    app,
    [
      'Company;Amount;Currency',
      'Sign;1.500,00 €;',
      'Code;USD 20,00;',
      'Dollar;$ 5;CAD',
      'Crown;5 kr;NOK',
      'Open;5 kr;',
      'Other;5 €;USD',
    ].join('\n'),
  )
  expect(amounts).toEqual({ Sign: [1500, 'EUR'], Code: [20, 'USD'], Dollar: [5, 'CAD'], Crown: [5, 'NOK'] })
  expect(rows.slice(4).map(({ reason }: { reason: string }) => reason)).toEqual([
    'Currency: Choose the currency of the amount.',
    'Amount: The amount is in EUR, but its currency is USD.',
  ])
  expect(rows[0].values).toMatchObject({ amount: { value: '1,500' }, currency: { value: 'EUR' } })
})

test('the format of a column can be changed, and is asked for if its rows differ', async () => {
  const app = await startTestApp()
  const crm = app.as('crm')
  const mixed = await upload(
    crm,
    'Company;Amount;Currency\nAalto;"1,500.00";EUR\nBirch;1.500,00;EUR\nElm;2.500;EUR\n',
  )
  expect(mixed.decimal_forms).toEqual([null, 'unclear', null])
  const preview = (change: object) => crm.post(`${at}/${mixed.id}/dry-run`, { ...mixed.mapping, ...change })
  expect(await preview({})).toMatchObject({
    status: 422,
    errors: { decimal_marks: [expect.stringContaining('“Amount”')] },
  })
  // A column that isn't a number needs no answer.
  expect((await preview({ columns: ['companyName', 'detail', 'detail'] })).status).toBe(200)
  expect((await preview({ decimal_marks: [null, 'comma', null] }))['data'].counts).toMatchObject({
    create: 3,
    error: 0,
  })
  expect((await preview({ decimal_marks: [null, 'point', null] }))['data'].counts).toMatchObject({
    create: 2,
    error: 1,
  })
  // A point before three digits, which the user reads as decimals, has too many of them for an amount.
  const points = await upload(crm, 'Company;Amount;Currency\nCedar;1.500;EUR\n')
  const asPoint = { ...points.mapping, decimal_marks: [null, 'point', null] }
  expect((await crm.post(`${at}/${points.id}/dry-run`, asPoint))['data'].counts).toMatchObject({ error: 1 })
})
