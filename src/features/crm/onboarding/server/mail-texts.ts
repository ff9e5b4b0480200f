import { dayText } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { truncate } from '#shared/truncate.ts'
import { html, mailPage, type Html } from '#server/html.ts'

interface LinkFacts {
  product: string
  organization: string
  stage: string
  sender: string
  /** An http or https URL. */
  link: string
  attachment: string
  at: string | null
  timezone: string
  passcode: string
}

interface Written {
  subject: string
  html: string
  text: string
}

const oneLine = (text: string) => truncate(text.replaceAll(/[\r\n]+/g, ' '), 200)
const linkTo = (address: string): Html => html`<a href="${address}">${address}</a>`

/** Writes the email with a meeting link; the time is given with its time zone. */
export function writeLinkMail({
  product,
  organization,
  stage,
  sender,
  link,
  attachment,
  at,
  timezone,
  passcode,
}: LinkFacts): Written {
  const when = at === null ? undefined : wallTime(at, timezone)
  const time = when ? `${dayText(when.day)} at ${when.time} (${timezone}, ${when.abbreviation})` : undefined
  const subject = oneLine(`${product} for ${organization}: ${stage}`)
  const lines: [label: string, value: string, linked: boolean][] = [
    ...(time ? [['Time', time, false] as [string, string, boolean]] : []),
    ['Meeting link', link, true],
    ...(passcode ? [['Passcode', passcode, false] as [string, string, boolean]] : []),
    ...(attachment ? [['Attachment', attachment, true] as [string, string, boolean]] : []),
  ]
  const intro = time
    ? `Here are the details for our meeting on “${stage}”.`
    : `Here is the link for our meeting on “${stage}”.`
  return {
    subject,
    html: mailPage(subject, [
      html`<p>Hello,</p>`,
      html`<p>${intro}</p>`,
      ...lines.map(([label, value, linked]) => html`<p>${label}: ${linked ? linkTo(value) : value}</p>`),
      html`<p>Kind regards,<br />${sender}</p>`,
    ]),
    text: `Hello,\n\n${intro}\n\n${lines.map(([label, value]) => `${label}: ${value}`).join('\n')}\n\nKind regards,\n${sender}\n`,
  }
}

/**
 * Writes the email about setting credentials. It links to the product's own URL, not to the panel, where
 * customers do not sign in, and contains no passwords.
 */
export function credentialsMail(organization: string, sender: string, address: string): Written {
  const subject = oneLine(`Your account for ${organization}`)
  const ready = `Your account for ${organization} is ready.`
  const whereNot = 'Reply to this email and we’ll send you the link to set your password.'
  const warning = 'We’ll never ask for your password by email.'
  return {
    subject,
    html: mailPage(subject, [
      html`<p>Hello,</p>`,
      address === ''
        ? html`<p>${ready} ${whereNot}</p>`
        : html`<p>${ready} Go to ${linkTo(address)} to set your password.</p>`,
      html`<p>${warning}</p>`,
      html`<p>Kind regards,<br />${sender}</p>`,
    ]),
    text: `Hello,\n\n${ready} ${address === '' ? whereNot : `Go to ${address} to set your password.`}\n\n${warning}\n\nKind regards,\n${sender}\n`,
  }
}
