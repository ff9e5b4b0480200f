import { expect } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole } from './helpers.ts'
import { mailsTo } from './received-mails.ts'
import { test } from './panel.ts'

test('a notification is sent to its author first, saved as a draft, and sent to exactly as many recipients as the button says', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  const quiet = expectQuietConsole(page)
  await page.goto('/users')
  const cell = page
    .getByRole('row')
    .filter({ hasText: 'Subscribed' })
    .filter({ hasNotText: 'Unsubscribed' })
    .filter({ hasNotText: 'Banned' })
    .first()
  const address = (await cell.getByRole('cell', { name: /@/ }).textContent())!
  const quietOne = (await page
    .getByRole('row')
    .filter({ hasText: 'Unsubscribed' })
    .first()
    .getByRole('cell', { name: /@/ })
    .textContent())!
  await page.goto('/notifications/new')
  await page.getByLabel('Subject').fill('Maintenance on Monday')
  await page.getByLabel('To', { exact: true }).selectOption({ label: 'Specific email addresses' })
  await page.getByLabel('Email addresses, one per line').fill(`${address}\n${quietOne}`)
  await page.getByRole('textbox', { name: 'Message' }).fill('Between two and four nothing can be booked.')
  await expect(page.getByRole('button', { name: 'Send to 1 recipient', exact: true })).toBeEnabled()
  await expect(page.getByText('Excluded: Unsubscribed (1).')).toBeVisible()
  await expectAccessible(page)
  const toOneself = () =>
    mailsTo('ingrid.solheim@example.com').filter(({ raw }) => raw.includes('Maintenance on Monday')).length
  await page.getByRole('button', { name: 'Send test email' }).click()
  await expect.poll(toOneself).toBe(1)
  await page.getByRole('button', { name: 'Save draft' }).click()
  await expect(page).toHaveURL(/\/notifications\/update-notification\/\d+/)
  await expect(page.getByLabel('Email addresses, one per line')).toHaveValue(new RegExp(address))
  // The shortest time that sending can be undone.
  const token = await page.evaluate(() => localStorage.getItem('access_token'))
  const rules = await page.request.post('/api/admin/mail-settings/rules', {
    headers: { Authorization: `Bearer ${token}` },
    data: { undo_mailing_seconds: 5 },
  })
  expect(rules.status()).toBe(200)
  await page.getByLabel('Subject').fill('Maintenance on Tuesday')
  await page.getByRole('button', { name: 'Send to 1 recipient', exact: true }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  const progress = page.getByRole('region', { name: 'Progress' }).first()
  await expect(progress).toContainText(/Scheduled 1|Queued 1|Sent 1/)
  await expect(progress).toContainText('Sent 1')
  await expect(page.getByLabel('Subject')).toHaveCount(0)
  expect(mailsTo(address).filter(({ raw }) => raw.includes('Maintenance on Tuesday'))).toHaveLength(1)
  quiet()
})
