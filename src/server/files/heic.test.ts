import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { acceptOf } from '#shared/file-kinds.ts'
import { writeHeicAsJpeg } from '#server/files/heic.ts'
import { findKnownFiles } from '#server/files/installation.ts'

const photo = join(import.meta.dirname, 'fixtures', 'photo.heic')
const enough = 1_000_000

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'heic-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('a photo of a phone becomes a JPEG with the same pixels', async () => {
  const to = join(await folder(), 'photo')
  expect(await writeHeicAsJpeg(photo, to, enough)).toBe(true)
  expect(await sharp(to).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
  const pixel = async (left: number) => [
    ...(await sharp(to).extract({ left, top: 24, width: 1, height: 1 }).raw().toBuffer()),
  ]
  const [left, right] = [await pixel(8), await pixel(56)]
  // Blue on the left, red on the right.
  expect(left[2]! > 150 && left[0]! < 90).toBe(true)
  expect(right[0]! > 150 && right[2]! < 90).toBe(true)
})

test('a photo that is cut, is something else, or has too many pixels is not converted', async () => {
  const at = await folder()
  const whole = await readFile(photo)
  const files = {
    cut: whole.subarray(0, whole.length - 200),
    other: Buffer.from('not a photo'),
    empty: Buffer.alloc(0),
  }
  for (const [name, bytes] of Object.entries(files)) {
    await writeFile(join(at, name), bytes)
    expect([name, await writeHeicAsJpeg(join(at, name), join(at, 'to'), enough)]).toEqual([name, false])
  }
  expect(await writeHeicAsJpeg(photo, join(at, 'to'), 64 * 48 - 1)).toBe(false)
  // Control: the next one is converted, so no thread of a broken file is left in the way.
  expect(await writeHeicAsJpeg(photo, join(at, 'to'), 64 * 48)).toBe(true)
})

const secret = 'a-secret-of-thirty-two-characters'

test('a photo in a customer’s email is shown as an image, and a broken one is kept as a download', async () => {
  const { as } = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const form = {
    message_id: '<photo@aalto.example>',
    from: 'zoe@aalto.example',
    subject: 'See the photo',
    text: 'Attached.',
    'attachment[]': [
      { name: 'IMG_1.HEIC', bytes: await readFile(photo) },
      { name: 'broken.heic', bytes: Buffer.from('no photo') },
    ],
  }
  const { id } = await as(undefined).send('POST', '/inbound/ticket', undefined, {
    form,
    headers: { 'x-inbound-secret': secret },
  })
  const [message] = (await as('support').get(`/admin/support/ticket/${id}`))['data'].messages
  expect(message.attachments).toMatchObject([
    { name: 'IMG_1.jpg', kind: 'image' },
    { name: 'broken.heic', kind: 'other' },
  ])
})

const stage = ({ as }: Pick<TestApp, 'as'>, name: string, bytes: Buffer) =>
  as('support').post('/files/stage', undefined, { form: { file: { name, bytes } } })

test('a photo that an admin user attaches is shown as JPEG, and downloaded as it was sent', async () => {
  const started = await startTestApp()
  const original = await readFile(photo)
  const { status, data } = await stage(started, 'IMG_1.HEIC', original)
  expect([status, data]).toMatchObject([
    200,
    { name: 'IMG_1.jpg', kind: 'image', small_url: expect.any(String) },
  ])
  const load = (address: string) => started.app.http.inject({ method: 'GET', url: address })
  const shown = await load(data.url)
  expect(shown.headers).toMatchObject({ 'content-type': 'image/jpeg' })
  expect(await sharp(shown.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 64, height: 48 })
  expect((await load(data.small_url)).headers).toMatchObject({ 'content-type': 'image/webp' })
  const downloaded = await load(data.download_url)
  expect(downloaded.headers).toMatchObject({
    'content-type': 'image/heic',
    'content-disposition': expect.stringMatching(/^attachment; filename="IMG_1\.heic"/),
    'x-content-type-options': 'nosniff',
  })
  expect(downloaded.rawPayload.equals(original)).toBe(true)
  // It belongs to a row, so that the sweep doesn’t take it for a leftover.
  const { original_name } = await started.db
    .selectFrom('files')
    .select('original_name')
    .where('id', '=', data.id)
    .executeTakeFirstOrThrow()
  expect(await findKnownFiles(started.app.pool, [original_name!, 'other.heic'])).toEqual(
    new Set([original_name]),
  )
})

test('a broken photo is refused with the reason, and a field of images doesn’t offer them', async () => {
  const started = await startTestApp()
  expect(await stage(started, 'IMG_2.heic', Buffer.from('no photo'))).toMatchObject({
    status: 422,
    errors: { 'file.0': ['IMG_2.heic: this photo can’t be read. Save it as JPG.'] },
  })
  expect([acceptOf(undefined).includes('.heic'), acceptOf(['image']).includes('.heic')]).toEqual([
    true,
    false,
  ])
})
