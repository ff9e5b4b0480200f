import { expect } from '@playwright/test'
import { asUser, enterLeads, leadCell, runUntil } from './helpers.ts'
import { test } from './panel.ts'

/* Display times of messages (B §8), using a clock that the test controls. */

test('a toast stays for 2500 ms, longer while the pointer is over it, and can be closed', async ({
  page,
}) => {
  await page.clock.install()
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: 'Toast Linen', company_url: 'http://127.0.0.1/' })
  await page.goto('/demo-leads?fromDate=all&toDate=all&search=toast+linen')
  await leadCell(page, 'Toast Linen').click()
  const check = page.getByRole('button', { name: 'Check', exact: true })
  const toast = page.getByRole('alert').filter({ hasText: 'This URL isn’t publicly accessible.' })
  await check.click()
  // The buttons of the top bar stay in reach.
  const bar = (await page.getByRole('banner').boundingBox())!
  expect((await toast.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height)
  await toast.getByRole('button', { name: 'Close message' }).click()
  await expect(toast).toHaveCount(0)

  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  const appear = async () => {
    await check.click()
    await runUntil(page, async () => (await toast.count()) === 1)
  }
  await appear()
  await page.clock.runFor(2300)
  await expect(toast).toHaveCount(1)
  await page.clock.runFor(600)
  await expect(toast).toHaveCount(0)

  await appear()
  await toast.hover()
  await page.clock.runFor(10_000)
  await expect(toast).toHaveCount(1)
  await page.mouse.move(0, 0)
  await page.clock.runFor(3000)
  await expect(toast).toHaveCount(0)
})

test('a page that stays open refetches after midnight, and when the user returns to it', async ({ page }) => {
  await page.clock.install({ time: new Date('2026-11-20T23:58:00+01:00') })
  await asUser(page, 'crm')
  const days: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/admin/users/lead-numbers') days.push(searchParams.get('today') ?? '')
  })
  await page.goto('/dashboard')
  await expect.poll(() => days.at(-1)).toBe('2026-11-20')
  await page.clock.fastForward('05:00')
  await expect.poll(() => days.at(-1)).toBe('2026-11-21')
  await page.clock.setSystemTime(new Date('2026-11-24T09:00:00+01:00'))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect.poll(() => days.at(-1)).toBe('2026-11-24')
})
