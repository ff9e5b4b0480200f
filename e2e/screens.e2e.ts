import { expect, type Page } from '@playwright/test'
import { asUser, findOrganizations } from './helpers.ts'
import { test } from './panel.ts'

test("the timeline shows the user's own change and a colleague's", async ({ page, browser }) => {
  await asUser(page, 'csm')
  const { organization_id } = (await findOrganizations(page, 'status=1')).at(-1)!
  const address = `/organizations/detail/any/0/${organization_id}`
  await page.goto(address)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toBeVisible()
  const changes = timeline.getByText(/changed the status/)
  const before = await changes.count()
  await page.getByRole('button', { name: /^Status of/ }).click()
  await page.getByRole('menuitem', { name: 'Warning' }).click()
  await expect(changes).toHaveCount(before + 1)

  const colleague = await (await browser.newContext()).newPage()
  await asUser(colleague, 'super_admin')
  await colleague.goto(address)
  await colleague.getByRole('button', { name: /^Status of/ }).click()
  await colleague.getByRole('menuitem', { name: 'Active', exact: true }).click()
  await expect(changes).toHaveCount(before + 2)
})

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
