import { mostListed, type FileContents, type ListedFile } from '#shared/file-contents.contract.ts'
import { listableAs } from '#shared/file-kinds.ts'
import { truncate } from '#shared/truncate.ts'
import { visible } from '#server/files/contents/names.ts'
import { readZip, unpack } from '#server/files/contents/zip.ts'
import { readEmail } from '#server/inbound/read-email.ts'

/*
 * Lists what is in an archive or email, and in the archives and emails in it. Runs in a separate process
 * (contents.worker.ts).
 */

/** Number of nested archives and emails that are read, and how many bytes they can have together. */
export const nestedLimits = { files: 20, bytes: 20_000_000 }
const textLimits = { lines: 20, length: 2000 }

type Content = FileContents & { type: 'zip' | 'eml' }
type Unreadable = FileContents & { type: 'unreadable' }
/** A file that is listed, and what returns its bytes if they are at most `most`. */
interface Inner {
  entry: ListedFile
  open: (most: number) => Uint8Array | undefined
}
interface Read<Of = Content> {
  contents: Of
  inner: Inner[]
}

const unreadable: Record<Content['type'], Unreadable> = {
  zip: { type: 'unreadable', problem: 'This file can’t be read as a ZIP archive.' },
  eml: { type: 'unreadable', problem: 'This file can’t be read as an email.' },
}

/**
 * Returns what is in a file, in one level and then in two, so that a nested file that takes too long doesn't cost
 * the whole list.
 */
export async function* readContents(type: Content['type'], bytes: Uint8Array): AsyncGenerator<FileContents> {
  const { contents, inner } = await readOne(type, bytes, mostListed)
  yield contents
  if (inner.length === 0) return
  let left = { files: nestedLimits.files, bytes: nestedLimits.bytes, entries: mostListed - inner.length }
  for (const { entry, open } of inner) {
    const nested = listableAs(entry.name)
    if (nested === undefined || left.files === 0 || left.entries <= 0) continue
    const own = open(left.bytes)
    if (!own) continue
    const read = await readOne(nested, own, left.entries)
    entry.contents = read.contents
    left = {
      files: left.files - 1,
      bytes: left.bytes - own.byteLength,
      entries: left.entries - read.inner.length,
    }
  }
  yield contents
}

/** @param most maximum number of files that are listed */
async function readOne(
  type: Content['type'],
  bytes: Uint8Array,
  most: number,
): Promise<Read<Content | Unreadable>> {
  try {
    return type === 'zip' ? readArchive(bytes, most) : await readLetter(bytes, most)
  } catch {
    return { contents: unreadable[type], inner: [] }
  }
}

function readArchive(own: Uint8Array, most: number): Read {
  const bytes = Buffer.from(own.buffer, own.byteOffset, own.byteLength)
  const { entries, total, problem } = readZip(bytes, most)
  const inner = entries.map((one): Inner => {
    const { name, folder, bytes: size, problem: its } = one
    return { entry: { name, folder, bytes: size, problem: its }, open: (limit) => unpack(bytes, one, limit) }
  })
  return { contents: { type: 'zip', entries: inner.map(({ entry }) => entry), total, problem }, inner }
}

async function readLetter(bytes: Uint8Array, most: number): Promise<Read> {
  const { from, to, subject, written_at, text, files, problems } = await readEmail(bytes)
  if (!from && to.length === 0 && subject === '' && written_at === null) throw new Error('No email')
  const inner = files.slice(0, most).map(({ name, content }): Inner => ({
    entry: {
      name: truncate(visible(name), 200) || 'file',
      folder: '',
      bytes: content.byteLength,
      problem: '',
    },
    open: (limit) => (content.byteLength <= limit ? content : undefined),
  }))
  const contents: Content = {
    type: 'eml',
    from: from ? visible(from.name === '' ? from.address : `${from.name} <${from.address}>`) : '',
    to,
    subject: visible(subject),
    date: written_at,
    text: beginningOf(text),
    entries: inner.map(({ entry }) => entry),
    total: files.length,
    problem: problems[0] ?? '',
  }
  return { contents, inner }
}

/** Returns the first lines of a text. */
function beginningOf(text: string): string {
  const lines = text.trim().split('\n')
  const first = truncate(lines.slice(0, textLimits.lines).join('\n'), textLimits.length)
  return first.length < text.trim().length ? `${first.trimEnd()}…` : first
}
