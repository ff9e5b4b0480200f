import { Soft } from '#web/parts/Soft.tsx'
import classes from '#web/mail/mail.module.css'

interface Sender {
  /** As in the From header. */
  from: string
  has_product: boolean
  /** Shown above the text; can be empty. */
  heading: string
}

/** Names the sender and the heading that the recipient sees, if no product is known. */
export const SenderLine = ({ sender: { from, has_product, heading } }: { sender: Sender }) =>
  !has_product && (
    <Soft as="div">
      {`No product is known for this ticket. The email comes from ${from.replaceAll('"', '')} and ${heading ? `is headed “${heading}”` : 'has no heading'}.`}
    </Soft>
  )

interface SignatureProps {
  signature: string
  /** The HTML that it is added to, unless it has it. */
  message: string
}

/** The signature that will be below a text. */
export const SignatureLine = ({ signature, message }: SignatureProps) =>
  signature.trim() !== '' &&
  !lettersOf(message).includes(lettersOf(escaped(signature))) && (
    <p className={classes.signature} role="note" aria-label="Signature">
      {signature}
    </p>
  )

const lettersOf = (html: string) => html.replaceAll(/<[^>]*>|&nbsp;|\s+/g, '')
const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
