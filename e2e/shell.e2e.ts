import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole, holdUndo, runUntil, watchJoins } from './helpers.ts'
import { test } from './panel.ts'

const denied = 'Access denied! You are not allowed to access this page'
const switcher = (page: Page) => page.getByRole('group', { name: 'Product' })

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
      await expect(page).toHaveURL((url) => url.pathname === address)
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
  })

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
    test(`a designer sees no actions at ${address}, and joins no channel that would be refused`, async ({
      page,
    }) => {
      const said: string[] = []
      page.on('console', (message) => message.type() === 'error' && said.push(message.text()))
      await asUser(page, 'designer')
      const { connected, refused } = watchJoins(page)
      await page.goto(address)
      await connected
      await page.waitForLoadState('networkidle')
      const main = page.getByRole('main')
      await expect(main.getByRole('heading', { level: 1 })).toBeVisible()
      for (const role of ['searchbox', 'table', 'status', 'textbox'] as const)
        await expect(main.getByRole(role)).toHaveCount(0)
      if (address !== '/demo-leads/morvale-clinic/1') {
        await expect(main.getByText('You don’t have access to this page')).toBeVisible()
        await expect(main.getByRole('link', { name: 'Go to dashboard' })).toBeVisible()
      }
      if (address.startsWith('/settings'))
        await expect(main).toContainText('Only Super Admins and Admins can ')
      expect(said).toEqual([])
      expect(refused()).toBe(0)
    })
  }

  test('a form that the user may not save is not shown, and the page leads back', async ({ page }) => {
    await asUser(page, 'designer')
    await page.goto('/customer-contracts/new-contract')
    const main = page.getByRole('main')
    await expect(main).toContainText('You don’t have permission to use this form')
    await expect(main.getByRole('form')).toHaveCount(0)
    await main.getByRole('link', { name: 'Go to dashboard' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('a designer whose product has no pages is offered one that has', async ({ page }) => {
    await asUser(page, 'designer')
    await page.evaluate(() => localStorage.setItem('product', '2'))
    await page.goto('/dashboard')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu).toContainText('Your role has no pages for staffer.')
    await menu.getByRole('button', { name: 'Show Linen' }).click()
    await expect(menu.getByRole('link', { name: 'Designer tasks', exact: true })).toBeVisible()
    expect(await page.evaluate(() => localStorage.getItem('product'))).toBe('1')
  })

  test('the message box closes itself after three seconds', async ({ page }) => {
    await page.clock.install()
    await asUser(page, 'crm')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await follow(page, '/users')
    const box = page.getByText(denied)
    await runUntil(page, async () => (await box.count()) === 1)
    await page.clock.runFor(2800)
    await expect(box).toHaveCount(1)
    await page.clock.runFor(400)
    await expect(box).toHaveCount(0)
  })

  test('the dashboard has no breadcrumb, unknown URLs show Not Found - 404, and & can be written as %26', async ({
    page,
  }) => {
    await asUser(page, 'qa')
    await page.goto('/')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toHaveCount(0)
    for (const address of ['/nothing-here', '/demo-leads-x', '/users/nobody/knows', '/settings/x']) {
      await page.goto(address)
      await expect(page.getByRole('heading', { level: 1, name: 'Not Found - 404' })).toBeVisible()
      await expect(page).toHaveTitle('Not Found - 404 | Admin Panel')
    }
    await asUser(page, 'super_admin')
    await page.goto('/term%26conditions')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms & conditions')
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Terms & conditions')
  })

  test('the default title is Admin-Panel', async ({ page }) => {
    const text = await (await page.request.get('/')).text()
    expect(text).toContain('<title>Admin-Panel</title>')
  })

  test('the settings gear is for roles 0 and 1', async ({ page }) => {
    for (const [user, count] of [
      ['admin', 1],
      ['crm', 0],
    ] as const) {
      await asUser(page, user)
      await page.goto('/dashboard')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('banner').getByRole('link', { name: 'Settings' })).toHaveCount(count)
      await expect(page.getByRole('banner').getByRole('link', { name: 'Admin Panel' })).toBeVisible()
      await expect(page.getByRole('contentinfo')).toContainText('©')
    }
  })

  test('with product 2 no role has a dashboard link, the blog, or anything of product 1', async ({
    page,
  }) => {
    await asUser(page, 'super_admin')
    await page.evaluate(() => localStorage.setItem('product', '2'))
    await page.goto('/demo-leads')
    const menu = page.getByRole('navigation', { name: 'Menu' })
    await expect(menu.getByRole('link', { name: 'Leads' })).toBeVisible()
    for (const name of [
      'CRM dashboard',
      'CMS dashboard',
      'Onboarding',
      'Media',
      'Comments',
      'Meta tags',
      'Designer tasks',
      'Admin users',
      'Customer contracts',
    ])
      await expect(menu.getByRole('link', { name })).toHaveCount(0)
    for (const name of ['Organizations', 'Notifications', 'Support', 'Quick tasks', 'Blog', 'FAQ', 'Logs'])
      await expect(menu.getByRole('button', { name })).toHaveCount(0)
    await expect(menu.getByRole('link', { name: 'Development tasks', exact: true })).toBeVisible()
  })

  test('the product switcher follows the page', async ({ page }) => {
    await asUser(page, 'super_admin')
    await page.goto('/dashboard')
    // The router must have started before the address changes under it.
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const [address, names] of [
      ['/demo-leads', ['Linen', 'staffer', 'equipmate', 'lineniq']],
      ['/posts', ['Linen', 'equipmate', 'lineniq']],
      ['/dashboard', []],
    ] as const) {
      await follow(page, address)
      await expect(page).toHaveURL((url) => url.pathname === address)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(switcher(page).getByRole('button')).toHaveText([...names])
    }
  })

  test('choosing a product stores it, shows its leads immediately, and spins for two seconds', async ({
    page,
  }) => {
    await page.clock.install()
    await asUser(page, 'crm')
    await page.goto('/demo-leads')
    await expect(page.getByRole('table')).toBeVisible()
    let isAnswered = false
    page.on('response', (response) => {
      const url = response.url()
      if (url.includes('get-demo-requests') && url.includes('lead_for=3')) isAnswered = true
    })
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    await switcher(page).getByRole('button', { name: 'equipmate' }).click()
    const spinner = page.getByLabel('Loading equipmate')
    await runUntil(page, async () => (await spinner.count()) === 1)
    // The response arrives while the spinner is still shown, so the spinner blocks nothing.
    await page.clock.runFor(1800)
    await expect.poll(() => isAnswered).toBe(true)
    await expect(spinner).toHaveCount(1)
    expect(await page.evaluate(() => localStorage.getItem('product'))).toBe('3')
    await page.clock.runFor(300)
    await expect(spinner).toHaveCount(0)
    await page.clock.resume()
    await page.reload()
    await expect(switcher(page).getByRole('button', { name: 'equipmate' })).toHaveAttribute(
      'aria-pressed',
      'true',
    )
  })

  test('the palette finds pages and leads by keyboard', async ({ page }) => {
    await asUser(page, 'crm')
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Control+k')
    const box = page.getByRole('dialog').getByRole('textbox').or(page.getByRole('searchbox')).last()
    await box.fill('lea')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('dialog').getByText('Leads', { exact: true }).first()).toBeVisible()
    await box.fill('morvale clinic')
    await expect(page.getByRole('dialog').getByText('Morvale Clinic').first()).toBeVisible()
    await page.getByRole('dialog').getByText('Morvale Clinic').first().click()
    await expect(page.getByRole('heading', { level: 1, name: 'Morvale Clinic' })).toBeVisible()
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
    await page.keyboard.type('new quick')
    await expect(palette.locator('[data-selected]')).toHaveText('New quick task')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: /quick task/i })).toBeVisible()
    await expect(page).toHaveURL(/\/quick-task\/my-task/)
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
