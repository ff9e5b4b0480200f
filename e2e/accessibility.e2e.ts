import { expect } from '@playwright/test'
import { api, asUser, bringFiles, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Runs axe with all rules, in light and dark mode, on sign-in, dialogs, and menus. `tour.e2e.ts` does so on
 * every screen.
 */

for (const mode of ['light', 'dark'] as const) {
  test.describe(mode, () => {
    test.use({ colorScheme: mode })

    test('login', async ({ page }) => {
      await page.goto('/login')
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      await expectAccessible(page)
    })

    test('a contract with files, notes, and text, also on a phone', async ({ page }) => {
      await asUser(page, 'super_admin')
      const content =
        '<h2>Scope</h2><ul><li><p>Two presses</p></li></ul><table><tbody><tr><td><p>Weekly</p></td><td><p>400 kg</p></td></tr></tbody></table>'
      const { id } = (
        await api(page, 'POST', '/admin/create_contract', {
          title: `Filled, ${mode}`,
          content,
          due_date: '2027-01-31',
        })
      ).data
      await api(page, 'POST', `/admin/general/notes/contract/${id}`, {
        note: 'They asked for a third press.',
      })
      await page.goto(`/customer-contracts/update-contract/${id}`)
      await bringFiles(page.getByText(/or drop or paste/), 'drop', [
        { name: 'offer.txt', type: 'text/plain', bytes: Buffer.from('Two presses') },
      ])
      await expect(page.getByRole('button', { name: 'Remove offer.txt' })).toBeVisible()
      await page.keyboard.press('Control+Enter')
      await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('third press')
      await expect(page.getByRole('textbox', { name: 'Content' })).toContainText('400 kg')
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      await expectAccessible(page)
      expect(
        await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0)
    })

    test('dialogs: profile, rejection, and import', async ({ page }) => {
      await asUser(page, 'super_admin')
      for (const [entry, title] of [
        ['Edit Profile', 'Edit Profile'],
        ['Change Password', 'Reset User Password'],
        ['My sessions', 'My sessions'],
      ] as const) {
        await page.goto('/dashboard')
        await page.getByRole('button', { name: /Ingrid Solheim/ }).click()
        await page.getByRole('menuitem', { name: entry }).click()
        await expect(page.getByRole('dialog', { name: title })).toBeVisible()
        await page.waitForLoadState('networkidle')
        await expectAccessible(page)
      }
      await page.goto('/demo-leads?fromDate=all&toDate=all&status=1')
      await page
        .getByRole('button', { name: /^Reject / })
        .first()
        .click()
      await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Reason' })).toBeVisible()
      await expectAccessible(page)
      await page.goto('/demo-leads/import')
      await page.locator('input[type=file]').setInputFiles({
        name: 'one.csv',
        mimeType: 'text/csv',
        buffer: Buffer.from('Company,City\nOne,Oslo\n'),
      })
      await page.getByRole('button', { name: 'Upload file' }).click()
      await expect(page.getByRole('button', { name: 'Preview import' })).toBeVisible()
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Preview import' }).click()
      await expect(page.getByRole('table')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectAccessible(page)
    })

    test('leads with filters, a menu, a form, and the profile menu open', async ({ page }) => {
      await asUser(page, 'super_admin')
      await page.goto('/demo-leads?fromDate=all&toDate=all')
      await page.getByRole('button', { name: 'More filters' }).click()
      await page.getByLabel('Find a filter').fill('curr')
      await page.getByLabel('Find a filter').press('Enter')
      await page.keyboard.press('Enter')
      const currency = page.getByRole('dialog', { name: 'Currency' })
      await currency.getByLabel('Search Currency').fill('eur')
      await currency.getByRole('button', { name: 'is not' }).click()
      await currency.getByRole('checkbox', { name: 'EUR' }).check()
      await expect(page.getByRole('button', { name: 'Remove filter Currency: not EUR' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await expect(currency).toHaveCount(0)
      await page.getByLabel('Find a filter').fill('')
      await page
        .getByRole('button', { name: /^Status of/ })
        .first()
        .click()
      await expect(page.getByRole('menuitem').first()).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Follow-up date of/ })
        .first()
        .click()
      await expect(page.getByRole('button', { name: 'Tomorrow' })).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page
        .getByRole('button', { name: /^Edit / })
        .first()
        .click()
      await expect(page.getByRole('dialog').getByLabel('Company')).toBeVisible()
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /Ingrid Solheim/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
      await expectAccessible(page)
    })
  })
}
