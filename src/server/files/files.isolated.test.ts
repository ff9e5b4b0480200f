import { connect } from 'node:net'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { fileIds, wideUrl, type FileRef } from '#shared/files.ts'
import { sizeInBytes } from '#shared/sizes.ts'
import { client, startAnother, startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { attachFiles, detachFiles, filesOf, setInlineImages, whereUsed } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'
import { sweep, sweepFiles } from '#server/jobs/sweep.ts'

/*
 * Tests files over HTTP with a test-only feature that attaches files to its records, as contracts and tickets
 * do.
 */

const maxBytes = sizeInBytes('1M')
const reply = z.object({ ids: z.array(z.int()), refused: z.record(z.string(), z.array(z.string())) })
const body = z.object({
  id: z.coerce.number().int(),
  fail: z.string().optional(),
  file_ids: fileIds.optional(),
})
const shapes = {
  save: endpoint({
    method: 'POST',
    path: '/test/records',
    summary: 'Saves.',
    access: 'signed-in',
    body,
    files: { attachment: { most: 10, maxBytes }, icon: { most: 1, maxBytes, kinds: ['image'] } },
    response: reply,
  }),
  saveGood: endpoint({
    method: 'POST',
    path: '/test/good-records',
    summary: 'Saves what is good.',
    access: 'signed-in',
    body,
    files: { attachment: { most: 10, maxBytes } },
    keepGoodFiles: true,
    response: reply,
  }),
}

function recordRoutes(app: App): void {
  app.files.registerReadCheck(
    'record',
    (_db, id, viewer) => id !== 13 || viewer.permissions.has('all_tickets_view'),
  )
  implement(app, shapes.save, async ({ body: { id, fail, file_ids } }, context) => {
    const ids = await attachFiles(
      app.files,
      context,
      { files: context.files.attachment, file_ids },
      { type: 'record', id },
    )
    ids.push(
      ...(await attachFiles(
        app.files,
        context,
        { files: context.files.icon },
        { type: 'record', id, role: 'icon' },
      )),
    )
    if (fail) throw new Error('a handler that fails')
    return { ids, refused: context.refusedFiles }
  })
  implement(app, shapes.saveGood, async ({ body: { id } }, context) => ({
    ids: await attachFiles(app.files, context, { files: context.files.attachment }, { type: 'record', id }),
    refused: context.refusedFiles,
  }))
}

vi.mock('#app/server/features.ts', async (original) => {
  const { registerFeatures, ...rest } = await original<typeof import('#app/server/features.ts')>()
  return {
    ...rest,
    registerFeatures: (app: App) => {
      registerFeatures(app)
      recordRoutes(app)
    },
  }
})

interface Part {
  field?: string
  name: string
  bytes: Buffer | string
}

const png = (width = 40, height = 30) =>
  sharp({ create: { width, height, channels: 3, background: 'teal' } })
    .png({ compressionLevel: 9 })
    .toBuffer()

async function send(
  { as }: TestApp,
  parts: Part[],
  { path = '/test/records', fields = {}, who = 'crm' } = {},
) {
  const form = new FormData()
  for (const [name, value] of Object.entries({ id: '1', ...fields })) form.append(name, value)
  for (const { field = 'attachment[]', name, bytes } of parts)
    form.append(field, new File([new Uint8Array(Buffer.from(bytes))], name))
  const encoded = new Response(form)
  const headers = { 'content-type': encoded.headers.get('content-type')! }
  return as(who).post(path, Buffer.from(await encoded.arrayBuffer()), { headers })
}

const onDisk = async ({ app }: TestApp) =>
  (await readdir(join(app.settings.dataDir, 'files')).catch(() => [])).filter((name) => name !== 'quarantine')
const sweepingOf = ({ app }: TestApp) => ({ ...app, log: app.http.log })
const rows = ({ db }: TestApp) => db.selectFrom('files').selectAll().orderBy('id').execute()
async function expectNothingLeft(started: TestApp): Promise<void> {
  await expect.poll(() => onDisk(started)).toEqual([])
  expect(await rows(started)).toEqual([])
}
const stage = async (started: TestApp, name: string, bytes: Buffer, who = 'crm') =>
  (
    (await started
      .as(who)
      .post('/files/stage', undefined, { form: { file: { name, bytes } } })) as unknown as { data: FileRef }
  ).data
const path = (url: string) => url.replace(/^\/api/, '')

test('files of several fields are stored with the record in order, images re-encoded, with a thumbnail, and without camera data', async () => {
  const started = await startTestApp()
  const camera = await sharp(await png(1000, 500))
    .jpeg()
    .withExif({ IFD3: { GPSLatitude: '60/1 10/1 0/1' } })
    .toBuffer()
  const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF')
  const saved = await send(started, [
    { name: 'C:\\photos\\..\\place.JPEG', bytes: camera },
    { name: 'offer.pdf', bytes: pdf },
    { name: 'list.csv', bytes: 'Name;Città\n' },
    { field: 'icon', name: 'logo.png', bytes: await png() },
  ])
  expect(saved).toMatchObject({ status: 200, refused: {} })
  const stored = await rows(started)
  expect(stored.map(({ name, kind, width, height, mime }) => [name, kind, width, height, mime])).toEqual([
    ['place.JPEG', 'image', 1000, 500, 'image/jpeg'],
    ['offer.pdf', 'document', null, null, 'application/pdf'],
    ['list.csv', 'document', null, null, 'text/csv'],
    ['logo.png', 'image', 40, 30, 'image/png'],
  ])
  const found = await filesOf(started.db, 'record', [1], () => ({
    url: '',
    small_url: null,
    download_url: '',
  }))
  expect(found.get(1)!.map(({ name, role }) => [name, role])).toEqual([
    ['place.JPEG', 'attachment'],
    ['offer.pdf', 'attachment'],
    ['list.csv', 'attachment'],
    ['logo.png', 'icon'],
  ])
  expect((await sharp(camera).metadata()).exif).toBeDefined()
  expect((await sharp(await started.app.files.read(stored[0]!.stored_name)).metadata()).exif).toBeUndefined()
  expect(await sharp(await started.app.files.read(stored[0]!.small_name!)).metadata()).toMatchObject({
    width: 320,
    height: 160,
    format: 'webp',
  })
  // Four files, two small image versions, and no temporary files.
  expect((await onDisk(started)).filter((name) => name.startsWith('.'))).toEqual([])
  expect(await onDisk(started)).toHaveLength(6)
})

test('the names of all files of a field are synced together', async () => {
  const started = await startTestApp()
  const sync = vi.spyOn(started.app.files, 'syncNames')
  const image = { name: 'a.png', bytes: await png(1000, 500) }
  expect(await send(started, [image, image, image])).toMatchObject({ status: 200, refused: {} })
  expect(await rows(started)).toHaveLength(3)
  expect(sync).toHaveBeenCalledOnce()
})

test('an image wider than a text gets a version as wide as the text; a narrow one is sent as it is, an old one gets it on its first request', async () => {
  const started = await startTestApp()
  const { as, db } = started
  const large = await stage(started, 'large.png', await png(2000, 1000))
  const narrow = await stage(started, 'narrow.png', await png(1600, 10))
  expect(await onDisk(started)).toHaveLength(5)
  const [row] = await rows(started)
  expect(await sharp(await started.app.files.read(row!.wide_name!)).metadata()).toMatchObject({
    width: 1600,
    height: 800,
    format: 'webp',
  })
  const typeOf = async (url: string) => (await as(undefined).get(path(url))).headers['content-type']
  expect([
    await typeOf(wideUrl(large.url)),
    await typeOf(large.url),
    await typeOf(wideUrl(narrow.url)),
  ]).toEqual(['image/webp', 'image/png', 'image/png'])
  // The sweep removes only files that no row refers to.
  await started.app.installation.pair(started.app.files)
  await sweepFiles(sweepingOf(started), new Date(Date.now() + 7_200_000))
  expect(await onDisk(started)).toHaveLength(5)
  await db.updateTable('files').set({ wide_name: null }).where('id', '=', large.id).execute()
  await sweepFiles(sweepingOf(started), new Date(Date.now() + 7_200_000))
  expect(await onDisk(started)).toHaveLength(4)
  expect(
    await Promise.all([typeOf(wideUrl(large.url)), typeOf(wideUrl(large.url)), typeOf(large.url)]),
  ).toEqual(['image/webp', 'image/webp', 'image/png'])
  expect(await onDisk(started)).toHaveLength(5)
  const [again] = await rows(started)
  expect(await sharp(await started.app.files.read(again!.wide_name!)).metadata()).toMatchObject({
    width: 1600,
    height: 800,
    format: 'webp',
  })
  // An image that can no longer be read is served unchanged.
  await db.updateTable('files').set({ wide_name: null }).where('id', '=', large.id).execute()
  await writeFile(started.app.files.pathOf(again!.stored_name)!, 'no picture')
  expect(await typeOf(wideUrl(large.url))).toBe('image/png')
  expect((await onDisk(started)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('a hundred megabytes streamed to the disk do not stay in memory; those of the control do', async () => {
  const { app } = await startTestApp()
  let most = 0
  async function* pieces() {
    for (let piece = 0; piece < 1600; piece += 1) {
      yield Buffer.alloc(65_536)
      most = Math.max(most, process.memoryUsage().arrayBuffers)
      await new Promise(setImmediate)
    }
  }
  const peakOf = async (work: () => Promise<unknown>) => {
    const before = (most = process.memoryUsage().arrayBuffers)
    await work()
    return (most - before) / 1e6
  }
  const streamed = await peakOf(() => app.files.receive(pieces()))
  const control = await peakOf(async () => {
    for await (const piece of pieces()) expect(piece.length).toBeGreaterThan(0)
  })
  expect(streamed).toBeLessThan(15)
  expect(control).toBeGreaterThan(streamed)
})

const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
const bad: [string, string, () => Promise<Buffer | string> | Buffer | string, RegExp][] = [
  ['a text named as an image', 'a.png', () => 'no picture', /the content doesn’t match the file extension/],
  ['an image named as a PDF', 'a.pdf', () => png(), /the content doesn’t match the file extension/],
  ['a PNG named as a JPEG', 'a.jpg', () => png(), /the content doesn’t match the file extension/],
  ['an SVG', 'a.svg', () => svg, /this file type isn’t supported/],
  ['an SVG named as an image', 'a.png', () => svg, /the content doesn’t match the file extension/],
  ['HTML', 'a.html', () => '<script>alert(1)</script>', /this file type isn’t supported/],
  [
    'HTML named as a text',
    'a.txt',
    () => ' \n<!DOCTYPE html><script>alert(1)</script>',
    /the content doesn’t match the file extension/,
  ],
  [
    'XML named as a CSV',
    'a.csv',
    () => '<?xml version="1.0"?><a/>',
    /the content doesn’t match the file extension/,
  ],
  ['a program', 'a.exe', () => 'MZ', /this file type isn’t supported/],
  ['a file without an extension', 'README', () => 'Hello', /this file type isn’t supported/],
  [
    'a ZIP named as a document',
    'a.docx',
    () => Buffer.from('504b0506000000000000000000000000000000000000', 'hex'),
    /the content doesn’t match the file extension/,
  ],
  ['a text named as an archive', 'a.zip', () => 'PK', /the content doesn’t match the file extension/],
  [
    'a program with an archive',
    'a.zip',
    () => 'MZ PK\x03\x04',
    /the content doesn’t match the file extension/,
  ],
  ['a text named as an email', 'a.eml', () => 'Note: Hello', /the content doesn’t match the file extension/],
  [
    'HTML named as an email',
    'a.eml',
    () => '<html><!--\nFrom: a@b.example\n--></html>',
    /the content doesn’t match the file extension/,
  ],
  ['an empty file', 'a.txt', () => '', /is empty/],
  ['a file that is too large', 'a.txt', () => 'x'.repeat(maxBytes + 1), /larger than 1 MB/],
  ['half an image', 'a.png', async () => (await png(800, 800)).subarray(0, 300), /this image can’t be read/],
  [
    'a decompression bomb: 36 million pixels in a few bytes',
    'a.png',
    () => png(6000, 6000),
    /larger than 25 megapixels/,
  ],
]
test.each(bad)(
  '%s is refused with a message at its place, and leaves nothing behind',
  async (_what, name, bytes, words) => {
    const started = await startTestApp()
    const refused = await send(started, [
      { name: 'good.txt', bytes: 'Good' },
      { name, bytes: await bytes() },
    ])
    expect(refused).toMatchObject({ status: 422, errors: { 'attachment.1': [expect.stringMatching(words)] } })
    await expectNothingLeft(started)
  },
)

const picture = async (format: 'avif' | 'webp' | 'gif' | 'jpeg') =>
  sharp(await png())
    .toFormat(format)
    .toBuffer()
const taken: [string, string, () => Promise<Buffer> | Buffer][] = [
  ['a.avif', 'image', () => picture('avif')],
  ['a.webp', 'image', () => picture('webp')],
  ['a.gif', 'image', () => picture('gif')],
  ['a.jpeg', 'image', () => picture('jpeg')],
  [
    'a.docx',
    'document',
    () =>
      Buffer.from(
        'UEsDBBQAAAAIAGSwdV2T+DSMdwAAAJcAAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbD2OQQ7CMAwEv1Llikg+0PbCHTjwAStxkKXYjpxQ4Pc0QupxtTujnR/fim2dbxuaUcLpDtavwLi48FZLIWl8MUr3Hy5uuqj0PQxocVBroQidVMImyWtF2VdZjaG3s+ZMEQ9+2KppxNZInlz80TCQnIY+rHP4//kBUEsBAhQDFAAAAAgAZLB1XZP4NIx3AAAAlwAAABMAAAAAAAAAAAAAAIABAAAAAFtDb250ZW50X1R5cGVzXS54bWxQSwUGAAAAAAEAAQBBAAAAqAAAAAAA',
        'base64',
      ),
  ],
  [
    'a.xlsx',
    'document',
    () =>
      Buffer.from(
        'UEsDBBQAAAAIAGSwdV3EvLXpeQAAAI8AAAATAAAAW0NvbnRlbnRfVHlwZXNdLnhtbCWOMQ7CMAxFr1JlRSQXSLuwAwMXMIkjosZ2lLil3J4Wprf89/X841OxT/62Yms54nCHplcgHI3bintLm58is92omOEirMh6KKOBWksOoFnYrRytVOR9laQRaD9LSjlglLDQrtheG0LsL0SlYn+0BJlPx7GbvPt3fAFQSwECFAMUAAAACABksHVdxLy16XkAAACPAAAAEwAAAAAAAAAAAAAAgAEAAAAAW0NvbnRlbnRfVHlwZXNdLnhtbFBLBQYAAAAAAQABAEEAAACqAAAAAAA=',
        'base64',
      ),
  ],
  [
    'a.mp4',
    'video',
    () =>
      Buffer.concat([
        Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex'),
        Buffer.alloc(100),
      ]),
  ],
  [
    'a.webm',
    'video',
    () =>
      Buffer.from(
        '1a45dfa39f4286810142f7810142f2810442f381084282847765626d42878104428581021853806700',
        'hex',
      ),
  ],
  ['a.zip', 'other', () => Buffer.from('504b0506000000000000000000000000000000000000', 'hex')],
  ['a.eml', 'other', () => Buffer.from('Return-Path: <>\r\nFrom: a@b.example\r\n\r\nHello')],
  [
    'a.mp3',
    'audio',
    () => Buffer.concat([Buffer.from('49443303000000000000fffb9064', 'hex'), Buffer.alloc(2000)]),
  ],
]
test.each(taken)('%s is accepted as %s', async (name, kind, bytes) => {
  const started = await startTestApp()
  expect(await send(started, [{ name, bytes: await bytes() }])).toMatchObject({ status: 200 })
  expect((await rows(started)).map((row) => [row.kind, row.small_name !== null])).toEqual([
    [kind, kind === 'image'],
  ])
})

test('if good files are kept, each of the others has an error', async () => {
  const started = await startTestApp()
  const parts = [
    { name: 'a.txt', bytes: 'A' },
    { name: 'b.svg', bytes: svg },
    { name: 'c.txt', bytes: 'C' },
  ]
  const saved = await send(started, parts, { path: '/test/good-records' })
  expect(saved).toMatchObject({
    status: 200,
    ids: [expect.any(Number), expect.any(Number)],
    refused: { 'attachment.1': [expect.stringContaining('b.svg')] },
  })
  expect(await onDisk(started)).toHaveLength(2)
})

test("bytes after an image's data are dropped", async () => {
  const started = await startTestApp()
  await send(started, [
    {
      name: 'a.gif',
      bytes: Buffer.concat([
        await sharp(await png())
          .gif()
          .toBuffer(),
        Buffer.from(svg),
      ]),
    },
  ])
  const [stored] = await rows(started)
  expect((await started.app.files.read(stored!.stored_name))!.includes('<svg')).toBe(false)
})

test('eleven files, a file in a field that accepts none, a second file in a single-file field, and a missing required file are refused', async () => {
  const started = await startTestApp()
  const text = (name: string, field = 'attachment') => ({ name, bytes: 'x', field })
  expect(
    await send(
      started,
      Array.from({ length: 11 }, (_, n) => text(`${n}.txt`)),
    ),
  ).toMatchObject({ status: 422, errors: { attachment: ['You can add up to 10 files.'] } })
  expect(await send(started, [text('a.txt'), text('b.txt', 'other')])).toMatchObject({
    status: 422,
    errors: { other: ['This field doesn’t accept files.'] },
  })
  const icon = { name: 'i.png', bytes: await png(), field: 'icon' }
  expect(await send(started, [icon, icon])).toMatchObject({
    status: 422,
    errors: { icon: ['You can add only one file.'] },
  })
  expect(await send(started, [{ ...icon, name: 'i.txt' }])).toMatchObject({
    status: 422,
    errors: { 'icon.0': [expect.stringContaining('Supported types: png')] },
  })
  expect(
    (
      await send(
        started,
        Array.from({ length: 60 }, (_, n) => text(`${n}.txt`)),
      )
    ).status,
  ).toBe(413)
  await expectNothingLeft(started)
})

test('ten files of 10 MB are accepted in one request; one byte more, 11 MB, and an eleventh file are refused at their places, and leave nothing behind', async () => {
  const started = await startTestApp()
  const { db, app } = started
  const { id } = await db
    .insertInto('organizations')
    .values({
      name: 'Aalto Linen',
      timezone: 'US/Eastern',
      state: '',
      country: 'Finland',
      status: 1,
      domain: 'aalto.example',
      created_by: 1,
    })
    .returning('organization_id as id')
    .executeTakeFirstOrThrow()
  await db.insertInto('organization_products').values({ organization_id: id, product_id: 1 }).execute()
  const add = (...bytes: number[]) =>
    send(
      started,
      bytes.map((size, n) => ({ name: `${n}.txt`, bytes: Buffer.alloc(size, 'x') })),
      { path: `/admin/organization/${id}/documents`, who: 'admin' },
    )
  const ten = Array.from({ length: 10 }, () => 10_000_000)
  expect(await add(10_000_000, 10_000_001, 11_000_000)).toMatchObject({
    status: 422,
    errors: {
      'attachment.1': ['1.txt is larger than 10 MB.'],
      'attachment.2': ['2.txt is larger than 10 MB.'],
    },
  })
  expect(await add(...ten.map(() => 100), 100)).toMatchObject({
    status: 422,
    errors: { attachment: ['You can add up to 10 files.'] },
  })
  await expectNothingLeft(started)

  expect(await add(...ten)).toMatchObject({ status: 200 })
  expect((await rows(started)).map(({ bytes }) => bytes)).toEqual(ten)
  expect(await onDisk(started)).toHaveLength(10)
  expect((await app.files.read((await rows(started))[9]!.stored_name))?.length).toBe(10_000_000)
})

test.each([
  ['../../etc/passwd.txt', 'passwd.txt'],
  ['..\\..\\boot.txt', 'boot.txt'],
  ['a\u0007\u200bb\u202etxt.exe.txt', 'abtxt.exe.txt'],
  [`${'ü'.repeat(300)}.txt`, `${'ü'.repeat(150)}.txt`],
  ['日本 🧺.txt', '日本 🧺.txt'],
])('the name %j is stored as %j', async (name, kept) => {
  const started = await startTestApp()
  expect((await send(started, [{ name, bytes: 'x' }])).status).toBe(200)
  expect((await rows(started)).map((row) => row.name)).toEqual([kept])
})

test('a failing handler, an invalid body, and a repeated request leave no second file', async () => {
  const started = await startTestApp()
  const file = { name: 'a.png', bytes: await png() }
  expect((await send(started, [file], { fields: { fail: 'yes' } })).status).toBe(500)
  expect((await send(started, [file], { fields: { id: 'x' } })).status).toBe(422)
  await expectNothingLeft(started)
  const headers = { 'idempotency-key': 'the-same-key' }
  const once = () => started.as('crm').post('/files/stage', undefined, { form: { file: file }, headers })
  const [first, second] = [await once(), await once()]
  expect([first.status, second.status, first['data'].id]).toEqual([200, 200, second['data'].id])
  await expect.poll(() => onDisk(started)).toHaveLength(2)
})

test('a full disk answers 507, and leaves nothing behind', async () => {
  const started = await startTestApp()
  const { openFile } = started.app.files
  started.app.files.openFile = async (...by) => {
    const file = await openFile(...by)
    const write = file.writeFile.bind(file)
    file.writeFile = async () => {
      await write('the first part')
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    }
    return file
  }
  expect(await send(started, [{ name: 'a.txt', bytes: 'x'.repeat(400_000) }])).toMatchObject({
    status: 507,
    message: 'The server is out of disk space.',
  })
  await expectNothingLeft(started)
})

test('a connection that is cut in the middle of a file leaves nothing behind', async () => {
  const started = await startTestApp()
  const address = new URL(await started.app.listen())
  const socket = connect(Number(address.port), address.hostname)
  const head = '--x\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\n'
  socket.write(
    `POST /api/test/records HTTP/1.1\r\nHost: ${address.host}\r\nAuthorization: Bearer ${started.as('crm').token}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 900000\r\n\r\n${head}${'x'.repeat(300_000)}`,
  )
  await expect.poll(() => onDisk(started)).toHaveLength(1)
  socket.destroy()
  await expectNothingLeft(started)
})

test('a truncated form, or one without a boundary, is 400', async () => {
  const started = await startTestApp()
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  const cut = '--x\r\nContent-Disposition: form-data; name="attachment"; filename="a.txt"\r\n\r\nabc'
  expect((await started.as('crm').post('/test/records', Buffer.from(cut), { headers })).status).toBe(400)
  await expectNothingLeft(started)
})

test('the sweep removes leftovers of a kill and staged files that were never used; the others stay', async () => {
  const started = await startTestApp()
  const { app, db } = started
  const kept = await stage(started, 'kept.txt', Buffer.from('kept'))
  const attached = await stage(started, 'attached.txt', Buffer.from('attached'))
  await started.as('crm').post('/test/records', { id: 1, file_ids: [attached.id] })
  const old = await stage(started, 'old.txt', Buffer.from('old'))
  await db
    .updateTable('files')
    .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
    .where('id', 'in', [old.id, attached.id])
    .execute()
  const folder = join(app.settings.dataDir, 'files')
  const orphans = [`${'a'.repeat(40)}.pdf`, `.${'b'.repeat(40)}.part`, `.${'c'.repeat(40)}.part`]
  for (const name of orphans) await writeFile(join(folder, name), 'x')
  const hourAgo = new Date(Date.now() - 3_700_000)
  for (const name of (await readdir(folder)).filter((one) => one !== orphans[2]))
    await utimes(join(folder, name), hourAgo, hourAgo)
  await sweep(app.pool)
  await app.installation.pair(app.files)
  await sweepFiles(sweepingOf(started))
  expect((await rows(started)).map(({ id }) => id)).toEqual([kept.id, attached.id])
  const stored = (await rows(started)).map(({ stored_name }) => stored_name)
  expect((await onDisk(started)).toSorted()).toEqual([...stored, orphans[2]].toSorted())
})

test('a signed URL works without a token; altered, expired, for another file, of an ended session, or without a signature it is 401', async () => {
  const started = await startTestApp()
  const { db, clock, as } = started
  const nobody = as(undefined)
  const picture = await stage(started, 'a.png', await png(800, 600))
  const other = await stage(started, 'b.png', await png())
  const shown = await nobody.get(path(picture.url))
  expect(shown.status).toBe(200)
  expect(shown.headers).toMatchObject({
    'content-type': 'image/png',
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'content-disposition': `inline; filename="a.png"; filename*=UTF-8''a.png`,
  })
  expect((await nobody.get(path(picture.small_url!))).headers['content-type']).toBe('image/webp')
  expect((await nobody.get(path(picture.download_url))).headers['content-disposition']).toMatch(/^attachment/)

  const status = async (url: string) => (await nobody.get(path(url))).status
  expect(await status(picture.url.replace(`/${picture.id}?`, `/${other.id}?`))).toBe(401)
  expect(await status(picture.url.replace(/expires=\d+/, 'expires=9999999999'))).toBe(401)
  expect(await status(`/api/files/${picture.id}`)).toBe(401)
  expect(await status(picture.url.replace(/session=\d+/, 'session=99999999'))).toBe(401)
  clock.advance(301_000)
  expect(await status(picture.url)).toBe(401)
  const again = (await as('crm').post('/test/records', { id: 1, file_ids: [picture.id] })).status
  expect(again).toBe(200)
  clock.advance(-301_000)
  expect(await status(picture.url)).toBe(200)
  await db
    .updateTable('sessions')
    .set({ ended_at: clock.now().toISOString() })
    .where('staff_id', '=', as('crm').id)
    .execute()
  expect(await status(picture.url)).toBe(401)
})

test("the record's permission is checked on every request: without it, and for an unknown record type, 403", async () => {
  const started = await startTestApp()
  const { as, db } = started
  const file = await stage(started, 'a.txt', Buffer.from('secret'), 'super_admin')
  const links = async (who: string) => {
    const session = await db
      .selectFrom('sessions')
      .select('id')
      .where('staff_id', '=', as(who).id)
      .executeTakeFirstOrThrow()
    const request = { headers: { authorization: `Bearer ${as(who).token}` } } as Parameters<
      typeof linksFor
    >[0]['request']
    return linksFor({
      request,
      viewer: { session_id: session.id } as Parameters<typeof linksFor>[0]['viewer'],
      clock: started.clock,
    })({
      id: file.id,
      kind: 'document',
      small_name: null,
    })
  }
  const status = async (who: string) => (await as(undefined).get(path((await links(who)).url))).status
  const seen = async (who: string) =>
    ((await as(who).get(`/files/refs?ids[]=${file.id}&ids[]=999`))['data'] as FileRef[]).map(
      ({ name }) => name,
    )
  expect([await seen('super_admin'), await seen('designer')]).toEqual([['a.txt'], []])
  // Until the file is attached to a record, no one else can see or attach it.
  expect([await status('super_admin'), await status('designer')]).toEqual([200, 403])
  expect(await as('designer').post('/test/records', { id: 1, file_ids: [file.id] })).toMatchObject({
    status: 422,
    errors: { 'file_ids.0': [expect.any(String)] },
  })
  await as('super_admin').post('/test/records', { id: 13, file_ids: [file.id] })
  expect([await status('super_admin'), await status('designer')]).toEqual([200, 403])
  // A file can be attached to many records; access to any one of them is enough.
  await as('super_admin').post('/test/records', { id: 2, file_ids: [file.id] })
  expect(await status('designer')).toBe(200)
  expect(await whereUsed(db, file.id)).toMatchObject([
    { type: 'record', id: 13 },
    { type: 'record', id: 2 },
  ])
  const viewer = { id: as('super_admin').id } as Parameters<typeof detachFiles>[0]['viewer']
  await db
    .transaction()
    .execute((trx) => detachFiles({ db: trx, viewer }, { type: 'record', id: 2 }, [file.id]))
  expect(await status('designer')).toBe(403)
  await db.updateTable('file_links').set({ record_type: 'unknown' }).execute()
  expect(await status('super_admin')).toBe(403)
})

test('a byte range is served to a player; an invalid range is 416', async () => {
  const started = await startTestApp()
  const file = await stage(started, 'a.txt', Buffer.from('0123456789'))
  const part = (range: string) => started.as(undefined).get(path(file.url), { headers: { range } })
  const middle = await part('bytes=2-4')
  expect([middle.status, middle.text, middle.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
  expect((await part('bytes=-3')).text).toBe('789')
  const beyond = await part('bytes=20-')
  expect([beyond.status, beyond.headers['content-range'], beyond['message']]).toEqual([
    416,
    'bytes */10',
    'The requested range isn’t available.',
  ])
  expect(beyond.headers['cache-control']).toBe('no-store')
  // Without a validator, a player can't know that its part belongs to this file.
  const stale = await started
    .as(undefined)
    .get(path(file.url), { headers: { range: 'bytes=2-4', 'if-range': '"another"' } })
  expect([stale.status, stale.text]).toEqual([200, '0123456789'])
})

test("the images of a text are links of its record: new ones are added, removed ones dropped, and another user's are refused", async () => {
  const started = await startTestApp()
  const { app, db, as } = started
  const [one, two] = [await stage(started, 'a.png', await png()), await stage(started, 'b.png', await png())]
  const theirs = await stage(started, 'c.png', await png(), 'designer')
  const set = (images: number[]) =>
    db.transaction().execute((trx) => {
      const viewer = { id: as('crm').id } as Parameters<typeof setInlineImages>[1]['viewer']
      return setInlineImages(
        app.files,
        { db: trx, viewer, onRollback: () => {} },
        { type: 'record', id: 1 },
        images,
      )
    })
  const shown = async () =>
    (await filesOf(db, 'record', [1], () => ({ url: '', small_url: null, download_url: '' }), 'inline'))
      .get(1)!
      .map(({ id }) => id)
  await set([one.id, two.id])
  expect(await shown()).toEqual([one.id, two.id])
  await set([two.id])
  expect(await shown()).toEqual([two.id])
  await expect(set([theirs.id])).rejects.toMatchObject({ status: 422 })
  expect(await shown()).toEqual([two.id])
})

test('a file is served by every process that shares the folder, and by no process with its own folder', async () => {
  const started = await startTestApp()
  const note = await stage(started, 'note.txt', Buffer.from('Racks'))
  const shared = await startAnother(started)
  const apart = await startAnother(started, join(started.app.settings.dataDir, 'of-its-own'))
  const load = async (app: TestApp['app']) => {
    const reply = await client(app, started.as('crm').token).get(path(note.download_url))
    return [reply.status, reply.text === 'Racks']
  }
  expect([await load(started.app), await load(shared), await load(apart)]).toEqual([
    [200, true],
    [200, true],
    [404, false],
  ])
})
