import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { makePost } from '#features/cms/articles/articles.testing.ts'

const secret = 'a secret of some length'
const sent = {
  product_id: 1,
  post: 'sheets',
  name: 'Zoe',
  email: 'zoe@aalto.example',
  body: 'Nice <b>sheets</b>',
  message_id: 'm-1',
}

async function withComment(started: TestApp) {
  const { id: post_id, category } = await makePost(started)
  const { id } = await started.db
    .insertInto('post_comments')
    .values({ post_id, sender_name: 'Zoe', body: 'Nice' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await started.db
    .insertInto('role_permissions')
    .values({ role_id: 13, permission: 'latest_comments_list' })
    .execute()
  return { id, post_id, category }
}

test.each([
  ['the post’s author', 200],
  ['an admin', 200],
  ['the owner', 200],
  ['a category moderator', 200],
  ['another user', 403],
] as const)('deleting and marking a comment by %s: %i', async (relation, status) => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, category } = await withComment(started)
  const who =
    relation === 'an admin'
      ? as('admin')
      : relation === 'the post’s author'
        ? as('super_admin')
        : as('designer')
  if (relation === 'the owner')
    await db.updateTable('post_comments').set({ user_id: who.id }).where('id', '=', id).execute()
  if (relation === 'a category moderator')
    await db.insertInto('category_moderators').values({ category_id: category, staff_id: who.id }).execute()
  expect((await who.post('/admin/comments/state', { ids: [id], state: 1 })).status).toBe(status)
  expect(await who.post(`/admin/comments/${id}`, {})).toMatchObject({ status: 405 })
  expect((await who.post(`/admin/comments/${id}`, { _method: 'DELETE' })).status).toBe(status)
})

test('the latest comments and those of a post, with state and undo', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id, post_id } = await withComment(started)
  expect(await as('editor').get('/admin/comments')).toMatchObject({
    data: [{ id, post: { id: post_id, slug: 'sheets' }, state: 0 }],
    total: 1,
    per_page: 20,
  })
  const { operation } = await as('admin').post('/admin/comments/state', { ids: [id], state: 2 })
  expect(await as('editor').get('/admin/comments?state=0')).toMatchObject({ total: 0 })
  await as('admin').post(`/admin/operations/${operation.id}/undo`)
  expect(await as('editor').get(`/admin/posts/${post_id}/comments?state=0`)).toMatchObject({ total: 1 })
  expect(await as('crm').get('/admin/comments')).toMatchObject({ status: 403 })
})

test('comments that the user cannot mark are left out of a bulk change, with the reason', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, post_id } = await withComment(started)
  const own = await db
    .insertInto('post_comments')
    .values({
      post_id,
      sender_name: 'Eda',
      sender_email: 'eda@aalto.example',
      body: 'Mine',
      message_id: 'm-9',
      user_id: as('editor').id,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const reply = await as('editor').post('/admin/comments/state', { ids: [id, own.id], state: 2 })
  expect(reply).toMatchObject({ status: 200 })
  expect(reply['message']).toMatch(/^Marked as spam: 1 comment\. 1 was left out: \S/)
  expect(await as('editor').get('/admin/comments?state=2')).toMatchObject({
    data: [{ id: own.id }],
    total: 1,
  })
})

test('a comment is shown among those on its post, with the sender’s approved ones and counts by status', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { id, post_id } = await withComment(started)
  const by = (body: string, state: 0 | 1 | 2, sender_email = 'zoe@aalto.example') => ({
    post_id,
    sender_name: 'Zoe',
    sender_email,
    body,
    state,
  })
  await db
    .insertInto('post_comments')
    .values([by('One', 1), by('Two', 1, 'ZOE@aalto.example'), by('Three', 2), by('Four', 0)])
    .execute()
  const list = await as('editor').get('/admin/comments?state=0')
  expect(list).toMatchObject({ total: 2, counts: { 0: 2, 1: 2, 2: 1 } })
  expect(list['data'].map((row: { approved_earlier: number | null }) => row.approved_earlier)).toEqual([
    2,
    null,
  ])
  const last = list['data'][0].id
  expect(await as('editor').get(`/admin/comments/${last}`)).toMatchObject({
    data: { id: last, approved_earlier: 2 },
    post: { author: 'Ingrid Solheim', comments: 5, product_id: 1 },
    thread: [{ id }, { body: 'One' }, { body: 'Two' }, { body: 'Three' }, { body: 'Four' }],
  })
  expect(await as('crm').get(`/admin/comments/${last}`)).toMatchObject({ status: 403 })
  await db.deleteFrom('staff_products').where('staff_id', '=', as('editor').id).execute()
  expect(await as('editor').get(`/admin/comments/${last}`)).toMatchObject({ status: 404 })
})

test('a comment is accepted with the secret, once per message; without it, it is refused, and if none is set the endpoint is off', async () => {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const { as } = started
  await makePost(started)
  const hand = (headers: Record<string, string>, body: object = sent) =>
    as(undefined).post('/inbound/comment', body, { headers })
  expect(await hand({})).toMatchObject({ status: 401 })
  expect(await hand({ 'x-inbound-secret': `${secret}!` })).toMatchObject({ status: 401 })
  const first = await hand({ 'x-inbound-secret': secret })
  expect(first).toMatchObject({ status: 200 })
  expect(await hand({ 'x-inbound-secret': secret })).toMatchObject({ status: 200, id: first['id'] })
  expect(
    await hand({ 'x-inbound-secret': secret }, { ...sent, message_id: 'm-2', product_id: 2 }),
  ).toMatchObject({ status: 422 })
  expect(await as('editor').get('/admin/comments')).toMatchObject({
    total: 1,
    data: [{ body: 'Nice <b>sheets</b>', state: 0 }],
  })
  const closed = await startTestApp()
  expect(
    await closed.as(undefined).post('/inbound/comment', sent, { headers: { 'x-inbound-secret': secret } }),
  ).toMatchObject({ status: 404 })
})

test('a wrong secret is refused before the body is read, and throttled; the right one passes', async () => {
  const secret = 'a-secret-of-the-gateway'
  const { as } = await startTestApp({ env: { INBOUND_SECRET: secret, RATE_LIMITS: 'on' } })
  const hand = async (sent: string) =>
    (await as(undefined).post('/inbound/comment', { nonsense: 1 }, { headers: { 'x-inbound-secret': sent } }))
      .status
  for (let count = 0; count < 30; count += 1) expect(await hand('wrong')).toBe(401)
  expect(await hand('wrong')).toBe(429)
  expect(await hand(secret)).toBe(422)
})
