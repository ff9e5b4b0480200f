import { once } from 'node:events'
import { readdir, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { scannerAt } from '#server/files/scanner.ts'

const size = 300_000

/** Starts a scanner that reads files as ClamAV does, finds the word VIRUS, and refuses what is too large. */
async function startScanner() {
  const server = createServer((socket) => {
    let data = Buffer.alloc(0)
    const command = 'zINSTREAM\0'
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      data = Buffer.concat([data, chunk])
      const parts: Buffer[] = []
      let at = command.length
      while (at + 4 <= data.length) {
        const length = data.readUInt32BE(at)
        if (length === 0) {
          const content = Buffer.concat(parts)
          socket.end(content.includes('VIRUS') ? 'stream: Test-Virus FOUND\0' : 'stream: OK\0')
          return
        }
        if (at + 4 + length > data.length) return
        parts.push(data.subarray(at + 4, at + 4 + length))
        at += 4 + length
        if (at > size) return void socket.end('INSTREAM size limit exceeded. ERROR\0')
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}

test('uploads and files of emails are scanned; a virus is refused by name, and nothing is kept', async () => {
  const { url } = await startScanner()
  const { app, as } = await startTestApp({ env: { CLAMD_URL: url } })
  const stage = (bytes: string) =>
    as('admin').send('POST', '/files/stage', undefined, { form: { file: { name: 'notes.txt', bytes } } })
  expect((await stage('Count the racks')).status).toBe(200)
  const files = async () => (await readdir(join(app.settings.dataDir, 'files'))).length
  const before = await files()
  const refused = await stage('a VIRUS in between')
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('notes.txt: this file has a virus (Test-Virus).')
  expect(await files()).toBe(before)
})

test('an archive and a saved email are scanned too', async () => {
  const { url } = await startScanner()
  const { as } = await startTestApp({ env: { CLAMD_URL: url } })
  const stage = (name: string, bytes: Buffer) =>
    as('support').send('POST', '/files/stage', undefined, { form: { file: { name, bytes } } })
  for (const [text, status] of [
    ['Count the racks', 200],
    ['a VIRUS in between', 422],
  ] as const) {
    const archive = Buffer.from(zipSync({ 'a.txt': [strToU8(text), { level: 0 }] }))
    expect((await stage('a.zip', archive)).status).toBe(status)
    expect((await stage('a.eml', Buffer.from(`From: a@b.example\n\n${text}`))).status).toBe(status)
  }
})

test('a file that can’t be scanned is refused for now', async () => {
  const { url, server } = await startScanner()
  const { app, as } = await startTestApp({ env: { CLAMD_URL: url } })
  const path = join(app.settings.dataDir, 'large.txt')
  await writeFile(path, 'x'.repeat(2 * size))
  await expect(scannerAt(url)!(path)).rejects.toMatchObject({ status: 503 })
  await writeFile(path, 'x'.repeat(size / 2))
  expect(await scannerAt(url)!(path)).toBe(undefined)
  server.close()
  await once(server, 'close')
  const form = { file: { name: 'notes.txt', bytes: 'Count the racks' } }
  expect(await as('admin').send('POST', '/files/stage', undefined, { form })).toMatchObject({
    status: 503,
    message: 'Files can’t be checked for viruses right now. Try again later.',
  })
})
