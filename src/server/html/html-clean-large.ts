import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { join } from 'node:path'
import type { UncleanHtml } from '#shared/schemas.ts'
import { rememberCleaned, type Cleaned } from '#server/html/html-clean.ts'
import { createQueue } from '#server/jobs/queue.ts'

/**
 * Length above which rich text is sanitized in the worker thread; malicious input of this length takes about
 * 40 ms.
 */
const large = 20_000
const longestMs = 15_000

const runSerially = createQueue()
let worker: Worker | undefined

/**
 * Sanitizes the long rich text in a parsed body in a separate thread, so that `cleanHtml` can return the
 * results without blocking other requests.
 */
export async function cleanLargeHtml(body: unknown): Promise<void> {
  for (const html of largeHtmlIn(body)) {
    const cleaned = await runSerially(() => cleanInThread(html.unclean))
    rememberCleaned(html, cleaned)
  }
}

async function cleanInThread(unclean: string): Promise<Cleaned> {
  worker ??= startWorker()
  const tooLong = AbortSignal.timeout(longestMs)
  const used = worker
  used.ref()
  try {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    used.postMessage(unclean)
    return ((await once(used, 'message', { signal: tooLong })) as [Cleaned])[0]
  } catch (error) {
    worker = undefined
    await used.terminate()
    if (tooLong.aborted) return { failure: 'unreadable' }
    throw error
  } finally {
    used.unref()
  }
}

function startWorker(): Worker {
  const started = new Worker(join(import.meta.dirname, 'html-clean.worker.ts'), {
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // If the worker fails while cleaning a text, the promise for its result rejects; if it fails between texts,
  // it only has to be replaced.
  started.on('error', () => {
    if (worker === started) worker = undefined
  })
  return started
}

function* largeHtmlIn(value: unknown): Generator<UncleanHtml> {
  // Bytes, such as a raw email, have no texts, and listing them takes long.
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  if ('unclean' in value && typeof value.unclean === 'string') {
    if (value.unclean.length > large) yield value as UncleanHtml
    return
  }
  for (const part of Object.values(value)) yield* largeHtmlIn(part)
}
