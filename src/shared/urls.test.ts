import { expect, test } from 'vitest'
import { webAddressOrEmpty } from '#shared/schemas.ts'
import { completeUrl, writtenHost } from '#shared/urls.ts'

test.each([
  ['example.com', 'https://example.com'],
  ['example.com/page?a=b#c', 'https://example.com/page?a=b#c'],
  [' www.example.co.uk:8443/x ', 'https://www.example.co.uk:8443/x'],
  ['müller.example/tür', 'https://müller.example/tür'],
  ['xn--mller-kva.example', 'https://xn--mller-kva.example'],
  ['example.xn--p1ai/page', 'https://example.xn--p1ai/page'],
  ['उदाहरण.भारत', 'https://उदाहरण.भारत'],
])('%s is completed', (typed, completed) => {
  expect(completeUrl(typed)).toBe(completed)
})

test.each([
  '',
  'http://example.com',
  'https://example.com',
  'mailto:a@example.com',
  'a@example.com',
  'javascript:alert(1)',
  'page',
  '/posts/one',
  'not a.link at all',
  '3.5',
  'example..com',
])('%s stays as it is', (typed) => {
  expect(completeUrl(typed)).toBe(typed)
})

test('URL fields complete what was typed, and still refuse what is not a URL', () => {
  expect(webAddressOrEmpty.parse('example.com/page')).toBe('https://example.com/page')
  expect(webAddressOrEmpty.parse('')).toBe('')
  expect(webAddressOrEmpty.safeParse('javascript:alert(1)').success).toBe(false)
  expect(webAddressOrEmpty.safeParse('page').success).toBe(false)
})

test.each([
  ['https://www.müller.example/film?a=b', 'müller.example'],
  ['http://videos.example:8443#start', 'videos.example'],
  ['https://me@videos.example', 'videos.example'],
])('the host of %s is %s', (address, host) => {
  expect(writtenHost(address)).toBe(host)
})
