import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible, signIn } from './helpers.ts'
import { test } from './panel.ts'

const views = (page: Page) => page.getByRole('button', { name: /^Views(:|$)/ })
const item = (page: Page, name: string) => page.getByRole('menuitem', { name })

test('a view keeps filters and columns, is found in the palette, is shared, and opens as the default at the next sign-in', async ({
  browser,
}) => {
  const page = await browser.newPage()
  await asUser(page, 'digital_marketing')
  await page.goto('/demo-leads?fromDate=all&toDate=all&search=clinic')
  await expect(page.getByRole('table')).toContainText('Clinic')
  await views(page).click()
  await item(page, 'Save view').click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Clinics of all time')
  await dialog.getByRole('checkbox', { name: 'Share with everyone who can see this list' }).check()
  await dialog.getByRole('checkbox', { name: 'Use as default' }).check()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('View Clinics of all time saved.')).toBeVisible()

  await test.step('the default applies when the list is opened from the menu, not when its filters are cleared', async () => {
    await page.goto('/dashboard')
    await page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Leads', exact: true })
      .click()
    await expect(page).toHaveURL(/search=clinic/)
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await expect(page).not.toHaveURL(/search=clinic/)
    await expect(page.getByRole('list', { name: 'Active filters' })).toHaveCount(0)
  })

  await test.step('a colleague has the view in the list and in the palette', async () => {
    const colleague = await browser.newPage()
    await asUser(colleague, 'crm')
    await colleague.goto('/demo-leads')
    await expect(colleague.getByRole('table')).toBeVisible()
    await expect(colleague).not.toHaveURL(/search=clinic/)
    await colleague.keyboard.press('Control+k')
    await colleague.getByRole('textbox', { name: 'Search or jump to' }).fill('Clinics of all')
    await colleague
      .getByRole('dialog', { name: 'Search or jump to' })
      .getByText('Clinics of all time')
      .click()
    await expect(colleague).toHaveURL(/search=clinic/)
    await expect(views(colleague)).toHaveText('Views: Clinics of all time')
    await colleague.close()
  })

  await test.step('the server keeps the default for the next sign-in, and the user can remove it', async () => {
    const other = await (await browser.newContext()).newPage()
    const known = other.waitForResponse(/\/admin\/views/)
    await signIn(other, 'digital_marketing')
    await known
    await other
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name: 'Leads', exact: true })
      .click()
    await expect(other).toHaveURL(/search=clinic/)
    await views(other).click()
    await item(other, 'Manage views').click()
    await other.getByRole('button', { name: 'Default view: Clinics of all time' }).click()
    await expect(other.getByRole('button', { name: 'Use as default: Clinics of all time' })).toBeVisible()
    await expectAccessible(other)
    await other.getByRole('button', { name: 'Delete Clinics of all time' }).click()
    await other.getByRole('button', { name: 'Delete', exact: true }).click()
    await expect(other.getByText('View deleted.')).toBeVisible()
    await other.context().close()
  })
})
