import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { HostText } from '#web/parts/HostText.tsx'
import { inUnicode } from '#web/parts/inUnicode.ts'

test.each([
  ['xn--mller-kva.example', 'müller.example'],
  ['www.XN--MLLER-KVA.example/a', 'www.müller.example/a'],
  ['https://xn--mller-kva.example:8443/xn--mller-kva?a=b', 'https://müller.example:8443/xn--mller-kva?a=b'],
  ['nora@xn--mller-kva.example', 'nora@müller.example'],
  ['@xn--mller-kva.example', '@müller.example'],
  ['xn--e1afmkfd.xn--p1ai', 'пример.рф'],
  ['müller.example', 'müller.example'],
  ['example.com/xn--page', 'example.com/xn--page'],
  ['', ''],
])('%s is shown as %s', (address, shown) => {
  expect(inUnicode(address)).toBe(shown)
})

test.each([
  // The first letter is Cyrillic.
  ['xn--pple-43d.example'],
  // All letters are Cyrillic, and look like “apple”.
  ['xn--80ak6aa92e.com'],
  ['nora@xn--80ak6aa92e.com'],
  ['xn--\u{1f600}.example'],
  ['xn--.example'],
])('%s stays as it is, because it imitates another domain or is invalid', (address) => {
  expect(inUnicode(address)).toBe(address)
})

test('the domain is in Unicode once its code is loaded', async () => {
  render(<HostText text="xn--mller-kva.example" />)
  expect(await screen.findByText('müller.example')).toBeTruthy()
})
