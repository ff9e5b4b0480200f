import { expect, test } from 'vitest'
import { firstTexts, placeErrors } from '#web/form/errors.ts'

const hasField = (path: string) => ['name', 'emails', 'user.email'].includes(path)

test('an error is shown at its field, or at the nearest one that contains it', () => {
  expect(
    placeErrors({ name: 'Enter a name.', 'emails.1': 'Not an address.', 'user.email': 'Taken.' }, hasField),
  ).toEqual({
    fields: { name: 'Enter a name.', emails: 'Not an address.', 'user.email': 'Taken.' },
    rest: [],
  })
})

test('an error without a visible field is returned, each text once and without the path', () => {
  expect(
    placeErrors({ 'user.phone': 'Too long.', link: 'Too long.', name: 'Enter a name.' }, hasField),
  ).toEqual({
    fields: { name: 'Enter a name.' },
    rest: ['Too long.'],
  })
})

test('the first text of each field counts', () => {
  expect(firstTexts({ name: ['Enter a name.', 'Too short.'], link: [] })).toEqual({
    name: 'Enter a name.',
    link: 'This value isn’t valid.',
  })
})
