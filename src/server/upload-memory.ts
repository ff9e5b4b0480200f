import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/*
 * The chunks of an upload are garbage as soon as they are written, but V8 collects them only once 64 MB of them have piled up.
 */

const everyBytes = 8_000_000

// Taken from a context created afterward, so that no other one has it.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as NodeJS.GCFunction

let passed = 0

/** Counts bytes that went through memory; every 8 MB it collects the young garbage, which takes a millisecond or two. */
export function countUploadedBytes(bytes: number): void {
  passed += bytes
  if (passed < everyBytes) return
  passed = 0
  collect({ type: 'minor' })
}
