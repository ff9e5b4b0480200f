import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole, holdUndo, watchJoins } from './helpers.ts'
import { test } from './panel.ts'

const denied = 'Access denied! You are not allowed to access this page'

/** Navigates to a URL within the page, as a link does. */
const follow = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState({}, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

test.describe('shell', () => {
  // Where each role's URLs lead is tested in src/app/browser/router.isolated.test.ts.
  test('crm opens every menu item, and is redirected from a page of others', async ({ page }) => {
    const quiet = expectQuietConsole(page)
    await asUser(page, 'crm')
    await page.goto('/dashboard')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link').first()).toBeVisible()
    const items = await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')!))
    for (const address of items) {
      await follow(page, address)
      await expect(page).toHaveURL((url) => url.pathname + url.search === address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByText(denied)).toHaveCount(0)
    }
    for (const open of [follow, (to: Page, address: string) => to.goto(address)]) {
      await open(page, '/users')
      await expect(page.getByText(denied)).toBeVisible()
      await expect(page).toHaveURL(/\/dashboard$/)
      await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
      await expect(page.getByText(denied)).toHaveCount(0)
    }
    quiet()
    // A date with a time is wider than a date alone.
    await page.setViewportSize({ width: 1440, height: 900 })
    const card = page.getByRole('region', { name: 'Upcoming sessions' })
    await expect(card.getByRole('listitem').first()).toBeVisible()
    expect(
      await card.evaluate(
        (at) =>
          [...at.querySelectorAll('time')].filter(
            (time) => time.getBoundingClientRect().right > at.getBoundingClientRect().right,
          ).length,
      ),
    ).toBe(0)
  })

  // The content of these pages is tested in src/app/screens/refused.dom.test.tsx.
  test('a designer at pages without access joins no channel that would be refused', async ({ page }) => {
    const said: string[] = []
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
    await asUser(page, 'designer')
    for (const address of [
      '/demo-leads',
      '/demo-leads/morvale-clinic/1',
      '/demo-leads/follow-ups',
      '/demo-leads/demo-leads-schedule',
      '/demo-leads/operations',
      '/demo-leads/import',
      '/settings/lists',
      '/settings/roles',
      '/settings/outbox',
    ]) {
      const { connected, refused } = watchJoins(page)
      await page.goto(address)
      await connected
      await page.waitForLoadState('networkidle')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      expect([address, said, refused()]).toEqual([address, [], 0])
    }
  })

  test('the palette acts on the selected rows, creates a record from any page, and has the last records', async ({
    page,
    browser,
  }) => {
    await asUser(page, 'super_admin')
    await page.goto('/demo-leads?fromDate=all&toDate=all&search=morvale')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await page.getByRole('checkbox', { name: 'Select Morvale Clinic' }).check()
    const bar = page.getByRole('group', { name: 'Selected rows' })
    await expect(bar.getByRole('button', { name: 'Status' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await expect(palette.getByRole('button', { name: 'Status' })).toBeVisible()
    await expectAccessible(page)
    await palette.getByRole('button', { name: 'Clear selection' }).click()
    await expect(page.getByRole('checkbox', { name: 'Select Morvale Clinic' })).not.toBeChecked()

    await page.getByRole('link', { name: 'Morvale Clinic' }).first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Morvale Clinic' })).toBeVisible()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('new user')
    await expect(palette.locator('[data-selected]')).toHaveText('New user')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'New user' })).toBeVisible()
    await expect(page).toHaveURL(/\/users/)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await palette.getByRole('button', { name: /^Morvale Clinic/ }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Morvale Clinic' })).toBeVisible()

    const crm = await (await browser.newContext()).newPage()
    await asUser(crm, 'crm')
    await crm.goto('/dashboard')
    await expect(crm.getByRole('heading', { level: 1 })).toBeVisible()
    await crm.keyboard.press('Control+k')
    await crm.keyboard.type('new')
    await expect(crm.getByRole('button', { name: 'New lead' })).toBeVisible()
    for (const label of ['New contract', 'New ticket', 'New user'])
      await expect(crm.getByRole('button', { name: label })).toHaveCount(0)
    await crm.context().close()
  })

  test('code that fails to load offers to reload', async ({ page }) => {
    await asUser(page, 'crm')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.route(/\/assets\/LeadsPage/, (route) => route.abort())
    await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Leads' }).click()
    await expect(page.getByRole('button', { name: /reload/i })).toBeVisible()
    await page.unroute(/\/assets\/LeadsPage/)
    await page.getByRole('button', { name: /reload/i }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()
  })

  test('changed permissions reach an open tab within seconds, in menu and buttons', async ({
    page,
    browser,
  }) => {
    await asUser(page, 'adh_helper')
    await page.goto('/dashboard')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'Development tasks', exact: true })).toBeVisible()
    await expect(menu.getByRole('link', { name: 'Leads' })).toHaveCount(0)
    const admin = await (await browser.newContext()).newPage()
    await asUser(admin, 'super_admin')
    await admin.goto('/settings/roles')
    await admin.getByRole('searchbox', { name: 'Search permissions' }).fill('view leads')
    await admin.getByRole('checkbox', { name: 'CSM: View leads (lead_list)' }).focus()
    await admin.keyboard.press('ArrowRight')
    await expect(admin.getByRole('checkbox', { name: 'ADH Helper: View leads (lead_list)' })).toBeFocused()
    await admin.keyboard.press('Space')
    // Nothing is saved before the preview is confirmed.
    await expect(admin.getByRole('dialog')).toContainText('1 person gets “View leads”')
    await expect(menu.getByRole('link', { name: 'Leads' })).toHaveCount(0)
    await admin.getByRole('button', { name: 'Save' }).click()
    const undo = await holdUndo(admin, '')
    await expect(menu.getByRole('link', { name: 'Leads' })).toBeVisible()
    await undo.click()
    await expect(menu.getByRole('link', { name: 'Leads' })).toHaveCount(0)
    await admin.context().close()
  })
})

test('on a phone the cards of work show when it is due, and that it is overdue', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await asUser(page, 'super_admin')
  const overdue: string[] = []
  for (const address of [
    '/development-tasks',
    '/quick-task/assigned-task?whose=all',
    '/support?search=table%20linens',
    '/customer-contracts?search=rental',
    '/on-boarding',
    '/demo-leads?fromDate=all&toDate=all&followup_filter=1',
  ]) {
    await page.goto(address, { waitUntil: 'networkidle' })
    const cards = page.locator('main').getByRole('list').getByRole('listitem')
    await expect(
      cards.filter({ hasText: /(Due|Next expected|Overdue|^) ?\d+ \w{3} \d{4}/ }).first(),
    ).toBeVisible()
    if (await cards.filter({ hasText: /Overdue \d+ \w{3} \d{4}/ }).count()) overdue.push(address)
  }
  // The demo data has no overdue ticket.
  expect(overdue).toEqual([
    '/development-tasks',
    '/quick-task/assigned-task?whose=all',
    '/customer-contracts?search=rental',
    '/on-boarding',
    '/demo-leads?fromDate=all&toDate=all&followup_filter=1',
  ])
})
