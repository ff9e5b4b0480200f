import { readFile, writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { writeHeicAsJpeg } from '#server/files/heic.ts'

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
