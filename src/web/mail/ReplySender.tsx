import { Soft } from '#web/parts/Soft.tsx'
import classes from '#web/mail/mail.module.css'

interface Sender {
  /** As in the From header. */
  from: string
  has_product: boolean
  /** Shown above the text; can be empty. */
  heading: string
  signature: string
}

interface Props {
  sender: Sender
  /** The HTML to which the signature is added, unless it has it. */
  message: string
}

/**
 * The signature of a reply and, if no product is known, its sender and heading, as the recipient sees them. Shown once
 * there is a text, so that the composer's tabs have the same height until then.
 */
export function ReplySender({ sender: { from, has_product, heading, signature }, message }: Props) {
  const letters = lettersOf(message)
  if (letters === '') return null
  const isSigned = signature.trim() === '' || letters.includes(lettersOf(escaped(signature)))
  return (
    <>
      {!isSigned && (
        <p className={classes.signature} role="note" aria-label="Signature">
          {signature}
        </p>
      )}
      {!has_product && (
        <Soft as="div">
          {`No product is known for this ticket. The email comes from ${from.replaceAll('"', '')} and ${heading ? `is headed “${heading}”` : 'has no heading'}.`}
        </Soft>
      )}
    </>
  )
}

const lettersOf = (html: string) => html.replaceAll(/<[^>]*>|&nbsp;|\s+/g, '')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
