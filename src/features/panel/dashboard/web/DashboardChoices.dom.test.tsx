import { fireEvent, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { DashboardChoices } from '#features/panel/dashboard/web/DashboardChoices.tsx'
import { usePeriod } from '#web/dashboard/dashboardAddress.ts'
import { renderPage, settle, signIn } from '#web/dom.testing.tsx'
import { product, storeProduct, useProduct } from '#web/session.ts'
import { act } from 'react'
import { useSearch } from '@tanstack/react-router'

function Page() {
  const { id, length } = usePeriod()
  return (
    <>
      <DashboardChoices />
      <output>{JSON.stringify([useProduct(), id, length, useSearch({ strict: false })])}</output>
    </>
  )
}
const two = [
  { id: 1, name: 'Atlas' },
  { id: 2, name: 'Borealis' },
]
const shown = () => JSON.parse(screen.getByRole('status').textContent) as unknown
const choose = async (label: string, value: string) => {
  fireEvent.change(screen.getByRole('combobox', { name: label }), { target: { value } })
  await settle()
}

test('the product and the period are chosen by the address, and the address follows the choice', async () => {
  signIn([], two)
  await renderPage(Page, '/dashboard?product=2&period="90"')
  await settle()
  expect(shown()).toEqual([2, '90', 90, { product: 2, period: '90' }])
  expect(product()).toBe(2)
  await choose('Product', '1')
  expect(shown()).toEqual([1, '90', 90, { product: 1, period: '90' }])
  await choose('Period', '7')
  expect(shown()).toEqual([1, '7', 7, { product: 1, period: '7' }])
})

test('a product that is chosen elsewhere replaces the one in the address', async () => {
  signIn([], two)
  await renderPage(Page, '/dashboard?product=2')
  await settle()
  await act(async () => storeProduct(1))
  await settle()
  expect(shown()).toEqual([1, '30', 30, { product: 1 }])
})

test('a product that the viewer doesn’t have, and an unknown period, are ignored', async () => {
  signIn([])
  await renderPage(Page, '/dashboard?product=4&period=5')
  await settle()
  expect(product()).toBe(1)
  expect(shown()).toMatchObject([1, '30', 30, {}])
  expect(screen.queryByRole('combobox', { name: 'Product' })).toBeNull()
})
