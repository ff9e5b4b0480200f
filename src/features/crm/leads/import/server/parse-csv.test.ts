import { expect, test } from 'vitest'
import { CsvRefused, parseCsv } from '#features/crm/leads/import/server/parse-csv.ts'

test.each([
  ['one line', ','.repeat(10_000_000)],
  ['lines of empty cells', `a,b\n${`${','.repeat(99)}\n`.repeat(100_000)}`],
  ['lines with a cell', `a,b\n${`x${','.repeat(900)}\n`.repeat(11_000)}`],
])('10 MB of commas in %s are refused within two seconds of CPU time', async (_what, text) => {
  // Not the time that passes, because other processes may keep the machine busy.
  const start = process.cpuUsage()
  await expect(parseCsv(Buffer.from(text))).rejects.toThrow(CsvRefused)
  const { user, system } = process.cpuUsage(start)
  expect((user + system) / 1000).toBeLessThan(2000)
})

test('commas inside quotation marks are no cells', async () => {
  const { rows } = await parseCsv(Buffer.from(`a,b\n"${','.repeat(100_000)}",x\n`))
  expect(rows).toHaveLength(1)
})
