import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { defaultGrants, roleIds, type Permission } from '#shared/access.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { winLead } from '#features/crm/onboarding/server/onboarding.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { remindOfOrganizations } from '#features/crm/organizations/server/reminders.queries.ts'

const users = '/admin/users'
const organization = '/admin/organization'

const video = { video_label: 'Demo', video_link: 'https://video.example/1' }
const calls: [
  call: string,
  needs: Permission,
  method: string,
  path: (id: number) => string,
  body?: (id: number) => object,
][] = [
  ['organizations.list', 'all_organization_list', 'GET', () => `${users}/all-organizations-data`],
  [
    'organizations.filterDataState',
    'all_organization_list',
    'GET',
    () => `${users}/organization/filter-data/state`,
  ],
  [
    'organizations.getOrgUser',
    'all_organization_list',
    'GET',
    (id) => `/admin/getOrgUser?user=0&org_id=${id}`,
  ],
  ['documents', 'all_organization_list', 'GET', (id) => `${organization}/${id}/documents`],
  [
    'organizations.changeStatus',
    'all_organization_update_status',
    'GET',
    (id) => `${users}/change-organization-status?status=3&org_id=${id}`,
  ],
  [
    'organizations.startTrial',
    'all_organization_update_status',
    'POST',
    () => `${organization}/start-trial`,
    (id) => ({ org_id: id }),
  ],
  [
    'organizations.updateTrialDate',
    'all_organization_update_status',
    'POST',
    () => `${organization}/update_trial_date`,
    (id) => ({ id, trial_in_days: 5 }),
  ],
  [
    'update',
    'all_organization_update_status',
    'POST',
    (id) => `${organization}/${id}/update`,
    () => ({ state: 'Ohio' }),
  ],
  [
    'organizations.demoVideoLink.store',
    'all_organization_note',
    'POST',
    () => `${organization}/demo-video-link`,
    (id) => ({ org_id: id, ...video }),
  ],
  [
    'organizations.demoVideoLink.update',
    'all_organization_note',
    'POST',
    () => `${organization}/update-demo-video-link`,
    (id) => ({ id, ...video }),
  ],
  ['used', 'all_organization_update_status', 'POST', () => `${organization}/used`, (id) => ({ ids: [id] })],
]

test.each(calls)('%s needs %s', async (call, needs, method, path, body) => {
  const { as, db } = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const id = await enterOrganization(db, { status: call === 'organizations.updateTrialDate' ? 2 : 3 })
    await enterUser(db, id, `Aino${id}`)
    const { status } = await as(role).send(method, path(id), body?.(id))
    expect([role, status]).toEqual([
      role,
      role === undefined ? 401 : defaultGrants[role].includes(needs) ? 200 : 403,
    ])
  }
})

test.each([`/common/organization/all`, `${users}/get-all-organizations`])(
  "%s returns ids and names of the caller's products to all signed-in users",
  async (path) => {
    const { as, db } = await startTestApp()
    const id = await enterOrganization(db)
    await enterOrganization(db, { name: 'Other' }, [4])
    await db
      .deleteFrom('staff_products')
      .where('staff_id', '=', as('developer').id)
      .where('product_id', '=', 4)
      .execute()
    expect((await as('developer').get(path))['data']).toEqual([{ id, name: 'Aalto Linen' }])
    expect(await as(undefined).get(path)).toMatchObject({ status: 401 })
  },
)

test('with more organizations than one reply has, each is found by part of its name, and named by its id', async () => {
  const { as, db } = await startTestApp()
  await sql`insert into organizations (name) select 'Hotel ' || n from generate_series(1, 1100) n`.execute(db)
  await sql`insert into organization_products (organization_id, product_id) select organization_id, 1 from organizations`.execute(
    db,
  )
  const last = await enterOrganization(db, { name: 'Zander Spa' })
  const choose = (query: string) => as('developer').get(`${users}/get-all-organizations?${query}`)
  const first = await choose('')
  expect(first).toMatchObject({ total: 1101, per_page: 100 })
  expect(first['data'].some(({ id }: { id: number }) => id === last)).toBe(false)
  expect(await choose('search=ander%20sp')).toMatchObject({
    data: [{ id: last, name: 'Zander Spa' }],
    total: 1,
  })
  expect(await choose(`id=${last}`)).toMatchObject({ data: [{ id: last, name: 'Zander Spa' }], total: 1 })
  expect(await choose('id=0')).toMatchObject({ status: 422, errors: { id: [expect.any(String)] } })
})

// Today is 2026-03-16.
test.each([
  ['search=aalto', { name: 'Aalto Linen' }, { name: 'Bergen Spa' }],
  ['status=1', { status: 1 }, { status: 4 }],
  [
    'filter=ends_soon',
    { status: 2, trial_end_date: '2026-03-23' },
    { status: 2, trial_end_date: '2026-03-24' },
  ],
  [
    'filter=ends_soon',
    { status: 2, trial_end_date: '2026-03-16' },
    { status: 1, trial_end_date: '2026-03-16' },
  ],
  ['filter=ended', { status: 2, trial_end_date: '2026-03-15' }, { status: 2, trial_end_date: '2026-03-16' }],
  ['filter=no_end', { status: 1 }, { status: 2, trial_end_date: '2026-03-15' }],
  ['state=Ohio', { state: 'Ohio' }, { state: 'Utah' }],
  ['country=Finland', { country: 'Finland' }, { country: 'Norway' }],
])('%s keeps %j and drops %j', async (filter, kept, dropped) => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, kept)
  await enterOrganization(db, dropped)
  expect(await as('csm').get(`${users}/all-organizations-data?${filter}`)).toMatchObject({
    data: [{ organization_id: id }],
    total: 1,
    per_page: 20,
  })
})

test('product keeps its own organizations; those of another product do not exist without it', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, {}, [1, 3])
  const foreign = await enterOrganization(db, {}, [4])
  await db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('csm').id)
    .where('product_id', '=', 4)
    .execute()
  expect(await as('csm').get(`${users}/all-organizations-data?product=3`)).toMatchObject({
    data: [{ organization_id: id, product_ids: [1, 3] }],
  })
  expect(await as('csm').get(`${users}/all-organizations-data`)).toMatchObject({ total: 1 })
  expect(await as('csm').get(`${users}/all-organizations-data?product=4`)).toMatchObject({ status: 403 })
  expect(await as('csm').get(`/admin/getOrgUser?org_id=${foreign}`)).toMatchObject({ status: 404 })
  expect(
    await as('csm').get(`${users}/change-organization-status?status=1&org_ids=${id},${foreign}`),
  ).toMatchObject({ status: 404 })
  expect(
    await db
      .selectFrom('organizations')
      .select('status')
      .where('organization_id', '=', id)
      .executeTakeFirst(),
  ).toEqual({ status: 2 })
})

test('states and countries are those of existing organizations', async () => {
  const { as, db } = await startTestApp()
  await enterOrganization(db, { state: 'Ohio', country: 'United States' })
  await enterOrganization(db, { state: '', country: 'Finland' })
  expect(await as('csm').get(`${users}/organization/filter-data/state`)).toMatchObject({ data: ['Ohio'] })
  expect(await as('csm').get(`${users}/countries`)).toMatchObject({ countries: ['Finland', 'United States'] })
})

test.each([
  ['commas', (ids: number[]) => `org_ids=${ids.join(',')}`],
  ['brackets', (ids: number[]) => ids.map((id) => `org_ids[]=${id}`).join('&')],
  [
    'repeated parameters, one twice',
    (ids: number[]) => [...ids, ids[0]].map((id) => `org_ids=${id}`).join('&'),
  ],
])('many change by %s, in one operation that is undone', async (_form, ids) => {
  const { as, db } = await startTestApp()
  const wanted = [await enterOrganization(db), await enterOrganization(db, { name: 'Bergen Spa', status: 3 })]
  const reply = await as('csm').get(`${users}/change-organization-status?status=3&${ids(wanted)}`)
  expect(reply).toMatchObject({
    status: 200,
    message: 'Status set to Inactive: 1 organization. 1 already had this status.',
    changed: 1,
    unchanged: 1,
  })
  expect(reply.headers['cache-control']).toBe('no-store')
  const statuses = async () =>
    (await db.selectFrom('organizations').select('status').orderBy('organization_id').execute()).map(
      ({ status }) => status,
    )
  expect(await statuses()).toEqual([3, 3])
  expect(await as('csm').post(`/admin/operations/${reply['operation'].id}/undo`)).toMatchObject({ undone: 1 })
  expect(await statuses()).toEqual([2, 3])
})

test.each([
  ['status=5&org_id=1', 'status'],
  ['status=1', 'org_ids'],
  ['status=1&org_ids=', 'org_ids'],
  ['status=1&org_id=1&org_ids=1', 'org_ids'],
  ['status=1&org_id=1&trial_end_date=2026-04-01', 'trial_end_date'],
  ['status=2&org_id=1', 'trial_end_date'],
  ['status=2&org_id=1&trial_end_date=2026-02-30', 'trial_end_date'],
])('change-organization-status?%s is 422 at %s and changes nothing', async (query, field) => {
  const { as, db } = await startTestApp()
  await enterOrganization(db, { status: 4 })
  const reply = await as('csm').get(`${users}/change-organization-status?${query}`)
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
  expect(await db.selectFrom('organizations').select(['status', 'version']).execute()).toEqual([
    { status: 4, version: 1 },
  ])
})

test('all matching organizations change, if there are as many as the user saw', async () => {
  const { as, db } = await startTestApp()
  await enterOrganization(db, { status: 1, country: 'Finland' })
  await enterOrganization(db, { status: 4, country: 'Finland' })
  await enterOrganization(db, { status: 1, country: 'Norway' })
  const sent = { filters: { country: 'Finland' }, status: 4 }
  expect(await as('csm').post(`${users}/change-organization-status/preview`, sent)).toMatchObject({
    changing: 1,
    already: 1,
    refused: 0,
  })
  expect(
    await as('csm').post(`${users}/change-organization-status/matching`, { ...sent, expected: 3 }),
  ).toMatchObject({ status: 409, current: { count: 2 } })
  expect(
    await as('csm').post(`${users}/change-organization-status/matching`, { ...sent, expected: 2 }),
  ).toMatchObject({
    status: 200,
    changed: 1,
    unchanged: 1,
  })
})

test('the trial status needs an end date that is not past, except for an organization that is on trial', async () => {
  const { as, db } = await startTestApp({ now: '2026-03-16T03:00:00.000Z' })
  const set = async (status: number, trial_end_date: string, more = '') => {
    // In Honolulu it is still the 15th.
    const id = await enterOrganization(db, { status, trial_end_date, timezone: 'US/Hawaii' })
    return as('csm').get(`${users}/change-organization-status?status=2&org_id=${id}${more}`)
  }
  expect(await set(1, '2026-03-14')).toMatchObject({
    status: 422,
    errors: { trial_end_date: ['Set an end date for the trial.'] },
  })
  expect(await set(1, '2026-03-15')).toMatchObject({ status: 200, changed: 1 })
  expect(await set(1, '2026-03-14', '&trial_end_date=2026-03-20')).toMatchObject({ status: 200, changed: 1 })
  expect(await set(2, '2026-03-14')).toMatchObject({ status: 200, changed: 0 })
})

test('a trial is 14 days in its time zone; while one runs a second is 409, after its end a new one starts', async () => {
  const { as, db } = await startTestApp({ now: '2026-03-16T03:00:00.000Z' })
  // In Honolulu it is still the 15th.
  const id = await enterOrganization(db, { status: 3, timezone: 'US/Hawaii' })
  expect(await as('csm').post(`${organization}/start-trial`, { org_id: id })).toMatchObject({
    data: { status: 2, trial_end_date: '2026-03-29' },
  })
  expect(await as('csm').post(`${organization}/start-trial`, { org_id: id })).toMatchObject({
    status: 409,
    current: { organization_id: id },
  })
  await db.updateTable('organizations').set({ trial_end_date: '2026-03-14' }).execute()
  expect(await as('csm').post(`${organization}/start-trial`, { org_id: id })).toMatchObject({ status: 200 })
})

test('the end of a trial is a date, or days from today in its time zone', async () => {
  const { as, db } = await startTestApp({ now: '2026-03-16T03:00:00.000Z' })
  const id = await enterOrganization(db, { status: 2, timezone: 'US/Hawaii' })
  const set = (body: object) => as('csm').post(`${organization}/update_trial_date`, { id, ...body })
  expect(await set({ trial_in_days: '10' })).toMatchObject({ data: { trial_end_date: '2026-03-25' } })
  expect(await set({ trial_date: '2026-05-01', trial_in_days: '' })).toMatchObject({
    data: { trial_end_date: '2026-05-01' },
  })
  for (const body of [
    {},
    { trial_date: '2026-05-01', trial_in_days: 3 },
    ...[0, -1, 1.5, 1e9].map((trial_in_days) => ({ trial_in_days })),
  ])
    expect(await set(body)).toMatchObject({ status: 422 })
  expect(await db.selectFrom('organizations').select('trial_end_date').execute()).toEqual([
    { trial_end_date: '2026-05-01' },
  ])
})

test('the demo video is stored and changed; only http and https are accepted', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  expect(await as('csm').post(`${organization}/demo-video-link`, { org_id: id, ...video })).toMatchObject({
    message: 'Video link has been uploaded successfully',
    data: video,
  })
  const changed = { video_label: 'Second', video_link: 'https://video.example/2' }
  expect(await as('csm').post(`${organization}/update-demo-video-link`, { id, ...changed })).toMatchObject({
    data: changed,
  })
  for (const video_link of ['javascript:alert(1)', 'ftp://video.example', 'video', ''])
    expect(
      await as('csm').post(`${organization}/demo-video-link`, { org_id: id, ...video, video_link }),
    ).toMatchObject({
      status: 422,
      errors: { video_link: expect.any(Array) },
    })
})

test('getOrgUser returns the organization with its users; ids that do not belong together are 404', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' })]
  const user = await enterUser(db, id, 'Aino', { is_master: true, role_id: 1 })
  const foreign = await enterUser(db, other, 'Berit')
  expect(await as('csm').get(`/admin/getOrgUser?user=${user}&org_id=${id}`)).toMatchObject({
    data: {
      organization: { name: 'Aalto Linen', user_name: 'Aino' },
      user: { id: user, role: 'Owner' },
      users: [{ id: user, is_master: true }],
    },
  })
  expect(await as('csm').get(`/admin/getOrgUser?user=0&org_id=${id}`)).toMatchObject({ data: { user: null } })
  expect(await as('csm').get(`/admin/getOrgUser?user=${foreign}&org_id=${id}`)).toMatchObject({ status: 404 })
})

test('with more than five hundred users, getOrgUser still returns the one that the URL names', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  await sql`insert into customer_users (organization_id, first_name) select ${id}, 'Guest ' || n from generate_series(1, 500) n`.execute(
    db,
  )
  const last = await enterUser(db, id, 'Zoe')
  const { data } = await as('csm').get(`/admin/getOrgUser?user=${last}&org_id=${id}`)
  expect([data.user.first_name, data.users.length, data.users.at(-1).id]).toEqual(['Zoe', 501, last])
})

test('dependents are counted before organizations move to the trash, and only their own', async () => {
  const { as, db } = await startTestApp()
  const [id, other] = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' })]
  const used = async (ids: number[]) => as('csm').post(`${organization}/used`, { ids })
  const nothing = { data: {}, documents: 0 }
  expect(await used([id, other])).toMatchObject(nothing)
  await enterUser(db, id, 'Aino')
  await enterLead(db, { organization_id: id })
  const form = { 'attachment[]': { name: 'terms.txt', bytes: 'Terms', type: 'text/plain' } }
  await as('csm').post(`${organization}/${id}/documents`, undefined, { form })
  await enterTicket(db, { organization_id: id })
  await db.insertInto('customer_contracts').values({ title: 'Supply', organization_id: id }).execute()
  const task = await db
    .insertInto('tasks')
    .values({ discipline: 'development', product_id: 1, title: 'Mend' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('task_organizations')
    .values([
      { task_id: task.id, organization_id: id },
      { task_id: task.id, organization_id: other },
    ])
    .execute()
  const task_ids = { task: 1 }
  const all = { customer_user: 1, lead: 1, ticket: 1, contract: 1, ...task_ids }
  const counted = async (ids: number[]) => {
    const { data, documents } = await used(ids)
    return { data, documents }
  }
  expect(await counted([id])).toEqual({ data: all, documents: 1 })
  expect(await counted([other])).toEqual({ data: task_ids, documents: 0 })
  expect((await counted([id, other])).data.task).toBe(1)
})

test('products and domain are edited; an invalid domain is refused at its field', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  const edit = (body: object) => as('csm').post(`${organization}/${id}/update`, body)
  expect(await edit({ domain: 'Aalto.example', product_ids: [1, 3] })).toMatchObject({
    data: { domain: 'aalto.example', product_ids: [1, 3] },
  })
  expect(await edit({ domain: 'Müller.example' })).toMatchObject({ data: { domain: 'müller.example' } })
  for (const domain of ['aalto', 'https://aalto.example', 'aalto.example/x', 'aalto .example'])
    expect(await edit({ domain })).toMatchObject({ status: 422, errors: { domain: [expect.any(String)] } })
  expect(await edit({ product_ids: [] })).toMatchObject({
    status: 422,
    errors: { product_ids: [expect.any(String)] },
  })
  expect(await edit({ domain: '' })).toMatchObject({ data: { domain: '', product_ids: [1, 3] } })
})

test('ten thousand ids are accepted, one more is refused', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db, { status: 4 })
  const ids = (count: number) => Array.from({ length: count }, (_, index) => id + index)
  const change = (count: number) =>
    as('csm').get(`${users}/change-organization-status?status=1&org_ids=${ids(count).join(',')}`)
  expect(await change(10_000)).toMatchObject({ status: 404 })
  expect(await change(10_001)).toMatchObject({ status: 422, errors: { org_ids: [expect.any(String)] } })
  expect(
    await as('csm').post(`${users}/change-organization-status/preview`, { status: 1, org_ids: ids(10_000) }),
  ).toMatchObject({ status: 200, changing: 1 })
  expect(await db.selectFrom('organizations').select('status').execute()).toEqual([{ status: 4 }])
})

test('documents are added several at a time, with a label, removed, and restored', async () => {
  const { as, db } = await startTestApp()
  const id = await enterOrganization(db)
  const form = {
    label: 'Contract',
    'attachment[]': { name: 'terms.txt', bytes: 'Terms', type: 'text/plain' },
  }
  expect(await as('csm').post(`${organization}/${id}/documents`, undefined, { form })).toMatchObject({
    status: 200,
  })
  const shown = async () => as('csm').get(`${organization}/${id}/documents`)
  const [document] = (await shown())['data']
  expect(document).toMatchObject({ name: 'terms.txt', label: 'Contract' })
  await as('csm').post(`${organization}/${id}/documents/remove`, { file_id: document.id })
  expect(await shown()).toMatchObject({ data: [], removed: [{ id: document.id, name: 'terms.txt' }] })
  await as('csm').post(`${organization}/${id}/documents/remove`, { file_id: document.id, back: true })
  expect(await shown()).toMatchObject({ data: [{ id: document.id, label: 'Contract' }], removed: [] })
  expect((await as('csm').post(`${organization}/${id}/documents`, {})).status).toBe(422)
})

test('the account owner is reminded 7 days before the end of a trial, 1 day before, and on the day, once each', async () => {
  const { as, db } = await startTestApp()
  const assign_to = as('csm').id
  const id = await enterOrganization(db, { status: 2, trial_end_date: '2026-03-23', assign_to })
  const reminders = async () => (await as('csm').get(`${organization}/reminders`))['data']
  expect(await remindOfOrganizations(db, '2026-03-15')).toEqual([])
  expect(await remindOfOrganizations(db, '2026-03-16')).toEqual([assign_to])
  expect(await remindOfOrganizations(db, '2026-03-16')).toEqual([])
  expect(await remindOfOrganizations(db, '2026-03-22')).toEqual([assign_to])
  expect(await remindOfOrganizations(db, '2026-03-23')).toEqual([assign_to])
  const [reminder] = await reminders()
  expect(reminder).toMatchObject({ organization_id: id, name: 'Aalto Linen', due_on: '2026-03-23' })
  await db.updateTable('organizations').set({ trial_end_date: '2026-04-23' }).execute()
  expect(await reminders()).toEqual([])
})

test("an onboarding's assignee is reminded on its expected date, while date and assignee are the same", async () => {
  const started = await startTestApp()
  const { as, db } = started
  const assign_to = as('csm').id
  const { id, org_id } = await winLead(started, { assign_to })
  await db.updateTable('onboardings').set({ next_expected_date: '2026-03-18' }).execute()
  const reminders = async (who = 'csm') => (await as(who).get(`${organization}/reminders`))['data']
  expect(await remindOfOrganizations(db, '2026-03-17')).toEqual([])
  expect(await remindOfOrganizations(db, '2026-03-18')).toEqual([assign_to])
  expect(await remindOfOrganizations(db, '2026-03-19')).toEqual([])
  const due = [{ organization_id: org_id, onboarding_id: id, due_on: '2026-03-18' }]
  expect(await reminders()).toMatchObject(due)

  await db
    .updateTable('onboardings')
    .set({ assign_to: as('data_entry').id })
    .execute()
  expect([await reminders(), await reminders('data_entry')]).toEqual([[], []])
  await db.updateTable('onboardings').set({ assign_to, next_expected_date: '2026-03-25' }).execute()
  expect(await reminders()).toEqual([])
  await db.updateTable('onboardings').set({ next_expected_date: '2026-03-18' }).execute()
  const [reminder] = await reminders()
  expect(reminder).toMatchObject(due[0]!)

  const mark = (who: string, done: boolean) =>
    as(who).post(`${organization}/reminders/${reminder.id}`, { done })
  expect(await mark('data_entry', true)).toMatchObject({ status: 404 })
  await mark('csm', true)
  expect(await reminders()).toEqual([])
  await mark('csm', false)
  expect(await reminders()).toMatchObject(due)
})

test('the CSV has a column for each field that declares one, with names instead of codes and ids', async () => {
  const { as, db } = await startTestApp()
  await enterOrganization(db, {
    name: 'Aalto Linen',
    status: 2,
    trial_end_date: '2026-03-30',
    state: 'Uusimaa',
    country: 'Finland',
    timezone: 'Europe/Helsinki',
    assign_to: as('admin').id,
  })
  const { text } = await as('admin').get(`${users}/all-organizations-data/export?search=aalto`)
  const { name } = await db
    .selectFrom('products')
    .select('name')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  const [header, row] = text.split('\n')
  expect(header).toBe(
    '\ufeffNumber,Name,Status,Trial ends,Products,State,Country,Time zone,Users,Account owner',
  )
  expect(row).toMatch(
    new RegExp(
      `^\\d+,Aalto Linen,Trial,2026-03-30,${name},Uusimaa,Finland,Europe/Helsinki,0,\\p{L}+ \\p{L}+$`,
      'u',
    ),
  )
})
