import { toast } from '#web/message/toast.ts'

/** Puts a text on the clipboard and says so, or that the browser does not let the page. */
export async function copyText(text: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast.success(done)
  } catch {
    toast.failure('This browser does not let the page copy.')
  }
}
