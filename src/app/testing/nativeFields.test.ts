import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const native = /\btype(?:=["']|: ['"]|[^\n]*\?\s*['"])(date|datetime-local|time|month|week)['"]/
const src = join(import.meta.dirname, '..', '..')

test('the browser’s own date and time fields, which show dates in its own format, are not used', () => {
  const files = ['web', 'features'].flatMap((area) =>
    readdirSync(join(src, area), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.tsx'))
      .map((path) => join(area, path)),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((path) => native.test(readFileSync(join(src, path), 'utf8')))).toEqual([])
})

test('a native field would be seen', () => {
  for (const code of [
    '<input type="date" />',
    "<TextInput type='datetime-local'",
    "type={kind === 'day' ? 'date' : 'text'}",
    "{ type: 'time' }",
  ])
    expect([code, native.test(code)]).toEqual([code, true])
})
