import { toast } from '#web/message/toast.ts'

/** Copies a text to the clipboard and reports success, or that the browser does not allow it. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.failure('Your browser blocked copying. Select the text and copy it manually.')
  }
}
