import { expect, type Page } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, watchJoins } from './helpers.ts'
import { test } from './panel.ts'

/** Adds up how far the page moves by itself, from its first moment on. */
async function watchShifts(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifted: 0 })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries())
        (globalThis as unknown as { shifted: number }).shifted += (
          entry as unknown as { value: number }
        ).value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (globalThis as unknown as { shifted: number }).shifted)
}

/** Collects what an element with this text at its start says, so that a moment without it would be among it. */
async function watchText(page: Page, name: string): Promise<() => Promise<string[]>> {
  await page.evaluate((wanted) => {
    const said: string[] = []
    const look = () => {
      const found = [...document.querySelectorAll('main a')].find((one) => one.textContent.startsWith(wanted))
      const text = found?.textContent ?? 'nothing'
      if (said.at(-1) !== text) said.push(text)
    }
    look()
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true })
    Object.assign(globalThis, { said })
  }, name)
  return () => page.evaluate(() => (globalThis as unknown as { said: string[] }).said)
}

test('the dashboard opens without moving, and a number follows its cause without moving anything', async ({
  page,
  browser,
}) => {
  const shifts = await watchShifts(page)
  const { connected } = watchJoins(page)
  await asUser(page, 'super_admin')
  await page.goto('/dashboard')
  const tile = page.getByRole('link', { name: /^New leads/ })
  await expect(tile).toBeVisible()
  await expect(
    page
      .getByRole('img', { name: /^Tickets/ })
      .locator('svg')
      .first(),
  ).toBeVisible()
  await connected
  await page.waitForLoadState('networkidle')
  await expectAccessible(page)
  expect(await shifts()).toBeLessThanOrEqual(0.05)

  const before = Number(/^New leads\s*(\d+)/.exec((await tile.textContent())!)![1])
  const opened = await shifts()
  const said = await watchText(page, 'New leads')
  // A heading far below the number and below lists that grow.
  const read = page.getByRole('heading', { name: 'Shortcuts' })
  await read.scrollIntoViewIfNeeded()
  const place = await read.boundingBox()
  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'crm')
  await enterLeads(other, { companyName: 'Halvoren Hospital' }, { companyName: 'Tamsel Care Home' })
  await expect(tile).toHaveText(new RegExp(`^New leads\\s*${before + 2}`))
  expect((await shifts()) - opened).toBeLessThanOrEqual(0.005)
  expect(await read.boundingBox()).toEqual(place)
  // The number before and after, perhaps one between them, and no moment without it.
  for (const text of await said()) expect(text).toMatch(/^New leads\d/)
  expect((await said()).length).toBeGreaterThan(1)
})
