import { NotPermitted, errorMessageOf } from '#web/api/errors.ts'
import { toast } from '#web/message/toast.ts'

/** Logs a failed quick task request and rethrows the error (B §8), so that the form keeps its input. */
export function logAndRethrow(error: unknown): never {
  console.error(error)
  throw error
}

/** Logs an error and shows the server's message in a toast, for actions without a form. */
export function logAndToast(error: unknown): void {
  if (error instanceof NotPermitted) return
  console.error(error)
  toast.failure(errorMessageOf(error))
}
