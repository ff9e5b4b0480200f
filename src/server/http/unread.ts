import { Readable } from 'node:stream'

/** Time after which a client that has stopped reading is disconnected. */
const unreadMs = 60_000

/**
 * Streams strings, buffering one string ahead of the reader. The stream is destroyed if the next chunk is not
 * read in time; otherwise a client that has stopped reading, such as a closed laptop, would keep its slot.
 */
export function streamWhileRead(texts: AsyncIterable<string>, ms = unreadMs): Readable {
  let timer: NodeJS.Timeout | undefined
  async function* watched() {
    for await (const text of texts) {
      // Producing a string may take a while; only the reader is timed.
      timer = setTimeout(() => stream.destroy(), ms)
      yield text
      clearTimeout(timer)
    }
  }
  const stream: Readable = Readable.from(watched(), { highWaterMark: 1 })
  return stream.once('close', () => clearTimeout(timer))
}
