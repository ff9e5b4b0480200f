import { parentPort, workerData } from 'node:worker_threads'
import type { ReadAs } from '#features/crm/leads/import/contract.ts'
import type { DateForm, DecimalForm } from '#features/crm/leads/import/mapping.contract.ts'
import { dateFormsOf } from '#features/crm/leads/import/server/file-dates.ts'
import { decimalFormsOf } from '#features/crm/leads/import/server/file-numbers.ts'
import { parseFile } from '#features/crm/leads/import/server/parse-file.ts'
import { FileRefused, type FileRow } from '#features/crm/leads/import/server/table-file.ts'

/*
 * Parses the file that it is started with, and hands over the rows in batches on request: receiving all rows
 * in a single message would block the receiver for as long as parsing took.
 */

/** Messages sent by the worker: first whether the file is valid, then its rows. */
export type Answer =
  | { refused: string }
  | {
      headers: string[]
      readAs: ReadAs
      dateForms: (DateForm | null)[]
      decimalForms: (DecimalForm | null)[]
      rowCount: number
    }
  | { rows: FileRow[] }

const cellsAtOnce = 20_000
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const answer = (message: Answer) => parentPort!.postMessage(message)

try {
  const { headers, rows, readAs } = await parseFile(Buffer.from(workerData as Uint8Array))
  let next = 0
  parentPort!.on('message', () => {
    const start = next
    for (let cells = 0; next < rows.length && cells < cellsAtOnce; next += 1)
      cells += 1 + rows[next]!.cells.length
    answer({ rows: rows.slice(start, next) })
  })
  const dateForms = dateFormsOf(headers.length, rows)
  const decimalForms = decimalFormsOf(headers.length, rows)
  answer({ headers, readAs, dateForms, decimalForms, rowCount: rows.length })
} catch (error) {
  if (!(error instanceof FileRefused)) throw error
  answer({ refused: error.message })
}
