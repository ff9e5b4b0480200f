import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { addField } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const path = '/admin/users/change-leads'
const set = (who: TestClient, ids: readonly number[], custom_values: object) =>
  who.post(path, { selection: { ids }, change: { kind: 'edit', values: { custom_values } } })

async function start() {
  const app = await startTestApp()
  const sites = await addField(app, { name: 'Sites', type: 'number' })
  const machine = await addField(app, { name: 'Machine', type: 'choice', choices: ['Jensen', 'Elevator'] })
  const beds = await addField(app, { name: 'Beds', type: 'number' }, 2)
  const one = await enterLead(app.db, { custom_values: JSON.stringify({ [sites.id]: 4, [machine.id]: 1 }) })
  const other = await enterLead(app.db)
  const valuesOf = async (id: number) =>
    (
      await app.db
        .selectFrom('leads')
        .select('custom_values')
        .where('lead_id', '=', id)
        .executeTakeFirstOrThrow()
    ).custom_values
  return { ...app, sites, machine, beds, one, other, valuesOf }
}

test('a custom field is set for many leads, which keep their other values, and restored', async () => {
  const { as, sites, machine, one, other, valuesOf } = await start()
  const done = await set(as('crm'), [one, other], { [sites.id]: '1,200' })
  expect(done).toMatchObject({ status: 200, message: 'Sites set to 1,200: 2 leads.', changed: 2 })
  expect(await valuesOf(one)).toEqual({ [sites.id]: 1200, [machine.id]: 1 })
  expect(await valuesOf(other)).toEqual({ [sites.id]: 1200 })
  expect(await set(as('crm'), [one, other], { [sites.id]: 1200 })).toMatchObject({ changed: 0, unchanged: 2 })
  await as('crm').post(`/admin/operations/${done['operation'].id}/undo`)
  expect(await valuesOf(one)).toEqual({ [sites.id]: 4, [machine.id]: 1 })
  expect(await valuesOf(other)).toEqual({})
})

test('a custom field is cleared for many leads', async () => {
  const { as, machine, sites, one, valuesOf } = await start()
  expect(await set(as('crm'), [one], { [machine.id]: null })).toMatchObject({
    message: 'Machine cleared: 1 lead.',
  })
  expect(await valuesOf(one)).toEqual({ [sites.id]: 4 })
})

test('values that don’t fit, unknown fields, and fields of several products are refused', async () => {
  const { as, db, sites, machine, beds, one, valuesOf } = await start()
  const before = await valuesOf(one)
  for (const [values, message] of [
    [{ [sites.id]: 'many' }, /^Sites: Enter a number/],
    [{ [machine.id]: 9 }, /^Machine: “9” is none of the choices/],
    [{ 999: 1 }, /^This custom field doesn’t exist/],
    [{ [sites.id]: 1, [beds.id]: 2 }, /^Set the custom fields of one product at a time/],
  ] as const) {
    const refused = await set(as('crm'), [one], values)
    expect([refused.status, refused['message']]).toEqual([422, expect.stringMatching(message)])
  }
  const foreign = await enterLead(db, { lead_for: 2 })
  const refused = await set(as('crm'), [one, foreign], { [sites.id]: 1 })
  expect(refused.status).toBe(422)
  expect(refused['message']).toMatch(/^“Sites” is a field of .+, and 1 of the selected leads is of another/)
  expect(await valuesOf(one)).toEqual(before)
})

test('the values that the selected leads have are counted', async () => {
  const { as, db, sites, one, other } = await start()
  const amounts = [await enterLead(db, { amount: 500, currency: 'EUR' }), one, other]
  const now = async (field: string, ids: readonly number[]) => {
    const { status, data, others } = await as('crm').post(`${path}/current-values`, {
      selection: { ids },
      field,
    })
    return [status, data, others]
  }
  expect(await now(`custom_${sites.id}`, [one, other])).toEqual([
    200,
    expect.arrayContaining([
      { value: 4, currency: null, leads: 1 },
      { value: null, currency: null, leads: 1 },
    ]),
    0,
  ])
  expect(await now('amount', amounts)).toEqual([
    200,
    [
      { value: null, currency: null, leads: 2 },
      { value: 500, currency: 'EUR', leads: 1 },
    ],
    0,
  ])
  const sources: number[] = []
  for (let turn = 0; turn < 7; turn += 1) sources.push(await enterLead(db, { country: `Country ${turn}` }))
  expect((await now('country', sources)).at(-1)).toBe(2)
  expect(
    await as('support').post(`${path}/current-values`, { selection: { ids: [one] }, field: 'country' }),
  ).toMatchObject({ status: 403 })
})

test('leads that a value would change are counted', async () => {
  const { as, db, sites, one, other } = await start()
  const ids = [one, other, await enterLead(db, { amount: 500, currency: 'EUR', country: 'Norway' })]
  const ask = (field: string, values: object) =>
    as('crm').post(`${path}/current-values`, { selection: { ids }, field, values })
  const changes = async (field: string, values: object) => (await ask(field, values))['changes']
  expect(await changes('amount', { amount: 500, currency: 'EUR' })).toBe(2)
  expect(await changes('amount', { amount: 500, currency: 'USD' })).toBe(3)
  expect(await changes('amount', { amount: null, currency: null })).toBe(1)
  expect(await changes('country', { country: 'Norway' })).toBe(2)
  const custom = (value: unknown) => changes(`custom_${sites.id}`, { custom_values: { [sites.id]: value } })
  // One of the three has 4 already, and the others have no value.
  expect([await custom(4), await custom(null), await custom(5)]).toEqual([2, 1, 3])
  const wrong = { custom_values: { [sites.id]: 'many' } }
  expect(await ask(`custom_${sites.id}`, wrong)).toMatchObject({ status: 422 })
})
