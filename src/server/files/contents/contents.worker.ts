import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { readContents } from '#server/files/contents/read-contents.ts'

/* Sends what is in a file, each time in more detail. */

const { path, type } = workerData as { path: string; type: 'zip' | 'eml' }

for await (const contents of readContents(type, readFileSync(path)))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort!.postMessage(contents)
