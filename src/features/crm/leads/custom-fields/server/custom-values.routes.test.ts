import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import type { StoredCustomField } from '#features/crm/leads/custom-fields/contract.ts'
import { addField, fieldsPath } from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'

/** Starts the panel with a lead and a field of each type, by type. */
async function withFields() {
  const started = await startTestApp()
  const add = (type: StoredCustomField['type'], name: string, choices: string[] = []) =>
    addField(started, { name, type, choices })
  const fields = {
    text: (await add('text', 'Competitor')).id,
    number: (await add('number', 'Sites')).id,
    choice: (await add('choice', 'Machine', ['Jensen', 'Kannegiesser'])).id,
    choices: (await add('choices', 'Interested in', ['Tracking', 'Lockers', 'Training'])).id,
    date: (await add('date', 'Contract ends')).id,
    yes_no: (await add('yes_no', 'Washes in house')).id,
    link: (await add('link', 'Tender')).id,
  }
  const lead_id = await enterLead(started.db)
  const save = (custom_values: object, more: object = {}, who = 'crm') =>
    started.as(who).post(`${at}/update-demo-requests`, { lead_id, custom_values, ...more })
  return { ...started, fields, lead_id, save, now: () => valuesOf(started, lead_id) }
}

const valuesOf = async ({ as }: Pick<TestApp, 'as'>, lead_id: number) =>
  (await as('crm').get(`${at}/getdemo?id=${lead_id}`))['data'].custom_values
const historyOf = async ({ as }: Pick<TestApp, 'as'>, lead_id: number) =>
  (await as('crm').get(`/admin/records/lead/${lead_id}/history`))['data'] as {
    changes: { field: string; before: unknown; after: unknown }[]
  }[]

test('a lead has values of all types, in a new lead and in a change; null and an empty text clear one', async () => {
  const { as, fields, save, now, ...started } = await withFields()
  const typed = {
    [fields.text]: ' Acme ',
    [fields.number]: '1,200.5',
    [fields.choice]: 2,
    [fields.choices]: [3, 1, 3],
    [fields.date]: '2026-11-30',
    [fields.yes_no]: false,
    [fields.link]: 'tender.example/7',
  }
  const stored = {
    [fields.text]: 'Acme',
    [fields.number]: 1200.5,
    [fields.choice]: 2,
    [fields.choices]: [1, 3],
    [fields.date]: '2026-11-30',
    [fields.yes_no]: false,
    [fields.link]: 'https://tender.example/7',
  }
  const body = { companyName: 'Birch', lead_for: 1, custom_values: { ...typed, [fields.text]: null } }
  const created = await as('crm').post(`${at}/save-demo-requests`, body)
  const { [fields.text]: _, ...withoutText } = stored
  expect([created.status, created['data'].custom_values]).toEqual([200, withoutText])
  expect(await save(typed)).toMatchObject({ status: 200, data: { custom_values: stored } })
  expect(await save({ [fields.number]: 1200.5 })).toMatchObject({ operation: null })
  await save({ [fields.number]: null, [fields.text]: '' })
  const { [fields.number]: __, ...left } = withoutText
  expect(await now()).toEqual(left)
  const rows = (await as('crm').get(`${at}/get-demo-requests`))['data'].leads
  expect(
    rows.find((row: { lead_id: number }) => row.lead_id === created['data'].lead_id).custom_values,
  ).toEqual(withoutText)
  expect(await valuesOf({ as }, created['data'].lead_id)).toEqual(withoutText)
  expect(started.live).toContainEqual(expect.objectContaining({ channel: 'private-records.leads' }))
})

test('writing a value needs lead_edit, and the product of the lead', async () => {
  const { as, db, fields, lead_id, save } = await withFields()
  const before = await allOfLeads(db)
  for (const role of roleIds.filter((one) => !defaultGrants[one].includes('lead_edit')))
    expect([
      role,
      (await as(role).post(`${at}/update-demo-requests`, { lead_id, custom_values: { [fields.text]: 'X' } }))
        .status,
    ]).toEqual([role, 403])
  expect((await as(undefined).post(`${at}/update-demo-requests`, { lead_id })).status).toBe(401)
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 1)
    .execute()
  expect((await save({ [fields.text]: 'X' })).status).toBe(404)
  expect(await allOfLeads(db)).toEqual(before)
})

const wrongNumber = 'Enter a number with at most six decimals, such as 1200 or 12.5.'
test.each([
  ['number', 'many', wrongNumber],
  ['number', '1.2.3', wrongNumber],
  ['number', '1e5', wrongNumber],
  ['number', 'Infinity', wrongNumber],
  ['number', 0.1234567, wrongNumber],
  ['number', true, 'Enter a number.'],
  ['number', [1], 'Enter one value.'],
  ['choice', 9, '“9” is none of the choices.'],
  ['choice', [1], 'Enter one value.'],
  ['choices', [1, 9], '“9” is none of the choices.'],
  ['date', '2026-02-30', 'Enter a date (YYYY-MM-DD).'],
  ['date', 20_260_228, 'Enter a date (YYYY-MM-DD).'],
  ['yes_no', 'maybe', 'Enter yes or no.'],
  ['link', 'javascript:alert(1)', 'Enter a URL that starts with http:// or https://.'],
  ['link', 'https://', 'Enter a URL that starts with http:// or https://.'],
] as const)('a %s field refuses %j', async (type, value, message) => {
  const { as, db, fields, save } = await withFields()
  const before = await allOfLeads(db)
  const errors = { [`custom_${fields[type]}`]: [message] }
  expect(await save({ [fields[type]]: value })).toMatchObject({ status: 422, errors })
  const body = { companyName: 'Birch', lead_for: 1, custom_values: { [fields[type]]: value } }
  expect(await as('crm').post(`${at}/save-demo-requests`, body)).toMatchObject({ status: 422, errors })
  expect(await allOfLeads(db)).toEqual(before)
})

test('fields of another product, deleted ones, and what is no field are refused', async () => {
  const { as, db, fields, save, ...started } = await withFields()
  const other = await addField({ as }, { name: 'Beds', type: 'number' }, 2)
  const before = await allOfLeads(db)
  const none = 'This custom field doesn’t exist, or was deleted.'
  expect(await save({ [other.id]: 5 })).toMatchObject({
    status: 422,
    errors: { [`custom_${other.id}`]: [none] },
  })
  await as('admin').send('DELETE', `${fieldsPath}/${fields.text}`)
  expect(await save({ [fields.text]: 'X' })).toMatchObject({ status: 422, message: none })
  for (const key of ['x', '0', '-1', '__proto__', '1.5'])
    expect([key, (await save({ [key]: 1, [fields.number]: 1 })).status]).toEqual([
      key,
      key === '__proto__' ? 400 : 422,
    ])
  await save({ [fields.number]: null })
  expect(await valuesOf({ as }, started.lead_id)).toEqual({})
  // A lead that moves to another product can have its values.
  expect(await save({ [other.id]: 5 }, { lead_for: 2 })).toMatchObject({
    status: 200,
    data: { lead_for: 2, custom_values: { [other.id]: 5 } },
  })
  expect(before).not.toEqual(await allOfLeads(db))
})

test('a lead keeps a choice that was removed from its field; no other lead can get it', async () => {
  const { as, db, fields, save, now } = await withFields()
  await save({ [fields.choice]: 1, [fields.choices]: [1, 2] })
  const change = (id: number, choices: object[]) =>
    as('admin').post(`${fieldsPath}/${id}`, { name: `Renamed ${id}`, version: 1, choices })
  await change(fields.choice, [{ id: 2, name: 'Kannegiesser' }])
  await change(fields.choices, [
    { id: 2, name: 'Lockers' },
    { id: 3, name: 'Training' },
  ])
  expect(await save({ [fields.choices]: [1, 2, 3] })).toMatchObject({ status: 200 })
  expect(await now()).toEqual({ [fields.choice]: 1, [fields.choices]: [1, 2, 3] })
  const lead_id = await enterLead(db)
  expect(
    await as('crm').post(`${at}/update-demo-requests`, { lead_id, custom_values: { [fields.choice]: 1 } }),
  ).toMatchObject({ status: 422 })
})

test('the history has each value under its field; undo and redo bring all of them back', async () => {
  const started = await withFields()
  const { as, fields, lead_id, save, now } = started
  await save({ [fields.number]: 5, [fields.choice]: 1 })
  const changed = await save(
    { [fields.number]: 7, [fields.text]: 'Acme', [fields.choice]: null },
    { country: 'Peru' },
  )
  const [newest] = await historyOf(started, lead_id)
  expect(newest!.changes).toEqual(
    expect.arrayContaining([
      { field: `custom_${fields.number}`, before: 5, after: 7 },
      { field: `custom_${fields.text}`, before: null, after: 'Acme' },
      { field: `custom_${fields.choice}`, before: 1, after: null },
      { field: 'country', before: '', after: 'Peru' },
    ]),
  )
  expect(newest!.changes).toHaveLength(4)
  const turn = (way: 'undo' | 'redo') =>
    as('crm').post(`/admin/operations/${changed['operation'].id}/${way}`, {})
  const after = await now()
  expect((await turn('undo')).status).toBe(200)
  expect(await now()).toEqual({ [fields.number]: 5, [fields.choice]: 1 })
  expect((await turn('redo')).status).toBe(200)
  expect(await now()).toEqual(after)
})

test('property: undoing any changes in reverse restores the values before each of them', async () => {
  const { as, fields, save, now } = await withFields()
  const all: Record<string, readonly unknown[]> = {
    [fields.text]: ['A', 'B', null],
    [fields.number]: [0, -1.5, null],
    [fields.choice]: [1, 2, null],
    [fields.choices]: [[1], [2, 3], []],
    [fields.yes_no]: [true, false, null],
  }
  const states: { values: unknown; operation: number }[] = []
  // Fixed, not random: each step changes two fields.
  for (let step = 0; step < 20; step += 1) {
    const values = await now()
    const ids = Object.keys(all)
    const patch = Object.fromEntries(
      [step % 5, (step * 2 + 1) % 5].map((at) => [ids[at], all[ids[at]!]![(step * 7 + at) % 3]]),
    )
    const { operation } = (await save(patch)) as unknown as { operation: { id: number } | null }
    if (operation) states.push({ values, operation: operation.id })
  }
  expect(states.length).toBeGreaterThan(10)
  for (const { values, operation } of states.toReversed()) {
    expect((await as('crm').post(`/admin/operations/${operation}/undo`, {})).status).toBe(200)
    expect(await now()).toEqual(values)
  }
})

test('two changes of one value are a conflict, changes of two values are not', async () => {
  const { as, fields, lead_id, save, now } = await withFields()
  await save({ [fields.number]: 5 })
  const stale = (who: string, values: object, base: object) =>
    as(who).post(`${at}/update-demo-requests`, {
      lead_id,
      version: 2,
      custom_values: values,
      base: { custom_values: base },
    })
  expect((await stale('crm', { [fields.number]: 6 }, { [fields.number]: 5 })).status).toBe(200)
  expect(await stale('admin', { [fields.number]: 7 }, { [fields.number]: 5 })).toMatchObject({
    status: 409,
    clashes: [{ field: `custom_${fields.number}`, yours: 7, theirs: 6 }],
    current: { [`custom_${fields.number}`]: 6, custom_values: { [fields.number]: 6 } },
  })
  // A value that neither had seen.
  expect((await stale('admin', { [fields.text]: 'Acme' }, {})).status).toBe(200)
  expect(await stale('crm', { [fields.text]: 'Other' }, {})).toMatchObject({ status: 409 })
  // One that someone else cleared.
  await save({ [fields.number]: null })
  expect(await stale('admin', { [fields.number]: 7 }, { [fields.number]: 5 })).toMatchObject({
    status: 409,
    clashes: [{ theirs: null }],
  })
  expect(await now()).toEqual({ [fields.text]: 'Acme' })
})

test('a merge keeps the values of the kept lead and takes those that it lacks; its undo separates them', async () => {
  const started = await withFields()
  const { as, db, fields, lead_id, save, now } = started
  await save({ [fields.number]: 5 })
  const other = await enterLead(db, {
    custom_values: JSON.stringify({ [fields.number]: 9, [fields.text]: 'Acme', [fields.yes_no]: true }),
  })
  const body = { keep: lead_id, other, keep_version: 2, other_version: 1, take: [] }
  const merged = await as('crm').post(`${at}/merge-leads`, body)
  expect(merged.status).toBe(200)
  expect(await now()).toEqual({ [fields.number]: 5, [fields.text]: 'Acme', [fields.yes_no]: true })
  await as('crm').post(`/admin/operations/${merged['operation'].id}/undo`, {})
  expect(await now()).toEqual({ [fields.number]: 5 })
  expect(await valuesOf(started, other)).toMatchObject({ [fields.number]: 9, [fields.text]: 'Acme' })
})
