import { expect, test } from 'vitest'
import { html, paragraphs } from '#server/html/html.ts'

const ours = 'https://panel.example.com'
const shown = (text: string) =>
  paragraphs(text, ours)
    .map((one) => one.text)
    .join('')

test('values are escaped everywhere', () => {
  expect(html`<p title="${'"><script>alert(1)</script>'}">${"<b> & 'x'"}</p>`.text).toBe(
    '<p title="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">&lt;b&gt; &amp; &#39;x&#39;</p>',
  )
})

test('blank lines separate paragraphs, line breaks stay', () => {
  expect(shown('One\r\ntwo\n\n\nthree\n')).toBe('<p>One<br />two</p><p>three</p>')
})

test('only URLs of the panel become links', () => {
  expect(shown(`See ${ours}/demo-leads?a=1&b=2 please`)).toBe(
    `<p>See <a href="${ours}/demo-leads?a=1&amp;b=2">${ours}/demo-leads?a=1&amp;b=2</a> please</p>`,
  )
  for (const other of [
    `${ours}.evil.test/x`,
    `https://panel.example.com@evil.test/`,
    'javascript:alert(1)',
    'https://evil.test',
    `${ours}:8443/`,
  ])
    expect(shown(`${other} ${ours.slice(0, 5)}`)).not.toContain('<a ')
})
