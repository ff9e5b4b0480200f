import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { purgeDeleted } from '#features/crm/leads/custom-fields/server/custom-fields.routes.ts'
import {
  addField,
  fieldsOf,
  fieldsPath,
} from '#features/crm/leads/custom-fields/server/custom-fields.testing.ts'
import { findStoredFields } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import { findOptions } from '#features/crm/leads/record/server/choices.queries.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const text = (name: string) => ({ name, type: 'text' as const })
const namesOf = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)

test('custom fields are for roles 0 and 1, who have the product', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id } = await addField(started, text('Competitor'))
  const at = `${fieldsPath}/${id}`
  for (const role of [...roleIds, undefined]) {
    const refused = role === undefined ? 401 : isAdminRole(role) ? undefined : 403
    const one = as(role)
    expect([role, (await one.get(fieldsPath)).status]).toEqual([role, refused ?? 200])
    const sent = [
      await one.post(fieldsPath, text(`Field ${role}`)),
      await one.post(at, { name: `Competitor ${role}`, version: 999 }),
      await one.post(`${fieldsPath}/order`, { ids: [99] }),
      await one.post(`${at}/restore`, {}),
      await one.send('DELETE', `${fieldsPath}/99`),
    ]
    expect([role, ...sent.map(({ status }) => status)]).toEqual([
      role,
      ...(refused ? Array.from({ length: 5 }, () => refused) : [200, 409, 409, 409, 404]),
    ])
  }
  expect(namesOf(await fieldsOf(started))).toEqual(['Competitor', 'Field 0', 'Field 1'])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('admin').id)
    .where('product_id', '=', 1)
    .execute()
  expect((await as('admin').get(fieldsPath)).status).toBe(403)
  expect((await as('admin').post(fieldsPath, text('Late'))).status).toBe(403)
  expect((await as('admin').send('DELETE', at)).status).toBe(403)
  // A field of another product doesn’t exist under this one.
  expect((await as('admin').send('DELETE', `/admin/settings/custom-fields/2/${id}`)).status).toBe(404)
})

test('a field keeps its choices with their IDs; a choice that is left out can no longer be chosen', async () => {
  const started = await startTestApp()
  const { id, choices, version } = await addField(started, {
    name: 'Machine',
    type: 'choice',
    choices: ['Jensen', 'Kannegiesser'],
  })
  expect(choices).toEqual([
    { id: 1, name: 'Jensen', is_removed: false },
    { id: 2, name: 'Kannegiesser', is_removed: false },
  ])
  const save = (body: object) => started.as('admin').post(`${fieldsPath}/${id}`, body)
  const saved = await save({
    name: 'Machines',
    version,
    choices: [{ name: 'None' }, { id: 2, name: 'Kanne' }],
  })
  expect(saved).toMatchObject({ status: 200, message: 'Machines saved.' })
  expect(saved['data'][0]).toMatchObject({
    name: 'Machines',
    version: version + 1,
    choices: [
      { id: 3, name: 'None', is_removed: false },
      { id: 2, name: 'Kanne', is_removed: false },
      { id: 1, name: 'Jensen', is_removed: true },
    ],
  })
  expect(await save({ name: 'Late', version })).toMatchObject({
    status: 409,
    current: [{ name: 'Machines' }],
  })
  const wrong = { name: 'Machines', version: version + 1 }
  expect(await save({ ...wrong, choices: [] })).toMatchObject({
    status: 422,
    errors: { choices: expect.any(Array) },
  })
  expect(await save({ ...wrong, choices: [{ id: 9, name: 'X' }] })).toMatchObject({ status: 422 })
  const options = await started.as('admin').get('/admin/users/lead-options')
  expect(options['custom_fields']).toMatchObject([{ id, product_id: 1, name: 'Machines', is_deleted: false }])
})

test.each([
  [{ name: '', type: 'text' }, 'name', 'This field is required.'],
  [{ name: 'competitor', type: 'text' }, 'name', 'There is a field “Competitor” already.'],
  [{ name: 'Email', type: 'text' }, 'name', 'Leads have the field “Email” already.'],
  [{ name: 'Follow-up date', type: 'date' }, 'name', 'Leads have the field “Follow-up date” already.'],
  [{ name: 'Size', type: 'size' }, 'type', 'Choose one of the types.'],
  [{ name: 'Size', type: 'choice' }, 'choices', 'Enter at least one choice.'],
  [
    { name: 'Size', type: 'text', choices: [{ name: 'A' }] },
    'choices',
    'Fields of this type have no choices.',
  ],
  [
    { name: 'Size', type: 'choices', choices: [{ name: 'A' }, { name: 'a' }] },
    'choices',
    'Enter each choice only once.',
  ],
])('%j is refused at %s', async (body, field, message) => {
  const started = await startTestApp()
  await addField(started, text('Competitor'))
  expect(await started.as('admin').post(fieldsPath, body)).toMatchObject({
    status: 422,
    errors: { [field]: [message] },
  })
  expect(namesOf(await fieldsOf(started))).toEqual(['Competitor'])
})

test('a product can have 50 fields; another product has its own', async () => {
  const started = await startTestApp()
  for (let at = 1; at <= 50; at += 1) await addField(started, text(`Field ${at}`))
  const full = 'A product can have up to 50 custom fields. Delete one first.'
  expect(await started.as('admin').post(fieldsPath, text('Field 51'))).toMatchObject({
    status: 409,
    message: full,
  })
  const [first] = await fieldsOf(started)
  await started.as('admin').send('DELETE', `${fieldsPath}/${first!.id}`)
  await addField(started, text('Field 51'))
  expect(await started.as('admin').post(`${fieldsPath}/${first!.id}/restore`, {})).toMatchObject({
    status: 409,
    message: full,
  })
  await addField(started, text('Field 1'), 2)
})

test('fields are put in order; an order of other fields is a conflict', async () => {
  const started = await startTestApp()
  const ids = []
  for (const name of ['One', 'Two', 'Three']) ids.push((await addField(started, text(name))).id)
  const order = (sent: number[]) => started.as('admin').post(`${fieldsPath}/order`, { ids: sent })
  const done = await order([ids[2]!, ids[0]!, ids[1]!])
  expect([done.status, namesOf(done['data'])]).toEqual([200, ['Three', 'One', 'Two']])
  expect(await order([ids[0]!, ids[1]!])).toMatchObject({ status: 409, current: [{}, {}, {}] })
  expect((await order([ids[0]!, ids[0]!, ids[1]!])).status).toBe(409)
})

test('a deleted field keeps its values for 30 days, in which it can be restored', async () => {
  const started = await startTestApp()
  const { as, db, clock } = started
  const field = await addField(started, text('Competitor'))
  const other = await addField(started, text('Beds'))
  const lead_id = await enterLead(db, {
    custom_values: JSON.stringify({ [field.id]: 'Acme', [other.id]: '640' }),
  })
  const at = `${fieldsPath}/${field.id}`
  expect(await fieldsOf(started)).toMatchObject([{ filled: 1 }, { filled: 1 }])
  expect(await as('admin').send('DELETE', at)).toMatchObject({ status: 200, message: 'Competitor deleted.' })
  expect(await fieldsOf(started)).toMatchObject([
    { name: 'Beds' },
    { name: 'Competitor', is_deleted: true, filled: 1, kept_until: expect.any(String) },
  ])
  expect((await as('admin').send('DELETE', at)).status).toBe(409)
  // Its name is free, and the field can’t return as long as another one has it.
  const next = await addField(started, text('Competitor'))
  expect(await as('admin').post(`${at}/restore`, {})).toMatchObject({
    status: 409,
    message: 'There is a new field “Competitor”. Rename it first.',
  })
  await as('admin').send('DELETE', `${fieldsPath}/${next.id}`)
  expect(await as('admin').post(`${at}/restore`, {})).toMatchObject({ status: 200 })
  await as('admin').send('DELETE', at)
  const valuesOf = async () =>
    (
      await db
        .selectFrom('leads')
        .select('custom_values')
        .where('lead_id', '=', lead_id)
        .executeTakeFirstOrThrow()
    ).custom_values
  clock.advance(29 * 86_400_000)
  await purgeDeleted(started.app)
  expect(await valuesOf()).toEqual({ [field.id]: 'Acme', [other.id]: '640' })
  clock.advance(86_400_001)
  await purgeDeleted(started.app)
  expect(await valuesOf()).toEqual({ [other.id]: '640' })
  // The sessions have ended by then. The history can still name the field.
  expect(namesOf((await findStoredFields(db, 1)).data)).toEqual(['Beds'])
  const { custom_fields } = await findOptions(db, {
    id: 1,
    role_id: 0,
    permissions: new Set(),
    products: [1],
  })
  expect(namesOf(custom_fields)).toContain('Competitor')
})

test('a change is in the log, and pages of others refresh', async () => {
  const started = await startTestApp()
  await addField(started, { name: 'Machine', type: 'choice', choices: ['Jensen'] })
  const logged = await started.db
    .selectFrom('audit_log')
    .select(['act', 'changes'])
    .where('target_type', '=', 'settings')
    .orderBy('id')
    .execute()
  expect(logged.at(-1)).toEqual({
    act: 'Added a custom field',
    changes: {
      custom_field: [null, { product_id: 1, name: 'Machine', type: 'choice', choices: ['Jensen'] }],
    },
  })
  expect(started.live).toContainEqual(expect.objectContaining({ channel: 'private-records.lists' }))
})
