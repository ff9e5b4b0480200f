import type { World } from '#features/crm/emails/server/emails.testing.ts'
import type { ReceivedKind, ReceivedState } from '#shared/received-mails.ts'

/** An email in the format of an email client or server, and where it arrives. */
export interface Fixture {
  name: string
  raw: string | Buffer
  arrives: {
    state: ReceivedState
    kind?: ReceivedKind
    /** Where it is filed; a new ticket is `ticket`. */
    on?: 'lead' | 'user' | 'organization' | 'this ticket' | 'ticket'
    by?: string
    verified_by?: string | null
    subject?: string
    /** Part of its text. */
    text?: string
    files?: number
    problem?: RegExp
  }
}

let count = 0
interface Parts {
  from?: string
  to?: string
  subject?: string
  more?: readonly string[]
  /** Content-Type and what follows it. */
  type?: string
  body?: string
  id?: string | null
}

const email = ({
  from = 'Zoë Yıldız <zoe@tamsel.example>',
  to = 'Linen <hello@linen.example>',
  subject = 'Re: Your offer',
  more = [],
  type = 'text/plain; charset=utf-8',
  body = 'Yes, please.',
  id = `<fixture-${(count += 1)}@client.example>`,
}: Parts): string =>
  [
    'Received: from client.example by mx.linen.example; Mon, 16 Mar 2026 09:30:00 +0000',
    ...(id === null ? [] : [`Message-ID: ${id}`]),
    ...(from === '' ? [] : [`From: ${from}`]),
    `To: ${to}`,
    `Subject: ${subject}`,
    'Date: Mon, 16 Mar 2026 10:30:00 +0100',
    'MIME-Version: 1.0',
    ...more,
    `Content-Type: ${type}`,
    '',
    body,
  ].join('\r\n')

const part = (type: string, body: string, ...more: string[]) =>
  [`--b1`, `Content-Type: ${type}`, ...more, '', body].join('\r\n')
const multipart = (...parts: string[]) => `${parts.join('\r\n')}\r\n--b1--\r\n`
const alternative = 'multipart/alternative; boundary="b1"'
const mixed = 'multipart/mixed; boundary="b1"'
const gif = 'R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='
const stranger = 'Mikael Lund <mikael@nordlys.example>'

function gmail({ toLead, ticket }: World): Fixture[] {
  const quoted = `<div dir="ltr">Ja, gerne.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Am Mo. schrieb Paula:<br></div><blockquote class="gmail_quote">Our offer</blockquote></div>`
  const body = multipart(
    part('text/plain; charset="UTF-8"', 'Ja, gerne.\r\n\r\n> Our offer'),
    part(
      'text/html; charset="UTF-8"',
      quoted.replaceAll('=', '=3D'),
      'Content-Transfer-Encoding: quoted-printable',
    ),
  )
  const references = [`In-Reply-To: ${toLead.message_id}`, `References: ${toLead.message_id}`]
  const onLead = { state: 'filed', on: 'lead', kind: 'message' } as const
  return [
    {
      name: 'Gmail: a reply to the address with the token',
      raw: email({ to: toLead.reply_to, type: alternative, body, more: references }),
      arrives: { ...onLead, by: 'token', verified_by: 'token', text: 'Ja, gerne.' },
    },
    {
      name: 'Gmail: a reply that was sent from another address of the same person',
      raw: email({ from: 'Zoë <zoe.private@gmail.example>', to: toLead.reply_to, type: alternative, body }),
      arrives: { ...onLead, by: 'token', verified_by: 'token' },
    },
    {
      name: 'Gmail: a reply to the sender, with References, from the lead',
      raw: email({ type: alternative, body, more: references }),
      arrives: { ...onLead, by: 'references', verified_by: null },
    },
    {
      name: 'Gmail: a copied Message-ID from a stranger proves nothing',
      raw: email({ from: stranger, type: alternative, body, more: references }),
      arrives: { state: 'unsorted', verified_by: null },
    },
    {
      name: 'Gmail: a new email of a lead',
      raw: email({ subject: 'Prices', body: 'How much?' }),
      arrives: { ...onLead, by: 'address', verified_by: null },
    },
    {
      name: 'Gmail: a new email of a user opens a ticket',
      raw: email({ from: 'Ada <Ada@Aalto.example>', subject: 'Printer', body: 'It is empty.' }),
      arrives: { state: 'filed', on: 'ticket', by: 'address' },
    },
    {
      name: 'Gmail: a new email of a stranger',
      raw: email({ from: stranger, subject: '=?UTF-8?B?8J+RiyBIZWxsbw==?=', body: 'Who are you?' }),
      arrives: { state: 'unsorted', subject: '👋 Hello', text: 'Who are you?' },
    },
    {
      name: 'Gmail: a forward that only quotes the address with the token',
      raw: email({ from: stranger, subject: 'Fwd: Your offer', body: `To: ${toLead.reply_to}\r\nOur offer` }),
      arrives: { state: 'unsorted' },
    },
    {
      name: 'Gmail: a reply with a file',
      raw: email({
        to: toLead.reply_to,
        type: mixed,
        body: multipart(
          part('text/plain; charset="UTF-8"', 'See the list.'),
          part(
            'text/csv; name="list.csv"',
            'a,b\r\n1,2',
            'Content-Disposition: attachment; filename="list.csv"',
          ),
        ),
      }),
      arrives: { ...onLead, files: 1 },
    },
    {
      name: 'Gmail: a vacation responder',
      raw: email({
        to: toLead.reply_to,
        subject: 'Away Re: Your offer',
        more: ['Auto-Submitted: auto-replied', 'Precedence: bulk', 'X-Autoreply: yes'],
      }),
      arrives: { state: 'automatic', kind: 'auto_reply', on: 'lead', by: 'token' },
    },
    {
      name: 'Gmail: a reply with the number of a ticket, from its requester',
      raw: email({ from: 'ada@aalto.example', subject: `Re: The scanner stopped [#${ticket}]` }),
      arrives: { state: 'filed', on: 'this ticket', by: 'subject' },
    },
  ]
}

function outlook({ toLead, toUser, onTicket, ticket }: World): Fixture[] {
  const html = `<html><head><style><!-- p {margin:0} --></style></head><body><p>Viele Gr\xfc\xdfe</p><div id="divRplyFwdMsg"><b>Von:</b> Paula<br><b>Gesendet:</b> Montag<br><b>Betreff:</b> Offer</div></body></html>`
  const latin = Buffer.from(
    email({
      to: toLead.reply_to,
      subject: 'AW: Your offer',
      type: 'text/html; charset=windows-1252',
      body: html,
    }),
    'latin1',
  )
  const related = (image: string) =>
    multipart(
      part('text/html; charset=us-ascii', `<p>See:</p><img src="cid:${image}" alt="">`),
      part(
        'image/gif; name="image001.gif"',
        gif,
        'Content-Transfer-Encoding: base64',
        'Content-ID: <image001.gif@01DC.7A>',
        'Content-Disposition: inline; filename="image001.gif"',
      ),
    )
  return [
    {
      name: 'Outlook: a reply in windows-1252',
      raw: latin,
      arrives: { state: 'filed', on: 'lead', by: 'token', text: 'Viele Grüße' },
    },
    {
      name: 'Outlook: “AW:” with the number of the ticket and no References, from its requester',
      raw: email({ from: 'Ada <ada@aalto.example>', subject: `AW: The scanner stopped [#${ticket}]` }),
      arrives: { state: 'filed', on: 'this ticket', by: 'subject', verified_by: null },
    },
    {
      name: 'Outlook: the number of a ticket from a stranger',
      raw: email({ from: stranger, subject: `RE: The scanner stopped [#${ticket}]` }),
      arrives: { state: 'unsorted' },
    },
    {
      name: 'Outlook: a number that no ticket has',
      raw: email({ from: stranger, subject: 'RE: Anything [#999999999]' }),
      arrives: { state: 'unsorted' },
    },
    {
      name: 'Outlook: the number of the ticket from a banned user of the organization',
      raw: email({ from: 'Ben <ben@aalto.example>', subject: `RE: The scanner stopped [#${ticket}]` }),
      arrives: { state: 'banned', on: 'this ticket', by: 'subject' },
    },
    {
      name: 'Outlook: a new email of a banned user',
      raw: email({ from: 'Ben <ben@aalto.example>', subject: 'Let me in' }),
      arrives: { state: 'banned' },
    },
    {
      name: 'Outlook: a reply to a ticket in rich text, with its winmail.dat',
      raw: email({
        from: 'ada@aalto.example',
        to: onTicket.reply_to,
        type: mixed,
        body: multipart(
          part('text/plain; charset=us-ascii', 'It works.'),
          part(
            'application/ms-tnef; name="winmail.dat"',
            gif,
            'Content-Transfer-Encoding: base64',
            'Content-Disposition: attachment; filename="winmail.dat"',
          ),
        ),
      }),
      arrives: { state: 'filed', on: 'this ticket', by: 'token', files: 1 },
    },
    {
      name: 'Outlook: an image in the text by its content ID',
      raw: email({
        to: toLead.reply_to,
        type: 'multipart/related; boundary="b1"',
        body: related('image001.gif@01DC.7A'),
      }),
      arrives: { state: 'filed', on: 'lead', files: 1 },
    },
    {
      name: 'Outlook: an accepted invitation',
      raw: email({
        to: toLead.reply_to,
        subject: 'Accepted: Demo',
        type: alternative,
        body: multipart(
          part('text/plain; charset=utf-8', 'I will come.'),
          part(
            'text/calendar; charset=utf-8; method=REPLY',
            'BEGIN:VCALENDAR\r\nMETHOD:REPLY\r\nEND:VCALENDAR',
          ),
        ),
      }),
      arrives: { state: 'filed', on: 'lead', text: 'I will come.' },
    },
    {
      name: 'Outlook: a read receipt',
      raw: email({
        to: toLead.reply_to,
        subject: 'Read: Your offer',
        type: 'multipart/report; report-type=disposition-notification; boundary="b1"',
        body: multipart(
          part('text/plain', 'Your message was read.'),
          part('message/disposition-notification', 'Disposition: manual-action/MDN-sent-manually; displayed'),
        ),
      }),
      arrives: { state: 'automatic', kind: 'auto_reply', on: 'lead' },
    },
    {
      name: 'Outlook for mobile: HTML only',
      raw: email({
        from: 'ada@aalto.example',
        to: toUser.reply_to,
        type: 'text/html; charset=utf-8',
        body: '<div>Sent from <a href="https://aka.example">Outlook</a></div>',
      }),
      arrives: { state: 'filed', on: 'user', by: 'token', text: 'Sent from' },
    },
    {
      name: 'Outlook: In-Reply-To without References',
      raw: email({ from: 'ada@aalto.example', more: [`In-Reply-To: ${toUser.message_id}`] }),
      arrives: { state: 'filed', on: 'user', by: 'references' },
    },
    {
      name: 'Exchange: an automatic reply',
      raw: email({
        to: toLead.reply_to,
        subject: 'Automatic reply: Your offer',
        more: ['Auto-Submitted: auto-generated', 'X-Auto-Response-Suppress: All'],
      }),
      arrives: { state: 'automatic', kind: 'auto_reply', on: 'lead' },
    },
    {
      name: 'Exchange: an automatic reply of a stranger',
      raw: email({
        from: stranger,
        subject: 'Automatic reply: Hello',
        more: ['Auto-Submitted: auto-replied'],
      }),
      arrives: { state: 'automatic', kind: 'auto_reply' },
    },
  ]
}

function apple({ toLead, toOrganization }: World): Fixture[] {
  return [
    {
      name: 'Apple Mail: format=flowed',
      raw: email({
        to: toLead.reply_to,
        type: 'text/plain; charset=utf-8; format=flowed; delsp=yes',
        body: 'A long \r\nline.\r\n\r\n> On 16 Mar, Paula wrote:\r\n> Our offer',
      }),
      arrives: { state: 'filed', on: 'lead', text: 'On 16 Mar, Paula wrote:' },
    },
    {
      name: 'Apple Mail: a picture between two texts',
      raw: email({
        to: toLead.reply_to,
        type: mixed,
        body: multipart(
          part('text/plain; charset=us-ascii', 'Before'),
          part(
            'image/gif; name="photo.gif"',
            gif,
            'Content-Transfer-Encoding: base64',
            'Content-Disposition: inline; filename="photo.gif"',
          ),
          part('text/plain; charset=us-ascii', 'After'),
        ),
      }),
      arrives: { state: 'filed', on: 'lead', files: 1, text: 'After' },
    },
    {
      name: 'iPhone: a picture without any text',
      raw: email({
        to: toLead.reply_to,
        subject: '',
        type: mixed,
        body: multipart(
          part(
            'image/gif; name="IMG_1.gif"',
            gif,
            'Content-Transfer-Encoding: base64',
            'Content-Disposition: inline; filename="IMG_1.gif"',
          ),
        ),
      }),
      arrives: { state: 'filed', on: 'lead', files: 1 },
    },
    {
      name: 'Apple Mail: a reply to all, with the token in Cc',
      raw: email({
        from: 'ada@aalto.example',
        to: 'Colleague <c@aalto.example>',
        more: [`Cc: Team: a@x.example, ${toOrganization.reply_to};`],
      }),
      arrives: { state: 'filed', on: 'organization', by: 'token' },
    },
    {
      name: 'Apple Mail: the token only in Delivered-To',
      raw: `Delivered-To: ${toLead.reply_to.toUpperCase()}\r\n${email({})}`,
      arrives: { state: 'filed', on: 'lead', by: 'token' },
    },
    {
      name: 'A token that was made up',
      raw: email({ from: stranger, to: `replies+${'0123456789abcdef'.repeat(2)}@linen.example` }),
      arrives: { state: 'unsorted' },
    },
    {
      name: 'A token at another domain',
      raw: email({ from: stranger, to: toLead.reply_to.replace('linen.example', 'evil.example') }),
      arrives: { state: 'unsorted' },
    },
  ]
}

const status = (fields: readonly string[], returned: string) =>
  multipart(
    part('text/plain; charset=us-ascii', 'Your message wasn’t delivered.'),
    part('message/delivery-status', ['Reporting-MTA: dns; mx.tamsel.example', '', ...fields].join('\r\n')),
    part('text/rfc822-headers', returned),
  )
const report = 'multipart/report; report-type=delivery-status; boundary="b1"'

function bounces({ toLead }: World): Fixture[] {
  const returned = `Message-ID: ${toLead.message_id}\r\nTo: zoe@tamsel.example\r\nSubject: Your offer`
  const daemon = 'Delivery System <MAILER-DAEMON@mx.tamsel.example>'
  const bounce = (name: string, fields: readonly string[], about = returned): Fixture => ({
    name,
    raw: email({
      from: daemon,
      subject: 'Undelivered: Your offer',
      more: ['Auto-Submitted: auto-replied'],
      type: report,
      body: status(fields, about),
    }),
    arrives: { state: 'automatic', kind: 'bounce' },
  })
  return [
    bounce('Postfix: delayed', [
      'Final-Recipient: rfc822; zoe@tamsel.example',
      'Action: delayed',
      'Status: 4.4.1',
    ]),
    bounce('Exchange: mailbox full', [
      'Final-Recipient: rfc822;zoe@tamsel.example',
      'Action: failed',
      'Status: 5.2.2',
      'Diagnostic-Code: smtp;552 5.2.2 Mailbox full',
    ]),
    bounce('About an address that we didn’t write to', [
      'Final-Recipient: rfc822; martin@elsewhere.example',
      'Action: failed',
      'Status: 5.1.1',
    ]),
    bounce(
      'About an email that isn’t ours',
      ['Final-Recipient: rfc822; ada@aalto.example', 'Action: failed', 'Status: 5.1.1'],
      'Message-ID: <other@elsewhere.example>',
    ),
    bounce(
      'Without the returned email',
      ['Final-Recipient: rfc822; ada@aalto.example', 'Action: failed', 'Status: 5.1.1'],
      'Subject: none',
    ),
    bounce('With broken fields', ['Final-Recipient', 'Action:', ': x', 'Status: many']),
    {
      name: 'qmail: a report in plain words',
      raw: `Return-Path: <>\r\n${email({ from: daemon, subject: 'failure notice', body: 'Hi. This is the qmail-send program.' })}`,
      arrives: { state: 'automatic', kind: 'bounce' },
    },
    {
      name: 'Exim: the failed address in a header',
      raw: email({
        from: daemon,
        more: ['X-Failed-Recipients: gone@tamsel.example'],
        body: '550 5.1.1 No such user',
      }),
      arrives: { state: 'automatic', kind: 'bounce' },
    },
    {
      name: 'A report that isn’t spam (ARF)',
      raw: email({
        from: 'fbl@provider.example',
        type: 'multipart/report; report-type=feedback-report; boundary="b1"',
        body: multipart(
          part('text/plain', 'A report'),
          part('message/feedback-report', 'Feedback-Type: not-spam\r\nOriginal-Rcpt-To: zoe@tamsel.example'),
          part('message/rfc822', returned),
        ),
      }),
      arrives: { state: 'automatic', kind: 'bounce' },
    },
  ]
}

function machines({ toLead }: World): Fixture[] {
  return [
    {
      name: 'A newsletter',
      raw: email({
        from: 'News <news@promo.example>',
        more: ['List-Unsubscribe: <https://promo.example/u>', 'Precedence: bulk'],
      }),
      arrives: { state: 'unsorted', kind: 'list' },
    },
    {
      name: 'A mailing list to which a user writes',
      raw: email({ from: 'ada@aalto.example', more: ['List-Id: <users.aalto.example>', 'Precedence: list'] }),
      arrives: { state: 'unsorted', kind: 'list' },
    },
    {
      name: 'Precedence: junk',
      raw: email({ from: stranger, more: ['Precedence: junk'] }),
      arrives: { state: 'unsorted', kind: 'list' },
    },
    {
      name: 'X-Autorespond',
      raw: email({ from: stranger, more: ['X-Autorespond: out'] }),
      arrives: { state: 'automatic', kind: 'auto_reply' },
    },
    {
      name: 'Auto-Submitted: no',
      raw: email({ from: stranger, more: ['Auto-Submitted: no'] }),
      arrives: { state: 'unsorted', kind: 'message' },
    },
    {
      name: 'Our own email that returns',
      raw: email({ id: toLead.message_id }),
      arrives: { state: 'automatic', kind: 'loop' },
    },
    {
      name: 'An email from our own address',
      raw: email({ from: 'Linen <hello@linen.example>', to: toLead.reply_to }),
      arrives: { state: 'automatic', kind: 'loop' },
    },
    {
      name: 'An email from the address for replies',
      raw: email({ from: 'replies@linen.example' }),
      arrives: { state: 'automatic', kind: 'loop' },
    },
  ]
}

function senders(): Fixture[] {
  const results = (header: string, from?: string): string =>
    `Authentication-Results: ${header}\r\n${email({ from, subject: 'Prices' })}`
  const onLead = (verified_by: string | null) => ({ state: 'filed', on: 'lead', verified_by }) as const
  return [
    {
      name: 'An aligned DKIM signature',
      raw: results('mx.linen.example; dkim=pass header.d=tamsel.example; spf=none'),
      arrives: onLead('dkim'),
    },
    {
      name: 'DMARC',
      raw: results('mx.linen.example; dmarc=pass (p=reject) header.from=tamsel.example'),
      arrives: onLead('dmarc'),
    },
    {
      name: 'Aligned SPF',
      raw: results('mx.linen.example 1; spf=pass smtp.mailfrom=bounce@tamsel.example'),
      arrives: onLead('spf'),
    },
    {
      name: 'A signature of another domain',
      raw: results('mx.linen.example; dkim=pass header.d=sender.example'),
      arrives: onLead(null),
    },
    {
      name: 'A domain below the sender’s',
      raw: results('mx.linen.example; dkim=pass header.d=evil.tamsel.example'),
      arrives: onLead(null),
    },
    {
      name: 'Results of another server',
      raw: results('mx.evil.example; dkim=pass header.d=tamsel.example'),
      arrives: onLead(null),
    },
    {
      name: 'Results below those of our server',
      raw: results('mx.linen.example; dkim=fail header.d=tamsel.example').replace(
        'Received:',
        'Authentication-Results: mx.linen.example; dkim=pass header.d=tamsel.example\r\nReceived:',
      ),
      arrives: onLead(null),
    },
    {
      name: 'A result in a comment',
      raw: results('mx.linen.example; none (; dkim=pass header.d=tamsel.example)'),
      arrives: onLead(null),
    },
    {
      name: 'Several senders',
      raw: results(
        'mx.linen.example; dkim=pass header.d=tamsel.example',
        'zoe@tamsel.example, mikael@nordlys.example',
      ),
      arrives: { state: 'unsorted', verified_by: null },
    },
  ]
}

function broken({ toLead }: World): Fixture[] {
  const toToken = { to: toLead.reply_to }
  const onLead = { state: 'filed', on: 'lead' } as const
  return [
    { name: 'No header at all', raw: 'Just words.\r\n', arrives: { state: 'unsorted' } },
    { name: 'No Message-ID', raw: email({ ...toToken, id: null, body: 'Without an ID' }), arrives: onLead },
    { name: 'No From', raw: email({ ...toToken, from: '' }), arrives: { ...onLead, by: 'token' } },
    { name: 'No text', raw: email({ ...toToken, body: '' }), arrives: onLead },
    {
      name: 'A multipart that doesn’t end',
      raw: email({ ...toToken, type: alternative, body: part('text/plain', 'Half of it') }),
      arrives: { ...onLead, text: 'Half of it' },
    },
    {
      name: 'A multipart without its boundary',
      raw: email({ ...toToken, type: 'multipart/mixed', body: 'Where is it?' }),
      arrives: onLead,
    },
    {
      name: 'Broken base64',
      raw: email({ ...toToken, more: ['Content-Transfer-Encoding: base64'], body: '@@@SGVs bG8=!!!' }),
      arrives: onLead,
    },
    {
      name: 'UTF-8 that says US-ASCII',
      raw: email({ ...toToken, type: 'text/plain; charset=us-ascii', body: 'Grüße' }),
      arrives: { ...onLead, text: 'Gr' },
    },
    {
      name: 'A charset that doesn’t exist',
      raw: email({ ...toToken, type: 'text/plain; charset=x-klingon', body: 'Words' }),
      arrives: { ...onLead, text: 'Words' },
    },
    {
      name: 'UTF-16',
      raw: email({
        ...toToken,
        type: 'text/plain; charset=utf-16le',
        more: ['Content-Transfer-Encoding: base64'],
        body: Buffer.from('Grüße', 'utf16le').toString('base64'),
      }),
      arrives: { ...onLead, text: 'Grüße' },
    },
    {
      name: 'Raw 8-bit bytes in the subject',
      raw: Buffer.from(email({ ...toToken, subject: 'Gr\xfc\xdfe' }), 'latin1'),
      arrives: onLead,
    },
    {
      name: 'A header injection in the subject',
      raw: email({ ...toToken, subject: '=?UTF-8?Q?Hello=0D=0ABcc:_x@evil.example?=' }),
      arrives: { ...onLead, subject: 'Hello Bcc: x@evil.example' },
    },
    {
      name: 'NUL and half a character',
      raw: Buffer.concat([
        Buffer.from(email({ ...toToken, body: 'A' })),
        Buffer.from([0, 0xed, 0xa0, 0x80, 66]),
      ]),
      arrives: onLead,
    },
    {
      name: 'An email in an email',
      raw: email({
        ...toToken,
        type: mixed,
        body: multipart(
          part('text/plain', 'See below'),
          part('message/rfc822', email({ from: stranger, body: 'Not said by Zoë' })),
        ),
      }),
      arrives: { ...onLead, text: 'See below', files: 1 },
    },
    {
      name: 'Nested thirty times',
      raw: email({
        ...toToken,
        type: 'multipart/mixed; boundary="n0"',
        body: Array.from(
          { length: 30 },
          (_, level) => `--n${level}\r\nContent-Type: multipart/mixed; boundary="n${level + 1}"\r\n\r\n`,
        ).join(''),
      }),
      arrives: { ...onLead, problem: /couldn’t be read/ },
    },
    {
      name: '250 parts',
      raw: email({
        ...toToken,
        type: mixed,
        body: multipart(...Array.from({ length: 250 }, () => part('text/plain', 'One'))),
      }),
      arrives: { ...onLead, problem: /more than 200 parts/ },
    },
    {
      name: 'Only line breaks',
      raw: email({ ...toToken, body: '\r\n'.repeat(1_000_001) }),
      arrives: { ...onLead, problem: /more than 1 million lines/ },
    },
    {
      name: 'A long header',
      raw: email({ ...toToken, more: [`X-Long: ${'x'.repeat(600_000)}`] }),
      arrives: { ...onLead, problem: /couldn’t be read/ },
    },
  ]
}

export const fixturesOf = (world: World): Fixture[] => {
  count = 0
  return [gmail, outlook, apple, bounces, machines, senders, broken].flatMap((make) => make(world))
}
