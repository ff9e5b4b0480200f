import { NotPermitted, wordsOf } from '#web/api/errors.ts'
import { toast } from '#web/message/toast.ts'

/** A call of quick tasks that fails is told to the console and passed on (B §8): to the form, which keeps what was typed. */
export function passOn(error: unknown): never {
  console.error(error)
  throw error
}

/** The same for a button: whoever pressed it reads the server's words. */
export function sayFailure(error: unknown): void {
  if (error instanceof NotPermitted) return
  console.error(error)
  toast.failure(wordsOf(error))
}
