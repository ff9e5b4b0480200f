import { parentPort } from 'node:worker_threads'
import { readEmail } from '#server/inbound/read-email.ts'

/* Reads the emails sent to this thread, one at a time; a hostile one can take seconds and much memory. */

parentPort!.on('message', (raw: Uint8Array) => {
  void readEmail(raw).then((email) => {
    const buffers = new Set(email.files.map(({ content }) => content.buffer as ArrayBuffer))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    parentPort!.postMessage(email, [...buffers])
  })
})
