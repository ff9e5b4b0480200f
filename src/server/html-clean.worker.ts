import { parentPort } from 'node:worker_threads'
import { tryClean } from '#server/html-clean.ts'

/* Cleans the rich texts sent to this thread one after another; a hostile text can take seconds. */

parentPort!.on('message', (unclean: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(tryClean(unclean))
})
