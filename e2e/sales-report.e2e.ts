import { expect } from '@playwright/test'
import { asUser } from './helpers.ts'
import { test } from './panel.ts'

test('a number of the sales report opens as many leads, from the palette to the list', async ({ page }) => {
  await asUser(page, 'admin')
  await page.goto('/demo-leads')
  await expect(page.getByRole('heading', { name: 'Leads', exact: true })).toBeVisible()
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible()
  await page.keyboard.type('Sales report')
  await page.getByRole('button', { name: /^Sales report/ }).click()
  await expect(page.getByRole('heading', { name: 'Sales report' })).toBeVisible()
  const reached = page
    .getByRole('table', { name: /^Funnel by events/ })
    .getByRole('link', { name: /: Reached, Contacted$/ })
  const count = (await reached.textContent())!
  expect(Number(count)).toBeGreaterThan(0)
  await reached.click()
  await expect(page).toHaveURL(/event=reached/)
  await expect(page.getByText(new RegExp(` of ${count}$`)).first()).toBeVisible()
})
