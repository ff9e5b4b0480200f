import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/*
 * The chunks of an upload become garbage as soon as they are written, but V8 collects them only once 64 MB of
 * them have piled up.
 */

const everyBytes = 8_000_000

// `gc` is taken from a context created afterward, so that no other context has it.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as NodeJS.GCFunction

let passed = 0

/**
 * Counts bytes that have passed through memory and collects the young generation every 8 MB, which takes a
 * millisecond or two.
 */
export function countUploadedBytes(bytes: number): void {
  passed += bytes
  if (passed < everyBytes) return
  passed = 0
  collect({ type: 'minor' })
}
