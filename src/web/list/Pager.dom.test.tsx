import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { renderPage } from '#web/dom.testing.tsx'
import { Pager } from '#web/list/Pager.tsx'

const isDisabled = (name: string) =>
  screen.getByRole('button', { name }).matches(':disabled, [data-disabled], [aria-disabled="true"]')

test('a number of rows that is a lower bound has a plus, and no last page', async () => {
  await renderPage(
    () => <Pager total={10_001} isCapped perPage={20} page={500} onPage={() => {}} />,
    '/things',
  )
  screen.getByText('9,981–10,000 of 10,000+')
  screen.getByText('Page 500 of 500+')
  expect(isDisabled('Next page')).toBe(false)
  expect(isDisabled('Last page')).toBe(true)
})

test('the last page of an exact number can be opened', async () => {
  await renderPage(() => <Pager total={10_001} perPage={20} page={1} onPage={() => {}} />, '/things')
  screen.getByText('1–20 of 10,001')
  screen.getByText('Page 1 of 501')
  expect(isDisabled('Last page')).toBe(false)
})
