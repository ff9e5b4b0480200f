import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { defaultGrants, permissions, roleIds, type Permission } from '#shared/access.ts'
import { allOfLeads, enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

const at = '/admin/users'

/** Every lead endpoint, with the permission that it requires. */
const calls: [
  name: string,
  needs: Permission,
  (who: TestClient, id: number) => Promise<{ status: number }>,
][] = [
  ['leads.list', 'lead_list', (who) => who.get(`${at}/get-demo-requests`)],
  ['leads.show', 'lead_detail', (who, id) => who.get(`${at}/getdemo?id=${id}`)],
  ['records.history', 'lead_detail', (who, id) => who.get(`/admin/records/lead/${id}/history`)],
  ['leads.notes', 'lead_detail', (who, id) => who.get(`/admin/general/notes/lead/${id}`)],
  [
    'leads.addNote',
    'lead_edit',
    (who, id) => who.post(`/admin/general/notes/lead/${id}`, { note: 'Called.' }),
  ],
  [
    'leads.create',
    'lead_create',
    (who) => who.post(`${at}/save-demo-requests`, { companyName: 'Brackwater Hotel', lead_for: 1 }),
  ],
  [
    'leads.update',
    'lead_edit',
    (who, id) => who.post(`${at}/update-demo-requests`, { lead_id: id, phone: '111' }),
  ],
  [
    'leads.changeColor',
    'lead_select_pripority',
    (who, id) => who.get(`${at}/change-demorequest-color?id=${id}&color=2`),
  ],
  [
    'leads.changeFollowupDate',
    'lead_edit',
    (who, id) => who.get(`${at}/change-followup-date?id=${id}&date=2026-04-01`),
  ],
  ['leads.changeLeadStatus', 'lead_edit', (who, id) => who.get(`${at}/change-lead-status?id=${id}&status=2`)],
  [
    'leads.changeDemoRequestStatus',
    'lead_edit',
    (who, id) => who.get(`${at}/change-demorequest-status?id=${id}&status=3`),
  ],
  [
    'leads.changeDemoRequestStatus to rejected',
    'lead_reject',
    (who, id) => who.get(`${at}/change-demorequest-status?id=${id}&status=8&reject_msg=No`),
  ],
  ['leads.imports.recent', 'lead_create', (who) => who.get(`${at}/lead-imports`)],
  [
    'leads.imports.upload',
    'lead_create',
    (who) =>
      who.post(`${at}/lead-imports`, undefined, {
        form: { lead_for: '1', file: { name: 'a.csv', bytes: 'Company\nAalto\n' } },
      }),
  ],
]

test('each of the 14 roles can use leads according to its permissions, and is refused the rest with nothing changed', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const before = await allOfLeads(db)
  const turnedAway = (role: (typeof roleIds)[number]) =>
    calls.filter(([, needs]) => !defaultGrants[role].includes(needs))
  for (const role of roleIds)
    for (const [name, , call] of turnedAway(role))
      expect([role, name, (await call(as(role), id)).status]).toEqual([role, name, 403])
  expect(await allOfLeads(db)).toEqual(before)
  for (const role of roleIds) {
    for (const [name, needs, call] of calls)
      if (defaultGrants[role].includes(needs))
        expect([role, name, (await call(as(role), await enterLead(db))).status]).toEqual([role, name, 200])
  }
})

test('each permission on leads opens its own calls and no other', async () => {
  const { as, db } = await startTestApp()
  await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  for (const right of permissions.filter((name) => name.startsWith('lead_'))) {
    await db.insertInto('role_permissions').values({ role_id: 13, permission: right }).execute()
    for (const [name, needs, call] of calls) {
      expect([right, name, (await call(as('designer'), await enterLead(db))).status]).toEqual([
        right,
        name,
        right === needs ? 200 : 403,
      ])
    }
    const options = ['lead_list', 'lead_create', 'lead_edit'].includes(right)
    expect([right, (await as('designer').get(`${at}/lead-options`)).status]).toEqual([
      right,
      options ? 200 : 403,
    ])
    await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
  }
})

test('without a session nothing is returned, whatever X-Permission says', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  for (const [name, , call] of calls)
    expect([name, (await call(as(undefined), id)).status]).toEqual([name, 401])
  expect(
    await as('support').get(`${at}/get-demo-requests`, { headers: { 'X-Permission': 'lead_list' } }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('crm').get(`${at}/get-demo-requests`, { headers: { 'X-Permission': 'no_such_thing' } }),
  ).toMatchObject({ status: 200 })
})

test('a lead of another product does not exist: 404 by id, 403 if the product is named', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { lead_for: 3 })
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('crm').id)
    .where('product_id', '=', 3)
    .execute()
  const before = await allOfLeads(db)
  for (const [name, , call] of calls.filter(([name]) => !/list|create|import/.test(name)))
    expect([name, (await call(as('crm'), id)).status]).toEqual([name, 404])
  expect(await as('crm').get(`${at}/get-demo-requests?lead_for=3`)).toMatchObject({ status: 403 })
  expect(
    await as('crm').post(`${at}/save-demo-requests`, { companyName: 'Tamsel', lead_for: 3 }),
  ).toMatchObject({ status: 403 })
  expect(await as('crm').get(`${at}/get-demo-requests`)).toMatchObject({
    status: 200,
    total: 0,
    user_product: [1, 2, 4],
  })
  const own = await enterLead(db)
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id: own, lead_for: 3 })).toMatchObject({
    status: 403,
  })
  await db.deleteFrom('leads').where('lead_id', '=', own).execute()
  expect(await allOfLeads(db)).toEqual(before)
})

test('an unknown lead id is 404', async () => {
  const { as } = await startTestApp()
  for (const [name, , call] of calls.filter(([name]) => !/list|create|import/.test(name)))
    expect([name, (await call(as('admin'), 99_999)).status]).toEqual([name, 404])
})

/* ---- Create and show ---- */

const whole = {
  companyName: 'Côte Perle Spa & Resort',
  contactName: 'Zoë Yıldız',
  phone: '+33 1 99 00 12 34',
  email: 'zoe@cote-perle.example',
  country: 'France',
  lead_for: 2,
  services: 'Linen rental',
  answer: 'We count by hand.',
  join: 'This quarter',
  company_url: 'https://cote-perle.example/a?b=c',
  hear_about: 'Webinar',
  implement_date: '2026-09-01',
  additional_info: 'Line one\nline two',
  tag_ids: [2, 6],
  cog_types: ['Bath linen', 'Mats'],
  assign_to: 3,
  lead_type: 1,
  color: 4,
  status: 4,
  demo_status: 2,
  lead_date: '2026-03-01',
  request_date: '2026-02-27',
  followup_date: '2026-03-20',
}

test('leads.create: every field is returned as it was sent', async () => {
  const { as } = await startTestApp()
  const { status, data } = await as('crm').post(`${at}/save-demo-requests`, whole)
  expect(status).toBe(200)
  expect(data).toMatchObject({
    ...whole,
    version: 1,
    assigned_name: 'Paula Ferreira',
    created_by_name: 'Paula Ferreira',
    reject_msg: null,
    reference: null,
    details: [],
  })
  expect((await as('crm').get(`${at}/getdemo?id=${data.lead_id}`)).data).toEqual({ ...data, notes: [] })
})

test("leads.create: omitted fields get their defaults, the date is the server's", async () => {
  const { as } = await startTestApp({ now: '2026-03-16T10:00:00Z' })
  const { data } = await as('crm').post(`${at}/save-demo-requests`, {
    companyName: 'Tamsel Clinic',
    lead_for: 1,
  })
  expect(data).toMatchObject({
    contactName: '',
    email: '',
    status: 1,
    color: 0,
    demo_status: 0,
    lead_type: 2,
    lead_date: '2026-03-16',
    services: null,
    assign_to: null,
    tag_ids: [],
    cog_types: [],
    followup_date: null,
  })
})

test('leads.create: company and name are read as companyName and contactName, which are returned', async () => {
  const { as } = await startTestApp()
  const { data } = await as('crm').post(`${at}/save-demo-requests`, {
    company: 'Tamsel Clinic',
    name: 'Ivo Rask',
    lead_for: 1,
  })
  expect(data).toMatchObject({ companyName: 'Tamsel Clinic', contactName: 'Ivo Rask' })
  expect(data).not.toHaveProperty('company_name')
  const changed = await as('crm').post(`${at}/update-demo-requests`, {
    id: data.lead_id,
    company: 'Tamsel Hospital',
    name: 'Una Rask',
  })
  expect(changed.data).toMatchObject({ companyName: 'Tamsel Hospital', contactName: 'Una Rask' })
  const both = await as('crm').post(`${at}/update-demo-requests`, {
    lead_id: data.lead_id,
    id: 99_999,
    companyName: 'First',
    company: 'Second',
  })
  expect(both.data).toMatchObject({ lead_id: data.lead_id, companyName: 'First' })
})

test('a form works as well as JSON', async () => {
  const { as } = await startTestApp()
  const urlencoded = await as('crm').post(
    `${at}/save-demo-requests`,
    'companyName=Tamsel+Clinic&lead_for=1&status=2&assign_to=&tag_ids[]=2',
    {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    },
  )
  expect(urlencoded).toMatchObject({
    status: 200,
    data: { companyName: 'Tamsel Clinic', status: 2, assign_to: null, tag_ids: [2] },
  })
  expect(
    await as('crm').post(`${at}/save-demo-requests`, undefined, {
      form: { companyName: 'Tamsel Spa', lead_for: '1', color: '0' },
    }),
  ).toMatchObject({
    status: 200,
    data: { companyName: 'Tamsel Spa', color: 0 },
  })
})

test('typed text is returned unchanged: HTML, emoji, right-to-left, quotes', async () => {
  const { as } = await startTestApp()
  for (const text of [
    '<img src=x onerror=alert(1)>',
    '🧺🧺 Laundry 👩‍👩‍👧',
    'مغسلة النور',
    '"; drop table leads; --',
    "O'Brien & Söhne <b>",
  ]) {
    const { data } = await as('crm').post(`${at}/save-demo-requests`, {
      companyName: text,
      contactName: text,
      additional_info: text,
      lead_for: 1,
    })
    expect(data).toMatchObject({ companyName: text, contactName: text, additional_info: text })
  }
})

const wrongFields: [field: string, wrong: object, text: string][] = [
  ['companyName', { companyName: '  ' }, 'This field is required.'],
  ['companyName', { companyName: 'x'.repeat(201) }, 'Use 200 characters or fewer.'],
  ['companyName', { companyName: 'a\u0000b' }, 'Remove the NUL character.'],
  ['companyName', { companyName: ['a'] }, 'This must be text.'],
  ['email', { email: 'nobody' }, 'Enter a valid email address.'],
  [
    'company_url',
    { company_url: 'javascript:alert(1)' },
    'Enter a URL that starts with http:// or https://.',
  ],
  ['company_url', { company_url: 'http:example.com' }, 'Enter a URL that starts with http:// or https://.'],
  ['lead_date', { lead_date: '2026-02-30' }, 'Enter a date (YYYY-MM-DD) between 1900 and 2199.'],
  ['followup_date', { followup_date: '16.03.2026' }, 'Enter a date (YYYY-MM-DD) between 1900 and 2199.'],
  ['status', { status: 99 }, 'The status doesn’t exist.'],
  ['status', { status: null }, 'This field is required.'],
  ['status', { status: 8 }, 'You can’t set this status directly. Reject the lead instead and give a reason.'],
  ['color', { color: 9 }, 'The priority doesn’t exist.'],
  ['services', { services: 'Window cleaning' }, 'The service “Window cleaning” doesn’t exist.'],
  ['hear_about', { hear_about: 'A dream' }, 'The source “A dream” doesn’t exist.'],
  ['cog_types', { cog_types: ['Mats', 'Flags'] }, 'The type “Flags” doesn’t exist.'],
  ['tag_ids', { tag_ids: [1, 999] }, 'The tag doesn’t exist.'],
  ['assign_to', { assign_to: 999 }, 'The admin user doesn’t exist.'],
  ['lead_type', { lead_type: 3 }, 'Enter 2 or less.'],
  ['lead_for', { lead_for: 'x' }, 'Enter a whole number.'],
]

test('leads.create and leads.update: an invalid field is 422 with its error, and nothing changes', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const before = await allOfLeads(db)
  for (const [field, wrong, text] of wrongFields) {
    const refused = { status: 422, errors: { [field]: [text] } }
    expect({
      wrong,
      ...(await as('crm').post(`${at}/save-demo-requests`, {
        companyName: 'Tamsel Clinic',
        lead_for: 1,
        ...wrong,
      })),
    }).toMatchObject({
      wrong,
      ...refused,
    })
    expect({
      wrong,
      ...(await as('crm').post(`${at}/update-demo-requests`, { lead_id, ...wrong })),
    }).toMatchObject({ wrong, ...refused })
  }
  expect(await allOfLeads(db)).toEqual(before)
})

test('a banned user cannot be assigned a lead; a user banned later keeps theirs', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db, { assign_to: as('editor').id })
  await sql`update staff set banned_at = now() where user_name = 'editor'`.execute(db)
  expect(
    await as('crm').post(`${at}/save-demo-requests`, {
      companyName: 'Tamsel',
      lead_for: 1,
      assign_to: as('editor').id,
    }),
  ).toMatchObject({
    status: 422,
    errors: { assign_to: ['The admin user doesn’t exist.'] },
  })
  expect(
    await as('crm').post(`${at}/update-demo-requests`, { lead_id, assign_to: as('editor').id, phone: '777' }),
  ).toMatchObject({
    status: 200,
    data: { phone: '777', assigned_name: 'Nadia Rahman' },
  })
  expect((await as('crm').get(`${at}/lead-options`)).staff).not.toContainEqual(
    expect.objectContaining({ id: as('editor').id }),
  )
})

test('author, reference, and version in the body of a new lead are ignored', async () => {
  const { as } = await startTestApp()
  const { data } = await as('crm').post(`${at}/save-demo-requests`, {
    companyName: 'Tamsel',
    lead_for: 1,
    created_by: 1,
    reference: 'X',
    version: 7,
    lead_id: 5,
    reject_msg: 'no',
    created_at: '2020-01-01T00:00:00Z',
  })
  expect(data).toMatchObject({
    created_by_name: 'Paula Ferreira',
    reference: null,
    version: 1,
    reject_msg: null,
  })
})

test('users without the priority permission create and edit leads without one', async () => {
  const { as, db } = await startTestApp()
  await db
    .deleteFrom('role_permissions')
    .where('role_id', '=', 2)
    .where('permission', '=', 'lead_select_pripority')
    .execute()
  const lead_id = await enterLead(db, { color: 3 })
  expect(
    await as('crm').post(`${at}/save-demo-requests`, { companyName: 'Tamsel', lead_for: 1, color: 1 }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('crm').post(`${at}/save-demo-requests`, { companyName: 'Tamsel', lead_for: 1, color: 0 }),
  ).toMatchObject({ status: 200 })
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id, color: 0 })).toMatchObject({
    status: 403,
  })
  expect(
    await as('crm').post(`${at}/update-demo-requests`, { lead_id, color: 3, phone: '111' }),
  ).toMatchObject({ status: 200, data: { color: 3 } })
})

/* ---- Change ---- */

test('leads.update: the fields that are sent change, the rest stays, and the version increments', async () => {
  const { as } = await startTestApp()
  const { data: lead } = await as('crm').post(`${at}/save-demo-requests`, whole)
  const { data } = await as('crm').post(`${at}/update-demo-requests`, {
    lead_id: lead.lead_id,
    version: 1,
    phone: '',
    followup_date: '',
    color: 0,
    tag_ids: [6, 1, 6],
    assign_to: null,
  })
  expect(data).toMatchObject({
    ...whole,
    phone: '',
    followup_date: null,
    color: 0,
    tag_ids: [1, 6],
    assign_to: null,
    assigned_name: null,
    version: 2,
  })
})

test('leads.update: a stale version is 409 with the current lead, and changes nothing', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  await as('crm').post(`${at}/update-demo-requests`, { lead_id, version: 1, phone: '111' })
  const stale = await as('admin').post(`${at}/update-demo-requests`, { lead_id, version: 1, phone: '222' })
  expect(stale).toMatchObject({
    status: 409,
    message: 'Someone else changed this lead after you opened it.',
    current: { lead_id, phone: '111', version: 2 },
  })
  expect((await as('crm').get(`${at}/getdemo?id=${lead_id}`)).data).toMatchObject({
    phone: '111',
    version: 2,
  })
})

test('two users who save at the same time: one gets a conflict, no change is lost', async () => {
  const { as, db } = await startTestApp()
  const lead_id = await enterLead(db)
  const replies = await Promise.all(
    ['111', '222', '333'].map((phone) =>
      as('crm').post(`${at}/update-demo-requests`, { lead_id, version: 1, phone }),
    ),
  )
  expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await as('crm').get(`${at}/getdemo?id=${lead_id}`)).data).toMatchObject({
    version: 2,
    phone: replies.find(({ status }) => status === 200)!.data.phone,
  })
})

test('a change that changes nothing leaves version, history, and other browsers alone', async () => {
  const { as, db, live } = await startTestApp()
  const lead_id = await enterLead(db, { color: 2, phone: '111' })
  expect(
    await as('crm').post(`${at}/update-demo-requests`, { lead_id, phone: '111', tag_ids: [] }),
  ).toMatchObject({ status: 200, data: { version: 1 } })
  expect(await as('crm').get(`${at}/change-demorequest-color?id=${lead_id}&color=2`)).toMatchObject({
    status: 200,
    data: { version: 1 },
  })
  expect((await as('crm').get(`/admin/records/lead/${lead_id}/history`)).data).toEqual([])
  expect(live).toEqual([])
})

test('a rejected lead cannot be rejected again; leaving the status clears the message', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const reject = (message: string) =>
    as('crm').get(
      `${at}/change-demorequest-status?id=${id}&status=8&reject_msg=${encodeURIComponent(message)}`,
    )
  for (const blank of ['', '   '])
    expect(await reject(blank)).toMatchObject({
      status: 422,
      errors: { reject_msg: ['Enter a reason for rejecting this lead.'] },
    })
  expect(await reject(' No budget <b> ')).toMatchObject({
    status: 200,
    message: 'Lead rejected.',
    data: { status: 8, reject_msg: 'No budget <b>', version: 2 },
  })
  expect(await reject('Again')).toMatchObject({
    status: 409,
    message: 'This lead is already rejected.',
    current: { reject_msg: 'No budget <b>' },
  })
  expect(await as('crm').get(`${at}/change-demorequest-status?id=${id}&status=2&reject_msg=x`)).toMatchObject(
    {
      status: 422,
      errors: { reject_msg: ['Send reject_msg only with the rejected status.'] },
    },
  )
  expect(await as('crm').get(`${at}/change-lead-status?id=${id}&status=1`)).toMatchObject({
    status: 200,
    data: { status: 1, reject_msg: null },
  })
  await reject('Too small')
  expect(
    await as('crm').post(`${at}/update-demo-requests`, { lead_id: id, status: 8, phone: '555' }),
  ).toMatchObject({
    status: 200,
    data: { status: 8, reject_msg: 'Too small', phone: '555' },
  })
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id: id, status: 3 })).toMatchObject({
    status: 200,
    data: { status: 3, reject_msg: null },
  })
})

test('leads.changeLeadStatus: cannot set the rejected status', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const refused = {
    status: 422,
    errors: { status: ['You can’t set this status directly. Reject the lead instead and give a reason.'] },
  }
  expect(await as('crm').get(`${at}/change-lead-status?id=${id}&status=8`)).toMatchObject(refused)
  expect(await as('crm').post(`${at}/update-demo-requests`, { lead_id: id, status: 8 })).toMatchObject(
    refused,
  )
  expect(await as('crm').get(`${at}/change-lead-status?id=${id}&status=5`)).toMatchObject({
    status: 200,
    data: { status: 5 },
  })
  expect(await as('crm').get(`${at}/change-lead-status?id=${id}&status=77`)).toMatchObject({
    status: 422,
    errors: { status: ['The status doesn’t exist.'] },
  })
})

test('leads.changeColor: 0 is a color', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { color: 3 })
  expect(await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=0`)).toMatchObject({
    status: 200,
    message: 'Priority updated.',
    data: { color: 0, version: 2 },
  })
  for (const color of ['', '9', 'red', '-1', '1&color=2'])
    expect([
      color,
      (await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=${color}`)).status,
    ]).toEqual([color, 422])
})

test('leads.changeFollowupDate: answers Date Changed!, and an empty date clears it', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  expect(await as('crm').get(`${at}/change-followup-date?id=${id}&date=2028-02-29`)).toMatchObject({
    status: 200,
    message: 'Date Changed!',
    data: { followup_date: '2028-02-29' },
  })
  for (const date of ['2026-02-29', '0000-01-01', 'tomorrow'])
    expect([date, (await as('crm').get(`${at}/change-followup-date?id=${id}&date=${date}`)).status]).toEqual([
      date,
      422,
    ])
  expect(await as('crm').get(`${at}/change-followup-date?id=${id}`)).toMatchObject({ status: 422 })
  expect(await as('crm').get(`${at}/change-followup-date?id=${id}&date=`)).toMatchObject({
    status: 200,
    data: { followup_date: null },
  })
})

test('changes by GET are cached nowhere on their way, and never prefetched', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db)
  const reply = await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=1`)
  expect(reply.headers['cache-control']).toBe('no-store')
  expect(
    await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=2`, {
      headers: { 'sec-purpose': 'prefetch' },
    }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=2`, {
      headers: { 'sec-fetch-site': 'cross-site' },
    }),
  ).toMatchObject({ status: 403 })
  expect((await as('crm').get(`${at}/getdemo?id=${id}`)).data.color).toBe(1)
})

test('every change of a lead is announced to browsers that show leads', async () => {
  const { as, db, live } = await startTestApp()
  const id = await enterLead(db)
  await as('crm').get(`${at}/change-demorequest-color?id=${id}&color=1`)
  await as('crm').post(`/admin/general/notes/lead/${id}`, { note: 'Called.' })
  const told = {
    channel: 'private-records.leads',
    event: 'changed',
    payload: { type: 'leads', ids: [id], by: as('crm').id },
  }
  expect(live.filter(({ channel }) => channel === told.channel)).toEqual([told, told])
  const socket = (who: string) =>
    as(who).post('/broadcasting/auth', { socket_id: 's1', channel_name: 'private-records.leads' })
  expect(await socket('digital_marketing')).toMatchObject({ status: 200 })
  expect(await socket('support')).toMatchObject({ status: 403 })
})

/* ---- Idempotency ---- */

test('a request sent twice with one key creates one lead and gets the same answer', async () => {
  const { as, db } = await startTestApp()
  const send = (companyName = 'Tamsel Clinic') =>
    as('crm').post(
      `${at}/save-demo-requests`,
      { companyName, lead_for: 1 },
      { headers: { 'Idempotency-Key': 'key-of-this-form' } },
    )
  const first = await send()
  expect(await send()).toEqual(first)
  expect(await send('Another one')).toMatchObject({ status: 422 })
  expect(await db.selectFrom('leads').select('company_name').execute()).toEqual([
    { company_name: 'Tamsel Clinic' },
  ])
})

test('two concurrent requests with one key create one lead', async () => {
  const { as, db } = await startTestApp()
  const send = () =>
    as('crm').post(
      `${at}/save-demo-requests`,
      { companyName: 'Tamsel Clinic', lead_for: 1 },
      { headers: { 'Idempotency-Key': 'key-of-this-form' } },
    )
  const [first, second] = await Promise.all([send(), send()])
  expect(second).toEqual(first)
  expect(await db.selectFrom('leads').select('company_name').execute()).toHaveLength(1)
})

/* ---- History and notes ---- */

test("a lead's history: who did what, newest first, each field with its old and new value", async () => {
  const { as } = await startTestApp()
  const { data: lead } = await as('crm').post(`${at}/save-demo-requests`, {
    companyName: 'Tamsel Clinic',
    lead_for: 1,
    tag_ids: [1],
  })
  await as('admin').post(`${at}/update-demo-requests`, {
    lead_id: lead.lead_id,
    companyName: 'Tamsel Hospital',
    tag_ids: [2],
    assign_to: as('crm').id,
  })
  await as('digital_marketing').get(
    `${at}/change-demorequest-status?id=${lead.lead_id}&status=8&reject_msg=No`,
  )
  await as('crm').post(`/admin/general/notes/lead/${lead.lead_id}`, { note: 'Called.' })
  const { data } = await as('crm').get(`/admin/records/lead/${lead.lead_id}/history`)
  expect(data.map((event: { who: string; endpoint: string }) => [event.who, event.endpoint])).toEqual([
    ['Paula Ferreira', 'POST /admin/general/notes/{a}/{b}'],
    ['Jonas Lindqvist', 'GET /admin/users/change-demorequest-status'],
    ['Martin Keller', 'POST /admin/users/update-demo-requests'],
    ['Paula Ferreira', 'POST /admin/users/save-demo-requests'],
  ])
  const changed = (index: number) =>
    Object.fromEntries(
      data[index].changes.map(
        ({ field, before, after }: { field: string; before: unknown; after: unknown }) => [
          field,
          [before, after],
        ],
      ),
    )
  expect(changed(0)).toEqual({ note: [null, 'Called.'] })
  expect(changed(1)).toEqual({ status: [1, 8], reject_msg: [null, 'No'] })
  expect(changed(2)).toEqual({
    companyName: ['Tamsel Clinic', 'Tamsel Hospital'],
    tag_ids: [[1], [2]],
    assign_to: [null, 'Paula Ferreira'],
  })
  expect(changed(3)).toEqual({
    companyName: [null, 'Tamsel Clinic'],
    lead_for: [null, 'Linen'],
    lead_date: [null, '2026-03-16'],
    timezone: [null, 'UTC'],
    tag_ids: [null, [1]],
    created_by: [null, as('crm').id],
  })
  expect(
    (await as('crm').get(`/admin/records/lead/${lead.lead_id}/history?before=${data[1].id}`)).data,
  ).toEqual(data.slice(2))
})

test("leads.notes: the lead's own, newest first, with their author", async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterLead(db), await enterLead(db)]
  await as('crm').post(`/admin/general/notes/lead/${id}`, { note: 'First <i>' })
  await as('admin').post(`/admin/general/notes/lead/${id}`, { note: ' Second ' })
  await as('admin').post(`/admin/general/notes/lead/${other}`, { note: 'Elsewhere' })
  const { data } = await as('crm').get(`/admin/general/notes/lead/${id}`)
  expect(data.map(({ body, who }: { body: string; who: string }) => [body, who])).toEqual([
    ['Second', 'Martin Keller'],
    ['First <i>', 'Paula Ferreira'],
  ])
  expect(await as('crm').post(`/admin/general/notes/lead/${id}`, { note: '  ' })).toMatchObject({
    status: 422,
    errors: { note: ['This field is required.'] },
  })
  expect(await as('crm').get('/admin/general/notes/invoice/1')).toMatchObject({ status: 404 })
  expect(await as('crm').get('/admin/general/notes/lead/x')).toMatchObject({ status: 404 })
})

test("leads.options: the lists in order, the caller's products, staff by name", async () => {
  const { as, db } = await startTestApp()
  await db.updateTable('products').set({ status: 0 }).where('id', '=', 2).execute()
  await db.updateTable('lead_statuses').set({ position: 99 }).where('id', '=', 1).execute()
  const reply = await as('crm').get(`${at}/lead-options`)
  expect(reply.statuses.map(({ id }: { id: number }) => id)).toEqual([2, 3, 4, 5, 6, 7, 8, 1])
  expect(reply.colors[0]).toEqual({ id: 0, name: 'None', tone: 'gray' })
  expect(reply.products.map(({ id }: { id: number }) => id)).toEqual([1, 3, 4])
  expect(reply.staff).toHaveLength(14)
  expect(reply.staff[0].name).toBe('Daniel Aguirre')
  expect(reply.tags).toContainEqual({ id: 1, name: 'Hospital' })
})

test('a lead has its notes, newest first', async () => {
  const { as, db } = await startTestApp()
  const id = await enterLead(db, { company_name: 'Aalto Linen' })
  for (const note of ['Called.', 'Called again.'])
    await as('crm').post(`/admin/general/notes/lead/${id}`, { note })
  expect((await as('crm').get(`${at}/getdemo?id=${id}`)).data.notes).toMatchObject([
    { body: 'Called again.', who: expect.any(String) },
    { body: 'Called.' },
  ])
})
