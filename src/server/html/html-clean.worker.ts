import { parentPort } from 'node:worker_threads'
import { tryClean } from '#server/html/html-clean.ts'

/* Sanitizes the rich text sent to this thread, one item at a time; malicious input can take seconds. */

parentPort!.on('message', (unclean: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(tryClean(unclean))
})
