import { expect, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '#app/testing/start.testing.ts'

const makeCategory = async ({ as }: TestApp, title = 'Washing', values: object = {}) =>
  (await as('admin').post('/admin/faqcategories', { title, ...values }))['data'] as {
    id: number
    slug: string
    version: number
  }

const make = async (
  { as }: TestApp,
  category_id: number,
  title: string,
  values: object = {},
  who: TestClient = as('editor'),
) =>
  (await who.post('/admin/faqs', { title, body: '<p>Hello</p>', category_id, ...values }))['data'] as {
    id: number
    slug: string
    version: number
    order_number: number
  }

/** Creates a category with FAQs named A, B, C, and so on. */
async function withFaqs(started: TestApp, count: number) {
  const category = await makeCategory(started)
  const faqs = []
  for (let index = 0; index < count; index += 1)
    faqs.push(await make(started, category.id, `Question ${String.fromCharCode(65 + index)}`))
  return { category, faqs }
}

/** Returns an editor who has no relation to the FAQs. */
async function withGrants({ db, as }: TestApp) {
  await db
    .insertInto('role_permissions')
    .values((['all_faq_list', 'faq_view'] as const).map((permission) => ({ role_id: 13, permission })))
    .execute()
  return as('designer')
}

const order = async ({ as }: TestApp, slug: string) =>
  (
    (await as('editor').get(`/admin/faqcategories/${slug}/faqs`))['data'] as {
      title: string
      order_number: number
    }[]
  ).map(({ title, order_number }) => `${order_number} ${title.at(-1)}`)

test('a FAQ is created, found, changed, published, unpublished, and deleted by the calls as specified', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category } = await withFaqs(started, 1)
  expect(await as('editor').get(`/admin/faqs?page=1&category=${category.id}&search=question`)).toMatchObject({
    total: 1,
    per_page: 20,
  })
  expect(await as('editor').get('/admin/faqs/unpublished?page=1')).toMatchObject({ total: 1 })
  expect(await as('editor').get('/admin/faqs/question-a')).toMatchObject({
    data: { body: '<p>Hello</p>', order_number: 1, author: { id: as('editor').id } },
  })
  const change = (values: object) =>
    as('editor').post('/admin/faqs/question-a', { _method: 'PUT', ...values })
  expect(await change({ video: 'https://example.com/v.mp4' })).toMatchObject({
    data: { video: 'https://example.com/v.mp4', body: '<p>Hello</p>' },
  })
  expect(await change({ video: 'javascript:alert(1)' })).toMatchObject({
    status: 422,
    errors: { video: [expect.any(String)] },
  })
  const publish = (action: string) => as('admin').post(`/admin/faqs/question-a/publishing?action=${action}`)
  expect(await publish('publish')).toMatchObject({
    data: { published: 1, published_at: '2026-03-16T10:00:00.000Z' },
  })
  expect(await as('editor').get('/admin/faqs/unpublished')).toMatchObject({ total: 0 })
  expect(await publish('unpublish')).toMatchObject({ data: { published: 0, published_at: null } })
  expect(await change({ slug: 'hot' })).toMatchObject({ data: { slug: 'hot', old_slugs: ['question-a'] } })
  expect(await as('editor').post('/admin/faqs/question-a', { _method: 'DELETE' })).toMatchObject({
    message: 'Moved to trash: 1 FAQ.',
  })
  expect(await as('editor').get('/admin/faqs')).toMatchObject({ total: 0 })
})

test.each([
  ['super_admin', 403, 200, 200, 200],
  ['admin', 403, 200, 200, 200],
  ['author', 200, 403, 200, 200],
  ['moderator', 403, 200, 200, 200],
  ['nobody', 403, 403, 403, 403],
] as const)('%s: edit %i, publish %i, move %i, delete %i', async (relation, edit, publish, move, remove) => {
  const started = await startTestApp()
  const { as } = started
  const { category } = await withFaqs(started, 2)
  const designer = await withGrants(started)
  if (relation === 'moderator')
    await as('admin').post(`/admin/faqcategories/${category.id}/moderators`, { staff_ids: [designer.id] })
  const who =
    relation === 'author'
      ? as('editor')
      : relation === 'admin' || relation === 'super_admin'
        ? as(relation)
        : designer
  expect((await who.post('/admin/faqs/question-a', { _method: 'PUT', video: '' })).status).toBe(edit)
  expect((await who.post('/admin/faqs/question-a/publishing?action=publish')).status).toBe(publish)
  expect((await who.post('/admin/faqs/question-a/move', { order_number: 2 })).status).toBe(move)
  expect((await who.post('/admin/faqs/question-a', { _method: 'DELETE' })).status).toBe(remove)
})

test('roles 0 and 1 hand a FAQ over; then the new author changes it and the old one cannot', async () => {
  const started = await startTestApp()
  const { as } = started
  await withFaqs(started, 1)
  expect(
    await as('editor').post('/admin/faqs/question-a/author', { author_id: as('admin').id }),
  ).toMatchObject({ status: 403 })
  expect(
    await as('admin').post('/admin/faqs/question-a/author', { author_id: as('admin').id }),
  ).toMatchObject({ data: { author: { id: as('admin').id } } })
  expect(await as('editor').post('/admin/faqs/question-a', { _method: 'PUT', video: '' })).toMatchObject({
    status: 403,
    message: 'Only the author can do this.',
  })
  expect(await as('admin').post('/admin/faqs/question-a', { _method: 'PUT', video: '' })).toMatchObject({
    status: 200,
  })
})

test('creating needs new_faq_list', async () => {
  const started = await startTestApp()
  const category = await makeCategory(started)
  const designer = await withGrants(started)
  expect(await designer.post('/admin/faqs', { title: 'Mine', category_id: category.id })).toMatchObject({
    status: 403,
  })
})

test.each<[string, object]>([
  ['order_number', { order_number: -1 }],
  ['order_number', { order_number: 0 }],
  ['order_number', { order_number: 2_147_483_648 }],
  ['order_number', { order_number: 'first' }],
  ['category_id', { category_id: 999 }],
  ['category_id', { category_id: '' }],
  ['slug', { slug: 'new-faq' }],
  ['slug', { slug: 'unpublished' }],
  ['slug', { slug: 'question-a' }],
  ['title', { title: ' ' }],
])('an invalid %s is 422 at its field: %j', async (field, values) => {
  const started = await startTestApp()
  const { category } = await withFaqs(started, 1)
  const reply = await started
    .as('editor')
    .post('/admin/faqs', { title: 'One', category_id: category.id, ...values })
  expect([reply.status, Object.keys(reply['errors'])]).toEqual([422, [field]])
})

test('a move puts a FAQ in the requested position, the others close up and keep their version, and it can be undone', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category, faqs } = await withFaqs(started, 5)
  const move = (index: number, order_number: number) =>
    as('editor').post(`/admin/faqs/${faqs[index]!.slug}/move`, { order_number })
  const moved = await move(4, 2)
  expect(moved).toMatchObject({ data: { order_number: 2 }, message: '“Question E” moved to position 2.' })
  expect(await order(started, category.slug)).toEqual(['1 A', '2 E', '3 B', '4 C', '5 D'])
  await move(0, 4)
  expect(await order(started, category.slug)).toEqual(['1 E', '2 B', '3 C', '4 A', '5 D'])
  expect(await as('editor').get('/admin/faqs/question-b')).toMatchObject({
    data: { version: faqs[1]!.version, order_number: 2 },
  })
  expect(await move(1, 999_999)).toMatchObject({ data: { order_number: 5 } })
  expect(await as('editor').post(`/admin/operations/${moved['operation'].id}/undo`)).toMatchObject({
    status: 200,
  })
  expect(await order(started, category.slug)).toEqual(['1 C', '2 A', '3 D', '4 B', '5 E'])
})

test('a FAQ with a number takes that position, one without is last; a deletion closes the gap, and a restore takes the position again', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category, faqs } = await withFaqs(started, 3)
  await make(started, category.id, 'Question X', { order_number: 2 })
  await make(started, category.id, 'Question Y', { order_number: '' })
  expect(await order(started, category.slug)).toEqual(['1 A', '2 X', '3 B', '4 C', '5 Y'])
  await as('admin').post('/admin/records/faq/trash', { ids: [faqs[0]!.id, faqs[1]!.id] })
  expect(await order(started, category.slug)).toEqual(['1 X', '2 C', '3 Y'])
  await as('admin').post('/admin/records/faq/restore', { ids: [faqs[0]!.id, faqs[1]!.id] })
  expect(await order(started, category.slug)).toEqual(['1 A', '2 X', '3 B', '4 C', '5 Y'])
})

test('any moves leave 1…n in every category, and paging lists each FAQ once', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { category, faqs } = await withFaqs(started, 12)
  const other = await makeCategory(started, 'Ironing')
  let state = 5
  const below = (most: number) => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) % most
  for (let turn = 0; turn < 60; turn += 1) {
    const { id } = faqs[below(12)]!
    const way = below(4)
    if (way === 0)
      await as('editor').post(`/admin/faqs/${id}`, {
        _method: 'PUT',
        category_id: [category.id, other.id][below(2)]!,
        order_number: below(14) + 1,
      })
    else if (way === 1)
      await as('admin').post(`/admin/records/faq/${below(2) ? 'trash' : 'restore'}`, {
        ids: [id, faqs[below(12)]!.id],
      })
    else await as('editor').post(`/admin/faqs/${id}/move`, { order_number: below(14) + 1 })
    const rows = await db
      .selectFrom('faqs')
      .select(['category_id', 'order_number'])
      .where('deleted_at', 'is', null)
      .orderBy('category_id')
      .orderBy('order_number')
      .execute()
    for (const one of [category, other]) {
      const places = rows
        .filter(({ category_id }) => category_id === one.id)
        .map(({ order_number }) => order_number)
      expect(places).toEqual(places.map((_place, index) => index + 1))
    }
  }
  await as('admin').post('/admin/records/faq/restore', { ids: faqs.map(({ id }) => id) })
  for (let index = 0; index < 13; index += 1) await make(started, category.id, `More ${index}`)
  const pages = await Promise.all([1, 2].map((page) => as('editor').get(`/admin/faqs?page=${page}`)))
  expect(new Set(pages.flatMap((page) => (page['data'] as { id: number }[]).map(({ id }) => id))).size).toBe(
    25,
  )
})

test('ten concurrent moves neither duplicate nor lose a position', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { faqs } = await withFaqs(started, 10)
  const replies = await Promise.all(
    faqs.map(({ slug }, index) =>
      as(index % 2 ? 'editor' : 'admin').post(`/admin/faqs/${slug}/move`, {
        order_number: ((index * 7) % 10) + 1,
      }),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  const rows = await db.selectFrom('faqs').select('order_number').orderBy('order_number').execute()
  expect(rows.map(({ order_number }) => order_number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('many concurrent moves, changes of position or category, deletions, and restores leave 1…n in every category', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const { category, faqs } = await withFaqs(started, 12)
  const other = await makeCategory(started, 'Ironing')
  await make(started, other.id, 'Question Z')
  const change = (id: number, values: object) =>
    as('editor').post(`/admin/faqs/${id}`, { _method: 'PUT', ...values })
  const acts = faqs.map(({ id }, index) =>
    [
      () => as('admin').post(`/admin/faqs/${id}/move`, { order_number: index + 1 }),
      () => change(id, { order_number: 1 }),
      () => change(id, { category_id: other.id }),
      () => as('editor').post(`/admin/faqs/${id}`, { _method: 'DELETE' }),
    ][index % 4]!(),
  )
  expect((await Promise.all(acts)).map(({ status }) => status)).toEqual(acts.map(() => 200))
  const back = faqs
    .filter((_, index) => index % 4 === 3)
    .map(({ id }) => as('editor').post('/admin/records/faq/restore', { ids: [id] }))
  const moves = faqs
    .filter((_, index) => index % 4 === 0)
    .map(({ id }) => as('admin').post(`/admin/faqs/${id}/move`, { order_number: 2 }))
  expect((await Promise.all([...back, ...moves])).map(({ status }) => status)).toEqual(
    [...back, ...moves].map(() => 200),
  )
  const rows = await db
    .selectFrom('faqs')
    .select(['category_id', 'order_number'])
    .where('deleted_at', 'is', null)
    .orderBy('order_number')
    .execute()
  const placesIn = (id: number) =>
    rows.filter(({ category_id }) => category_id === id).map(({ order_number }) => order_number)
  expect([placesIn(category.id), placesIn(other.id)]).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 3, 4],
  ])
})

test('FAQ categories answer under both spellings, form a tree, and are deleted with a target', async () => {
  const started = await startTestApp()
  const { as } = started
  const { category } = await withFaqs(started, 2)
  const child = await makeCategory(started, 'Hot wash', { parent_id: category.id, description: 'Above 60' })
  const target = await makeCategory(started, 'Ironing')
  await make(started, target.id, 'Question Z')
  expect(await as('editor').get('/admin/faqcategories?page=1')).toMatchObject({
    data: [
      { title: 'Ironing', total_faqs: 1 },
      { title: 'Washing', depth: 0, total_faqs: 2, published_faqs: 0 },
      { title: 'Hot wash', depth: 1 },
    ],
    total: 3,
    per_page: 20,
  })
  expect(await as('editor').get('/admin/faq-categories?query=hot')).toMatchObject({
    categories: [{ id: child.id, title: 'Hot wash' }],
  })
  expect(await as('designer').get('/faqcategories/search?q=iron')).toMatchObject({
    data: [{ title: 'Ironing' }],
  })
  expect(await as('designer').get('/faqcategories/search-child-FAQcategories?q=')).toMatchObject({
    data: [{ title: 'Hot wash' }],
  })
  expect(await as('editor').get('/admin/faqcategories/washing')).toMatchObject({ data: { id: category.id } })
  const change = (slug: string, values: object) =>
    as('admin').post(`/admin/faqcategories/${slug}`, { _method: 'PUT', ...values })
  expect(await change('washing', { parent_id: category.id })).toMatchObject({
    status: 422,
    errors: { parent_id: [expect.stringContaining('can’t be inside its own subcategory')] },
  })
  expect(await change('washing', { parent_id: child.id })).toMatchObject({ status: 422 })
  const remove = (query = '') =>
    as('admin').post(`/admin/faqcategories/${category.id}${query}`, { _method: 'DELETE' })
  expect(await remove()).toMatchObject({ status: 409, current: { faqs: 2, children: 1 } })
  expect(await remove(`?move_to=${child.id}`)).toMatchObject({ status: 422 })
  const { status, operation } = await remove(`?move_to=${target.id}`)
  expect(status).toBe(200)
  expect(await order(started, target.slug)).toEqual(['1 Z', '2 A', '3 B'])
  expect(await as('admin').post(`/admin/operations/${operation.id}/undo`)).toMatchObject({ status: 200 })
  expect(await order(started, target.slug)).toEqual(['1 Z'])
  expect(await order(started, category.slug)).toEqual(['1 A', '2 B'])
  expect(await as('admin').post(`/admin/operations/${operation.id}/redo`)).toMatchObject({ status: 200 })
  expect(await order(started, target.slug)).toEqual(['1 Z', '2 A', '3 B'])
  expect(await as('editor').get(`/admin/faqcategories/${child.id}`)).toMatchObject({
    data: { parent_id: target.id },
  })
})

test('FAQ categories are created and deleted by admins, changed by admins and their moderators', async () => {
  const started = await startTestApp()
  const { as } = started
  expect(await as('editor').post('/admin/faqcategories', { title: 'News' })).toMatchObject({ status: 403 })
  const { id } = await makeCategory(started)
  const change = () =>
    as('editor').post(`/admin/faqcategories/${id}`, { _method: 'PUT', description: 'How to wash' })
  expect(await change()).toMatchObject({ status: 403 })
  await as('admin').post(`/admin/faqcategories/${id}/moderators`, { staff_ids: [as('editor').id] })
  expect(await change()).toMatchObject({ status: 200, data: { moderated: true } })
  expect(await as('editor').post(`/admin/faqcategories/${id}`, { _method: 'DELETE' })).toMatchObject({
    status: 403,
  })
})

test('a category deleted under an open form is refused at its field, and the FAQ stays as it is', async () => {
  const started = await startTestApp()
  const { as } = started
  const { faqs } = await withFaqs(started, 2)
  const gone = await makeCategory(started, 'Gone')
  await as('admin').post(`/admin/faqcategories/${gone.id}`, { _method: 'DELETE' })
  const refused = { status: 422, errors: { category_id: ['Choose an existing category.'] } }
  expect(await as('editor').post('/admin/faqs', { title: 'X', category_id: gone.id })).toMatchObject(refused)
  expect(
    await as('editor').post(`/admin/faqs/${faqs[1]!.id}`, {
      _method: 'PUT',
      title: 'Y',
      category_id: gone.id,
    }),
  ).toMatchObject(refused)
  expect(await as('editor').get(`/admin/faqs/${faqs[1]!.id}`)).toMatchObject({
    data: { title: 'Question B', order_number: 2, version: faqs[1]!.version },
  })
})

test('a category deleted while a FAQ moves into it takes it along or refuses it: no FAQ is left in a deleted category', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const target = await makeCategory(started, 'Target')
  for (let turn = 0; turn < 5; turn += 1) {
    const one = await makeCategory(started, `Leaving ${turn}`)
    const [made, removed] = await Promise.all([
      as('editor').post('/admin/faqs', { title: `Late ${turn}`, category_id: one.id }),
      as('admin').post(`/admin/faqcategories/${one.id}?move_to=${target.id}`, { _method: 'DELETE' }),
    ])
    expect([200, 422]).toContain(made.status)
    expect([200, 409]).toContain(removed.status)
  }
  const lost = await db
    .selectFrom('faqs as f')
    .innerJoin('article_categories as c', 'c.id', 'f.category_id')
    .select('f.id')
    .where('f.deleted_at', 'is', null)
    .where('c.deleted_at', 'is not', null)
    .execute()
  expect(lost).toEqual([])
})

test('a video with a false type, and another file type, are refused with a message; a real one is stored and replaces the URL', async () => {
  const started = await startTestApp()
  const { faqs } = await withFaqs(started, 1)
  const send = (name: string, bytes: Buffer) =>
    started
      .as('editor')
      .post(`/admin/faqs/${faqs[0]!.id}`, undefined, { form: { _method: 'PUT', video: { name, bytes } } })
  await started
    .as('editor')
    .post(`/admin/faqs/${faqs[0]!.id}`, { _method: 'PUT', video: 'https://www.youtube.com/watch?v=abc' })
  for (const [name, bytes] of [
    ['lies.mp4', Buffer.from('<html><script>alert(1)</script>')],
    ['clip.mov', Buffer.from('x')],
    ['words.pdf', Buffer.from('%PDF-1.4')],
  ] as const)
    expect(await send(name, bytes)).toMatchObject({
      status: 422,
      errors: { 'video.0': [expect.any(String)] },
    })
  expect(await started.as('editor').get(`/admin/faqs/${faqs[0]!.id}`)).toMatchObject({
    data: { video: 'https://www.youtube.com/watch?v=abc', video_file: null },
  })
  const ahead = await started
    .as('editor')
    .post('/files/stage', undefined, { form: { file: { name: 'words.txt', bytes: Buffer.from('words') } } })
  expect(
    await started
      .as('editor')
      .post(`/admin/faqs/${faqs[0]!.id}`, { _method: 'PUT', video_ids: [ahead['data'].id] }),
  ).toMatchObject({
    status: 422,
    errors: { video_ids: ['words.txt isn’t a video.'] },
  })
  const mp4 = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypisom'),
    Buffer.from([0, 0, 2, 0]),
    Buffer.from('isomiso2'),
    Buffer.alloc(64),
  ])
  expect(await send('clip.mp4', mp4)).toMatchObject({
    status: 200,
    data: { video: '', video_file: { name: 'clip.mp4', kind: 'video' } },
  })
})

test("the question makes the slug until it is first published; then only the slug field does, and the panel's own paths are reserved", async () => {
  const started = await startTestApp()
  const { as } = started
  const { faqs } = await withFaqs(started, 2)
  const change = (values: object) =>
    as('editor').post(`/admin/faqs/${faqs[0]!.id}`, { _method: 'PUT', ...values })
  expect(await change({ title: 'How hot?' })).toMatchObject({ data: { slug: 'how-hot' } })
  for (const action of ['publish', 'unpublish'])
    await as('admin').post(`/admin/faqs/how-hot/publishing?action=${action}`)
  expect(await change({ title: 'How cold?' })).toMatchObject({
    data: { title: 'How cold?', slug: 'how-hot' },
  })
  expect(await change({ slug: 'how-warm' })).toMatchObject({
    data: { slug: 'how-warm', old_slugs: ['question-a', 'how-hot'] },
  })
  for (const old of ['question-a', 'how-hot', String(faqs[0]!.id)])
    expect([old, (await as('editor').get(`/admin/faqs/${old}`))['data']?.slug]).toEqual([old, 'how-warm'])
  for (const slug of ['unpublished', 'new-faq', 'update-faq', '2026', 'question-b', 'Not small'])
    expect([slug, await change({ slug })]).toMatchObject([
      slug,
      { status: 422, errors: { slug: [expect.any(String)] } },
    ])
})

test('of two FAQs that want the same slug at the same time one gets it, the other gets an error', async () => {
  const started = await startTestApp()
  const category = await makeCategory(started)
  const create = (title: string) =>
    started.as('editor').post('/admin/faqs', { title, category_id: category.id, slug: 'one-address' })
  const both = await Promise.all(['A', 'B'].map(create))
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 422])
  expect(both.find(({ status }) => status === 422)!['errors']).toEqual({ slug: [expect.any(String)] })
})

test('hostile HTML in an answer is cleaned when it is saved', async () => {
  const started = await startTestApp()
  const { faqs } = await withFaqs(started, 1)
  const body =
    '<p onclick="x()">Text<script>alert(1)</script></p><img src="https://outside.example/a.png"><iframe src="//outside.example"></iframe>'
  expect(
    await started.as('editor').post(`/admin/faqs/${faqs[0]!.id}`, { _method: 'PUT', body }),
  ).toMatchObject({ data: { body: '<p>Text</p>' } })
})

test('FAQs are ordered by the tree of their categories, and filtered by a category’s slug or ID', async () => {
  const started = await startTestApp()
  const { as } = started
  const washing = await makeCategory(started, 'Washing')
  const drying = await makeCategory(started, 'Drying')
  const low = await makeCategory(started, 'Tumblers', { parent_id: drying.id })
  for (const { id } of [washing, low, drying]) await make(started, id, `Question ${id}`)
  const titles = async (query = '') =>
    ((await as('editor').get(`/admin/faqs?page=1${query}`))['data'] as { title: string }[]).map(
      ({ title }) => title,
    )
  expect(await titles()).toEqual([`Question ${drying.id}`, `Question ${low.id}`, `Question ${washing.id}`])
  expect(await titles('&category=tumblers')).toEqual([`Question ${low.id}`])
  expect(await titles(`&category=${low.id}`)).toEqual([`Question ${low.id}`])
  expect(await as('editor').get('/admin/faqs?category=nope')).toMatchObject({ status: 404 })
})
