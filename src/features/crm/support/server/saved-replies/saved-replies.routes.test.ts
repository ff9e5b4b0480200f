import { expect, test } from 'vitest'
import { defaultGrants, roleIds } from '#shared/access.ts'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const path = '/admin/support/saved-replies'
const content = '<p>Hi {{first_name}}, see {{ticket_number}}.</p>'

async function withReply(values: object = {}, who = 'support') {
  const started = await startTestApp()
  const { data } = await started.as(who).post(path, { name: 'Count', content, ...values })
  return { ...started, id: (data as { id: number }).id }
}

test('saved replies are for roles that can open tickets', async () => {
  const { as, id, db } = await withReply({ is_shared: true }, 'admin')
  const { id: ticket } = await enterTicket(db)
  for (const role of [...roleIds, undefined]) {
    const may = role !== undefined && defaultGrants[role].includes('all_tickets_view')
    const expected = may ? 200 : role === undefined ? 401 : 403
    const statuses = [
      await as(role).get(path),
      await as(role).get(`${path}/${id}`),
      await as(role).get(`/admin/support/ticket/${ticket}/saved-replies/${id}`),
      await as(role).post(path, { name: 'Own', content }),
      await as(role).post(`/admin/support/ticket/${ticket}/saved-replies/preview`, { content }),
    ].map(({ status }) => status)
    expect([role, statuses]).toEqual([role, Array.from({ length: 5 }, () => expected)])
  }
})

test('only admins create, change, and share replies that everyone can use', async () => {
  const { as, id } = await withReply({ is_shared: true }, 'admin')
  expect((await as('support').post(path, { name: 'Mine', content, is_shared: true })).status).toBe(403)
  expect((await as('support').post(`${path}/${id}`, { name: 'Changed' })).status).toBe(403)
  expect((await as('support').post('/admin/records/saved_reply/trash', { ids: [id] })).status).toBe(403)
  const own = await as('support').post(path, { name: 'Mine', content })
  const mine = (own['data'] as { id: number }).id
  expect((await as('support').post(`${path}/${mine}`, { is_shared: true })).status).toBe(403)
  expect((await as('support').post(`${path}/${mine}`, { name: 'Still mine' })).status).toBe(200)
  expect((await as('admin').post(`${path}/${id}`, { name: 'Changed' })).status).toBe(200)
})

test('an admin user’s own replies are shown to no one else', async () => {
  const { as, id } = await withReply()
  for (const who of ['super_admin', 'csm']) {
    expect((await as(who).get(path))['data']).toEqual([])
    expect((await as(who).get(`${path}/${id}`)).status).toBe(404)
    expect((await as(who).post(`${path}/${id}`, { name: 'Taken' })).status).toBe(404)
  }
  expect((await as('support').get(path))['data']).toMatchObject([{ id, words: expect.any(String) }])
})

test('the list has the most used first, and is searched by name and shortcut', async () => {
  const { as, id, db } = await withReply({ shortcut: 'manual' })
  const { data } = await as('admin').post(path, { name: 'Profile', content, is_shared: true, category: 1 })
  const other = (data as { id: number }).id
  await db.updateTable('saved_replies').set({ uses: 3 }).where('id', '=', id).execute()
  const ids = async (query: string) =>
    ((await as('support').get(`${path}?${query}`))['data'] as { id: number }[]).map((row) => row.id)
  expect(await ids('')).toEqual([id, other])
  expect(await ids('search=manu')).toEqual([id])
  expect(await ids('search=PROF')).toEqual([other])
  expect(await ids('available=own')).toEqual([id])
  expect(await ids('available=shared')).toEqual([other])
  expect(await ids('category=1')).toEqual([other])
})

test.each([
  [{ name: '', content }, { name: ['This field is required.'] }],
  [{ name: 'A', content: '<p> </p>' }, { content: ['This field is required.'] }],
  [
    { name: 'A', content: '<p>{{company}}</p>' },
    { content: ['{{company}} isn’t a variable of saved replies.'] },
  ],
  [
    { name: 'A', content, shortcut: 'Count it' },
    { shortcut: ['Use lowercase letters, digits, and hyphens only.'] },
  ],
])('%o is refused with a text at its field', async (body, errors) => {
  const { as } = await startTestApp()
  const reply = await as('support').post(path, body)
  expect([reply.status, reply['errors']]).toEqual([422, errors])
})

test('variables get the values of the ticket; one without a value stays, and the reply can’t be sent with it', async () => {
  const { as, db, id } = await withReply({
    content:
      '<p>Hi {{first_name}} of {{organization}}, {{ticket_number}} “{{ticket_title}}”.</p><p>{{my_name}}</p><p>{{signature}}</p>',
  })
  const org = await enterOrganization(db)
  const user = await enterUser(db, org, 'Jana')
  const { id: known } = await enterTicket(db, {
    title: 'A & B {{my_name}}',
    organization_id: org,
    customer_user_id: user,
  })
  const { id: unknown } = await enterTicket(db, { sender_email: 'desk@inn.example' })
  const fill = async (ticket: number) =>
    (await as('support').get(`/admin/support/ticket/${ticket}/saved-replies/${id}`))['data'].content as string
  const filled = await fill(known)
  expect(filled).toContain('Jana of ')
  expect(filled).toContain(`#${known} “A &amp; B &#123;&#123;my_name}}”`)
  expect(filled).not.toContain('{{')
  const open = await fill(unknown)
  expect(open).toContain('{{organization}}')
  const refused = await as('support').post(`/admin/support/sendReply/${unknown}`, { message: open })
  expect(refused.status).toBe(422)
  expect(refused['errors'].message[0]).toMatch(
    /^Replace .*\{\{organization\}\}.* before you send the reply\.$/,
  )
  const { id: plain } = await enterTicket(db, { organization_id: org, customer_user_id: user })
  const sent = await as('support').post(`/admin/support/sendReply/${plain}`, { message: await fill(plain) })
  expect(sent.status).toBe(200)
})

test('a text that is not saved is previewed as the saved one would be inserted', async () => {
  const { as, db, id } = await withReply()
  const { id: ticket } = await enterTicket(db, { organization_id: await enterOrganization(db) })
  const address = `/admin/support/ticket/${ticket}/saved-replies`
  const filled = (await as('support').get(`${address}/${id}`))['data'].content
  const preview = await as('support').post(`${address}/preview`, { content })
  expect(preview['data']).toEqual({ content: filled })
  expect(filled).toContain(`#${ticket}`)
  const hostile = await as('support').post(`${address}/preview`, {
    content: '<p>Hi<script>alert(1)</script> {{company}}</p>',
  })
  expect(hostile['data']).toEqual({ content: '<p>Hi {{company}}</p>' })
  const missing = await as('support').post('/admin/support/ticket/99/saved-replies/preview', { content })
  expect(missing.status).toBe(404)
})

test('a sent reply counts the saved replies that it was written with, but not those of others', async () => {
  const { as, db, id } = await withReply()
  const others = await as('csm').post(path, { name: 'Other', content })
  const other = (others['data'] as { id: number }).id
  const { id: ticket } = await enterTicket(db)
  const before = (await as('support').get(`${path}/${id}`))['data'].version
  const sent = await as('support').post(`/admin/support/sendReply/${ticket}`, {
    message: '<p>Hello</p>',
    saved_reply_ids: [id, other],
  })
  expect(sent.status).toBe(200)
  const reply = (await as('support').get(`${path}/${id}`))['data']
  expect(reply).toMatchObject({ uses: 1, last_used_by_name: expect.any(String), version: before })
  expect((await as('csm').get(`${path}/${other}`))['data'].uses).toBe(0)
})

test('the files of a saved reply can be sent with a reply, and stay in the saved reply', async () => {
  const { as, db } = await startTestApp()
  const staged = await as('support').send('POST', '/files/stage', undefined, {
    form: { file: { name: 'sheet.pdf', bytes: '%PDF-1.4\n%%EOF' } },
  })
  const file = (staged['data'] as { id: number }).id
  const created = await as('support').post(path, { name: 'Sheet', content, file_ids: [file] })
  const id = (created['data'] as { id: number }).id
  const { id: ticket } = await enterTicket(db)
  const sent = await as('support').post(`/admin/support/sendReply/${ticket}`, {
    message: '<p>See the sheet.</p>',
    file_ids: [file],
    saved_reply_ids: [id],
  })
  expect(sent.status).toBe(200)
  const files = async (address: string) =>
    ((await as('support').get(address))['data'] as { files: { id: number }[] }).files.map((one) => one.id)
  expect(await files(`${path}/${id}`)).toEqual([file])
  const { messages } = (await as('support').get(`/admin/support/ticket/${ticket}`))['data']
  expect(messages.at(-1).attachments).toMatchObject([{ id: file }])
})

async function enterFaq(db: TestApp['db'], title: string, values: { published?: 0 | 1; body?: string } = {}) {
  const { id: category_id } = await db
    .insertInto('article_categories')
    .values({ kind: 'faq', title: `About ${title}`, slug: title.toLowerCase().replaceAll(/\W+/g, '-') })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { published = 1, body = '' } = values
  const { id } = await db
    .insertInto('faqs')
    .values({
      title,
      slug: `faq-${category_id}`,
      category_id,
      order_number: 1,
      author_id: 1,
      body,
      published,
      published_at: published ? '2026-03-01T09:00:00.000Z' : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

test('published FAQs are found by their question, newest first; others are not, and their answers are refused', async () => {
  const { as, db } = await startTestApp()
  const [first, , draft, newest] = [
    await enterFaq(db, 'How do I count towels?', { body: '<p>Open <strong>Count</strong>.</p>' }),
    await enterFaq(db, 'Who irons sheets?'),
    await enterFaq(db, 'How do I count napkins?', { published: 0 }),
    await enterFaq(db, 'What counts as a set?'),
  ]
  const path = '/admin/support/faqs'
  const found = (await as('support').get(`${path}?search=count`))['data']
  expect(found).toEqual([
    { id: newest, title: 'What counts as a set?', published_at: '2026-03-01T09:00:00.000Z' },
    { id: first, title: 'How do I count towels?', published_at: '2026-03-01T09:00:00.000Z' },
  ])
  expect((await as('support').get(`${path}/${first}`))['data']).toEqual({
    content: '<p>Open <strong>Count</strong>.</p>',
    images: 0,
  })
  expect((await as('support').get(`${path}/${draft}`)).status).toBe(404)
  expect((await as('support').get(path)).status).toBe(422)
  for (const address of [`${path}?search=count`, `${path}/${first}`])
    expect([(await as('editor').get(address)).status, (await as(undefined).get(address)).status]).toEqual([
      403, 401,
    ])
})

test('the answer of an FAQ comes without its images, and says how many there are', async () => {
  const { as, db } = await startTestApp()
  const id = await enterFaq(db, 'How do I count towels?', {
    body: '<p>Open Count <img data-file-id="4" alt="The button" />.</p><img data-file-id="5" />',
  })
  expect((await as('support').get(`/admin/support/faqs/${id}`))['data']).toEqual({
    content: '<p>Open Count .</p>',
    images: 2,
  })
})

test('two people who change a saved reply: other fields are merged, the same one is a conflict', async () => {
  const { as, id } = await withReply({ is_shared: true }, 'admin')
  const { version } = (await as('admin').get(`${path}/${id}`))['data']
  expect((await as('super_admin').post(`${path}/${id}`, { name: 'Theirs', version })).status).toBe(200)
  const conflict = await as('admin').post(`${path}/${id}`, {
    name: 'Mine',
    version,
    base: { name: 'Count' },
  })
  expect([conflict.status, conflict['current'].name]).toEqual([409, 'Theirs'])
})
