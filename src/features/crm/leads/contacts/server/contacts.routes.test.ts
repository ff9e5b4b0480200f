import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'
const path = `${at}/lead-contacts`
const nora = {
  contact_name: 'Nora Lindqvist',
  contact_role: 'General manager',
  email: 'nora@aalto.example',
  phone: '+1 212 555 0142',
}
const sam = {
  name: 'Sam Whitlock',
  role: 'Finance',
  email: 'sam@aalto.example',
  phone: '+1 212 555 0157 ext. 12',
}

async function withLead(values: Parameters<typeof enterLead>[1] = {}) {
  const started = await startTestApp()
  const { as, db } = started
  const lead_id = await enterLead(db, { ...nora, ...values })
  return {
    ...started,
    lead_id,
    add: (values: object = {}, who = 'crm') => as(who).post(path, { lead_id, ...sam, ...values }),
    listed: async () => (await as('crm').get(`${path}?lead_id=${lead_id}`))['data'] as object[],
    lead: async () => (await as('crm').get(`${at}/getdemo?id=${lead_id}`))['data'],
    undo: (id: number, way: 'undo' | 'redo' = 'undo') => as('crm').post(`/admin/operations/${id}/${way}`),
    all: async () => [
      await db.selectFrom('lead_contacts').selectAll().orderBy('id').execute(),
      await db.selectFrom('leads').selectAll().orderBy('lead_id').execute(),
    ],
  }
}

test('contacts are read with lead_detail and written with lead_edit; others are refused, and nothing changes', async () => {
  const { as, lead_id, add, all } = await withLead()
  const { data } = await add()
  const before = await all()
  for (const role of [...roleIds, undefined]) {
    const who = as(role)
    const may = (right: 'lead_detail' | 'lead_edit') =>
      role === undefined ? 401 : defaultGrants[role].includes(right) ? 200 : 403
    expect([role, (await who.get(`${path}?lead_id=${lead_id}`)).status]).toEqual([role, may('lead_detail')])
    if (may('lead_edit') === 200) continue
    for (const [method, to, body] of [
      ['POST', path, { lead_id, name: 'Jude Okon' }],
      ['POST', `${path}/${data.id}`, { role: 'Changed' }],
      ['POST', `${path}/${data.id}/primary`, {}],
      ['DELETE', `${path}/${data.id}`, undefined],
    ] as const)
      expect([role, (await who.send(method, to, body)).status]).toEqual([role, may('lead_edit')])
  }
  expect(await all()).toEqual(before)
})

test('contacts of a lead in another product or in the trash don’t exist', async () => {
  const { as, db, lead_id, add, all } = await withLead({ lead_for: 3 })
  const { data } = await add()
  const expectMissing = async () => {
    const before = await all()
    for (const [method, to, body] of [
      ['GET', `${path}?lead_id=${lead_id}`, undefined],
      ['POST', path, { lead_id, name: 'Jude Okon' }],
      ['POST', `${path}/${data.id}`, { role: 'Changed' }],
      ['POST', `${path}/${data.id}/primary`, {}],
      ['DELETE', `${path}/${data.id}`, undefined],
    ] as const)
      expect([method, to, (await as('crm').send(method, to, body)).status]).toEqual([method, to, 404])
    expect(await all()).toEqual(before)
  }
  await as('crm').post(`${at}/change-leads`, { selection: { ids: [lead_id] }, change: { kind: 'delete' } })
  await expectMissing()
  await as('crm').post('/admin/records/lead/restore', { ids: [lead_id] })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  await expectMissing()
})

test('a contact is added, changed, and removed; each is in the history of the lead and can be undone', async () => {
  const { as, lead_id, add, listed, undo, live } = await withLead()
  const added = await add()
  const { id } = added.data
  expect(added).toMatchObject({
    status: 200,
    message: 'Contact added.',
    data: { id, lead_id, ...sam, version: 1 },
    operation: { summary: 'Contact added' },
  })
  await add({ name: 'Jude Okon', role: '', email: '', phone: '' })
  const changed = await as('crm').post(`${path}/${id}`, { role: 'Signs' })
  expect(changed).toMatchObject({ status: 200, data: { ...sam, role: 'Signs', version: 2 } })
  expect(await listed()).toMatchObject([{ name: 'Sam Whitlock' }, { name: 'Jude Okon' }])
  const removed = await as('crm').send('DELETE', `${path}/${id}`)
  expect(removed).toMatchObject({ status: 200, message: 'Sam Whitlock removed.' })
  expect(await listed()).toMatchObject([{ name: 'Jude Okon' }])

  const history = (await as('crm').get(`/admin/records/lead/${lead_id}/history`)).data
  const words = 'Sam Whitlock · Finance · sam@aalto.example · +1 212 555 0157 ext. 12'
  expect(history).toMatchObject([
    { act: 'Removed a contact', changes: [{ before: words.replace('Finance', 'Signs') }] },
    { act: 'Changed a contact', changes: [{ before: words, after: words.replace('Finance', 'Signs') }] },
    { act: 'Added a contact', changes: [{ after: 'Jude Okon' }] },
    { act: 'Added a contact', changes: [{ field: 'contact', after: words }] },
  ])

  for (const { operation } of [removed, changed])
    expect(await undo(operation.id)).toMatchObject({ status: 200, skipped: [] })
  expect(await listed()).toMatchObject([{ id, ...sam }, { name: 'Jude Okon' }])
  expect(await undo(added.operation.id)).toMatchObject({ status: 200 })
  expect(await listed()).toMatchObject([{ name: 'Jude Okon' }])
  expect(live.filter(({ channel }) => channel === 'private-records.leads').length).toBeGreaterThan(5)
})

test('the same values change nothing', async () => {
  const { as, add, all } = await withLead()
  const { data } = await add()
  const before = await all()
  expect(await as('crm').post(`${path}/${data.id}`, sam)).toMatchObject({ status: 200, operation: null })
  expect(await all()).toEqual(before)
})

test.each([
  [{ name: '' }, 'name', 'This field is required.'],
  [{ name: 'x'.repeat(201) }, 'name', 'Use 200 characters or fewer.'],
  [{ role: 'x'.repeat(81) }, 'role', 'Use 80 characters or fewer.'],
  [{ email: 'sam' }, 'email', 'Enter a valid email address.'],
  [{ email: 'Nora@Aalto.example' }, 'email', 'Nora Lindqvist already has this email address.'],
  [{ phone: 'call me' }, 'phone', 'Enter a phone number, such as +1 212 555 0142 ext. 12.'],
])('a contact with %j is refused at %s', async (values, field, message) => {
  const { as, add, all } = await withLead()
  const { data } = await add()
  const before = await all()
  const jude = { name: 'Jude Okon', email: '', phone: '', ...values }
  expect(await add(jude)).toMatchObject({ status: 422, errors: { [field]: [message] } })
  expect(await as('crm').post(`${path}/${data.id}`, values)).toMatchObject({
    status: 422,
    errors: { [field]: [message] },
  })
  expect(await all()).toEqual(before)
})

test('the address of another contact is refused; a contact can keep its own', async () => {
  const { as, add } = await withLead()
  const { data } = await add()
  expect(await add({ name: 'Sam' })).toMatchObject({
    status: 422,
    errors: { email: ['Sam Whitlock already has this email address.'] },
  })
  expect(await as('crm').post(`${path}/${data.id}`, { email: 'Sam@aalto.example' })).toMatchObject({
    status: 200,
  })
})

test('a lead has up to 50 other contacts', async () => {
  const { db, lead_id, add } = await withLead()
  const values = Array.from({ length: 49 }, (_, index) => ({ lead_id, name: `Person ${index}` }))
  await db.insertInto('lead_contacts').values(values).execute()
  expect(await add()).toMatchObject({ status: 200 })
  expect(await add({ name: 'One more', email: '' })).toMatchObject({
    status: 422,
    errors: { name: ['A lead can have up to 50 contacts besides its primary contact.'] },
  })
})

test('two users who change different fields keep both; for the same field, the second gets a conflict', async () => {
  const { as, add } = await withLead()
  const { data } = await add()
  const change = (who: string, values: object, version: number, base?: object) =>
    as(who).post(`${path}/${data.id}`, { ...values, version, base })
  await change('admin', { role: 'Signs' }, 1, { role: 'Finance' })
  expect(await change('crm', { phone: '030 1234' }, 1, { phone: sam.phone })).toMatchObject({
    status: 200,
    data: { role: 'Signs', phone: '030 1234', version: 3 },
  })
  expect(await change('crm', { role: 'Decides' }, 1, { role: 'Finance' })).toMatchObject({
    status: 409,
    message: 'Someone else changed this contact after you opened it.',
    current: { role: 'Signs', version: 3 },
    clashes: [{ field: 'role', yours: 'Decides', theirs: 'Signs' }],
  })
  expect(await change('crm', { role: 'Decides' }, 1)).toMatchObject({ status: 409 })
  expect(await change('crm', { role: 'Decides' }, 3, { role: 'Signs' })).toMatchObject({ status: 200 })
})

test('a version that an undo brought back doesn’t hide a conflict', async () => {
  const { as, add } = await withLead()
  const { data } = await add()
  const to = `${path}/${data.id}`
  const { operation } = await as('admin').post(to, { role: 'Signs' })
  const seen = { version: 2, base: { role: 'Signs' } }
  expect((await as('admin').post(`/admin/operations/${operation.id}/undo`)).status).toBe(200)
  await as('admin').post(to, { role: 'Decides' })
  expect(await as('crm').post(to, { role: 'Pays', ...seen })).toMatchObject({
    status: 409,
    current: { role: 'Decides', version: 2 },
  })
})

test('making a contact the primary one swaps both people; undo and redo swap them again', async () => {
  const { as, lead_id, add, listed, lead, undo } = await withLead()
  const { data } = await add()
  const swapped = await as('crm').post(`${path}/${data.id}/primary`)
  expect(swapped).toMatchObject({
    status: 200,
    message: 'Sam Whitlock is now the primary contact.',
    data: [
      {
        id: data.id,
        name: 'Nora Lindqvist',
        role: 'General manager',
        email: 'nora@aalto.example',
        phone: '+1 212 555 0142',
      },
    ],
    operation: { summary: 'Primary contact changed: 1 lead' },
  })
  const isSam = { contactName: sam.name, contact_role: sam.role, email: sam.email, phone: sam.phone }
  expect(await lead()).toMatchObject({ ...isSam, version: 2 })
  expect((await as('crm').get(`/admin/records/lead/${lead_id}/history`)).data[0]).toMatchObject({
    act: 'Changed the primary contact',
    changes: expect.arrayContaining([
      { field: 'contactName', before: 'Nora Lindqvist', after: 'Sam Whitlock' },
    ]),
  })

  expect(await undo(swapped.operation.id)).toMatchObject({ status: 200, skipped: [] })
  expect(await listed()).toMatchObject([sam])
  expect(await lead()).toMatchObject({ contactName: 'Nora Lindqvist', email: 'nora@aalto.example' })
  expect(await undo(swapped.operation.id, 'redo')).toMatchObject({ status: 200 })
  expect(await listed()).toMatchObject([{ name: 'Nora Lindqvist' }])
  expect(await lead()).toMatchObject(isSam)
})

test('the first contact of a lead without one becomes its primary contact, and no empty one is left', async () => {
  const { as, add, listed, lead } = await withLead({
    contact_name: '',
    contact_role: '',
    email: '',
    phone: '',
  })
  const { data } = await add()
  expect(await as('crm').post(`${path}/${data.id}/primary`)).toMatchObject({ status: 200, data: [] })
  expect(await listed()).toEqual([])
  expect(await lead()).toMatchObject({ contactName: 'Sam Whitlock', phone: '+1 212 555 0157 ext. 12' })
})

test('the number of a lead must be able to be one, if it is changed', async () => {
  const { as, db, lead_id, lead } = await withLead({ phone: 'call the front desk' })
  const save = (values: object) => as('crm').post(`${at}/update-demo-requests`, { lead_id, ...values })
  const refused = {
    status: 422,
    errors: { phone: ['Enter a phone number, such as +1 212 555 0142 ext. 12.'] },
  }
  expect(await save({ phone: 'call me' })).toMatchObject(refused)
  expect(await save({ phone: '+1 212' })).toMatchObject(refused)
  // A number that was stored before stays, and other fields can be saved with it.
  expect(await save({ country: 'Finland', phone: 'call the front desk' })).toMatchObject({ status: 200 })
  expect(await lead()).toMatchObject({ country: 'Finland', phone: 'call the front desk' })
  expect(await save({ phone: '(212) 555-0142 x12' })).toMatchObject({
    status: 200,
    data: { phone: '(212) 555-0142 x12' },
  })
  expect(await save({ phone: '' })).toMatchObject({ status: 200, data: { phone: '' } })
  expect(
    await as('crm').post(`${at}/save-demo-requests`, { companyName: 'Aalto', lead_for: 1, phone: 'call me' }),
  ).toMatchObject(refused)
  expect(await db.selectFrom('leads').select('lead_id').execute()).toHaveLength(1)
})

test('a search finds a lead by the name, address, and number of each contact, until it is changed or removed', async () => {
  const { as, db, add, undo, lead_id } = await withLead({ company_name: 'Aalto Linen' })
  await enterLead(db, { company_name: 'Brackwater' })
  const find = async (search: string) => {
    const filters = `fromDate=all&toDate=all&search=${encodeURIComponent(search)}`
    const list = await as('crm').get(`${at}/get-demo-requests?${filters}`)
    const board = await as('crm').get(`${at}/lead-board?${filters}`)
    expect(board['total']).toBe(list['total'])
    return list['data'].leads.map((lead: { lead_id: number }) => lead.lead_id)
  }
  const { data: contact } = await add({ name: 'Zoë Yıldız' })
  const words = ['zoe', 'Yıldız', 'sam@aalto', '2125550157', '+1 (212) 555-0157', 'aalto zoe']
  for (const word of words) expect([word, await find(word)]).toEqual([word, [lead_id]])

  const { operation } = await as('crm').post(`${path}/${contact.id}`, { name: 'Jude Okon', version: 1 })
  expect(await find('zoe')).toEqual([])
  expect(await find('jude')).toEqual([lead_id])
  await undo(operation.id)
  expect(await find('zoe')).toEqual([lead_id])
  await as('crm').send('DELETE', `${path}/${contact.id}`)
  for (const word of words.slice(0, 3)) expect([word, await find(word)]).toEqual([word, []])
})

test('a search finds each of 50 contacts, also beyond the text that the index of days holds', async () => {
  const { as, db, lead_id } = await withLead()
  await db
    .insertInto('lead_contacts')
    .values(
      Array.from({ length: 50 }, (_, index) => ({
        lead_id,
        name: `Person ${index} of the laundry`,
        email: `person${index}@aalto.example`,
      })),
    )
    .execute()
  for (const search of ['person0@', 'person25@', 'person49@aalto', 'nora person49@']) {
    const reply = await as('crm').get(`${at}/get-demo-requests?fromDate=all&toDate=all&search=${search}`)
    expect([search, reply['total']]).toEqual([search, 1])
  }
  expect(await as('crm').get(`${at}/get-demo-requests?fromDate=all&search=person50@`)).toMatchObject({
    total: 0,
  })
})

test('the CSV has the other contacts in a column after the others, a line each', async () => {
  const { as, add } = await withLead()
  await add()
  await add({ name: 'Jude Okon', role: '', email: '', phone: '' })
  const { text } = await as('crm').get(`${at}/export-leads?fromDate=all&toDate=all`)
  const [header = ''] = text.split(/\r?\n/)
  expect(header.endsWith(',Imported details,Other contacts')).toBe(true)
  expect(text).toContain('"Sam Whitlock · Finance · sam@aalto.example · +1 212 555 0157 ext. 12\nJude Okon"')
})
