import { expect, test } from 'vitest'
import { fillPlaceholders, hasNamePlaceholder, unknownPlaceholder } from '#shared/placeholders.ts'

test('spaces and case in a placeholder don’t matter, and the name stays as it is', () => {
  for (const written of [
    '{{name}}',
    '{{ name }}',
    '{{Name}}',
    '{{NAME }}',
    '{{\u00a0name}}',
    '{{&nbsp;name }}',
    '{{<b>name</b>}}',
  ])
    expect([written, fillPlaceholders(`Dear ${written}, {{`, '$& <b>{{x}}</b>')]).toEqual([
      written,
      'Dear $& <b>{{x}}</b>, {{',
    ])
  expect(hasNamePlaceholder('Dear {{ Name }},')).toBe(true)
  expect(hasNamePlaceholder('Dear {name}, {{names}}')).toBe(false)
})

test('an unknown placeholder is named', () => {
  expect(unknownPlaceholder('Dear {{ Name }}, {{first_name}} {{last_name}}')).toBe(
    '“{{first_name}}” isn’t a placeholder. Use {{name}}, or remove the braces.',
  )
  expect(unknownPlaceholder('Dear {{}}')).toContain('“{{}}”')
  for (const text of ['Dear {{name}}', 'a {{ b', 'a }} b {{ c', '{{a\nb}}', '{name}'])
    expect([text, unknownPlaceholder(text)]).toEqual([text, undefined])
})
