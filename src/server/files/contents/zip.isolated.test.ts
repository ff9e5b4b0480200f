import { zipSync } from 'fflate'
import { expect, test, vi } from 'vitest'
import { readZip, unpack } from '#server/files/contents/zip.ts'

const { outcomes } = vi.hoisted(() => ({ outcomes: [] as unknown[] }))

vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof import('node:zlib')>()
  const inflateRawSync: typeof zlib.inflateRawSync = (...given) => {
    try {
      const bytes = zlib.inflateRawSync(...given)
      outcomes.push(bytes.length)
      return bytes
    } catch (error) {
      outcomes.push((error as { code: string }).code)
      throw error
    }
  }
  return { ...zlib, inflateRawSync }
})

test('of a file that is larger than stated, no more than stated is unpacked', () => {
  const size = 20_000_000
  const archive = Buffer.from(zipSync({ 'a.zip': new Uint8Array(size) }))
  const record = archive.indexOf('PK\x01\x02')
  for (const stated of [1_000_000, size]) {
    archive.writeUInt32LE(stated, record + 24)
    const [entry] = readZip(archive, 1).entries
    expect(unpack(archive, entry!, size)?.length).toBe(stated === size ? size : undefined)
  }
  // Control: the second one is unpacked.
  expect(outcomes).toEqual(['ERR_BUFFER_TOO_LARGE', size])
})
