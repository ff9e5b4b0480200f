import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { guessColumns } from '#features/crm/leads/import/server/guess-mapping.ts'
import { type TableFile } from '#features/crm/leads/import/server/table-file.ts'
import { Worker } from 'node:worker_threads'
import { readTableFile } from '#features/crm/leads/import/server/read-file.ts'

const read = (content: string | Buffer) => readTableFile(Buffer.from(content as string))

test('the 503 companies are read exactly as they are', async () => {
  const { headers, rows } = await readTableFile(
    readFileSync(new URL('fixtures/companies.csv', import.meta.url)),
  )
  expect(headers).toEqual([
    'Symbol',
    'Security',
    'GICS Sector',
    'GICS Sub-Industry',
    'Headquarters Location',
    'Date added',
    'CIK',
    'Founded',
  ])
  expect(rows).toHaveLength(503)
  expect(rows[3]).toEqual({
    line: 5,
    cells: [
      'ABBV',
      'AbbVie',
      'Health Care',
      'Biotechnology',
      'North Chicago, Illinois',
      '2012-12-31',
      '1551152',
      '2013 (1888)',
    ],
  })
  expect(rows.at(-1)!.line).toBe(504)
})

test('a row knows the file line on which it starts, whatever line breaks, blank lines, and quoted breaks precede it', async () => {
  const { rows } = await read('a,b\n1,2\n"x\ny",3\r\n\n\n4,"5\r\nz\r\n"\n,\n7\n8,9,10\n"last\n",0')
  expect(rows).toEqual([
    { line: 2, cells: ['1', '2'] },
    { line: 3, cells: ['x\ny', '3'] },
    { line: 7, cells: ['4', '5\r\nz\r\n'] },
    { line: 11, cells: ['7'] },
    { line: 12, cells: ['8', '9', '10'] },
    { line: 13, cells: ['last\n', '0'] },
  ])
})

test('a long file with breaks in its cells has correct lines across all batches', async () => {
  const { rows } = await read(
    `a,b\n${Array.from({ length: 5000 }, (_, index) => `${index},"first\r\nsecond of ${index}"`).join('\n')}`,
  )
  expect(rows.every(({ line }, index) => line === 2 + 2 * index)).toBe(true)
})

test.each([
  ['commas', 'Company,Country\nÆrø,DK\n'],
  ['semicolons', 'Company;Country\nÆrø;DK\n'],
  ['tabs', 'Company\tCountry\nÆrø\tDK\n'],
  ['a BOM', '\ufeffCompany,Country\nÆrø,DK\n'],
  ['Windows line breaks', 'Company,Country\r\nÆrø,DK\r\n'],
  ['old Mac line breaks', 'Company,Country\rÆrø,DK\r'],
  ['no line break at the end', 'Company,Country\nÆrø,DK'],
  ['rows with only commas', 'Company,Country\n,\nÆrø,DK\n , \n'],
])('a file with %s is read', async (_what, content) => {
  const { headers, rows } = await read(content)
  expect([headers, rows.map(({ cells }) => cells)]).toEqual([['Company', 'Country'], [['Ærø', 'DK']]])
})

test.each([
  ['UTF-8', Buffer.from('Company,Country\nÆrø,DK')],
  ['UTF-16', Buffer.from('\ufeffCompany,Country\nÆrø,DK', 'utf16le')],
  ['UTF-16', Buffer.from('\ufeffCompany,Country\nÆrø,DK', 'utf16le').swap16()],
  ['Windows-1252', Buffer.from('Company,Country\n\xc6r\xf8,DK', 'latin1')],
])('a file in %s is read, and says so', async (readAs, bytes) => {
  expect(await readTableFile(bytes)).toMatchObject({
    readAs,
    headers: ['Company', 'Country'],
    rows: [{ line: 2, cells: ['Ærø', 'DK'] }],
  })
})

test('commas in the cells of a semicolon-separated file do not make it comma-separated', async () => {
  expect((await read('Company;City\nA;"Saint Paul, Minnesota"\nB;Oslo, Norway\n')).rows[1]!.cells).toEqual([
    'B',
    'Oslo, Norway',
  ])
  expect((await read('Company\nTamsel, Inc\n')).rows[0]!.cells).toEqual(['Tamsel, Inc'])
})

test('quotes in the middle of a cell are kept', async () => {
  const { rows } = await read('a,b\n5" pipe,x\n"abc"def,y\n"he said ""hi""",z')
  expect(rows.map(({ cells }) => cells[0])).toEqual(['5" pipe', '"abc"def', 'he said "hi"'])
})

test('columns without a name and with the same name can be told apart', async () => {
  expect((await read('Name,,Name\n1,2,3')).headers).toEqual(['Name', 'Column 2', 'Name (3)'])
})

test.each([
  ['nothing', '', 'The file is empty. Its first line must contain the column names.'],
  ['blank lines', '\n\r\n', 'The file is empty. Its first line must contain the column names.'],
  ['only a header', 'Company,Country\n', 'The file has column names but no rows.'],
  [
    'no header',
    'MMM,3M,1957-03-04\nAOS,A. O. Smith,2017-07-26\n',
    'The first line looks like data. Add a line with column names above it.',
  ],
  [
    'a row with an email first',
    'Aalto,ann@aalto.example\nTamsel,\n',
    'The first line looks like data. Add a line with column names above it.',
  ],
  [
    'NUL',
    'Company\nA\0B\n',
    'This isn’t a valid CSV file: it contains NUL characters. In your spreadsheet app, save it as “CSV UTF-8”.',
  ],
  [
    'NUL in UTF-16',
    Buffer.from('\ufeffCompany\nA\0B\n', 'utf16le'),
    'This isn’t a valid CSV file: it contains NUL characters. In your spreadsheet app, save it as “CSV UTF-8”.',
  ],
  [
    'the start of a workbook',
    Buffer.from('PK\x03\x04\x14 nothing', 'latin1'),
    'This workbook can’t be read. Save it again as .xlsx, or as “CSV UTF-8”.',
  ],
  [
    'a workbook of an old format',
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    'This is a workbook of an old format, or one with a password. Save it as .xlsx without a password.',
  ],
  [
    'too many columns',
    `${'x,'.repeat(100)}x\n1`,
    'The file has more than 100 columns. Remove some and upload it again.',
  ],
  [
    'a quote that is never closed',
    'Company,Country\nAalto,FI\n"Tamsel,DE\nOrsino,IT\n',
    'A quotation mark opened after line 2 is never closed. Close it and upload the file again.',
  ],
])('a file with %s is refused', async (_what, content, text) => {
  await expect(read(content)).rejects.toMatchObject({ status: 422, errors: { file: [text] } })
})

/** Reads a file without a time limit, which a slow machine might exceed; returns whether another thread read it. */
async function readWatched(
  bytes: Buffer,
): Promise<{ result: PromiseSettledResult<TableFile>; inOtherThread: boolean }> {
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(new AbortController().signal)
  const ended = vi.spyOn(Worker.prototype, 'terminate')
  onTestFinished(() => {
    timeout.mockRestore()
    ended.mockRestore()
  })
  const [result] = await Promise.allSettled([readTableFile(bytes)])
  return { result, inOtherThread: ended.mock.calls.length === 1 }
}

test.each([
  ['all kinds of separators', `a;b,c\td\n${';,\t'.repeat(3_200_000)}`],
  ['commas', `a,b\n${','.repeat(10_000_000)}`],
  ['one cell', `a,b\n${'x'.repeat(10_000_000)}`],
  ['quotes', `a,b\n${'"'.repeat(10_000_000)}`],
  ['line breaks', `a,b\n${'\n'.repeat(10_000_000)}`],
  ['a header', 'x'.repeat(10_000_000)],
  ['small rows', `a,b\n${'1,2\n'.repeat(2_500_000)}`],
  ['rows that are too wide', `a,b\n${`${','.repeat(1500)}x\n`.repeat(6000)}`],
  ['cells', `${'x,'.repeat(49)}x\n${`${'1,'.repeat(49)}1\n`.repeat(99_000)}`],
])(
  'ten megabytes of %s are refused and block no one, because another thread reads them',
  async (_what, content) => {
    const { result, inOtherThread } = await readWatched(Buffer.from(content))
    expect(result).toMatchObject({ reason: { status: 422, errors: { file: [expect.any(String)] } } })
    expect(inOtherThread).toBe(true)
  },
)

test('a large valid file is read completely, by another thread', async () => {
  const { result, inOtherThread } = await readWatched(
    Buffer.from(
      `Company,E-Mail,Note\n${Array.from({ length: 90_000 }, (_row, index) => `Company ${index},a${index}@x.example,"${'n'.repeat(60)}"\n`).join('')}`,
    ),
  )
  const { rows } = (result as PromiseFulfilledResult<TableFile>).value
  expect([rows.length, rows.at(-1)!.cells[0], rows.at(-1)!.line]).toEqual([90_000, 'Company 89999', 90_001])
  expect(inOtherThread).toBe(true)
})

test('a file with more than 100,000 rows is refused', async () => {
  await expect(read(`a\n${'x\n'.repeat(100_001)}`)).rejects.toMatchObject({
    status: 422,
    message: 'The file has more than 100,000 rows. Split it into smaller files.',
  })
})

test.each([
  [
    ['Symbol', 'Security', 'GICS Sector', 'Headquarters Location', 'Date added', 'CIK'],
    ['reference', 'companyName', 'detail', 'detail', 'detail', 'detail'],
  ],
  [
    ['Company', 'Name', 'E-Mail Address', 'Tel.', 'Web-Site', 'Country', 'Lead source'],
    ['companyName', 'contactName', 'email', 'phone', 'company_url', 'country', 'hear_about'],
  ],
  [
    ['name', 'NOTES', 'Follow-up date', 'Service'],
    ['companyName', 'additional_info', 'followup_date', 'services'],
  ],
  [
    ['Company', 'Organization', 'Account'],
    ['companyName', 'detail', 'detail'],
  ],
  [
    ['Company', 'E-Mail', 'line', 'reason'],
    ['companyName', 'email', 'skip', 'skip'],
  ],
  [
    ['line', 'reason', 'Company'],
    ['detail', 'detail', 'companyName'],
  ],
  [
    ['Firma', 'Ansprechpartner', 'E-Mail-Adresse', 'Telefon', 'Priorita\u0308t', 'Wiedervorlage', 'Ort'],
    ['companyName', 'contactName', 'email', 'phone', 'color', 'followup_date', 'detail'],
  ],
  [
    ['Größe', 'Ort'],
    ['detail', 'detail'],
  ],
])('the headers %j are mapped to %j', (headers, columns) => {
  expect(guessColumns(headers)).toEqual(columns)
})
