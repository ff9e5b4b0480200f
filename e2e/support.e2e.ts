import { expect, test } from '@playwright/test'
import { asUser } from './helpers.ts'

test('two answer a ticket at once: the second is warned, nothing typed is lost, and the reply is called back', async ({ browser }) => {
  const [one, other] = await Promise.all([browser.newContext(), browser.newContext()])
  const [ana, ben] = await Promise.all([one.newPage(), other.newPage()])
  await asUser(ana, 'super_admin')
  await asUser(ben, 'admin')
  for (const page of [ana, ben]) {
    await page.goto('/support/ticket/12/0')
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  }
  await expect(ana.getByRole('status', { name: 'Also here' })).toContainText('has this open too')

  await ben.getByRole('textbox', { name: 'Message' }).fill('We are on it.')
  await ana.getByRole('textbox', { name: 'Message' }).fill('Please restart it.')
  await ben.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ben.getByText('Message has been sent successfully')).toBeVisible()
  await expect(ana.getByRole('region', { name: 'Conversation' })).toContainText('We are on it.')

  await ana.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ana.getByRole('alert').first()).toContainText('wrote while you were writing')
  await expect(ana.getByRole('textbox', { name: 'Message' })).toContainText('Please restart it.')
  await ana.getByRole('button', { name: 'Send anyway' }).click()
  await ana.getByRole('button', { name: 'Call it back' }).click()
  await expect(ana.getByRole('textbox', { name: 'Message' })).toContainText('Please restart it.')
  await expect(ana.getByRole('region', { name: 'Conversation' })).toContainText('Called back')
  await one.close()
  await other.close()
})

test('the bell counts for Support and leads to the ticket', async ({ page }) => {
  await asUser(page, 'support')
  await page.goto('/support-requests')
  const bell = page.getByRole('button', { name: /^Notifications, \d+ new/ })
  await expect(bell).toBeVisible({ timeout: 15_000 })
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  expect((await panel.boundingBox())!.width).toBeGreaterThanOrEqual(440)
  await expect(panel.getByRole('tab')).toHaveText([/^Support/, /^Tasks/])
  await panel.getByRole('listitem').first().getByRole('button').click()
  await expect(page).toHaveURL(/\/support\/ticket\/\d+\/\d+/)
  await expect(panel).toBeHidden()
})
