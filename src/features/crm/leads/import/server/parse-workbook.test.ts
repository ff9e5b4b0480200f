import { strToU8, zipSync } from 'fflate'
import { expect, test } from 'vitest'
import { parseWorkbook } from '#features/crm/leads/import/server/parse-workbook.ts'
import { readTableFile } from '#features/crm/leads/import/server/read-file.ts'
import { FileRefused } from '#features/crm/leads/import/server/table-file.ts'
import { workbookOf } from '#features/crm/leads/import/server/workbook.testing.ts'

test('the first sheet is read, with days, numbers, and truth values as a CSV would have them', async () => {
  const bytes = workbookOf(
    [
      [],
      ['Company', 'Phone', 'Added', 'Called', 'Share', 'Active'],
      ['Æ & Sons', 4_520_123_456, { day: 46_353 }, { day: 46_353.5 }, 0.1 + 0.2, true],
      [],
      ['Birch', null, null, null, null, false],
    ],
    [['Other'], ['Not read']],
  )
  expect(await readTableFile(bytes)).toMatchObject({
    readAs: 'Excel',
    headers: ['Company', 'Phone', 'Added', 'Called', 'Share', 'Active'],
    rows: [
      { line: 3, cells: ['Æ & Sons', '4520123456', '2026-11-27', '2026-11-27 12:00', '0.3', 'TRUE'] },
      { line: 5, cells: ['Birch', '', '', '', '', 'FALSE'] },
    ],
  })
})

test('a cell below no column name gets a column with a number', async () => {
  expect((await parseWorkbook(workbookOf([['Company'], ['Aalto', 'x']]))).headers).toEqual([
    'Company',
    'Column 2',
  ])
})

test.each([
  ['no rows at all', workbookOf([]), /^The first sheet is empty\./],
  ['only names', workbookOf([['Company']]), /^The first sheet has column names but no rows\./],
  ['no names', workbookOf([['ann@aalto.example'], ['x']]), /^The first line looks like data\./],
  ['too many columns', workbookOf([Array<string>(101).fill('x'), ['y']]), /more than 100 columns/],
  [
    'too many cells',
    workbookOf([Array<string>(100).fill('x'), ...Array.from({ length: 20_001 }, () => ['y'])]),
    /cells/,
  ],
  ['no sheet', Buffer.from(zipSync({ 'word/document.xml': strToU8('<w/>') })), /can’t be read/],
])('a workbook with %s is refused', async (_what, bytes, words) => {
  await expect(parseWorkbook(bytes)).rejects.toThrow(FileRefused)
  await expect(parseWorkbook(bytes)).rejects.toThrow(words)
})

test('a workbook that would unpack to more than memory is refused before it is unpacked', async () => {
  const sheet = new Uint8Array(210_000_000)
  const bytes = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': sheet }, { level: 1 }))
  expect(bytes.length).toBeLessThan(10_000_000)
  await expect(parseWorkbook(bytes)).rejects.toThrow('This workbook is too large.')
})
