import { createHash } from 'node:crypto'
import PostalMime, { addressParser, type Address, type Attachment, type Email } from 'postal-mime'
import { isAddress } from '#shared/recipients.ts'
import { withoutInvisible } from '#shared/invisible.ts'
import { truncate } from '#shared/truncate.ts'
import { mostFilesOfEmail } from '#shared/received-mails.ts'
import { emailLimits, type Mailbox, type ParsedEmail } from '#server/inbound/email.ts'
import { kindOf, reportOf } from '#server/inbound/kind-of-email.ts'

/**
 * Reads an email. One that is too large, has too many parts, or can't be read keeps its sender and subject, so
 * that a person can ask for it again.
 */
export async function readEmail(raw: Uint8Array): Promise<ParsedEmail> {
  if (raw.byteLength > emailLimits.bytes)
    return readHead(raw, `This email is larger than ${emailLimits.bytes / 1_000_000} MB.`)
  if (hasMoreLines(raw, emailLimits.lines))
    return readHead(raw, `This email has more than ${emailLimits.lines / 1_000_000} million lines.`)
  if (countParts(raw) > emailLimits.parts)
    return readHead(raw, `This email has more than ${emailLimits.parts} parts.`)
  try {
    return readWhole(raw, await parse(raw), [])
  } catch {
    return readHead(raw, 'This email couldn’t be read completely.')
  }
}

const parse = (raw: Uint8Array) =>
  PostalMime.parse(raw, {
    // Emails in emails are files; their text must not read as if the sender had written it.
    forceRfc822Attachments: true,
    maxNestingDepth: emailLimits.depth,
    maxHeadersSize: 500_000,
  })

const longestHead = 256_000

/** Reads only the header of an email. */
export async function readHead(raw: Uint8Array, problem: string): Promise<ParsedEmail> {
  const start = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.byteLength, longestHead))
  const end = /\r?\n\r?\n/.exec(start.toString('latin1'))
  const head = start.subarray(0, end?.index ?? start.length)
  const withoutType = head
    .toString('latin1')
    .split(/\r?\n(?![ \t])/)
    .filter((line) => !/^content-/i.test(line))
    .join('\r\n')
  const source = Buffer.from(`${withoutType}\r\n\r\n`, 'latin1')
  const email = await PostalMime.parse(source).catch(() => undefined)
  const empty: Email = { headers: [], headerLines: [], attachments: [] }
  return readWhole(raw, { ...empty, ...email, text: '', html: '', attachments: [] }, [problem])
}

const deliveryHeaders = ['delivered-to', 'x-original-to', 'envelope-to', 'x-delivered-to']
const addressesOf = (value: string) => addressesIn(addressParser(value.slice(0, 1000)))

function readWhole(raw: Uint8Array, email: Email, problems: string[]): ParsedEmail {
  const header = (name: string) => email.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const report = reportOf(email)
  const html = truncate(storable(email.html ?? ''), 1_000_000)
  const said = storable(email.text ?? '').trimEnd()
  const text = truncate(said.trim() === '' ? wordsOf(html) : said, 500_000)
  const files = report ? [] : email.attachments.filter(isFile).map(fileOf)
  for (const { name } of files.slice(mostFilesOfEmail))
    problems.push(`${truncate(line(name), 150)} wasn’t saved: only the first ${mostFilesOfEmail} files are.`)
  const to = addressesIn(email.to)
  const cc = addressesIn(email.cc)
  return {
    message_id: messageIdOf(email.messageId, raw),
    kind: kindOf(email, report),
    from: senderOf(header('from')),
    to,
    cc,
    delivered_to: [...to, ...cc, ...deliveryHeaders.flatMap((name) => header(name).flatMap(addressesOf))],
    arrived_at: deliveryHeaders.flatMap((name) => header(name).slice(0, 1).flatMap(addressesOf)),
    subject: truncate(line(email.subject ?? ''), 500),
    text,
    html,
    in_reply_to: idsIn(email.inReplyTo ?? '', 2000),
    references: idsIn(email.references ?? '', 20_000),
    written_at: dateOf(email.date),
    authentication: truncate(line(header('authentication-results')[0] ?? ''), 5000),
    files: files.slice(0, mostFilesOfEmail),
    report,
    problems,
    bytes: raw.byteLength,
  }
}

/** Each line takes more memory than its bytes: an email of only line breaks could take all that a thread can have. */
function hasMoreLines(raw: Uint8Array, most: number): boolean {
  let lines = 0
  for (let at = raw.indexOf(10); at !== -1; at = raw.indexOf(10, at + 1)) if ((lines += 1) > most) return true
  return false
}

/** Counts the lines that begin a part, by the boundaries that the email declares. */
function countParts(raw: Uint8Array): number {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1')
  const boundaries = new Set(
    [...text.matchAll(/boundary\s*=\s*(?:"([^"\r\n]{1,200})"|([^\s;"]{1,200}))/gi)].map(
      ([, quoted, plain]) => `--${quoted ?? plain}`,
    ),
  )
  if (boundaries.size > emailLimits.parts) return boundaries.size
  let count = 1
  for (const [one] of text.matchAll(/^--[^\r\n]{1,200}/gm)) if (boundaries.has(one.trimEnd())) count += 1
  return count
}

/** Removes what PostgreSQL can't store. */
const storable = (text: string) => text.replaceAll('\0', '').toWellFormed()

const entities: Record<string, string> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
}

/** Returns the words of HTML, for lists and for the search. It reads each character once, however broken the HTML is. */
function wordsOf(html: string): string {
  let text = ''
  let hidden = ''
  let at = 0
  for (const { 0: tag, 1: closing, 2: name, index } of html.matchAll(/<(\/?)([a-z][a-z0-9]*)?[^<>]*>?/gi)) {
    const element = (name ?? '').toLowerCase()
    if (hidden === '') text += html.slice(at, index)
    if (hidden !== '' && closing === '/' && element === hidden) hidden = ''
    else if (hidden === '' && closing === '' && /^(?:style|script|title|head)$/.test(element))
      hidden = element
    if (/^(?:br|p|div|tr|li|h[1-6]|blockquote|table)$/.test(element)) text += '\n'
    at = index + tag.length
  }
  if (hidden === '') text += html.slice(at)
  return text
    .replaceAll(/&(#39|[a-z]{2,4});/g, (whole, entity: string) => entities[entity] ?? whole)
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')
    .trim()
}

/** Returns a header's text on one line. */
const line = (text: string) =>
  storable(text)
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim()

const flat = (addresses: readonly Address[] = []): Mailbox[] =>
  addresses.flatMap((one) => (one.group ? one.group : [{ name: one.name, address: one.address ?? '' }]))

const mostAddresses = 100

const addressesIn = (addresses: readonly Address[] | undefined): string[] => [
  ...new Set(
    flat(addresses)
      .map(({ address }) => withoutInvisible(address).trim().toLowerCase())
      .filter((address) => isAddress(address) && address.length <= 254)
      .slice(0, mostAddresses),
  ),
]

/** Returns the sender; an email from several people, or with several From headers, has none that can be trusted. */
function senderOf(headers: readonly string[]): Mailbox | undefined {
  const [one, ...others] = headers.flatMap((value) => flat(addressParser(value.slice(0, 2000))))
  if (!one || others.length > 0) return undefined
  const address = withoutInvisible(one.address).trim().toLowerCase()
  if (!isAddress(address) || address.length > 254) return undefined
  return { name: truncate(line(one.name), 200), address }
}

function messageIdOf(header: string | undefined, raw: Uint8Array): string {
  const [id] = /<[^<>\s]{1,990}>/.exec(storable(header ?? '')) ?? []
  return id ?? `<${createHash('sha256').update(raw).digest('hex')}@content>`
}

/** Returns the Message-IDs in a header, the last ones if there are too many. */
function idsIn(header: string, longest: number): string {
  const ids = storable(header).match(/<[^<>\s]{1,990}>/g) ?? []
  while (ids.join(' ').length > longest) ids.shift()
  return ids.join(' ')
}

function dateOf(date: string | undefined): string | null {
  const at = Date.parse(date ?? '')
  const year = new Date(at).getUTCFullYear()
  return year >= 1990 && year <= 2100 ? new Date(at).toISOString() : null
}

/** Parts for machines: answers to invitations, receipts, and signatures. */
const forMachines =
  /^(?:text\/calendar|application\/ics|message\/(?!rfc822|global$)|text\/rfc822-headers|application\/(?:x-)?(?:pgp-signature|pkcs7-signature))/
const isFile = ({ mimeType, filename }: Attachment) => filename !== null || !forMachines.test(mimeType)

const fileOf = ({ filename, mimeType, content, contentId }: Attachment) => ({
  name: filename ?? (mimeType === 'message/rfc822' ? 'email.eml' : `file.${mimeType.split('/')[1] ?? 'bin'}`),
  content:
    typeof content === 'string'
      ? Buffer.from(content)
      : content instanceof Uint8Array
        ? content
        : new Uint8Array(content),
  content_id: truncate((contentId ?? '').replaceAll(/[<>\s]/g, ''), 300),
})
