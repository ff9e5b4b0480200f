import { expect, test } from 'vitest'
import { parseCsv } from '#features/crm/leads/import/server/parse-csv.ts'
import { FileRefused } from '#features/crm/leads/import/server/table-file.ts'
import { workedMs } from '#server/turns.testing.ts'

/** A file with as many cells as are allowed. */
const largest = Buffer.from(`${'a,'.repeat(19)}a\n`.repeat(100_000))

test.each([
  ['one line', ','.repeat(10_000_000)],
  ['lines of empty cells', `a,b\n${`${','.repeat(99)}\n`.repeat(100_000)}`],
  ['lines with a cell', `a,b\n${`x${','.repeat(900)}\n`.repeat(11_000)}`],
])(
  '10 MB of commas in %s are refused with at most twice the work of reading the largest file',
  async (_what, text) => {
    const bytes = Buffer.from(text)
    const start = workedMs()
    await expect(parseCsv(bytes)).rejects.toThrow(FileRefused)
    const refusedMs = workedMs() - start
    await parseCsv(largest)
    const readMs = workedMs() - start - refusedMs
    expect(refusedMs).toBeLessThan(2 * readMs)
  },
)

test('commas inside quotation marks are no cells', async () => {
  const { rows } = await parseCsv(Buffer.from(`a,b\n"${','.repeat(100_000)}",x\n`))
  expect(rows).toHaveLength(1)
})
