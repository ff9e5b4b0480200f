import { wallTime } from '#shared/zones.ts'
import type { MailPreview } from '#features/crm/leads/mails/contract.ts'
import { html, mailPage, paragraphs } from '#server/html.ts'

export interface MailFacts {
  product: string
  company: string
  /** The recipient's name; can be empty. */
  name: string
  /** The sender. */
  sender: string
  timezone: string
  /** Time of the upcoming scheduled demo. */
  demo_at: string | null
}

interface Template {
  subject: string
  message: string
}

/** Returns the email for arranging a demo or confirming the scheduled one. */
export function demoTemplate(facts: MailFacts): Template {
  const { product, company, timezone, demo_at } = facts
  const when = demo_at && wallTime(demo_at, timezone)
  return when
    ? {
        subject: `Your ${product} demo on ${longDay(when.day)}`,
        message: letter(facts, [
          `We look forward to showing you ${product} on ${longDay(when.day)} at ${when.time} (${when.abbreviation}).`,
          'If another time works better for you, just reply to this email.',
        ]),
      }
    : {
        subject: `${product} demo for ${company}`,
        message: letter(facts, [
          `Thank you for your interest in ${product}. We’d love to show you how it works.`,
          `What time works for you? Please reply with two or three options in your time zone (${timezone}).`,
        ]),
      }
}

/** Returns the prospecting email, which presents the product. */
export function prospectionTemplate(facts: MailFacts): Template {
  const { product, company } = facts
  return {
    subject: `${product} for ${company}`,
    message: letter(facts, [
      `I’m reaching out because ${product} could save ${company} time and money.`,
      'Would you like to know more? Just reply to this email.',
    ]),
  }
}

const letter = ({ name, sender }: MailFacts, content: readonly string[]) =>
  [`Hello ${name || 'there'},`, ...content, signatureOf(sender)].join('\n\n')

/** Returns the signature with which the templates end. */
const signatureOf = (sender: string) => `Kind regards,\n${sender}`

/**
 * Renders the complete email, as HTML and as plain text. The questions are above the sender's signature or, if
 * the author removed it, at the end.
 */
export function writeMail(
  to: string,
  { subject, message }: Template,
  {
    questions,
    sender,
    publicUrl,
  }: { questions: readonly string[]; sender: string; publicUrl: string | undefined },
): MailPreview {
  const end = `\n\n${signatureOf(sender)}`
  const signed = message.trimEnd().endsWith(end)
  const body = signed ? message.trimEnd().slice(0, -end.length) : message
  const signature = signed ? signatureOf(sender) : ''
  const list = questions.length
    ? [
        html`<p>We would like to know:</p>
          <ol>
            ${questions.map((question) => html`<li>${question}</li>`)}
          </ol>`,
      ]
    : []
  const asked = questions.length
    ? `\n\nWe would like to know:\n\n${questions.map((question, index) => `${index + 1}. ${question}`).join('\n')}`
    : ''
  return {
    to,
    subject,
    message,
    html: mailPage(subject, [
      ...paragraphs(body, publicUrl),
      ...list,
      ...(signed ? paragraphs(signature, publicUrl) : []),
    ]),
    text: `${body}${asked}${signed ? end : ''}\n`,
  }
}

/** Formats a date, such as `Monday, 16 March 2026`. */
const longDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
