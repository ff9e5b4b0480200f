import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { isAdminRole, roleIds } from '#shared/access.ts'
import { listNames, lists, type ListEntry, type ListName } from '#features/admin/lists/contract.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { seedReference } from '#server/db/seed/reference.ts'

const at = '/admin/lists'
const all = async ({ as }: Pick<TestApp, 'as'>) =>
  (await as('admin').get(at))['data'] as Record<ListName, ListEntry[]>
const names = async (started: Pick<TestApp, 'as'>, list: ListName) =>
  (await all(started))[list].map(({ name }) => name)

test('only roles 0 and 1 change the lists', async () => {
  const started = await startTestApp()
  const before = await all(started)
  for (const role of [...roleIds, undefined]) {
    if (role !== undefined && isAdminRole(role)) continue
    const expected = role === undefined ? 401 : 403
    const who = started.as(role)
    expect((await who.get(at)).status).toBe(expected)
    expect((await who.get(`${at}/services/uses`)).status).toBe(expected)
    expect((await who.post(`${at}/services/add`, { name: 'New' })).status).toBe(expected)
    expect((await who.post(`${at}/services/change`, { key: 'Consulting', name: 'New' })).status).toBe(
      expected,
    )
    expect((await who.post(`${at}/services/order`, { keys: ['Consulting'] })).status).toBe(expected)
    expect((await who.post(`${at}/services/remove`, { key: 'Consulting' })).status).toBe(expected)
  }
  expect(await all(started)).toEqual(before)
  expect((await started.as('super_admin').get(at)).status).toBe(200)
})

test('the uses of entries are counted', async () => {
  const started = await startTestApp()
  await enterLead(started.db, {})
  await enterLead(started.db, {})
  const uses = async (list: ListName) => (await started.as('admin').get(`${at}/${list}/uses`))['data']
  expect(await uses('statuses')).toMatchObject({ '1': '2 leads use it', '7': 'Not used' })
  for (const list of listNames)
    expect(Object.keys(await uses(list)).toSorted()).toEqual(
      (await all(started))[list].map(({ key }) => key).toSorted(),
    )
})

test.each(listNames)('%s: added, renamed, moved to the top, and removed', async (list) => {
  const started = await startTestApp()
  const admin = started.as('admin')
  const before = (await all(started))[list]
  const added = await admin.post(`${at}/${list}/add`, {
    name: 'Aardvark',
    ...(lists[list].toned ? { tone: 'teal' } : {}),
  })
  expect(added).toMatchObject({ status: 200, message: 'Aardvark added.' })
  const entry = (added['data'] as ListEntry[]).find(({ name }) => name === 'Aardvark')!
  expect(entry).toMatchObject({ tone: lists[list].toned ? 'teal' : null, fixed: null })
  const renamed = await admin.post(`${at}/${list}/change`, { key: entry.key, name: 'Zebra' })
  const { key } = (renamed['data'] as ListEntry[]).find(({ name }) => name === 'Zebra')!
  const ordered = await admin.post(`${at}/${list}/order`, { keys: [key, ...before.map((one) => one.key)] })
  expect((ordered['data'] as ListEntry[]).map(({ name }) => name)).toEqual([
    'Zebra',
    ...before.map(({ name }) => name),
  ])
  // Entries added later sort last, not in alphabetical order.
  expect((await admin.post(`${at}/${list}/add`, { name: 'Bee' }))['data'].at(-1)).toMatchObject({
    name: 'Bee',
  })
  expect((await admin.post(`${at}/${list}/add`, { name: 'Ant' }))['data'].at(-1)).toMatchObject({
    name: 'Ant',
  })
  const last = (await all(started))[list].slice(-2)
  for (const one of [...last.map((other) => other.key), key])
    expect(await admin.post(`${at}/${list}/remove`, { key: one })).toMatchObject({ status: 200 })
  expect((await all(started))[list]).toEqual(before)
})

test('users of the lists see a new order and name immediately', async () => {
  const started = await startTestApp()
  const { as, live } = started
  const services = await names(started, 'services')
  await as('admin').post(`${at}/services/order`, { keys: services.toReversed() })
  expect((await as('crm').get('/admin/users/lead-options'))['services']).toEqual(services.toReversed())
  expect(live).toContainEqual(expect.objectContaining({ channel: 'private-records.lists', event: 'changed' }))
})

test('a renamed entry is renamed on its leads and sessions, and their versions stay', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const lead_id = await enterLead(db, {
    services: 'Consulting',
    hear_about: 'Webinar',
    cog_types: ['Mats', 'Scrubs'],
  })
  await db.insertInto('lead_demos').values({ lead_id, type: 'Training' }).execute()
  for (const [list, key, name] of [
    ['services', 'Consulting', 'Advice'],
    ['sources', 'Webinar', 'Online seminar'],
    ['cog_types', 'Mats', 'Floor mats'],
    ['session_types', 'Training', 'Course'],
  ] as const)
    expect((await as('admin').post(`${at}/${list}/change`, { key, name })).status).toBe(200)
  expect(
    await db
      .selectFrom('leads')
      .select(['services', 'hear_about', 'cog_types', 'version'])
      .executeTakeFirst(),
  ).toEqual({
    services: 'Advice',
    hear_about: 'Online seminar',
    cog_types: ['Floor mats', 'Scrubs'],
    version: 1,
  })
  expect(await db.selectFrom('lead_demos').select('type').executeTakeFirst()).toEqual({ type: 'Course' })
})

test.each(listNames.filter((list) => lists[list].toned))(
  '%s: a new entry never has the ID of a removed one, which the history still names',
  async (list) => {
    const admin = (await startTestApp()).as('admin')
    const add = async (name: string) => {
      const { data } = await admin.post(`${at}/${list}/add`, { name })
      return (data as ListEntry[]).find((one) => one.name === name)!.key
    }
    const removed = await add('Aardvark')
    expect(await admin.post(`${at}/${list}/remove`, { key: removed })).toMatchObject({ status: 200 })
    expect(Number(await add('Bee'))).toBeGreaterThan(Number(removed))
  },
)

test('an entry in use cannot be removed, and the answer has the count', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const values = { status: 3, color: 2, services: 'Consulting', hear_about: 'Webinar', cog_types: ['Mats'] }
  const lead_id = await enterLead(db, values)
  await enterLead(db, { ...values, deleted_at: '2026-03-10T10:00:00Z', deleted_by: 1 })
  await db.insertInto('lead_tag_links').values({ lead_id, tag_id: 1 }).execute()
  await db.insertInto('lead_demos').values({ lead_id, type: 'Training' }).execute()
  await db
    .insertInto('lead_prospection_answers')
    .values({ lead_id, question_id: 1, answer: 'x', staff_id: 1 })
    .execute()
  const before = await all(started)
  for (const [list, key, words] of [
    ['statuses', '3', '2 leads use “Qualified”.'],
    ['colors', '2', '2 leads use “Medium”.'],
    ['services', 'Consulting', '2 leads use “Consulting”.'],
    ['sources', 'Webinar', '2 leads use “Webinar”.'],
    ['cog_types', 'Mats', '2 leads use “Mats”.'],
    ['tags', '1', '1 lead uses “Hospital”.'],
    ['session_types', 'Training', '1 session uses “Training”.'],
    ['questions', '1', '1 lead has answered'],
  ] as const)
    expect(await as('admin').post(`${at}/${list}/remove`, { key })).toMatchObject({
      status: 409,
      message: expect.stringContaining(words),
    })
  expect(await all(started)).toEqual(before)
})

test('rejected, new, and no priority stay, whether they are used or not', async () => {
  const { as } = await startTestApp()
  for (const [list, key] of [
    ['statuses', '8'],
    ['statuses', '1'],
    ['colors', '0'],
  ])
    expect(await as('super_admin').post(`${at}/${list}/remove`, { key })).toMatchObject({
      status: 409,
      message: expect.stringContaining('can’t be removed'),
    })
  // These entries can be renamed, because names are data.
  expect(
    (await as('admin').post(`${at}/statuses/change`, { key: '8', name: 'Turned down', tone: 'gray' })).status,
  ).toBe(200)
})

test('an order of different entries than the list has is 409 with the list', async () => {
  const started = await startTestApp()
  const keys = (await all(started)).sources.map(({ key }) => key)
  for (const wrong of [keys.slice(1), [...keys, 'Unknown'], [...keys.slice(1), keys[1]!]])
    expect(await started.as('admin').post(`${at}/sources/order`, { keys: wrong })).toMatchObject({
      status: 409,
      current: expect.any(Array),
    })
})

test('an unknown list, an empty name, an invalid color, or a duplicate is refused, with nothing changed', async () => {
  const started = await startTestApp()
  const { as } = started
  const before = await all(started)
  const wrong: [path: string, body: object, status: number, field?: string][] = [
    ['nothing/add', { name: 'A' }, 404],
    ['constructor/add', { name: 'A' }, 404],
    ['services/add', {}, 422, 'name'],
    ['services/add', { name: '  ' }, 422, 'name'],
    ['services/add', { name: 'x'.repeat(201) }, 422, 'name'],
    ['services/add', { name: 'a\u0000' }, 422, 'name'],
    ['services/add', { name: 'consulting' }, 422, 'name'],
    ['services/add', { name: 'A', tone: 'red' }, 422, 'tone'],
    ['statuses/add', { name: 'A', tone: 'url(x)' }, 422, 'tone'],
    ['tags/add', { name: 'HOTEL' }, 422, 'name'],
    ['services/change', { key: 'Unknown', name: 'A' }, 404],
    ['services/change', { key: 'Consulting', name: 'Integration' }, 422, 'name'],
    ['services/change', { name: 'A' }, 422, 'key'],
    ['statuses/change', { key: '99', name: 'A' }, 404],
    ['statuses/remove', { key: "1' or true" }, 404],
    ['services/remove', { key: 7 }, 422, 'key'],
    ['services/order', { keys: [] }, 422, 'keys'],
  ]
  for (const [path, body, status, field] of wrong) {
    const reply = await as('admin').post(`${at}/${path}`, body)
    expect([path, body, reply.status, ...(field ? Object.keys(reply.errors ?? {}) : [])]).toEqual([
      path,
      body,
      status,
      ...(field ? [field] : []),
    ])
  }
  expect(await all(started)).toEqual(before)
})

test('a team is created and renamed for its members, and stays while it has one', async () => {
  const { as, db } = await startTestApp()
  const names = async () => (await as('qa').get('/common/team/all'))['data'] as { id: number; name: string }[]
  expect(await as('crm').post('/admin/lists/teams/add', { name: 'Night shift' })).toMatchObject({
    status: 403,
  })
  await as('admin').post('/admin/lists/teams/add', { name: 'Night shift' })
  const { id } = (await names()).find(({ name }) => name === 'Night shift')!
  await db
    .insertInto('team_members')
    .values({ team_id: id, staff_id: as('crm').id })
    .execute()
  await as('admin').post('/admin/lists/teams/change', { key: String(id), name: 'Late shift' })
  expect((await as('admin').get(`/admin/users/get-all-users?team_id=${id}`))['data']).toMatchObject([
    { teams: [{ id, name: 'Late shift' }, { name: 'Sales' }] },
  ])
  expect(await as('admin').post('/admin/lists/teams/remove', { key: String(id) })).toMatchObject({
    status: 409,
    message: '“Late shift” can’t be removed. 1 admin user is in “Late shift”.',
  })
})

test('removed or renamed entries are not seeded again when the panel restarts', async () => {
  const started = await startTestApp()
  await started.as('admin').post(`${at}/statuses/remove`, { key: '6' })
  await started.as('admin').post(`${at}/colors/remove`, { key: '3' })
  await started.as('admin').post(`${at}/services/change`, { key: 'Consulting', name: 'Advice' })
  const before = await all(started)
  await seedReference(started.db, { product1Name: 'Linen' })
  expect(await all(started)).toEqual(before)
})

test('a lead cannot get an entry that is being removed', async () => {
  const { as, db } = await startTestApp()
  await db.transaction().execute(async (tx) => {
    await sql`insert into leads (company_name, lead_for, services) values ('Late', 1, 'Consulting')`.execute(
      tx,
    )
    // The lead is not committed yet, so the removal waits for it and times out.
    expect((await as('admin').post(`${at}/services/remove`, { key: 'Consulting' })).status).toBe(503)
  })
  expect((await as('admin').post(`${at}/services/remove`, { key: 'Consulting' })).status).toBe(409)
})
