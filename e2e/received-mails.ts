import type { ReceivedMail } from '#server/mail/mail-server.testing.ts'
import { panel } from './panel.ts'

/* Reads the emails sent by the panel under test. */

/** Returns the emails sent to an address, in the order received. */
export const mailsTo = (address: string): ReceivedMail[] =>
  panel().mails.filter(({ to }) => to.includes(address))

/** Returns an email's decoded subject. */
export function subjectOf(raw: string): string {
  const folded = /^Subject: *((?:.|\r\n[ \t])*)/im.exec(raw)![1]!
  // Whitespace between two encoded words is not part of the text.
  const words = folded.replaceAll(/\r\n(?=[ \t])/g, '').replaceAll(/\?=\s+=\?/g, '?==?')
  return words.replaceAll(/=\?utf-8\?q\?(.*?)\?=/gi, (_, word: string) =>
    decoded(word.replaceAll('_', ' '), 'quoted-printable'),
  )
}

/** Returns an email's decoded parts by type. */
export function partsOf(raw: string): Map<string, string> {
  const boundary = /boundary="?([^";\r\n]+)/i.exec(raw)?.[1]
  if (boundary === undefined) throw new Error('This email has no parts.')
  const parts = raw.split(`--${boundary}`).slice(1, -1)
  return new Map(
    parts.map((part) => {
      const [head = '', ...body] = part.trim().split('\r\n\r\n')
      const coding = /content-transfer-encoding: *(\S+)/i.exec(head)?.[1]?.toLowerCase()
      return [/content-type: *([^;\s]+)/i.exec(head)![1]!, decoded(body.join('\r\n\r\n'), coding)]
    }),
  )
}

function decoded(body: string, coding: string | undefined): string {
  if (coding === 'base64') return Buffer.from(body, 'base64').toString()
  if (coding !== 'quoted-printable') return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
