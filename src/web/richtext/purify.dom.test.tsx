import { expect, test } from 'vitest'
import { forSaving, toDisplayHtml } from '#web/richtext/purify.ts'

test.each([
  ['<p>One</p><p>Two</p>', '<p>One</p><p>Two</p>'],
  ['One<br>Two', 'One<br>Two'],
  ['<p>One</p><script>alert(1)</script><p>Two</p>', '<p>One</p><p>Two</p>'],
  ['<div><p>One</p><div>Two</div></div><p onclick="alert(1)">Three</p>', '<p>One</p>Two<p>Three</p>'],
  ['<p><a href="javascript:alert(1)">One</a></p>', '<p><a>One</a></p>'],
])('%s becomes %s, also if it is cleaned twice', (html, clean) => {
  expect(forSaving(html)).toBe(clean)
  expect(forSaving(toDisplayHtml(html, () => undefined))).toBe(clean)
})
