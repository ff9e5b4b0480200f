import { Tone } from '#web/parts/Tone.tsx'
import { mailStates } from '#shared/mails.ts'
import { unreachable, type TaskCustomer } from '#features/crm/support/task-notices/contract.ts'
import { clockTime, fullTime } from '#web/time.ts'
import { dayText } from '#shared/dates.ts'

/** Whether a customer was neither sent a message nor skipped. */
export const isLeft = ({ notice }: TaskCustomer): boolean => notice === null

/** What became of a customer. */
export function NoticeState({ customer: { notice, why } }: { customer: TaskCustomer }) {
  if (notice?.state === 'skipped') return <Tone tone="gray">Skipped</Tone>
  if (notice)
    return notice.mail?.state === 'failed' ? (
      <Tone tone="red">Email failed</Tone>
    ) : (
      <Tone tone="green">Sent</Tone>
    )
  return why ? <Tone tone="red">{unreachable[why]}</Tone> : <Tone tone="blue">To review</Tone>
}

/** Returns a line about what became of a customer, or about what they asked for. */
export function noteOn({ notice, why, phone, asked_at, earlier }: TaskCustomer, sameAs?: string): string {
  if (notice?.state === 'skipped') return notice.reason
  if (notice)
    return [clockTime(notice.at), notice.mail && mailStates[notice.mail.state].toLowerCase()]
      .filter(Boolean)
      .join(' · ')
  if (why && phone) return `Call ${phone}`
  if (sameAs !== undefined) return `Same inbox as ${sameAs}`
  if (earlier)
    return `${earlier.state === 'sent' ? 'Sent' : 'Skipped'} after an earlier delivery, ${fullTime(earlier.at)}`
  return `Asked on ${dayText(asked_at.slice(0, 10))}`
}
