import { wallTime } from '#shared/zones.ts'
import { html, paragraphs } from '#server/html/html.ts'
import type { TemplateValues } from '#server/mail/templates.ts'

export interface MailFacts {
  company: string
  /** The recipient's name; can be empty. */
  name: string
  timezone: string
  /** Time of the upcoming scheduled demo. */
  demo_at: string | null
}

type Draft = {
  [Kind in 'prospection' | 'schedule-demo' | 'confirm-demo']: [Kind, TemplateValues<Kind>]
}['prospection' | 'schedule-demo' | 'confirm-demo']

/** Returns the template for arranging a demo, or for confirming the scheduled one, with its values. */
export function demoTemplate({ company, name, timezone, demo_at }: MailFacts): Draft {
  const values = { company, timezone, name: name || 'there' }
  const when = demo_at && wallTime(demo_at, timezone)
  return when
    ? ['confirm-demo', { ...values, day: longDay(when.day), time: `${when.time} (${when.abbreviation})` }]
    : ['schedule-demo', values]
}

/** Returns the template that presents the product, with its values. */
export const prospectionTemplate = ({ company, name, timezone }: MailFacts): Draft => [
  'prospection',
  { company, timezone, name: name || 'there' },
]

interface Body {
  html: string
  text: string
}

/** Returns plain text, as an author has written it, as the body of an email. */
export const bodyOf = (message: string, publicUrl: string | undefined): Body => ({
  html: paragraphs(message, publicUrl)
    .map(({ text }) => text)
    .join(''),
  text: message.trimEnd(),
})

/** Adds questions above the signature or, if the author removed it, at the end. */
export function withQuestions(body: Body, questions: readonly string[], signature: Body): Body {
  if (questions.length === 0) return body
  const list = html`<p>We would like to know:</p>
    <ol>
      ${questions.map((question) => html`<li>${question}</li>`)}
    </ol>`
  const numbered = questions.map((question, index) => `${index + 1}. ${question}`)
  const asked = `We would like to know:\n\n${numbered.join('\n')}`
  return {
    html: insertedAbove(body.html, list.text, signature.html, ''),
    text: insertedAbove(body.text, asked, signature.text, '\n\n'),
  }
}

const insertedAbove = (text: string, added: string, end: string, gap: string) =>
  end !== '' && text.endsWith(gap + end)
    ? `${text.slice(0, -(gap + end).length)}${gap}${added}${gap}${end}`
    : `${text}${gap}${added}`

/** Formats a date, such as `Monday, 16 March 2026`. */
const longDay = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
