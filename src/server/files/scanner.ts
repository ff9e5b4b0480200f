import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { HttpError } from '#server/http/errors.ts'

/** Returns the name of the virus in a file; undefined if there is none. */
export type Scanner = (path: string) => Promise<string | undefined>

/** Maximum time without an answer or progress. */
const silentMs = 60_000

/** Returns what asks a ClamAV daemon about files, at `tcp://HOST:PORT` or `unix:PATH`; undefined without an address. */
export function scannerAt(url: string | undefined): Scanner | undefined {
  if (url === undefined) return undefined
  return async (path) => {
    const answer = await scan(url, path).catch((error: unknown) => {
      throw notChecked(error)
    })
    const virus = /^stream: (.+) FOUND$/.exec(answer)?.[1]
    if (virus === undefined && answer !== 'stream: OK') throw notChecked(new Error(answer))
    return virus
  }
}

const notChecked = (cause: unknown) =>
  Object.assign(
    new HttpError(503, 'Files can’t be checked for viruses right now. Try again later.', { retryAfter: 60 }),
    { cause },
  )

/** Sends a file as chunks with their lengths, and an empty one at the end; returns the answer. */
async function scan(url: string, path: string): Promise<string> {
  const socket = connectTo(url)
  const answer = answerOf(socket)
  // Its rejection is awaited below.
  answer.catch(() => {})
  try {
    await pipeline(createReadStream(path), framed, socket, { end: false })
  } catch (error) {
    // The daemon closes the connection when it refuses a file that is too large, and says so.
    await answer.catch(() => {
      throw error
    })
  }
  return answer
}

function connectTo(url: string): Socket {
  const { protocol, hostname, port, pathname } = new URL(url)
  const socket = connect(
    protocol === 'unix:'
      ? { path: pathname }
      : { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port || 3310) },
  )
  return socket.setTimeout(silentMs, () => socket.destroy(new Error('The virus scanner doesn’t answer.')))
}

async function answerOf(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk
    if (text.includes('\0')) break
  }
  return text.replace(/\0[\s\S]*$/, '').trim()
}

async function* framed(chunks: AsyncIterable<Buffer>) {
  yield Buffer.from('zINSTREAM\0')
  for await (const chunk of chunks) {
    yield lengthOf(chunk.length)
    yield chunk
  }
  yield lengthOf(0)
}

function lengthOf(bytes: number): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes)
  return length
}

/** Removes a file that has a virus, and returns the virus. */
export async function removeIfInfected(
  scanner: Scanner | undefined,
  path: string,
): Promise<string | undefined> {
  const virus = await scanner?.(path)
  if (virus !== undefined) await rm(path, { force: true })
  return virus
}
