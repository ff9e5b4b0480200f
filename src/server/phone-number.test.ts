import { expect, test } from 'vitest'
import { whyNotPhone } from '#server/phone-number.ts'

test.each([
  '',
  '+1 212 555 0142',
  '+1 (212) 555-0142 ext. 12',
  '+49 30 901820-0',
  '+44 20 7946 0018 x12',
  '030 1234',
  '0123/45 67',
  '(212) 555-0142 ext 7',
  '0044 20 7946 0018',
  '911',
])('“%s” can be a phone number', (typed) => {
  expect(whyNotPhone(typed)).toBeUndefined()
})

test.each([
  'call me',
  'n/a',
  '-',
  '7',
  '+1 212',
  '+1 212 555 0142 0142 0142',
  '+999 1234567',
  '030 1234 or 030 1235',
  'sam@aalto.example',
  'ext. 12',
  '1'.repeat(60),
])('“%s” can’t be a phone number', (typed) => {
  expect(whyNotPhone(typed)).toBe('Enter a phone number, such as +1 212 555 0142 ext. 12.')
})
