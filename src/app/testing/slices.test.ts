import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** A text cut at a fixed length; dates and hashes are shorter, and lists have limits named `most…`. */
const cut = /\.slice\(\s*0,\s*(?:\d[\d_]{2,}|longest\w*)\s*,?\s*\)/g
const src = join(import.meta.dirname, '..', '..')

/** Number of cuts by file that don’t shorten a stored text. */
const allowed: Readonly<Record<string, number>> = {
  // Only for finding the permission that a request needs.
  'server/http/write.ts': 1,
  // Bytes of a file.
  'server/files/inspect-file.ts': 1,
  // Headers before they are parsed.
  'server/inbound/read-email.ts': 2,
  'server/inbound/kind-of-email.ts': 1,
  // Lists.
  'server/record/undo.ts': 1,
  // Letters from a to z.
  'features/cms/articles/rules.ts': 1,
}

test('texts on the server are cut by truncate(), which does not split a character', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      path.endsWith('.ts') && !/\btest\.ts$|testing\.ts$|^app\//.test(path) && !/(^|\/)web\//.test(path),
  )
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((path) => {
    const count = [...readFileSync(join(src, path), 'utf8').matchAll(cut)].length
    return count === (allowed[path] ?? 0) ? [] : [[path, count]]
  })
  expect(found).toEqual([])
})

test('a text that is cut by slice() would be seen', () => {
  for (const code of [
    'subject.slice(0, 300)',
    'html.slice(0, 1_000_000)',
    'words\n.slice(0, longestWords)',
    'x.slice(\n  0,\n  1000,\n)',
  ])
    expect([code, [...code.matchAll(cut)].length]).toEqual([code, 1])
  expect([...'day.slice(0, 10)'.matchAll(cut)]).toEqual([])
})
