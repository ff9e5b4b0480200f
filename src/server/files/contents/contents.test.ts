import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync, type Zippable } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { fileContents, type FileContents, type ListedFile } from '#shared/file-contents.contract.ts'
import { listContents } from '#server/files/contents/list-contents.ts'
import { nestedLimits, readContents } from '#server/files/contents/read-contents.ts'

const text = (length: number, letter = 'a') => strToU8(letter.repeat(length))
const zip = (files: Zippable) => Buffer.from(zipSync(files))

/** Reads a file in this thread. */
async function read(bytes: Uint8Array, type: 'zip' | 'eml' = 'zip'): Promise<FileContents> {
  let last: FileContents | undefined
  for await (const contents of readContents(type, bytes)) last = contents
  return last!
}

async function entriesOf(bytes: Uint8Array, type?: 'zip' | 'eml'): Promise<ListedFile[]> {
  const contents = await read(bytes, type)
  if (contents.type === 'unreadable') throw new Error(contents.problem)
  return contents.entries
}

const noZip = { type: 'unreadable', problem: 'This file can’t be read as a ZIP archive.' }

/** Returns the positions of the records in an archive's list. */
function recordsOf(bytes: Buffer): number[] {
  const found = []
  for (let at = bytes.indexOf('PK\x01\x02'); at !== -1; at = bytes.indexOf('PK\x01\x02', at + 1))
    found.push(at)
  return found
}

test('the files of an archive are listed with folder and size, also those of an archive and an email in it', async () => {
  const mail = strToU8('From: Jana <jana@resort.example>\r\nSubject: Log\r\n\r\nSee the log.')
  const archive = zip({
    'logs/may/app.log': text(5000),
    'logs/': new Uint8Array(),
    'empty.txt': new Uint8Array(),
    'inner.zip': zip({ 'b.txt': text(3) }),
    'mail.EML': mail,
  })
  const none = { folder: '', problem: '' }
  expect(await read(archive)).toEqual({
    type: 'zip',
    total: 4,
    problem: '',
    entries: [
      { name: 'app.log', folder: 'logs/may', bytes: 5000, problem: '' },
      { ...none, name: 'empty.txt', bytes: 0 },
      {
        ...none,
        name: 'inner.zip',
        bytes: expect.any(Number),
        contents: { type: 'zip', total: 1, problem: '', entries: [{ ...none, name: 'b.txt', bytes: 3 }] },
      },
      {
        ...none,
        name: 'mail.EML',
        bytes: mail.length,
        contents: {
          type: 'eml',
          from: 'Jana <jana@resort.example>',
          to: [],
          subject: 'Log',
          date: null,
          text: 'See the log.',
          entries: [],
          total: 0,
          problem: '',
        },
      },
    ],
  })
  expect(await read(zip({}))).toEqual({ type: 'zip', total: 0, problem: '', entries: [] })
})

test('a depth bomb is read two levels deep', async () => {
  let bomb = zip({ 'end.txt': text(1) })
  for (let depth = 0; depth < 40; depth += 1) bomb = zip({ [`${depth}.zip`]: bomb })
  const [outer] = await entriesOf(bomb)
  expect(outer).toMatchObject({
    name: '39.zip',
    contents: { type: 'zip', entries: [{ name: '38.zip' }] },
  })
  expect(JSON.stringify(outer)).not.toContain('37.zip')
})

test('a bomb is listed with its stated size and not unpacked; a small archive beside it is', async () => {
  const zeros = zip({ 'a.txt': new Uint8Array(nestedLimits.bytes) })
  const bomb = zip({ 'stored.bin': [new Uint8Array(nestedLimits.bytes), { level: 0 }] })
  const archive = zip({ 'bomb.zip': bomb, 'zeros.zip': zeros })
  // It unpacks to more than a thousand times its size.
  expect(archive.length).toBeLessThan(bomb.length / 400)
  const [large, small] = await entriesOf(archive)
  expect(large).toEqual({ name: 'bomb.zip', folder: '', bytes: bomb.length, problem: '' })
  // Control
  expect(small).toMatchObject({ contents: { entries: [{ name: 'a.txt', bytes: nestedLimits.bytes }] } })
})

test('nested archives share one limit on their bytes and one on their number', async () => {
  const half = zip({ 'half.bin': [new Uint8Array(nestedLimits.bytes / 2 - 1000), { level: 0 }] })
  const three = await entriesOf(zip({ '1.zip': half, '2.zip': half, '3.zip': half }))
  expect(three.map(({ contents }) => contents?.type)).toEqual(['zip', 'zip', undefined])
  const many = await entriesOf(
    zip(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`${index}.zip`, zip({})]))),
  )
  expect(many.filter(({ contents }) => contents)).toHaveLength(nestedLimits.files)
})

test('a nested archive that isn’t as long as stated is not read, and an impossible size is not shown', async () => {
  const inner = zip({ 'b.txt': text(2000) })
  const withSize = (size: number) => {
    const archive = zip({ 'inner.zip': [inner, { level: 6 }] })
    archive.writeUInt32LE(size, recordsOf(archive)[0]! + 24)
    return archive
  }
  // Control
  expect((await entriesOf(withSize(inner.length)))[0]).toMatchObject({ contents: { total: 1 } })
  for (const wrong of [inner.length - 1, inner.length + 1, 1, 0]) {
    const [entry] = await entriesOf(withSize(wrong))
    expect(entry, String(wrong)).toEqual({ name: 'inner.zip', folder: '', bytes: wrong, problem: '' })
  }
  expect((await entriesOf(withSize(0xfffffff0)))[0]).toEqual({
    name: 'inner.zip',
    folder: '',
    bytes: null,
    problem: 'Its size can’t be right.',
  })
})

test('of 10,000 files, 500 are listed and all are counted; nested ones count too', async () => {
  const many = (count: number): Zippable =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${index}.txt`, text(1)]))
  const all = await read(zip(many(10_000)))
  expect(all).toMatchObject({ type: 'zip', total: 10_000, problem: '' })
  expect(all).toHaveProperty('entries.length', 500)
  const [inner] = await entriesOf(zip({ ...many(300), 'inner.zip': zip(many(300)) })).then((entries) =>
    entries.filter(({ contents }) => contents),
  )
  expect(inner!.contents).toMatchObject({ total: 300 })
  expect(inner!.contents).toHaveProperty('entries.length', 199)
})

test('files that share their data are marked, and none of them is read', async () => {
  const archive = zip({
    'a.zip': [zip({}), { level: 0 }],
    'b.zip': [zip({}), { level: 0 }],
    'c.txt': text(9),
  })
  // Control
  expect((await entriesOf(archive)).map(({ problem, contents }) => [problem, contents?.type])).toEqual([
    ['', 'zip'],
    ['', 'zip'],
    ['', undefined],
  ])
  const [first, second] = recordsOf(archive)
  archive.writeUInt32LE(archive.readUInt32LE(first! + 42), second! + 42)
  const shares = 'Shares its data with another file.'
  expect((await entriesOf(archive)).map(({ problem, contents }) => [problem, contents?.type])).toEqual([
    [shares, undefined],
    [shares, undefined],
    ['', undefined],
  ])
})

test('encrypted files, and those whose data is missing, are marked', async () => {
  const archive = zip({ 'secret.zip': [zip({}), { level: 0 }], 'gone.txt': text(9) })
  const [secret, gone] = recordsOf(archive)
  archive.writeUInt16LE(archive.readUInt16LE(secret! + 8) | 1, secret! + 8)
  archive.writeUInt32LE(archive.length, gone! + 42)
  expect(await entriesOf(archive)).toEqual([
    { name: 'secret.zip', folder: '', bytes: 22, problem: 'Encrypted.' },
    { name: 'gone.txt', folder: '', bytes: 9, problem: 'Its data is missing.' },
  ])
})

test('names that deceive are shown for what they are', async () => {
  const names = [
    '../../etc/passwd',
    'invoice\u202efdp.exe',
    'a\\b\\c.txt',
    'C:\\x.txt',
    `${'n'.repeat(400)}.txt`,
    'l\nf\0.txt',
  ]
  const found = await entriesOf(zip(Object.fromEntries(names.map((name) => [name, text(1)]))))
  const outside = 'Its path leads out of the archive.'
  expect(found.map(({ folder, name, problem }) => [folder, name, problem])).toEqual([
    ['../../etc', 'passwd', outside],
    ['', 'invoicefdp.exe', ''],
    ['a/b', 'c.txt', ''],
    ['C:', 'x.txt', outside],
    ['', `${'n'.repeat(199)}…`, ''],
    ['', 'lf.txt', ''],
  ])
})

test('names in code page 437, and those in UTF-8 without a mark, are readable', async () => {
  const archive = zip({ 'M-llplan.txt': text(1), 'Mxxllplan.txt': text(1) })
  const [dos, utf8] = recordsOf(archive)
  archive[dos! + 46 + 1] = 0x81
  archive.set([0xc3, 0xbc], utf8! + 46 + 1)
  expect((await entriesOf(archive)).map(({ name }) => name)).toEqual(['Müllplan.txt', 'Müllplan.txt'])
})

test('a ZIP64 archive and one behind a program are read', async () => {
  const archive = zip({ 'a.txt': text(5, 'b') })
  const [list] = recordsOf(archive)
  const end = archive.length - 22
  const end64 = Buffer.alloc(56)
  end64.write('PK\x06\x06', 'latin1')
  end64.writeBigUInt64LE(44n, 4)
  end64.writeBigUInt64LE(1n, 24)
  end64.writeBigUInt64LE(1n, 32)
  end64.writeBigUInt64LE(BigInt(end - list!), 40)
  end64.writeBigUInt64LE(BigInt(list!), 48)
  const locator = Buffer.alloc(20)
  locator.write('PK\x06\x07', 'latin1')
  locator.writeBigUInt64LE(BigInt(end), 8)
  const last = Buffer.from(archive.subarray(end))
  last.fill(0xff, 8, 20)
  const large = Buffer.concat([archive.subarray(0, end), end64, locator, last])
  expect((await entriesOf(large)).map(({ name, bytes }) => [name, bytes])).toEqual([['a.txt', 5]])
  const program = Buffer.concat([Buffer.from('MZ program'), archive])
  expect((await entriesOf(program)).map(({ name }) => name)).toEqual(['a.txt'])
})

test('whatever is broken in an archive or email, the answer is a list or that it can’t be read', async () => {
  const archive = zip({ 'a/b.txt': text(50), 'inner.zip': zip({ 'c.txt': text(9) }) })
  const mail = Buffer.from(
    'From: a@b.example\r\nSubject: Hi\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nHello\r\n--x\r\nContent-Disposition: attachment; filename="a.zip"\r\n\r\nPK\r\n--x--',
  )
  const seen = new Set<string>()
  for (const [type, whole] of [
    ['zip', archive],
    ['eml', mail],
  ] as const)
    for (let at = 0; at < whole.length; at += 1)
      for (const value of [undefined, 0, 0xff]) {
        const broken = value === undefined ? whole.subarray(0, at) : Buffer.from(whole)
        if (value !== undefined) broken[at] = value
        const contents = await read(broken, type)
        expect(() => fileContents.parse(contents), `${type} ${at} ${value}`).not.toThrow()
        seen.add(`${type} ${contents.type}`)
      }
  expect([...seen].toSorted()).toEqual(['eml eml', 'eml unreadable', 'zip unreadable', 'zip zip'])
  expect(await read(Buffer.from('no archive'))).toEqual(noZip)
  expect(await read(archive.subarray(0, -30))).toEqual(noZip)
})

const letter = (subject: string, attachment: string) =>
  [
    'From: Jana Nov <jana@resort.example>',
    'To: support@linen.example, it@resort.example',
    `Subject: ${subject}`,
    'Date: Mon, 02 Mar 2026 10:00:00 +0000',
    'Content-Type: multipart/mixed; boundary=' + subject,
    '',
    `--${subject}`,
    'Content-Type: text/html',
    '',
    `<style>p{}</style><p>The ${subject} text</p><script>alert(1)</script>`,
    `--${subject}`,
    attachment,
    `--${subject}--`,
  ].join('\r\n')

test('an email is listed with its head, first lines, and attachments; an email in it too, and none in that one', async () => {
  const attached = (inner: string) =>
    `Content-Type: message/rfc822\r\nContent-Disposition: attachment; filename="inner.eml"\r\n\r\n${inner}`
  const third = letter('Third', 'Content-Disposition: attachment; filename="t.txt"\r\n\r\nDeep')
  const contents = await read(
    Buffer.from(letter('First', attached(letter('Second', attached(third))))),
    'eml',
  )
  const head = {
    type: 'eml',
    from: 'Jana Nov <jana@resort.example>',
    to: ['support@linen.example', 'it@resort.example'],
    date: '2026-03-02T10:00:00.000Z',
    total: 1,
    problem: '',
  }
  const inner = { name: 'inner.eml', folder: '', bytes: expect.any(Number), problem: '' }
  expect(contents).toEqual({
    ...head,
    subject: 'First',
    text: 'The First text',
    entries: [
      { ...inner, contents: { ...head, subject: 'Second', text: 'The Second text', entries: [inner] } },
    ],
  })
  const long = await read(Buffer.from(`From: a@b.example\r\n\r\n${'line\r\n'.repeat(100)}`), 'eml')
  expect(long).toMatchObject({ text: `${'line\n'.repeat(20).trimEnd()}…` })
  expect(await read(Buffer.from('no email'), 'eml')).toEqual({
    type: 'unreadable',
    problem: 'This file can’t be read as an email.',
  })
})

test('the main thread answers while an archive is read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contents-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'many.zip')
  const bytes = zip(Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`${index}`, text(1)])))
  await writeFile(path, bytes)
  /** Counts how often the main thread gets its turn during some work. */
  const turnsDuring = async (work: () => Promise<unknown>) => {
    let turns = 0
    const done = new AbortController()
    const end = work().finally(() => done.abort())
    while (!done.signal.aborted) {
      await new Promise(setImmediate)
      turns += 1
    }
    await end
    return turns
  }
  expect(await turnsDuring(() => listContents(path, 'zip'))).toBeGreaterThan(20)
  // Control: in the main thread, it is one.
  expect(await turnsDuring(() => read(bytes))).toBeLessThan(5)
})

test('a process that fails answers that the file can’t be listed', async () => {
  // A folder can’t be read as a file.
  expect(await listContents(import.meta.dirname, 'zip')).toEqual({
    type: 'unreadable',
    problem: 'Listing the contents of this file takes too much time or memory.',
  })
})
