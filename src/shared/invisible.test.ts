import { expect, test } from 'vitest'
import { isAddress } from '#shared/recipients.ts'
import { emailOrEmpty, lineWithoutInvisible, text } from '#shared/schemas.ts'

const hidden = ['\u200b', '\u200e', '\u202a', '\u2060', '\ufeff', '\u00ad']

test('invisible characters around a text are removed, and those inside it stay', () => {
  for (const one of hidden) expect(text(60).parse(` ${one}Zero${one}Width${one} `)).toBe(`Zero${one}Width`)
  expect(text(60).parse('👩🏽‍🔧')).toBe('👩🏽‍🔧')
  expect(text(60).parse(hidden.join(' '))).toBe('')
})

test('invisible characters in an address, a phone number, or a user name are removed', () => {
  for (const one of hidden) {
    expect(emailOrEmpty.parse(`ana${one}@cust.example${one}`)).toBe('ana@cust.example')
    expect(lineWithoutInvisible(60).parse(`+49 30${one} 55`)).toBe('+49 30 55')
    expect(isAddress(`ana${one}@cust.example`)).toBe(false)
  }
})
