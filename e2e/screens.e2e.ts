import { expect, type Page } from '@playwright/test'
import { asUser } from './helpers.ts'
import { test } from './panel.ts'

test('a renamed entry is offered under its new name in another tab', async ({ page, browser }) => {
  await asUser(page, 'admin')
  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'csm')
  await other.goto('/users')
  const rolesOf = (tab: Page) => tab.getByLabel('Role', { exact: true }).locator('option')
  await page.goto('/settings/lists?list=customer_roles')
  await page.getByLabel('New role name').fill('Night porter')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByLabel('Name of Night porter')).toBeVisible()
  await expect(rolesOf(other).filter({ hasText: 'Night porter' })).toHaveCount(1)
  await page.getByLabel('Name of Night porter').fill('Night manager')
  await page.getByLabel('Name of Night porter').press('Enter')
  await expect(page.getByLabel('Name of Night manager')).toBeVisible()
  await expect(rolesOf(other).filter({ hasText: 'Night manager' })).toHaveCount(1)
})
