import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { PhoneLink } from '#web/parts/PhoneLink.tsx'

test.each([
  ['+1 212 555 0142', 'tel:+12125550142'],
  ['+1 212 555 0142 ext. 12', 'tel:+12125550142;ext=12'],
  ['030 1234 x7', 'tel:0301234;ext=7'],
  ['(030) 1234 #7', 'tel:0301234;ext=7'],
  ['Fax: 030 1234', 'tel:0301234'],
])('%s is dialed as %s', (number, address) => {
  render(<PhoneLink number={number} />)
  expect(screen.getByRole('link', { name: number }).getAttribute('href')).toBe(address)
})
