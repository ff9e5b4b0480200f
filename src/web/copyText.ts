import { toast } from '#web/message/toast.ts'

/** Copies text to the clipboard and shows whether it succeeded or the browser denied access. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.failure('Your browser blocked copying. Select the text and copy it manually.')
  }
}
