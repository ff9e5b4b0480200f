import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Code that puts an HTML string on the page, in a frame, or in the editor. */
const sink =
  /dangerouslySetInnerHTML|srcDoc|\.(?:inner|outer)HTML\s*=(?!=)|insertAdjacentHTML|document\.write|createContextualFragment|setHTML|useEditor\b|new Editor\b/g
const src = join(import.meta.dirname, '..', '..')

/** Each place with what makes it safe. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Sanitized immediately before.
  'web/richtext/RichText.tsx': ['dangerouslySetInnerHTML'],
  // Sandboxed frames without scripts.
  'web/richtext/ForeignHtml.tsx': ['srcDoc'],
  'web/parts/MailFrame.tsx': ['srcDoc'],
  // Keeps only what its schema has.
  'web/richtext/RichTextEditor.tsx': ['useEditor'],
  // In a separate document, which runs and fetches nothing.
  'web/mail/emailText.ts': ['insertAdjacentHTML'],
}

test('HTML gets onto a page only in the places that make it safe', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /(^|\/)web\/|^app\/browser\//.test(path) && /\.tsx?$/.test(path) && !/(test|testing)\.tsx?$/.test(path),
  )
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((path) => {
    const code = readFileSync(join(src, path), 'utf8').replaceAll(/^import .*$/gm, '')
    const sinks = [...new Set([...code.matchAll(sink)].map(([text]) => text))]
    return sinks.length > 0 ? [[path, sinks] as const] : []
  })
  expect(Object.fromEntries(found)).toEqual(allowed)
})

test.each(['element.innerHTML = text', '<div dangerouslySetInnerHTML={x} />', "document.write('<p>')"])(
  'a new place would be seen: %s',
  (code) => expect([...code.matchAll(sink)]).toHaveLength(1),
)
