import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { makePost } from '#features/cms/articles/articles.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { Unsubscribing } from '#server/mail/unsubscribe.ts'
import { subscribersOf } from '#features/cms/articles/announcing/server/announcing.queries.ts'
import { withoutStyles } from '#server/mail/mail.testing.ts'

async function withSubscribers() {
  const started = await startTestApp()
  const organization = await enterOrganization(started.db)
  await enterUser(started.db, organization, 'Zoe')
  await enterUser(started.db, organization, 'Ben', { is_subscribed: 0 })
  await enterUser(started.db, organization, 'Joe')
  return started
}
type Started = TestApp

const mailed = async ({ db }: Started) =>
  (
    await db
      .selectFrom('mail_recipients as r')
      .innerJoin('mails as m', 'm.id', 'r.mail_id')
      .select(['r.address', 'm.subject', 'm.record_type', 'm.unsubscribable'])
      .where('m.kind', '=', 'announcement')
      .orderBy('r.address')
      .execute()
  ).map(({ address, ...mail }) => [address, mail] as const)

const announced = (subject: string, record_type: string) =>
  ['joe@aalto.example', 'zoe@aalto.example'].map((address) => [
    address,
    { subject, record_type, unsubscribable: true },
  ])

async function makeAnnounced(started: Started, values: object = {}) {
  const { category } = await makePost(started)
  const { data } = await started
    .as('editor')
    .post('/admin/posts?product_id=1', { title: 'Linen news', category, send_email: 1, ...values })
  return data as { id: number; announces: boolean }
}
const publish = (started: Started, id: number, action = 'publish', more = '') =>
  started.as('admin').post(`/admin/posts/${id}/publishing?product_id=1&action=${action}${more}`)

test("the first publishing sends the email to the product's subscribed customers, once, whatever is undone and republished", async () => {
  const started = await withSubscribers()
  const { id, announces } = await makeAnnounced(started, { body: '<p>We moved.</p>' })
  expect(announces).toBe(true)
  expect(await mailed(started)).toEqual([])
  expect(await started.as('admin').get('/admin/articles/subscribers?product_id=1')).toMatchObject({
    total: 2,
  })
  const first = await publish(started, id, 'publish', '&expected=2')
  expect(first).toMatchObject({
    message: '“Linen news” published. Sending an email to 2 customers.',
    data: { announces: false },
  })
  expect(await mailed(started)).toEqual(announced('Linen news', 'post'))

  await publish(started, id, 'unpublish')
  await publish(started, id)
  const { operation } = await publish(started, id, 'unpublish')
  await started.as('admin').post(`/admin/operations/${operation.id}/undo`)
  await started.as('admin').post(`/admin/operations/${first['operation'].id}/undo`)
  await publish(started, id, 'unpublish')
  await publish(started, id)
  expect(await mailed(started)).toHaveLength(2)
  const { data } = await started.as('admin').get(`/admin/posts/${id}`)
  expect(await started.as('editor').get(`/admin/mails/post/${id}`)).toMatchObject({
    data: [{ id: data.mail_id }],
  })
  expect((await started.as('support').get(`/admin/mails/post/${id}`)).status).toBeGreaterThanOrEqual(403)
})

test('setting published to 0 in the form cancels the email for everyone to whom it was not sent', async () => {
  const started = await withSubscribers()
  const editor = started.as('editor')
  const { data } = await editor.post('/admin/event/create?product_id=1', {
    title: 'Linen days',
    send_email: 1,
    published: 1,
  })
  const states = async () =>
    (await started.db.selectFrom('mail_recipients').select('state').execute()).map(({ state }) => state)
  expect(await states()).toHaveLength(2)
  await editor.post(`/admin/event/update/${data.id}?product_id=1`, { _method: 'PUT', published: 0 })
  expect(await states()).toEqual(['canceled', 'canceled'])
})

test('unpublishing and undoing a publish cancel the email for everyone to whom it was not sent', async () => {
  const started = await withSubscribers()
  const { db } = started
  const { id } = await makeAnnounced(started)
  const states = async () =>
    (await db.selectFrom('mail_recipients').select('state').orderBy('id').execute()).map(({ state }) => state)
  const undo = (operation: { id: number }) =>
    started.as('admin').post(`/admin/operations/${operation.id}/undo`)
  const first = await publish(started, id)
  expect(await undo(first['operation'])).toMatchObject({ status: 200, undone: 1 })
  expect(await states()).toEqual(['canceled', 'canceled'])
  // No one received the email, so publishing again sends it.
  await publish(started, id)
  expect(await states()).toHaveLength(4)
  // Control: an email that was already sent stays sent.
  const { id: sent } = await db
    .selectFrom('mail_recipients')
    .select('id')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('mail_recipients')
    .set({ state: 'sent', attempts: 1, sent_at: '2026-03-16T10:00:00Z' })
    .where('id', '=', sent)
    .execute()
  await publish(started, id, 'unpublish')
  expect(await states()).toEqual(['canceled', 'canceled', 'canceled', 'sent'])
  await publish(started, id)
  expect(await states()).toHaveLength(4)
})

test('undoing a publish says what became of its email, and no other undo does', async () => {
  const started = await withSubscribers()
  const { db } = started
  const turn = (way: 'undo' | 'redo', { id }: { id: number }) =>
    started.as('admin').post(`/admin/operations/${id}/${way}`)
  const sendTo = (...addresses: string[]) =>
    db
      .updateTable('mail_recipients')
      .set({ state: 'sent', attempts: 1, sent_at: '2026-03-16T10:00:00Z' })
      .where('address', 'in', addresses)
      .where('state', 'in', ['held', 'waiting'])
      .execute()
  const published = async (...sentTo: string[]) => {
    const { id } = await makeAnnounced(started)
    const { operation } = await publish(started, id)
    if (sentTo.length) await sendTo(...sentTo)
    return { id, operation }
  }

  const none = await published()
  expect(await turn('undo', none.operation)).toMatchObject({
    message: 'Undone: Published: 1 post. Its email was canceled before anyone received it.',
  })
  const one = await published('zoe@aalto.example')
  expect(await turn('undo', one.operation)).toMatchObject({
    message:
      'Undone: Published: 1 post. Its email was already sent to 1 customer, which can’t be undone; it was canceled for 1 customer.',
  })
  const all = await published('zoe@aalto.example', 'joe@aalto.example')
  expect(await turn('undo', all.operation)).toMatchObject({
    message: 'Undone: Published: 1 post. Its email was already sent to 2 customers, which can’t be undone.',
  })
  expect(await turn('redo', all.operation)).toMatchObject({ message: 'Redone: Published: 1 post.' })
  // A later publication sends no email.
  await publish(started, all.id, 'unpublish')
  const again = await publish(started, all.id)
  expect(await turn('undo', again['operation'])).toMatchObject({ message: 'Undone: Published: 1 post.' })
})

test('an article that is published on creation and then moved to the trash sends no email, also by a redo', async () => {
  const started = await withSubscribers()
  const { db } = started
  const admin = started.as('admin')
  const { data } = await started
    .as('editor')
    .post('/admin/event/create?product_id=1', { title: 'Linen days', send_email: 1, published: 1 })
  const states = async () =>
    (await db.selectFrom('mail_recipients').select('state').orderBy('id').execute()).map(({ state }) => state)
  const wait = () =>
    db.updateTable('mail_recipients').set({ state: 'waiting' }).where('state', '=', 'canceled').execute()
  expect(await states()).toEqual(['held', 'held'])
  const { operation, status } = await admin.post('/admin/records/event/trash', { ids: [data.id] })
  expect(status).toBe(200)
  expect(await states()).toEqual(['canceled', 'canceled'])
  await admin.post(`/admin/operations/${operation.id}/undo`)
  expect(await states()).toEqual(['canceled', 'canceled'])
  // As if the email had been written since.
  await wait()
  expect((await admin.post(`/admin/operations/${operation.id}/redo`)).status).toBe(200)
  expect(await states()).toEqual(['canceled', 'canceled'])
})

test('of concurrent publishes one publishes, and the others find it published', async () => {
  const started = await withSubscribers()
  const { id } = await makeAnnounced(started, { send_email: 0 })
  const replies = await Promise.all([1, 2, 3].map(() => publish(started, id)))
  expect(replies.filter(({ message }) => String(message).includes('already'))).toHaveLength(2)
})

test('two concurrent publishes send it once; a different number of recipients than shown sends and publishes nothing', async () => {
  const started = await withSubscribers()
  const { id } = await makeAnnounced(started)
  expect(await publish(started, id, 'publish', '&expected=3')).toMatchObject({
    status: 409,
    current: { total: 2 },
  })
  expect(await mailed(started)).toEqual([])
  expect(await started.as('admin').get(`/admin/posts/${id}`)).toMatchObject({
    data: { published: 0, announces: true },
  })
  await Promise.all([1, 2, 3].map(() => publish(started, id)))
  expect(await mailed(started)).toHaveLength(2)
})

test('without the option, for another product, and for a later publishing nothing is sent', async () => {
  const started = await withSubscribers()
  const plain = await makeAnnounced(started, { title: 'Quiet', send_email: 0 })
  expect(await publish(started, plain.id)).toMatchObject({ message: '“Quiet” published.' })
  // Turning the email on after publication is too late.
  expect(
    await started.as('editor').post(`/admin/posts/${plain.id}`, { _method: 'PUT', send_email: 1 }),
  ).toMatchObject({
    status: 422,
    errors: { send_email: ['This was already published, so no email can be sent.'] },
  })
  await publish(started, plain.id, 'unpublish')
  await publish(started, plain.id)
  const { data: other } = await started
    .as('editor')
    .post('/admin/event/create?product_id=4', { title: 'Elsewhere', send_email: 1, published: 0 })
  expect(
    await started.as('editor').post(`/admin/event/publish/${other.slug}/publish?product_id=4`),
  ).toMatchObject({
    message: '“Elsewhere” published. No one is subscribed, so no email was sent.',
  })
  expect(await mailed(started)).toEqual([])
})

test('a kind that is published on creation sends its email too', async () => {
  const started = await withSubscribers()
  const { data } = await started
    .as('editor')
    .post('/admin/event/create?product_id=1', { title: 'Open day', send_email: 1, published: 1 })
  expect(data).toMatchObject({ published: 1, announces: false })
  expect(await mailed(started)).toEqual(announced('Open day', 'event'))
})

test('the email of an event has its date, hours, time zone, and place, and a link to it', async () => {
  const started = await withSubscribers()
  const event = async (values: object) => {
    await started.as('editor').post('/admin/event/create?product_id=1', {
      title: 'Open day',
      send_email: 1,
      published: 1,
      starts: '2026-05-04T15:00',
      ends: '2026-05-04T16:30',
      zone: 'Europe/Berlin',
      place: 'https://meet.example/linen',
      ...values,
    })
    return started.db
      .selectFrom('mails')
      .select(['text', 'html'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
  }
  const online = await event({})
  expect(online.text).toContain('4 May 2026, 15:00–16:30 (Europe/Berlin)\n\nhttps://meet.example/linen')
  expect(online.html).toContain('4 May 2026, 15:00–16:30 (Europe/Berlin)')
  expect(withoutStyles(online.html)).toContain(
    '<a href="https://meet.example/linen">https://meet.example/linen</a>',
  )
  const days = await event({ ends: '2026-05-05T12:00', place: 'Hall <2>' })
  expect(days.text).toContain('4 May 2026, 15:00 – 5 May 2026, 12:00 (Europe/Berlin)\n\nHall <2>')
  expect(days.html).toContain('Hall &lt;2&gt;')
  // Control: without a start time, the email has no line for the time and place.
  expect((await event({ starts: '', ends: '', zone: '', place: '' })).text).toBe('Open day\n')
})

test('the email links to the public page of a published post, and to no page of the panel', async () => {
  const started = await withSubscribers()
  const { as, db, app } = started
  const { id: draft, category } = await makePost(started)
  const editor = as('editor')
  const { data: guide } = await editor.post('/admin/posts?product_id=1', { title: 'Guide & more', category })
  await publish(started, guide.id)
  const link = (to: string, text: string) => `<a href="${to}">${text}</a>`
  const panel = app.addresses.publicUrl
  const body = [
    link(`post:${guide.id}`, 'Guide'),
    link(`post:${draft}`, 'Sheets'),
    link('post:999999', 'Gone'),
    link(`${panel}/posts/${guide.slug}`, 'Old guide'),
    link(`${panel}/posts/sheets`, 'Old sheets'),
    link('https://linen.example/a', 'Elsewhere'),
  ]
  const sent = async (title: string) => {
    const { data } = await editor.post('/admin/event/create?product_id=1', {
      title,
      body: `<p>${body.join(' ')}</p>`,
      send_email: 1,
      published: 1,
    })
    expect(data.body).toBe(`<p>${body.join(' ')}</p>`)
    const mail = await db
      .selectFrom('mails')
      .select('html')
      .where('subject', '=', title)
      .executeTakeFirstOrThrow()
    return [...withoutStyles(mail.html).matchAll(/<a(?: href="([^"]*)")?>([^<]*)</g)]
      .map(([, to, text]) => [text, to])
      .filter(([text]) => text !== 'Unsubscribe')
  }
  const none = (text: string) => [text, undefined]
  const elsewhere = ['Elsewhere', 'https://linen.example/a']
  const unlinked = ['Guide', 'Sheets', 'Gone', 'Old guide', 'Old sheets'].map(none)
  expect(await sent('No public address')).toEqual([...unlinked, elsewhere])

  const posts_url = 'linen.example/blog/'
  expect(await as('admin').post('/admin/settings', { products: [{ id: 1, posts_url }] })).toMatchObject({
    status: 200,
    data: { products: [{ posts_url: 'https://linen.example/blog/' }, {}, {}, {}] },
  })
  const public_url = `https://linen.example/blog/${guide.slug}`
  expect(await sent('Public address')).toEqual([
    ['Guide', public_url],
    none('Sheets'),
    none('Gone'),
    ['Old guide', public_url],
    none('Old sheets'),
    elsewhere,
  ])
})

test('the email of a brochure carries its PDF', async () => {
  const started = await withSubscribers()
  const pdf = { name: 'prices.pdf', bytes: Buffer.from('%PDF-1.4\n% prices\n%%EOF') }
  expect(
    await started.as('editor').post('/admin/brochure/create?product_id=1', undefined, {
      form: { title: 'Prices', send_email: '1', published: '1', pdf },
    }),
  ).toMatchObject({ status: 200 })
  expect(await started.db.selectFrom('mail_attachments').select(['name', 'mime']).execute()).toEqual([
    { name: 'prices.pdf', mime: 'application/pdf' },
  ])
})

test('users who unsubscribe with the link in such an email are no longer subscribers', async () => {
  const started = await withSubscribers()
  const { id } = await makeAnnounced(started)
  await publish(started, id)
  const recipient = await started.db
    .selectFrom('mail_recipients')
    .select('id')
    .where('address', '=', 'zoe@aalto.example')
    .executeTakeFirstOrThrow()
  const token = await new Unsubscribing(started.db).tokenFor(recipient.id)
  expect(await started.as(undefined).post(`/unsubscribe/${token}`)).toMatchObject({ status: 200 })
  expect(await started.as('admin').get('/admin/articles/subscribers?product_id=1')).toMatchObject({
    total: 1,
  })
  expect(
    await started.db.selectFrom('customer_users').select('email').where('is_subscribed', '=', 1).execute(),
  ).toEqual([{ email: 'joe@aalto.example' }])
})

test('the dashboard shows published articles marked for it, of the kinds and products that the user can read', async () => {
  const started = await withSubscribers()
  const { as } = started
  const { id } = await makeAnnounced(started, { send_email: 0, show_in_admin: 1, title: 'For the team' })
  await as('editor').post('/admin/event/create?product_id=2', {
    title: 'Open day',
    show_in_admin: 1,
    published: 1,
  })
  await as('editor').post('/admin/event/create?product_id=2', { title: 'Not marked', published: 1 })
  await as('editor').post('/admin/event/create?product_id=2', { title: 'Not published', show_in_admin: 1 })
  const shown = async (who: string, query = '') =>
    (
      (await as(who).get(`/admin/articles/shown-in-admin${query}`))['data'] as {
        title: string
        address: string
      }[]
    ).map(({ title, address }) => [title, address])
  expect(await shown('editor')).toEqual([['Open day', '/event/open-day']])
  await publish(started, id)
  expect(await shown('editor', '?product_id=1')).toEqual([['For the team', '/posts/for-the-team']])
  expect(await shown('support')).toEqual([])
  expect(await as('support').get('/admin/articles/subscribers?product_id=1')).toMatchObject({ status: 403 })
  await started.db
    .deleteFrom('staff_products')
    .where('staff_id', '=', as('editor').id)
    .where('product_id', '=', 2)
    .execute()
  expect(await shown('editor')).toEqual([['For the team', '/posts/for-the-team']])
  expect(await as('editor').get('/admin/articles/shown-in-admin?product_id=2')).toMatchObject({ status: 403 })
})

test('the number of subscribers is the number of recipients', async () => {
  const started = await withSubscribers()
  const { as, db } = started
  const { organization_id } = await db
    .selectFrom('organization_products')
    .select('organization_id')
    .where('product_id', '=', 1)
    .executeTakeFirstOrThrow()
  const add = (email: string | null, values: object = {}) =>
    db
      .insertInto('customer_users')
      .values({ organization_id, first_name: 'Zoe', email, ...values })
      .execute()
  await add('one@twice.example')
  await add('ONE@twice.example')
  await add(null)
  await add('no good@x.example')
  await add('off@x.example', { is_subscribed: 0 })
  await add('idle@x.example', { status: 0 })
  await add('banned@x.example', { banned_at: '2026-03-01T00:00:00Z' })
  await add('left@x.example')
  await db.insertInto('mail_unsubscribed').values({ address: 'Left@x.example' }).execute()

  const to = await subscribersOf(db, 1)
  expect(to.map(({ address }) => address)).toContain('one@twice.example')
  expect(await as('admin').get('/admin/articles/subscribers?product_id=1')).toMatchObject({
    total: to.length,
  })
})
