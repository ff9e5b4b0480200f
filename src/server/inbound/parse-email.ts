import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import { emailLimits, type ParsedEmail } from '#server/inbound/email.ts'
import { readHead } from '#server/inbound/read-email.ts'
import { createQueue } from '#server/jobs/queue.ts'

const runSerially = createQueue()
let worker: Worker | undefined

/**
 * Reads an email in a separate thread with limits on time and memory. An email that exceeds them keeps its
 * sender and subject.
 */
export const parseEmail = (raw: Uint8Array): Promise<ParsedEmail> =>
  runSerially(async () => {
    try {
      return await parseInThread(raw)
    } catch {
      return readHead(raw, 'This email couldn’t be read completely.')
    }
  })

async function parseInThread(raw: Uint8Array): Promise<ParsedEmail> {
  worker ??= startWorker()
  const used = worker
  used.ref()
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    used.postMessage(raw)
    const [email] = await once(used, 'message', { signal: AbortSignal.timeout(emailLimits.ms) })
    return email as ParsedEmail
  } catch (error) {
    if (worker === used) worker = undefined
    await used.terminate()
    throw error
  } finally {
    used.unref()
  }
}

function startWorker(): Worker {
  const started = new Worker(join(import.meta.dirname, 'parse-email.worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // If the worker fails while it reads, the promise for its result rejects; otherwise it is only replaced.
  started.on('error', () => {
    if (worker === started) worker = undefined
  })
  return started
}
