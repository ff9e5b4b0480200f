import { dayText } from '#shared/dates.ts'
import { timeWithZone, wallTime } from '#shared/zones.ts'
import { html, Html } from '#server/html/html.ts'

interface LinkFacts {
  /** An http or https URL. */
  link: string
  attachment: string
  at: string | null
  timezone: string
  passcode: string
}

const linkTo = (address: string): Html => html`<a href="${address}">${address}</a>`

/** Returns the details of a meeting; the time is given with its time zone. */
export function meetingDetails({ link, attachment, at, timezone, passcode }: LinkFacts): Html {
  const when = at === null ? undefined : wallTime(at, timezone)
  const lines: [label: string, value: string | Html][] = [
    ...(when
      ? [['Time', `${dayText(when.day)} at ${timeWithZone(when, timezone)}`] as [string, string]]
      : []),
    ['Meeting link', linkTo(link)],
    ...(passcode ? [['Passcode', passcode] as [string, string]] : []),
    ...(attachment ? [['Attachment', linkTo(attachment)] as [string, Html]] : []),
  ]
  return html`${lines.map(([label, value]) => html`<p>${label}: ${value}</p>`)}`
}

/**
 * Returns where to set credentials: at the product's own URL, because customers don't sign in to the panel. No
 * email contains a password.
 */
export const credentialsHowTo = (address: string): string | Html =>
  address === ''
    ? 'Reply to this email and we’ll send you the link to set your password.'
    : html`Go to ${linkTo(address)} to set your password.`
