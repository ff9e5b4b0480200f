import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/*
 * The pieces of an upload are dead as soon as they are written, but V8 counts them only when 64 MB of them lie about.
 */

const everyBytes = 8_000_000

// Of a context that is made after it, so that nothing else has it.
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as NodeJS.GCFunction

let passed = 0

/** Says that so many bytes went through memory; now and then what is young and dead is collected, which takes a millisecond or two. */
export function passedThrough(bytes: number): void {
  passed += bytes
  if (passed < everyBytes) return
  passed = 0
  collect({ type: 'minor' })
}
