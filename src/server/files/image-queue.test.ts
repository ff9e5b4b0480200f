import sharp from 'sharp'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { processAvif, processImage, SlowImage } from '#server/files/image-queue.ts'

test('AVIF images occupy one of two workers, so other images never wait for all of them', async () => {
  const ended: string[] = []
  const decoded = Promise.withResolvers<void>()
  const avif = ['avif 1', 'avif 2', 'avif 3'].map((name) =>
    processAvif(async () => {
      await decoded.promise
      ended.push(name)
    }),
  )
  await Promise.all(['png 1', 'png 2'].map((name) => processImage(async () => ended.push(name))))
  expect(ended).toEqual(['png 1', 'png 2'])
  decoded.resolve()
  await Promise.all(avif)
  expect(ended).toEqual(['png 1', 'png 2', 'avif 1', 'avif 2', 'avif 3'])
})

test('a slow AVIF image is rejected, but its worker stays occupied until it ends', async () => {
  const ended: string[] = []
  const decoded = Promise.withResolvers<void>()
  const slow = processAvif(async (isLate) => {
    await decoded.promise
    ended.push(isLate() ? 'late' : 'in time')
  }, 20)
  const next = processAvif(async () => {
    ended.push('next')
    return 'kept'
  })
  await expect(slow).rejects.toThrow(SlowImage)
  expect(ended).toEqual([])
  decoded.resolve()
  expect(await next).toBe('kept')
  expect(ended).toEqual(['late', 'next'])
})

test('a failed image frees its worker', async () => {
  const fail = () => processAvif(() => Promise.reject(new Error('broken')))
  for (let i = 0; i < 3; i += 1) await expect(fail()).rejects.toThrow('broken')
  expect(await processImage(async () => 'free')).toBe('free')
})

test('while large AVIF images are uploaded, a PNG passes', async () => {
  const { as } = await startTestApp()
  const large = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: '#abc' } })
    .avif({ quality: 1, effort: 0 })
    .toBuffer()
  const small = await sharp({ create: { width: 50, height: 50, channels: 3, background: '#abc' } })
    .png()
    .toBuffer()
  const ended: string[] = []
  const upload = async (name: string, bytes: Buffer) => {
    const { status } = await as('crm').post('/admin/users/profile-picture', undefined, {
      form: { file: { name, bytes } },
    })
    ended.push(name)
    return status
  }
  // One is being processed, and one waits.
  const avif = [1, 2].map((n) => upload(`${n}.avif`, large))
  await expect.poll(() => sharp.counters().process, { interval: 1 }).toBeGreaterThan(0)
  expect(await upload('me.png', small)).toBe(200)
  expect(ended).toEqual(['me.png'])
  await Promise.all(avif)
})
