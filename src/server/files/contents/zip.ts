import { inflateRawSync } from 'node:zlib'
import { nameIn } from '#server/files/contents/names.ts'

/*
 * Reads the list of files at the end of a ZIP archive. Everything in it is a claim of the archive's author, so
 * each number is checked before it is used, and nothing is unpacked.
 */

/** A file in an archive. */
export interface ZipEntry {
  name: string
  folder: string
  /** As stated; null if the number is impossible. */
  bytes: number | null
  problem: string
  /** Where its data begins and how long it is; undefined if it can't be read. */
  data: { start: number; length: number; isStored: boolean } | undefined
}

export interface ZipDirectory {
  /** The first ones. */
  entries: ZipEntry[]
  total: number
  problem: string
}

/** Thrown for bytes that aren’t a ZIP archive. */
export class NoZip extends Error {
  override name = 'NoZip'
}

const signatures = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator: 0x07064b50,
}
const sizes = { local: 30, entry: 46, end: 22, end64: 56, locator: 20 }
const longestComment = 0xffff
/** Deflate can't make data smaller than by this factor. */
const bestRatio = 1032

/**
 * Returns the files that an archive lists, the first `most` in full.
 * @throws NoZip
 */
export function readZip(bytes: Buffer, most: number): ZipDirectory {
  const { start, end, stated } = findDirectory(bytes)
  const entries: Range[] = []
  let [at, records, total] = [start, 0, 0]
  for (let read = readEntry(bytes, at, end); read; read = readEntry(bytes, at, end)) {
    at = read.next
    records += 1
    if (read.isFolder) continue
    total += 1
    if (entries.length < most) entries.push(read)
  }
  if (records === 0 && stated > 0) throw new NoZip()
  markOverlaps(entries)
  return {
    entries: entries.map(({ entry }) => entry),
    total,
    // Without ZIP64, the number has two bytes.
    problem: records % 0x10000 === stated % 0x10000 ? '' : 'The list of files in this archive is damaged.',
  }
}

/** Returns the position of the list, and of how many files it states. */
function findDirectory(bytes: Buffer): { start: number; end: number; stated: number } {
  const end = findEnd(bytes)
  const plain = {
    end,
    stated: bytes.readUInt16LE(end + 10),
    length: bytes.readUInt32LE(end + 12),
    offset: bytes.readUInt32LE(end + 16),
  }
  const isLarge = plain.stated === 0xffff || plain.length === 0xffffffff || plain.offset === 0xffffffff
  const found = (isLarge ? readEnd64(bytes, end) : undefined) ?? plain
  // Something can be in front of an archive, such as a program that unpacks it; then its offsets are too small.
  const start = [found.end - found.length, found.offset].find(
    (one) => one >= 0 && one <= found.end - 4 && bytes.readUInt32LE(one) === signatures.entry,
  )
  if (start === undefined && found.stated > 0) throw new NoZip()
  return { start: start ?? found.end, end: found.end, stated: found.stated }
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - sizes.end - longestComment)
  for (let at = bytes.length - sizes.end; at >= first; at -= 1)
    if (
      bytes.readUInt32LE(at) === signatures.end &&
      at + sizes.end + bytes.readUInt16LE(at + 20) <= bytes.length
    )
      return at
  throw new NoZip()
}

/** Reads the end of a ZIP64 archive, which has larger numbers; undefined if there is none. */
function readEnd64(bytes: Buffer, end: number) {
  const locator = end - sizes.locator
  if (locator < 0 || bytes.readUInt32LE(locator) !== signatures.locator) return undefined
  const stated = number64(bytes, locator + 8)
  const at = [stated, locator - sizes.end64].find(
    (one) =>
      one !== undefined &&
      one >= 0 &&
      one + sizes.end64 <= locator &&
      bytes.readUInt32LE(one) === signatures.end64,
  )
  if (at === undefined) return undefined
  const [records, length, offset] = [32, 40, 48].map((part) => number64(bytes, at + part))
  if (records === undefined || length === undefined || offset === undefined) throw new NoZip()
  return { end: at, stated: records, length, offset }
}

/** Returns a number of eight bytes; undefined if it is too large to be real. */
function number64(bytes: Buffer, at: number): number | undefined {
  const number = Number(bytes.readBigUInt64LE(at))
  return Number.isSafeInteger(number) ? number : undefined
}

interface Range {
  entry: ZipEntry
  isFolder: boolean
  /** Where the file's own header begins. */
  from: number
  next: number
}

/** Reads the record of a file; undefined at the end of the list. */
function readEntry(bytes: Buffer, at: number, end: number): Range | undefined {
  if (at + sizes.entry > end || bytes.readUInt32LE(at) !== signatures.entry) return undefined
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map((part) => bytes.readUInt16LE(at + part))
  const next = at + sizes.entry + nameLength! + extraLength! + commentLength!
  if (next > end) return undefined
  const rawName = bytes.subarray(at + sizes.entry, at + sizes.entry + nameLength!)
  const extra = bytes.subarray(at + sizes.entry + nameLength!, next - commentLength!)
  const [flags, method] = [bytes.readUInt16LE(at + 8), bytes.readUInt16LE(at + 10)]
  const { packed, unpacked, from } = readSizes(bytes, at, extra)
  const { name, folder, isFolder, isOutside } = nameIn(rawName, (flags & 0x800) !== 0)
  const data =
    from === undefined || packed === undefined ? undefined : findData(bytes, from, packed, method === 0)
  const isPossible = unpacked !== undefined && isPossibleSize(method, packed ?? 0, unpacked)
  const isEncrypted = (flags & 1) !== 0
  const problem = isOutside
    ? 'Its path leads out of the archive.'
    : isEncrypted
      ? 'Encrypted.'
      : !data
        ? 'Its data is missing.'
        : isPossible
          ? ''
          : 'Its size can’t be right.'
  const isReadable = !isEncrypted && (method === 0 || method === 8)
  const entry = {
    name,
    folder,
    bytes: isPossible || (isEncrypted && unpacked !== undefined) ? unpacked : null,
    problem,
    data: isReadable ? data : undefined,
  }
  return { entry, isFolder, from: from ?? 0, next }
}

/** Returns the sizes and position of a file, which are in the extra fields if they need more than four bytes. */
function readSizes(bytes: Buffer, at: number, extra: Buffer) {
  let large = findExtra(extra, 1)
  const read = (part: number): number | undefined => {
    const small = bytes.readUInt32LE(at + part)
    if (small !== 0xffffffff) return small
    if (!large || large.length < 8) return undefined
    const number = number64(large, 0)
    large = large.subarray(8)
    return number
  }
  // In this order, because only those that need it are in the extra field.
  const unpacked = read(24)
  const packed = read(20)
  return { unpacked, packed, from: read(42) }
}

function findExtra(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, at + 4 + length)
    at += 4 + length
  }
  return undefined
}

const isPossibleSize = (method: number, packed: number, unpacked: number) =>
  method === 0 ? packed === unpacked : method !== 8 || unpacked <= (packed + 1) * bestRatio

/** Returns where the data of a file is, by its own header; undefined if it isn't there or goes beyond the end. */
function findData(bytes: Buffer, from: number, length: number, isStored: boolean): ZipEntry['data'] {
  if (from + sizes.local > bytes.length || bytes.readUInt32LE(from) !== signatures.local) return undefined
  const start = from + sizes.local + bytes.readUInt16LE(from + 26) + bytes.readUInt16LE(from + 28)
  return start + length <= bytes.length ? { start, length, isStored } : undefined
}

/** Marks files that share their data with others, which makes a small archive unpack to a huge amount. */
function markOverlaps(ranges: Range[]): void {
  let [reached, last] = [0, undefined as Range | undefined]
  for (const one of ranges.toSorted((a, b) => a.from - b.from)) {
    if (!one.entry.data) continue
    if (last && one.from < reached)
      for (const { entry } of [last, one]) {
        entry.problem = 'Shares its data with another file.'
        entry.data = undefined
      }
    const { start, length } = one.entry.data ?? { start: reached, length: 0 }
    if (start + length >= reached) [reached, last] = [start + length, one]
  }
}

/**
 * Returns the unpacked bytes of a file; undefined if they are more than `most`, can't be read, or aren't as many as
 * stated.
 */
export function unpack(bytes: Buffer, { data, bytes: stated }: ZipEntry, most: number): Buffer | undefined {
  if (!data || stated === null || stated > most) return undefined
  const packed = bytes.subarray(data.start, data.start + data.length)
  if (data.isStored) return packed
  try {
    // One more than stated, so that a file that is larger is noticed, and no more than that is unpacked.
    const unpacked = inflateRawSync(packed, { maxOutputLength: stated + 1 })
    return unpacked.length === stated ? unpacked : undefined
  } catch {
    return undefined
  }
}
