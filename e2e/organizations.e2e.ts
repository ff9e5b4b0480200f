import { expect, test } from '@playwright/test'
import { asUser, enterLeads, row } from './helpers.ts'

test('a lead is won by role 2, which lands on its onboarding and completes the first stage', async ({ page }) => {
  const company = 'Journey Linen'
  await asUser(page, 'crm')
  const [id] = await enterLeads(page, { companyName: company, contactName: 'Ida Berg', email: 'ida@journey.example', timezone: 'Europe/Berlin' })
  await page.goto(`/demo-leads/journey-linen/${id}`)
  await page.getByRole('button', { name: 'Create organization' }).click()
  const form = page.getByRole('dialog', { name: `Organization of ${company}` })
  await expect(form.getByLabel('First name')).toHaveValue('Ida')
  await form.getByRole('button', { name: 'Create organization' }).click()
  await expect(page).toHaveURL(/\/on-boarding\/details\/journey-linen\/\d+$/)
  await expect(page.getByRole('progressbar', { name: `Progress of ${company}` })).toHaveAttribute('max', '5')
  await page.getByRole('button', { name: 'Schedule or complete Kick-off' }).click()
  const step = page.getByRole('dialog', { name: `Kick-off: ${company}` })
  await step.getByLabel('Scheduled for').fill('2027-03-28T02:30')
  await expect(step.getByText('the clock is set forward over it').first()).toBeVisible()
  await step.getByLabel('Scheduled for').fill('2027-03-28T03:30')
  await step.getByText('Completed', { exact: true }).click()
  await step.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Kick-off is completed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Schedule or complete Data and accounts' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('onboarding_status'))).toBe('in_progress')
})

test('the status of many is changed, the page reloads, and Undo takes it back', async ({ page }) => {
  await asUser(page, 'csm')
  await page.goto('/organizations/all-organizations?status=4')
  await expect(page.getByRole('rowheader').nth(1)).toBeVisible()
  const names = await page.getByRole('rowheader').allInnerTexts()
  expect(names.length).toBeGreaterThan(1)
  await row(page, names[0]!).getByRole('checkbox').check()
  await row(page, names[1]!).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change the status' }).click()
  // Another status than the form begins with: the reload must not ask whether to leave what was chosen.
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('dialog').getByLabel('Status', { exact: true }).selectOption('Inactive')
  await expect(page.getByText('2 will change, 0 already have this status.')).toBeVisible()
  await page.getByRole('dialog').getByRole('button', { name: 'Change the status' }).click()
  await expect(page.getByText('status changed!')).toBeVisible()
  await page.waitForEvent('load')
  expect(asked).toEqual([])
  await expect(row(page, names[0]!)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect(row(page, names[0]!)).toBeVisible()
})
