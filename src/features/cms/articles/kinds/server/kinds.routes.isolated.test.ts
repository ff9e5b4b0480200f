import { expect, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import {
  articleKindNames,
  articleKindRow,
  hasPart,
  type ArticleKindRow,
  type ArticlePart,
} from '#shared/article-kinds.ts'

// Adds an extra kind: everything about a kind must be derived from its row.
vi.mock('#shared/article-kinds.ts', async (original) => {
  const real = await original<typeof import('#shared/article-kinds.ts')>()
  const recipe: ArticleKindRow = {
    one: 'recipe',
    many: 'recipes',
    key: 'event',
    failedList: 'empty',
    parts: ['time', 'pdf'],
  }
  const rows: Record<string, ArticleKindRow> = { ...real.articleKinds, recipe }
  return {
    ...real,
    articleKindNames: Object.keys(rows),
    articleKindRow: (name: string) => rows[name],
    hasPart: (name: string, part: ArticlePart) => rows[name]?.parts?.includes(part) ?? false,
  }
})

const make = async ({ as }: TestApp, kind: string, values: object = {}) =>
  (
    await as('editor').post(`/admin/${kind}/create?product_id=1`, {
      title: 'Fresh linen',
      body: '<p>Hello</p>',
      ...values,
    })
  )['data'] as {
    id: number
    slug: string
    version: number
  }

test('a row of the table is six calls, and one more if it has a PDF', async () => {
  const { app } = await startTestApp()
  const paths = app.implemented.map(({ endpoint: { method, path } }) => `${method} ${path}`)
  expect(articleKindNames).toHaveLength(6)
  for (const kind of articleKindNames)
    expect(paths.filter((path) => path.split('/')[2] === kind).toSorted()).toEqual([
      `DELETE /admin/${kind}/delete/{slug}/{productId}`,
      `GET /admin/${kind}`,
      `GET /admin/${kind}/{slug}/{productId}`,
      ...(hasPart(kind, 'pdf') ? [`GET /admin/${kind}/{slug}/{productId}/pdf`] : []),
      `POST /admin/${kind}/create`,
      `POST /admin/${kind}/publish/{slug}/{action}`,
      `PUT /admin/${kind}/update/{slug}`,
    ])
})

test.each(articleKindNames)(
  '%s: created, read, changed, published, unpublished, and deleted as specified; category and tags are dropped',
  async (kind) => {
    const started = await startTestApp()
    const who = started.as('editor')
    const made = await who.post(`/admin/${kind}/create?product_id=1`, {
      title: 'Fresh linen',
      body: '<p onclick="x()">Text<script>alert(1)</script></p>',
      category: 1,
      tags: ['Care'],
      featured: 0,
    })
    expect(made).toMatchObject({
      status: 200,
      data: { slug: 'fresh-linen', body: '<p>Text</p>', published: 0, author: { id: who.id } },
    })
    expect(made['data']).not.toHaveProperty('category')
    expect(await who.get(`/admin/${kind}?page=1&product_id=1&search=fresh`)).toMatchObject({
      data: [{ slug: 'fresh-linen' }],
      total: 1,
      per_page: 20,
    })
    expect(await who.get(`/admin/${kind}/fresh-linen/1`)).toMatchObject({ data: { title: 'Fresh linen' } })
    const change = (values: object) =>
      who.post(`/admin/${kind}/update/fresh-linen?product_id=1`, { _method: 'PUT', ...values })
    expect(await change({ caption: 'Seen from above' })).toMatchObject({
      data: { caption: 'Seen from above', body: '<p>Text</p>' },
    })
    const publish = (action: string) => who.post(`/admin/${kind}/publish/fresh-linen/${action}?product_id=1`)
    expect(await publish('publish')).toMatchObject({
      data: { published: 1, published_at: '2026-03-16T10:00:00.000Z' },
    })
    expect(await publish('unpublish')).toMatchObject({ data: { published: 0, published_at: null } })
    expect(await publish('away')).toMatchObject({ status: 404 })
    // After publication, changing the title keeps the slug.
    expect(await change({ title: 'Clean linen' })).toMatchObject({
      data: { title: 'Clean linen', slug: 'fresh-linen' },
    })
    expect(await change({ new_slug: 'linen' })).toMatchObject({
      data: { slug: 'linen', old_slugs: ['fresh-linen'] },
    })
    expect(await who.get(`/admin/${kind}/fresh-linen/1`)).toMatchObject({ data: { slug: 'linen' } })
    expect(await who.post(`/admin/${kind}/update/linen?product_id=1`, { title: 'No method' })).toMatchObject({
      status: 405,
    })
    expect(await who.post(`/admin/${kind}/delete/linen/1`, { _method: 'DELETE' })).toMatchObject({
      message: `Moved to trash: 1 ${articleKindRow(kind).one}.`,
    })
    expect(await who.get(`/admin/${kind}?product_id=1`)).toMatchObject({ total: 0 })
  },
)

test.each(articleKindNames)(
  '%s: its key alone decides, and creating needs the key that its row names',
  async (kind) => {
    const started = await startTestApp()
    const { as, db } = started
    const { key, newKey = key } = articleKindRow(kind)
    const { slug } = await make(started, kind)
    const calls = () =>
      Promise.all([
        as('designer').get(`/admin/${kind}`),
        as('designer').get(`/admin/${kind}/${slug}/1`),
        as('designer').post(`/admin/${kind}/update/${slug}?product_id=1`, {
          _method: 'PUT',
          caption: 'Mine',
        }),
        as('designer').post(`/admin/${kind}/publish/${slug}/publish?product_id=1`),
      ])
    const create = () => as('designer').post(`/admin/${kind}/create?product_id=1`, { title: 'Mine' })
    const remove = () => as('designer').post(`/admin/${kind}/delete/${slug}/1`, { _method: 'DELETE' })
    await db.deleteFrom('role_permissions').where('role_id', '=', 13).execute()
    expect([...(await calls()), await create(), await remove()].map(({ status }) => status)).toEqual([
      403, 403, 403, 403, 403, 403,
    ])
    await db.insertInto('role_permissions').values({ role_id: 13, permission: key }).execute()
    expect((await calls()).map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect((await create()).status).toBe(newKey === key ? 200 : 403)
    expect((await remove()).status).toBe(200)
    if (newKey !== key)
      await db.insertInto('role_permissions').values({ role_id: 13, permission: newKey }).execute()
    expect((await create()).status).toBe(200)
  },
)

test.each(articleKindNames)(
  '%s: another product is 403, a slug of another product 404, a reserved word 422',
  async (kind) => {
    const started = await startTestApp()
    const { as, db } = started
    const { slug } = await make(started, kind)
    expect(await as('editor').get(`/admin/${kind}/${slug}/2`)).toMatchObject({ status: 404 })
    expect(
      await as('editor').post(`/admin/${kind}/update/${slug}?product_id=2`, { _method: 'PUT', title: 'X' }),
    ).toMatchObject({ status: 404 })
    for (const word of ['create', 'edit', 'update', 'delete', 'publish'])
      expect(
        await as('editor').post(`/admin/${kind}/create?product_id=1`, { title: 'X', new_slug: word }),
      ).toMatchObject({
        status: 422,
        errors: { new_slug: [expect.any(String)] },
      })
    // The same slug is available in another product.
    expect(
      await as('editor').post(`/admin/${kind}/create?product_id=2`, { title: 'Fresh linen' }),
    ).toMatchObject({ data: { slug } })
    await db
      .deleteFrom('staff_products')
      .where('staff_id', '=', as('editor').id)
      .where('product_id', '=', 1)
      .execute()
    expect(await as('editor').get(`/admin/${kind}/${slug}/1`)).toMatchObject({ status: 403 })
    expect(await as('editor').get(`/admin/${kind}?product_id=1`)).toMatchObject({ status: 403 })
    expect(await as('editor').post(`/admin/${kind}/delete/${slug}/1`, { _method: 'DELETE' })).toMatchObject({
      status: 403,
    })
  },
)

const withTime = articleKindNames.filter((kind) => hasPart(kind, 'time'))
const withPdf = articleKindNames.filter((kind) => hasPart(kind, 'pdf'))
const others = articleKindNames.filter((kind) => !hasPart(kind, 'time') && !hasPart(kind, 'pdf'))
const when = { starts: '2026-05-04T15:00', ends: '2026-05-04T16:30', zone: 'Europe/Berlin', place: 'Hall 2' }

test('the kinds of the specification have the parts that they need', () => {
  expect([withTime, withPdf, others]).toEqual([
    ['event', 'webinar', 'recipe'],
    ['brochure', 'recipe'],
    ['case-study', 'user-guide'],
  ])
})

test.each(others)('%s: fields of parts that it does not have are dropped', async (kind) => {
  const started = await startTestApp()
  const { slug } = await make(started, kind, when)
  const { data } = await started.as('editor').get(`/admin/${kind}/${slug}/1`)
  for (const field of [...Object.keys(when), 'pdf']) expect(data).not.toHaveProperty(field)
  expect(await started.as('editor').get(`/admin/${kind}/${slug}/1/pdf`)).toMatchObject({ status: 404 })
})

test.each(withTime)(
  '%s: has a start, an end, a time zone, and a place; the list is sorted by the start; undo restores the old one',
  async (kind) => {
    const started = await startTestApp()
    const who = started.as('editor')
    const { slug } = await make(started, kind, when)
    await make(started, kind, { title: 'Without a time' })
    await make(started, kind, { title: 'Later', starts: '2026-06-01T09:00', zone: 'UTC' })
    expect((await who.get(`/admin/${kind}/${slug}/1`))['data']).toMatchObject(when)
    const sorted = (await who.get(`/admin/${kind}?product_id=1&column=starts&direction=desc`))['data'] as {
      starts: string
    }[]
    expect(sorted.map(({ starts }) => starts)).toEqual(['2026-06-01T09:00', when.starts, ''])
    const { operation } = await who.post(`/admin/${kind}/update/${slug}?product_id=1`, {
      _method: 'PUT',
      starts: '2026-05-04T14:00',
    })
    expect((await who.get(`/admin/${kind}/${slug}/1`))['data']).toMatchObject({
      ...when,
      starts: '2026-05-04T14:00',
    })
    await who.post(`/admin/operations/${operation.id}/undo`)
    expect((await who.get(`/admin/${kind}/${slug}/1`))['data']).toMatchObject(when)
  },
)

test.each<[string, object]>([
  ['ends', { ...when, ends: '2026-05-04T14:59' }],
  ['starts', { ...when, starts: '' }],
  ['zone', { ...when, zone: '' }],
  ['zone', { ...when, zone: 'Europe/Atlantis' }],
  ['starts', { ...when, starts: '2026-02-30T10:00' }],
  ['starts', { ...when, starts: '2026-05-04T24:00' }],
  ['starts', { ...when, starts: 'tomorrow' }],
  // This time is skipped when the clocks go forward, in this time zone only.
  ['starts', { ...when, starts: '2026-03-29T02:30' }],
  ['ends', { ...when, starts: '2026-03-29T01:00', ends: '2026-03-29T02:30' }],
])('an impossible time is 422 at %s, even if only a part of it is sent: %j', async (field, values) => {
  const started = await startTestApp()
  const refused = { status: 422, errors: { [field]: [expect.any(String)] } }
  expect(
    await started.as('editor').post('/admin/event/create?product_id=1', { title: 'X', ...values }),
  ).toMatchObject(refused)
  const { slug } = await make(started, 'event', when)
  expect(
    await started
      .as('editor')
      .post(`/admin/event/update/${slug}?product_id=1`, { _method: 'PUT', ...values }),
  ).toMatchObject(refused)
  expect((await started.as('editor').get(`/admin/event/${slug}/1`))['data']).toMatchObject(when)
})

test('control: the hour that Berlin skips exists in New York', async () => {
  const started = await startTestApp()
  const { slug } = await make(started, 'event', { ...when, starts: '2026-03-29T02:30', zone: 'US/Eastern' })
  expect((await started.as('editor').get(`/admin/event/${slug}/1`))['data']).toMatchObject({
    starts: '2026-03-29T02:30',
  })
  expect(
    await started
      .as('editor')
      .post(`/admin/event/update/${slug}?product_id=1`, { _method: 'PUT', zone: 'Europe/Berlin' }),
  ).toMatchObject({
    status: 422,
    errors: {
      starts: [
        '02:30 doesn’t exist on 2026-03-29 in Europe/Berlin because the clocks go forward. Choose another time.',
      ],
    },
  })
})

const pdf = (words: string) => ({ name: `${words}.pdf`, bytes: Buffer.from(`%PDF-1.4\n% ${words}\n%%EOF`) })

test.each(withPdf)(
  '%s: a PDF keeps its URL when it is replaced and when the article is renamed; another file type is refused',
  async (kind) => {
    const started = await startTestApp()
    const who = started.as('editor')
    const made = await who.post(`/admin/${kind}/create?product_id=1`, undefined, {
      form: { title: 'Fresh linen', pdf: pdf('first') },
    })
    expect(made).toMatchObject({ status: 200, data: { pdf: { name: 'first.pdf', role: 'pdf' } } })
    const load = async () => {
      const { status, text, headers } = await who.get(`/admin/${kind}/fresh-linen/1/pdf`)
      // The URL is stable, so browsers must not cache the response.
      if (status === 200) expect(headers['cache-control']).toBe('no-store')
      return [status, text, String(headers['content-disposition']).slice(0, 10)]
    }
    expect(await load()).toEqual([200, expect.stringContaining('first'), 'attachment'])
    const change = (form: Record<string, string | { name: string; bytes: Buffer }>) =>
      who.post(`/admin/${kind}/update/fresh-linen?product_id=1`, undefined, {
        form: { _method: 'PUT', ...form },
      })
    // If another user sends the ID of the current file again, the file is kept.
    const same = await started.as('admin').post(`/admin/${kind}/update/fresh-linen?product_id=1`, {
      _method: 'PUT',
      pdf_ids: [made['data'].pdf.id],
    })
    expect(same).toMatchObject({ status: 200, data: { pdf: { name: 'first.pdf' } } })
    expect(await change({ pdf: pdf('second'), new_slug: 'linen' })).toMatchObject({
      data: { slug: 'linen', pdf: { name: 'second.pdf' } },
    })
    expect(await load()).toEqual([200, expect.stringContaining('second'), 'attachment'])
    const docx = { name: 'lies.pdf', bytes: Buffer.from('PK\u0003\u0004 no pdf') }
    expect(await change({ pdf: docx })).toMatchObject({ status: 422 })
    expect(await change({ pdf: { name: 'words.txt', bytes: Buffer.from('Words') } })).toMatchObject({
      status: 422,
      errors: { pdf: ['Upload a PDF file.'] },
    })
    expect(await load()).toEqual([200, expect.stringContaining('second'), 'attachment'])
    expect(await started.as('support').get(`/admin/${kind}/linen/1/pdf`)).toMatchObject({ status: 403 })
    expect(
      await who.post(`/admin/${kind}/update/linen?product_id=1`, { _method: 'PUT', pdf_ids: [] }),
    ).toMatchObject({ data: { pdf: null } })
    expect((await load())[0]).toBe(404)
  },
)
