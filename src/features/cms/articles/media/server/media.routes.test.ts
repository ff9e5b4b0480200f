import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp, type TestClient } from '#app/testing/start.testing.ts'
import { makePost } from '#features/cms/articles/articles.testing.ts'

const picture = (background: string) =>
  sharp({ create: { width: 8, height: 8, channels: 3, background } })
    .png()
    .toBuffer()

async function upload(who: TestClient, files: Record<string, Buffer | string>, product = 1) {
  const form = new FormData()
  for (const [name, bytes] of Object.entries(files))
    form.append('attachment[]', new File([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)], name))
  const encoded = new Response(form)
  return who.send('POST', `/admin/media/upload-media/${product}`, Buffer.from(await encoded.arrayBuffer()), {
    headers: { 'content-type': encoded.headers.get('content-type')! },
  })
}

test('images are stored with their position in the upload; invalid ones get an error; equal content is stored once', async () => {
  const { as } = await startTestApp()
  const [red, blue] = [await picture('red'), await picture('blue')]
  const first = await upload(as('editor'), {
    'red.png': red,
    'fake.png': '<svg onload="x()"/>',
    'blue.png': blue,
  })
  expect(first).toMatchObject({ status: 200, images: [{ index: 0 }, { index: 2 }] })
  expect(Object.keys(first['errors'])).toEqual(['attachment.1'])
  const again = await upload(as('editor'), { 'again.png': red })
  expect(again).toMatchObject({ images: [{ id: first['images'][0].id, index: 0, was_there: true }] })
  expect(await upload(as('editor'), { 'page.html': '<b>' })).toMatchObject({ status: 422 })
  expect(await as('editor').get('/admin/media?limit=1&page=2')).toMatchObject({
    data: [{ id: first['images'][0].id }],
    total: 2,
    per_page: 1,
  })
  expect(await as('editor').get('/admin/media?limit=1&page=1&skipRecord=1')).toMatchObject({
    data: [{ id: first['images'][0].id }],
  })
  expect((await as('editor').get('/admin/media'))['data']).toHaveLength(2)
  expect(await upload(as('crm'), { 'red.png': red })).toMatchObject({ status: 403 })
})

test('an image used in a text cannot be deleted, and the answer names the place; afterward it can', async () => {
  const started = await startTestApp()
  const { as } = started
  const { id: post } = await makePost(started)
  const { images } = await upload(as('super_admin'), { 'red.png': await picture('red') })
  const [{ id, file }] = images
  const write = (body: string) => as('super_admin').post(`/admin/posts/${post}`, { _method: 'PUT', body })
  expect(await write(`<p>Look</p><img data-file-id="${file.id}" src="${file.url}" alt="red">`)).toMatchObject(
    { status: 200 },
  )
  expect((await as('editor').get(`/admin/posts/${post}`))['data'].body).toBe(
    `<p>Look</p><img data-file-id="${file.id}" alt="red" />`,
  )
  expect(await as('editor').get('/admin/media?show=unused')).toMatchObject({ total: 0 })
  expect(await as('editor').post('/admin/media/delete', { ids: [id] })).toMatchObject({
    status: 409,
    message: 'These images are in use and can’t be deleted: red.png (post Sheets).',
  })
  expect((await as('editor').get('/admin/media'))['data'][0].places).toEqual([
    { type: 'post', id: post, role: 'inline', name: 'Sheets', address: `/posts/${post}` },
  ])
  const { operation } = await write('<p>Gone</p>')
  expect(await as('editor').get('/admin/media?show=unused')).toMatchObject({
    total: 1,
    counts: { unused: 1 },
  })
  await as('super_admin').post(`/admin/operations/${operation.id}/undo`)
  await expect.poll(() => as('editor').get('/admin/media?show=unused')).toMatchObject({ total: 0 })
  await write('<p>Gone</p>')
  expect(await as('editor').post('/admin/media/delete', { ids: [id] })).toMatchObject({ status: 200 })
  expect(await as('editor').get('/admin/media')).toMatchObject({ total: 0 })
})

test('images without alt text are found, until they get one or are decorative', async () => {
  const { as } = await startTestApp()
  const { images } = await upload(as('editor'), {
    'red.png': await picture('red'),
    'blue.png': await picture('blue'),
  })
  const without = async () => (await as('editor').get('/admin/media?show=without-alt'))['total'] as number
  expect(await without()).toBe(2)
  expect(await as('crm').post(`/admin/media/${images[0].id}/alt`, { alt: 'Red' })).toMatchObject({
    status: 403,
  })
  await as('editor').post(`/admin/media/${images[0].id}/alt`, { alt: 'A red sheet' })
  expect(await without()).toBe(1)
  await as('editor').post(`/admin/media/${images[1].id}/alt`, { alt: '', decorative: true })
  expect(await without()).toBe(0)
  expect(await as('editor').get('/admin/media?search=red+sheet')).toMatchObject({ total: 1 })
})

test('a post has one image; remove_image removes it', async () => {
  const { as } = await startTestApp()
  const { data: category } = await as('admin').post('/admin/categories?product_id=1', { title: 'News' })
  const form = {
    title: 'With it',
    category: String(category.id),
    image: { name: 'red.png', bytes: await picture('red') },
  }
  const made = await as('editor').post('/admin/posts?product_id=1', undefined, { form })
  expect(made).toMatchObject({ status: 200, data: { image: { name: 'red.png', kind: 'image' } } })
  expect(await as('editor').post('/admin/posts/with-it', { _method: 'PUT', remove_image: 0 })).toMatchObject({
    data: { image: { name: 'red.png' } },
  })
  expect(await as('editor').post('/admin/posts/with-it', { _method: 'PUT', remove_image: 1 })).toMatchObject({
    data: { image: null },
  })
})

test('meta tags are one record per product: read, and changed by multipart with the PUT override', async () => {
  const { as } = await startTestApp()
  expect(await as('editor').get('/admin/metatag/1')).toMatchObject({
    data: { id: 1, category_title: '', faq_title: '' },
  })
  await as('editor').post('/admin/metatag/1', undefined, {
    form: { _method: 'PUT', category_title: 'Linen news', faq_title: 'Questions' },
  })
  expect(await as('editor').post('/admin/metatag/1', { _method: 'PUT', faq_title: '' })).toMatchObject({
    data: { category_title: 'Linen news', faq_title: '' },
  })
  expect(await as('editor').post('/admin/metatag/1', { faq_title: 'x' })).toMatchObject({ status: 405 })
  expect(await as('support').get('/admin/metatag/1')).toMatchObject({ status: 403 })
  expect((await as('editor').get('/admin/metatag/2'))['data'].category_title).toBe('')
})
