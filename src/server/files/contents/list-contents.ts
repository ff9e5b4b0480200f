import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { FileContents } from '#shared/file-contents.contract.ts'
import { largestFile } from '#shared/files.ts'
import { notFound } from '#server/http/errors.ts'
import { createQueue } from '#server/jobs/queue.ts'

/** A file can need its size several times over in memory. */
const oneAtATime = createQueue()
const longestMs = 10_000

/**
 * Lists what is in an archive or email on the disk. It is read in a separate thread with limits on time and
 * memory. If it reaches one, the list has what was read until then. Nothing is kept: a list takes
 * 140 ms, nearly all to start the thread, and few are opened.
 */
export async function listContents(path: string, type: 'zip' | 'eml'): Promise<FileContents> {
  const { size } = await stat(path).catch(() => {
    throw notFound('File not found.')
  })
  return size > largestFile ? tooLarge : oneAtATime(() => readInThread(path, type))
}

const tooLarge: FileContents = { type: 'unreadable', problem: 'This file is too large to be listed.' }
const tooMuch: FileContents = {
  type: 'unreadable',
  problem: 'Listing the contents of this file takes too much time or memory.',
}

const readInThread = (path: string, type: 'zip' | 'eml'): Promise<FileContents> =>
  new Promise((resolve) => {
    const worker = new Worker(join(import.meta.dirname, 'contents.worker.ts'), {
      workerData: { path, type },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    let read: FileContents = tooMuch
    const end = () => {
      clearTimeout(timer)
      void worker.terminate()
      resolve(read)
    }
    const timer = setTimeout(end, longestMs)
    worker.on('message', (contents: FileContents) => (read = contents))
    worker.once('error', end)
    worker.once('exit', end)
  })
