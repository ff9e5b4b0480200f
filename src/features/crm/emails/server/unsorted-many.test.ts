import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { deliver, inboundEnv } from '#features/crm/emails/server/emails.testing.ts'

const settle = '/admin/unsorted/settle-many'
const file = '/admin/unsorted/file-many'
const undo = '/admin/unsorted/undo-many'

const enter = async ({ db }: Pick<TestApp, 'db'>, subject: string, state = 'unsorted') =>
  (
    await db
      .insertInto('received_mails')
      .values({ kind: 'message', message_id: `<${subject}@new.example>`, state, subject })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

const stateOf = async ({ db }: Pick<TestApp, 'db'>, id: number) =>
  (await db.selectFrom('received_mails').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

test('selected emails are marked together, and returned together; those that someone has sorted are named', async () => {
  const app = await startTestApp()
  const [one, two, three] = [await enter(app, 'One'), await enter(app, 'Two'), await enter(app, 'Three')]
  const desk = app.as('support')
  await desk.post(`/admin/unsorted/${two}/settle`, { state: 'done' })
  expect(await desk.post(settle, { ids: [three, two, one, 999_999, one], state: 'spam' })).toMatchObject({
    status: 200,
    message: '2 emails marked as spam.',
    data: [one, three],
    left_out: [
      { id: two, title: 'Two', why: 'Someone has already sorted it.' },
      { id: 999_999, title: '', why: 'This email doesn’t exist.' },
    ],
  })
  expect([await stateOf(app, one), await stateOf(app, two)]).toEqual(['spam', 'done'])
  expect(await desk.post(undo, { ids: [one, three] })).toMatchObject({
    message: '2 emails returned to Unsorted.',
    data: [one, three],
  })
  expect([await stateOf(app, one), await stateOf(app, three)]).toEqual(['unsorted', 'unsorted'])
  expect(await desk.post(undo, { ids: [one] })).toMatchObject({
    status: 409,
    message: 'Someone has already sorted it.',
  })
})

test('each selected email gets its own ticket, and all are returned together; one that was sorted meanwhile is named', async () => {
  const app = await startTestApp({ env: inboundEnv })
  const receive = async (subject: string) => {
    const head = ['From: Jana <jana@resort.example>', 'To: a@linen.example', `Subject: ${subject}`]
    const raw = [...head, `Message-ID: <${subject}@x.example>`, '', `About ${subject}.`]
    return (await deliver(app, raw.join('\r\n'))).id
  }
  const [one, two, three] = [await receive('One'), await receive('Two'), await receive('Three')]
  const desk = app.as('support')
  await desk.post(`/admin/unsorted/${two}/settle`, { state: 'done' })
  expect(await desk.post(file, { ids: [three, two, one] })).toMatchObject({
    status: 200,
    message: '2 tickets created.',
    data: [one, three],
    left_out: [{ id: two, title: 'Two', why: 'Someone has already sorted it.' }],
  })
  const rows = async () => (await desk.get('/admin/support/ticket'))['data']
  const titles = async () => ((await rows()) as { title: string }[]).map(({ title }) => title).toSorted()
  expect(await titles()).toEqual(['One', 'Three'])
  const tickets = await app.db.selectFrom('ticket_messages').select(['ticket_id', 'message']).execute()
  expect(tickets.map(({ message }) => message)).toEqual([
    expect.stringContaining('About One.'),
    expect.stringContaining('About Three.'),
  ])
  expect(new Set(tickets.map(({ ticket_id }) => ticket_id)).size).toBe(2)
  expect(await desk.post(undo, { ids: [one, three] })).toMatchObject({
    message: '2 emails returned to Unsorted.',
    data: [one, three],
  })
  expect(await titles()).toEqual([])
  expect([await stateOf(app, one), await stateOf(app, three)]).toEqual(['unsorted', 'unsorted'])
  expect(await desk.post(file, { ids: [two] })).toMatchObject({ status: 409 })
})

test('filed, banned, and automatic emails are not sorted together', async () => {
  const app = await startTestApp()
  for (const state of ['banned', 'automatic']) {
    const id = await enter(app, state, state)
    for (const [path, more] of [
      [settle, { state: 'spam' }],
      [file, {}],
      [undo, {}],
    ] as const)
      expect((await app.as('support').post(path, { ids: [id], ...more })).status).toBe(409)
    expect(await stateOf(app, id)).toBe(state)
  }
})

test('invalid input is refused at its field', async () => {
  const { as } = await startTestApp()
  const many = Array.from({ length: 51 }, (_, at) => at + 1)
  expect(await as('support').post(settle, { ids: many, state: 'spam' })).toMatchObject({
    status: 422,
    errors: { ids: ['Select up to 50 emails at a time.'] },
  })
  expect(await as('support').post(settle, { ids: [], state: 'filed' })).toMatchObject({
    status: 422,
    errors: { ids: [expect.any(String)], state: [expect.any(String)] },
  })
})

test('sorting emails together is for roles that can open tickets', async () => {
  const app = await startTestApp()
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const id = await enter(app, `For ${role}`)
    const expected = may ? 200 : role === undefined ? 401 : 403
    expect((await app.as(role).post(settle, { ids: [id], state: 'done' })).status, String(role)).toBe(
      expected,
    )
    expect((await app.as(role).post(undo, { ids: [id] })).status, String(role)).toBe(expected)
    expect((await app.as(role).post(file, { ids: [id] })).status, String(role)).toBe(expected)
  }
})

const rule = {
  id: null,
  words: [] as string[],
  in_message: false,
  senders: [] as string[],
  category: null,
  organization_id: null,
  new_category: null,
  new_priority: null,
  tag_ids: [],
  mark_spam: true,
}

test('an email of an unknown sender that a rule marks as spam is under Spam, with the reason, and can be returned', async () => {
  const app = await startTestApp({ env: inboundEnv })
  const rules = [
    { ...rule, senders: ['resort.example'], organization_id: null, category: 2 },
    { ...rule, words: ['free prize'], in_message: true },
  ]
  expect((await app.as('admin').post('/admin/support/ticket-rules', { version: 0, rules })).status).toBe(200)
  let count = 0
  const receive = async (from: string, text: string) => {
    count += 1
    const raw = [`From: ${from}`, 'To: a@linen.example', 'Subject: Hello', `Message-ID: <${count}@x.example>`]
    return (await deliver(app, [...raw, '', text].join('\r\n'))).id
  }
  const spam = await receive('eve@promo.example', 'Your FREE prize waits.')
  // Control: neither the words nor the category of the first rule fit.
  const good = await receive('jana@resort.example', 'The scanner stopped.')
  expect([await stateOf(app, spam), await stateOf(app, good)]).toEqual(['spam', 'unsorted'])
  const desk = app.as('support')
  expect((await desk.get('/admin/unsorted?state=spam'))['data']).toMatchObject([
    { id: spam, spam_reason: 'Rule 2: “free prize”' },
  ])
  expect((await desk.post(`/admin/unsorted/${spam}/undo`)).status).toBe(200)
  expect((await desk.get('/admin/unsorted'))['data']).toMatchObject([
    { id: good, spam_reason: '' },
    { id: spam, spam_reason: '' },
  ])
})
