import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { MailtoLink } from '#web/mail/MailtoLink.tsx'

test('a long address is broken before the @ only, and stays one text', () => {
  render(<MailtoLink address="ana.lima@example.com" />)
  const link = screen.getByRole('link')
  expect(link.textContent).toBe('ana.lima@example.com')
  expect(link.innerHTML).toBe('ana.lima<wbr>@example.com')
  expect(link.getAttribute('href')).toBe('mailto:ana.lima@example.com')
})
