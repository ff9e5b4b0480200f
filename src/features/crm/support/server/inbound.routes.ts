import { createHash } from 'node:crypto'
import { isAddress } from '#shared/recipients.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { truncate } from '#shared/truncate.ts'
import { inboundTickets } from '#features/crm/support/inbound.contract.ts'
import { receiveEmailsOnTickets } from '#features/crm/support/server/emails.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { ParsedEmail } from '#server/inbound/email.ts'
import { acceptEmail } from '#server/inbound/inbox.ts'
import { isAnswerOfMachine, isOfList } from '#server/inbound/kind-of-email.ts'

type Sent = Parameters<Handler<typeof inboundTickets.receive>>[0]['body']

const receiveEmail: Handler<typeof inboundTickets.receive> = async ({ body }, context) => {
  const { app, files, refusedFiles } = context
  const email = emailOf(body)
  const received = await acceptEmail(
    app,
    context,
    { ...email, problems: Object.values(refusedFiles).flat() },
    { unknownBecomes: 'ticket', files: files.attachment ?? [] },
  )
  const id = received.record?.type === 'ticket' ? received.record.id : null
  if (received.state === 'automatic') return { message: 'Automatic replies are ignored.', id: null }
  if (!received.isNew) return { message: 'Already received.', id }
  const left = Object.keys(refusedFiles).length
  return {
    message: left ? `Accepted, but ${left} of its files couldn’t be saved.` : 'Received.',
    id,
  }
}

export function inboundRoutes(app: App): void {
  receiveEmailsOnTickets(app)
  implement(app, inboundTickets.receive, receiveEmail)
}

/** Returns the fields that a gateway sends as an email. */
function emailOf(body: Sent): ParsedEmail {
  const ids = (header: string) => (header.match(/<[^<>\s]+>/g) ?? []).join(' ')
  return {
    message_id: /^<[^<>\s]+>$/.test(body.message_id)
      ? body.message_id
      : `<${createHash('sha256').update(body.message_id).digest('hex')}@gateway>`,
    kind: kindOfSent(body),
    from: senderOf(body.from, body.name),
    to: addressesIn(body.to),
    cc: addressesIn(body.cc),
    delivered_to: [...addressesIn(body.to), ...addressesIn(body.cc)],
    arrived_at: [],
    subject: body.subject,
    text: body.text,
    html: body.html,
    in_reply_to: ids(body.in_reply_to),
    references: ids(body.references),
    written_at: null,
    authentication: '',
    files: [],
    report: null,
    problems: [],
    bytes: 0,
  }
}

function kindOfSent({ auto_submitted, precedence }: Sent): ParsedEmail['kind'] {
  if (isAnswerOfMachine(auto_submitted, precedence)) return 'auto_reply'
  return isOfList(precedence) ? 'list' : 'message'
}

/** Returns the valid addresses in a list separated by commas, each once. */
const addressesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((one) => addressOf(one))
      .filter(isAddress),
  ),
]

const addressOf = (from: string) =>
  withoutInvisible(/<([^<>\s]+)>\s*$/.exec(from)?.[1] ?? from)
    .trim()
    .toLowerCase()

/**
 * Returns the sender's address and name.
 * @throws HttpError 422 for an invalid address.
 */
function senderOf(from: string, name: string): { address: string; name: string } {
  const address = addressOf(from)
  if (!isAddress(address)) throw invalid('from', 'Enter a valid email address.')
  const before = from
    .slice(0, from.length - (/<[^<>]*>\s*$/.exec(from)?.[0].length ?? from.length))
    .replaceAll('"', '')
    .trim()
  return { address, name: truncate(name || before, 200) }
}
