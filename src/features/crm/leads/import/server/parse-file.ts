import { isUtf8 } from 'node:buffer'
import type { ReadAs } from '#features/crm/leads/import/contract.ts'
import { parseCsv } from '#features/crm/leads/import/server/parse-csv.ts'
import { parseWorkbook } from '#features/crm/leads/import/server/parse-workbook.ts'
import { FileRefused, type TableFile } from '#features/crm/leads/import/server/table-file.ts'

const startsWith = (bytes: Buffer, ...start: number[]) =>
  bytes.subarray(0, start.length).equals(Buffer.from(start))

/**
 * Parses a file to import: a workbook (.xlsx), or a CSV in UTF-8, UTF-16, or Windows-1252. There is no time limit, so
 * `readTableFile` runs this in a separate thread.
 * @throws FileRefused for anything else
 */
export async function parseFile(bytes: Buffer): Promise<TableFile & { readAs: ReadAs }> {
  if (startsWith(bytes, 0x50, 0x4b, 0x03, 0x04)) return { ...(await parseWorkbook(bytes)), readAs: 'Excel' }
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0))
    throw new FileRefused(
      'This is a workbook of an old format, or one with a password. Save it as .xlsx without a password.',
    )
  const { text, readAs } = asUtf8(bytes)
  if (text.includes(0))
    throw new FileRefused(
      'This isn’t a valid CSV file: it contains NUL characters. In your spreadsheet app, save it as “CSV UTF-8”.',
    )
  return { ...(await parseCsv(text)), readAs }
}

/** Returns a text in UTF-8 without its byte order mark, and the encoding that it had. */
function asUtf8(bytes: Buffer): { text: Buffer; readAs: ReadAs } {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return asUtf8(bytes.subarray(3))
  if (startsWith(bytes, 0xff, 0xfe)) return decoded(bytes, 'utf-16le', 'UTF-16')
  if (startsWith(bytes, 0xfe, 0xff)) return decoded(bytes, 'utf-16be', 'UTF-16')
  return isUtf8(bytes) ? { text: bytes, readAs: 'UTF-8' } : decoded(bytes, 'windows-1252', 'Windows-1252')
}

const decoded = (bytes: Buffer, encoding: string, readAs: ReadAs) => ({
  text: Buffer.from(new TextDecoder(encoding).decode(bytes)),
  readAs,
})
