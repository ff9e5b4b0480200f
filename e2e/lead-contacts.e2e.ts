import { expect } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, expectQuietConsole, undoLast } from './helpers.ts'
import { test } from './panel.ts'

test('a second contact is added, emailed, and made the primary one, which is undone', async ({ page }) => {
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  const [id] = await enterLeads(page, {
    companyName: 'Brackwater Hotel Group',
    contactName: 'Nora Lindqvist',
    email: 'nora@brackwater.example',
  })
  await page.goto(`/demo-leads/lead/${id}`)
  const section = page.getByRole('region', { name: 'More contacts' })
  await expect(section).toContainText('No other contacts yet.')
  await section.getByRole('button', { name: 'Add contact' }).focus()
  await page.keyboard.press('Enter')
  const form = page.getByRole('dialog', { name: 'Add contact' })
  await expect(form.getByLabel('Name')).toBeFocused()
  await page.keyboard.type('Sam Whitlock')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Finance')
  await page.keyboard.press('Tab')
  await page.keyboard.type('s.whitlock@brackwater.example')
  await page.keyboard.press('Tab')
  await page.keyboard.type('call me')
  await page.keyboard.press('Control+Enter')
  await expect(form).toContainText('Enter a phone number, such as')
  await expectAccessible(page)
  await form.getByLabel('Phone').fill('+1 212 555 0157 ext. 12')
  await page.keyboard.press('Control+Enter')
  await expect(section.getByRole('listitem')).toHaveCount(1)
  await expect(section.getByRole('link', { name: '+1 212 555 0157 ext. 12' })).toHaveAttribute(
    'href',
    'tel:+12125550157;ext=12',
  )

  await page.getByRole('tab', { name: 'Email' }).click()
  const to = page.getByRole('combobox', { name: 'To' })
  await to.click()
  await page.getByRole('option', { name: /Sam Whitlock/ }).click()
  const email = page.locator('form').filter({ has: to })
  for (const address of ['nora@brackwater.example', 's.whitlock@brackwater.example'])
    await expect(email).toContainText(address)

  await section.getByRole('button', { name: 'More actions for Sam Whitlock' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Edit' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(section.getByRole('listitem')).toContainText('Nora Lindqvist')
  await expect(page.getByRole('region', { name: 'Contact', exact: true })).toContainText('Sam Whitlock')
  await undoLast(page).click()
  await expect(section.getByRole('listitem')).toContainText('Sam Whitlock')

  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: /^Details:/ }).click()
  await expect(section.getByRole('listitem')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  quiet()
})
