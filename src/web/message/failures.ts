import { NotPermitted, errorMessageOf } from '#web/api/errors.ts'
import { toast } from '#web/message/toast.ts'

/** Logs a failed call of quick tasks and rethrows it (B §8): the form keeps its input. */
export function logAndRethrow(error: unknown): never {
  console.error(error)
  throw error
}

/** Logs a failure and shows the server's message in a toast, for a button. */
export function logAndToast(error: unknown): void {
  if (error instanceof NotPermitted) return
  console.error(error)
  toast.failure(errorMessageOf(error))
}
