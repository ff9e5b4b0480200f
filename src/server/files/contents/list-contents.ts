import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileContents } from '#shared/file-contents.contract.ts'
import { largestFile } from '#shared/files.ts'
import { notFound } from '#server/http/errors.ts'
import { createQueue } from '#server/jobs/queue.ts'

/** A file can need its size several times over in memory. */
const oneAtATime = createQueue()
const longestMs = 10_000
const mostMegabytes = 256
const mostOutput = 10_000_000

/**
 * Lists what is in an archive or email on the disk. It is read in a separate process with limits on time and
 * memory: a thread that runs out of memory can end the whole process. If it reaches a limit, the list has what was
 * read until then. Nothing is kept: a list takes 270 ms on a busy machine with two cores,
 * nearly all to start the process, and few are opened.
 */
export async function listContents(path: string, type: 'zip' | 'eml'): Promise<FileContents> {
  const { size } = await stat(path).catch(() => {
    throw notFound('File not found.')
  })
  return size > largestFile ? tooLarge : oneAtATime(() => readInProcess(path, type))
}

const tooLarge: FileContents = { type: 'unreadable', problem: 'This file is too large to be listed.' }
const tooMuch: FileContents = {
  type: 'unreadable',
  problem: 'Listing the contents of this file takes too much time or memory.',
}

const readInProcess = (path: string, type: 'zip' | 'eml'): Promise<FileContents> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [`--max-old-space-size=${mostMegabytes}`, join(import.meta.dirname, 'contents.worker.ts'), path, type],
      // It needs none of the panel's settings, which have secrets.
      { env: {}, timeout: longestMs, killSignal: 'SIGKILL', maxBuffer: mostOutput },
      (_failed, output) => resolve(lastOf(output) ?? tooMuch),
    )
  })

/** Returns the last list that was written completely. */
function lastOf(output: string): FileContents | undefined {
  const line = output.split('\n').at(-2)
  return line === undefined ? undefined : (JSON.parse(line) as FileContents)
}
