import { expect, test } from 'vitest'
import { framed } from '#server/mail/frame.ts'
import { fillTemplate } from '#server/mail/templates.ts'
import { textPart } from '#server/mail/text-part.ts'
import { html } from '#server/html/html.ts'

const look = { heading: 'Linen', color: '#0f766e', footer: 'Linen GmbH\nBerlin', unsubscribable: false }
const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'

test('an email is made of tables, with inlined styles, the sender’s color, and a dark theme', () => {
  const page = framed({ subject: 'Hi', html: '<p>Hello</p><a>no link</a>', text: 'Hello' }, look).html
  expect(page).toMatch(/<p style="margin:[^"]+">Hello<\/p>/)
  expect(page).toContain('<a>no link</a>')
  expect(page).toContain('border-top:4px solid #0f766e')
  expect(page).toContain('role="presentation"')
  expect(page).toContain('prefers-color-scheme: dark')
  expect(page).toContain('Linen GmbH<br />Berlin')
  // Outlook on Windows ignores max-width, so it gets a separate table.
  expect(page).toMatch(/<!--\[if mso \| IE\]><table[^>]+width="600"/)
  expect(page).not.toMatch(/https?:\/\/(?!www\.w3\.org)|%[A-Z]+%|#0badc0/)
})

test('only a mailing has an unsubscribe link, in both parts', () => {
  const words = { subject: 'Hi', html: '<p>Hello</p>', text: 'Hello' }
  const one = framed(words, look)
  expect(one.html + one.text).not.toContain('nsubscribe')
  expect(one.text).toBe('Hello\n\n-- \nLinen GmbH\nBerlin\n')
  const mailing = framed(words, { ...look, unsubscribable: true })
  expect(mailing.html).toContain('href="{{unsubscribe}}"')
  expect(mailing.text).toContain('Unsubscribe: {{unsubscribe}}')
})

test('hostile values stay text, wherever they are, and are not read as variables', () => {
  const values = { name: hostile, company: '{{signature}} %CONTENT% {{name}}', signature: html`<p>Bye</p>` }
  const filled = fillTemplate(
    {
      subject: '{{company}} {{name}}\nBcc: x',
      content: '<p>{{name}}</p><p>Of {{company}}</p><p>{{signature}}</p>',
    },
    values,
  )
  expect(filled.subject).not.toMatch(/[\r\n]/)
  const page = framed(filled, { ...look, heading: hostile, footer: hostile }).html
  expect(page).not.toMatch(/<img|<script/)
  expect(page.match(/&lt;script&gt;/g)!.length).toBeGreaterThan(2)
  expect(page.match(/>Bye</g)).toHaveLength(1)
  expect(page).not.toContain('{{name}}')
  // Control: markup of our own is kept.
  expect(framed({ ...filled, html: '<script>1</script>' }, look).html).toContain('<script>')
})

test('a block that is empty leaves no empty paragraph', () => {
  const template = { subject: 'Hi', content: '<p>Hello</p><p>{{details}}</p>' }
  expect(fillTemplate(template, { details: '' }).html).toBe('<p>Hello</p>')
  expect(fillTemplate(template, { details: html`<p>At 10:00</p>` }).html).toBe('<p>Hello</p><p>At 10:00</p>')
})

test.each([
  ['<p>One</p><p>Two<br />lines</p>', 'One\n\nTwo\nlines'],
  ['<ul><li>A</li><li><p>B</p></li></ul>', '- A\n- B'],
  ['<ol><li>A</li><li>B</li></ol>', '1. A\n2. B'],
  ['<a href="https://a.example/?x=1&amp;y=2">here</a>', 'here (https://a.example/?x=1&y=2)'],
  ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
  ['<p>1 &lt; 2 &amp;lt; 3</p>', '1 < 2 &lt; 3'],
])('the text part of %j is %j', (content, text) => {
  expect(textPart(content)).toBe(text)
})
