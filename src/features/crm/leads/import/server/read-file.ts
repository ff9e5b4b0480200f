import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import type { ReadAs } from '#features/crm/leads/import/contract.ts'
import type { DateForm, DecimalForm } from '#features/crm/leads/import/mapping.contract.ts'
import type { Answer } from '#features/crm/leads/import/server/parse-file.worker.ts'
import type { TableFile } from '#features/crm/leads/import/server/table-file.ts'
import { invalid } from '#server/http/errors.ts'
import { createQueue } from '#server/jobs/queue.ts'

export interface ReadFile extends TableFile {
  readAs: ReadAs
  /** How each column writes days. */
  dateForms: (DateForm | null)[]
  /** How each column writes numbers. */
  decimalForms: (DecimalForm | null)[]
}

const longestMs = 15_000
const mostMegabytes = 512

const runSerially = createQueue()

/**
 * Reads a workbook or a CSV with a header in a separate thread, one file at a time, so that a malicious file does not block
 * other users.
 * @throws HttpError 422 on `file` if it is neither, or takes too long to read.
 */
export const readTableFile = (bytes: Buffer): Promise<ReadFile> => runSerially(() => readInThread(bytes))

async function readInThread(bytes: Buffer): Promise<ReadFile> {
  const worker = new Worker(join(import.meta.dirname, 'parse-file.worker.ts'), {
    workerData: bytes,
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  })
  const tooLong = AbortSignal.timeout(longestMs)
  const ask = async () => ((await once(worker, 'message', { signal: tooLong })) as [Answer])[0]
  try {
    const file = await ask()
    if ('refused' in file) throw invalid('file', file.refused)
    if ('rows' in file) throw new Error('The worker sent rows before they were requested.')
    const rows: TableFile['rows'] = []
    while (rows.length < file.rowCount) {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage('more')
      const more = await ask()
      if ('rows' in more) rows.push(...more.rows)
    }
    const { headers, readAs, dateForms, decimalForms } = file
    return { headers, readAs, dateForms, decimalForms, rows }
  } catch (error) {
    const { code } = error as { code?: string }
    if (tooLong.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY')
      throw invalid('file', 'This file took too long to read. Split it into smaller files.')
    throw error
  } finally {
    await worker.terminate()
  }
}
