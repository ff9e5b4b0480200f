import { expect, test } from 'vitest'
import { htmlWithoutQuote, textWithoutQuote } from '#server/inbound/own-quote.ts'
import { framed } from '#server/mail/frame.ts'

const words = {
  subject: 'Re: Towels',
  html: '<p>Hi Zoë,</p><p>Your 340 towels are <strong>on their way</strong>.</p>',
  text: 'Hi Zoë,\n\nYour 340 towels are on their way.',
}
const look = { heading: 'Linen', color: '#0f766e', footer: 'Linen GmbH, Berlin', unsubscribable: false }
const sent = framed(words, look)
const body = /<body[^>]*>([^]*)<\/body>/.exec(sent.html)![1]!
const quotedText = sent.text
  .trimEnd()
  .split('\n')
  .map((line) => `> ${line}`.trimEnd())
  .join('\n')

const byProgram = {
  Gmail: [
    '<div dir="ltr">Thank you!</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sun, Nov 29, 2026 at 9:29 PM Linen &lt;<a href="mailto:r@linen.example">r@linen.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0">',
    '</blockquote></div>',
    '<div dir="ltr">Thank you!',
  ],
  'Apple Mail': [
    '<body>Thank you!<br><div><br><blockquote type="cite"><div>Am 29.11.2026 um 21:29 schrieb Linen &lt;r@linen.example&gt;:</div><br><div>',
    '</div></blockquote></div><br></body>',
    '<body>Thank you!',
  ],
  Thunderbird: [
    '<p>Thank you!<br></p><div class="moz-cite-prefix">Le 29/11/2026 à 21:29, Linen a écrit :<br></div><blockquote type="cite" cite="mid:1@x">',
    '</blockquote>',
    '<p>Thank you!',
  ],
  Outlook: [
    '<div><p class=MsoNormal>Thank you!</p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal><b>From:</b> Linen &lt;r@linen.example&gt;<br><b>Sent:</b> Sunday, November 29, 2026 9:29 PM<br><b>To:</b> zoe@aalto.example<br><b>Subject:</b> Re: Towels</p></div>',
    '</div>',
    '<div><p class=MsoNormal>Thank you!',
  ],
} as const

test.each(Object.entries(byProgram))(
  '%s: the quoted email is cut off, with what introduces it',
  (_, parts) => {
    const [before, after, left] = parts
    expect(htmlWithoutQuote(before + body + after, [sent])).toBe(left)
    // Control: the email of someone else stays.
    const foreign = before + body.replace('340', '341') + after
    expect(htmlWithoutQuote(foreign, [sent])).toBe(foreign)
  },
)

test('letters that a program writes as entities are the same letters', () => {
  const [before, after, left] = byProgram.Gmail
  expect(
    htmlWithoutQuote(before + body.replace('Zoë', 'Zo&euml;').replace('way', '&#119;ay') + after, [sent]),
  ).toBe(left)
})

test('plain text: lines with “>” are cut off, with the line that introduces them', () => {
  const said = 'Thank you!\n\nZoë'
  for (const head of [
    'On Sun, Nov 29, 2026 at 9:29 PM Linen <r@linen.example> wrote:',
    'On Sun, Nov 29, 2026 at 9:29 PM Linen Support of Berlin\n<r@linen.example> wrote:',
    '-----Original Message-----\nFrom: Linen <r@linen.example>\nSent: Sunday, November 29, 2026 9:29 PM\nTo: zoe@aalto.example\nSubject: Re: Towels',
  ])
    expect(textWithoutQuote(`${said}\n\n${head}\n\n${quotedText}\n`, [sent]), head).toBe(said)
  expect(textWithoutQuote(`${said}\n\n${quotedText}\n`, [sent])).toBe(said)
})

test.each([
  ['an answer between the lines', quotedText.replace('> Your', 'Which?\n> Your')],
  ['an answer below', `${quotedText}\n\nThank you!`],
  ['words that were added to the quote', quotedText.replace('towels', 'white towels')],
])('%s: nothing is cut off', (_, quote) => {
  const text = `See below.\n\nOn 29 Nov 2026, Linen wrote:\n${quote}`
  expect(textWithoutQuote(text, [sent])).toBe(text)
})

test('an email of nothing but a quote stays, and so does one that ends in our words without quoting them', () => {
  for (const text of [
    quotedText,
    `On 29 Nov 2026, Linen wrote:\n${quotedText}`,
    'We saw these 3 errors:\nYour 340 towels are on their way. Linen GmbH, Berlin',
  ])
    expect(textWithoutQuote(text, [sent])).toBe(text)
  expect(textWithoutQuote('Thank you!', [])).toBe('Thank you!')
})

test('an image below the sender’s words stays', () => {
  const [before, after] = byProgram.Gmail
  const logo = '<div><img src="cid:file-3"></div>'
  expect(htmlWithoutQuote(before.replace('<br>', logo) + body + after, [sent])).toContain(
    '<img src="cid:file-3">',
  )
})

test('the time grows with the length of an email, however often its words repeat', () => {
  const long = '<p>aaaaaaaaaab</p>'.repeat(60_000)
  const quote = `<p>a</p>${long.replace('b', 'a')}`
  // A comparison of each place with each other one would not end.
  expect(htmlWithoutQuote(quote, [{ html: long, text: '' }])).toBe(quote)
})
