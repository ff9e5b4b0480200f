import { expect, test } from 'vitest'
import { html } from '#server/html/html.ts'
import { renderPage } from '#server/http/page.ts'

test('a page has a look for light and dark screens and for phones, unless it brings its own', () => {
  const page = { title: 'A <page>', content: html`<h1>Hello</h1>` }
  const own = renderPage({ ...page, styles: html`h1 { color: teal; }` })
  const plain = renderPage(page)
  expect(plain).toContain('A &lt;page&gt;')
  for (const part of ['prefers-color-scheme: dark', 'width < 36rem', 'main {']) {
    expect(plain).toContain(part)
    expect(own).not.toContain(part)
  }
  // The policy of these pages allows styles in them, and nothing from elsewhere.
  expect(plain).not.toMatch(/url\(|@import|<link|<script/)
})
