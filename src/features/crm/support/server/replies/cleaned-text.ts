import { HttpError } from '#server/http/errors.ts'
import { html, paragraphs } from '#server/html/html.ts'
import { cleanHtml } from '#server/html/html-clean.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'

interface Message {
  message: string
  /** Text of the email that the message was; null if it was none. */
  text: string | null
}

/** The address of an image in an email from outside, whose file is saved with the message. */
const savedImage = /\bsrc\s*=\s*(["']?)cid:file-([1-9]\d{0,9})\1/gi

/** Returns a message as clean HTML: an email from outside is not clean, and one that can't be read becomes plain text. */
export async function cleanedText({ message, text }: Message): Promise<string> {
  const unclean = { unclean: message.replaceAll(savedImage, 'data-file-id="$2"') }
  await cleanLargeHtml(unclean)
  try {
    return cleanHtml(unclean)
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    return html`${paragraphs(text ?? '', undefined)}`.text
  }
}
