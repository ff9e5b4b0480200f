import { expect, test } from '@playwright/test'
import { api, asUser, bringFiles, expectAccessible } from './helpers.ts'

/* Runs axe on every screen, in light and dark mode, with all rules. */

const screens = [
  ['dashboard', '/dashboard'],
  ['leads', '/demo-leads?fromDate=all&toDate=all'],
  ['leads, none', '/demo-leads?search=nothing-is-called-this'],
  ['a lead', '/demo-leads/morvale-clinic/1'],
  ['import', '/demo-leads/import'],
  ['follow-ups', '/demo-leads/follow-ups?assigned_filter=all'],
  ['follow-ups, none', '/demo-leads/follow-ups?tab=today&page=9'],
  ['schedule', '/demo-leads/demo-leads-schedule'],
  ['schedule, week', '/demo-leads/demo-leads-schedule?view=week'],
  ['development tasks', '/development-tasks?delivered=not-delivered'],
  ['Task Details', '/development-tasks?task=6'],
  ['delivery calendar', '/development-tasks/schedular'],
  ['delivery calendar, agenda', '/designer-tasks/designerschedular?view=agenda'],
  ['my tasks', '/tasks'],
  ['organizations', '/organizations/all-organizations'],
  ['an organization', '/organizations/detail/somebody/0/3'],
  ['documents of an organization', '/organizations/document/somebody/3'],
  ['onboardings', '/on-boarding'],
  ['an onboarding', '/on-boarding/details/somebody/3'],
  ['schedule of onboardings', '/on-boarding/demo-leads-schedule'],
  ['users', '/users'],
  ['banned users', '/users/banned'],
  ['master users', '/users/master'],
  ['add a master user', '/users/master/add'],
  ['admin users', '/admin-users'],
  ['login log', '/users/log'],
  ['admin user log', '/users/admin-log'],
  ['scheduling widget', '/calendly-widget-settings'],
  ['customer view', '/customer-view'],
  ['tickets', '/support'],
  ['the support board', '/support?view=board'],
  ['a ticket', '/support/ticket/3/0'],
  ['a new ticket', '/support/generate'],
  ['support requests', '/support-requests'],
  ['a new support request', '/support-requests/create'],
  ['notifications', '/notifications'],
  ['a new notification', '/notifications/new'],
  ['a notification', '/notifications/update-notification/1'],
  ['settings', '/settings'],
  ['lists', '/settings/lists'],
  ['outbox', '/settings/outbox'],
  ['roles and permissions', '/settings/roles'],
  ['posts', '/posts'],
  ['a new post', '/posts/new-post'],
  ['a post', '/posts/a-short-guide-to-table-linen'],
  ['posts of an author', '/users/editor/posts'],
  ['categories', '/categories'],
  ['tags', '/tags'],
  ['comments', '/comments'],
  ['media', '/media'],
  ['meta tags', '/meta-tag-setting'],
  ['quick tasks', '/quick-task/my-task'],
  ['progress report', '/progress-report'],
  ['contracts', '/customer-contracts'],
  ['a new contract', '/customer-contracts/new-contract'],
  ['case studies', '/case-study'],
  ['a new event', '/event/create'],
  ['a case study', '/case-study/what-changed-for-hotel-morvale'],
  ['FAQs', '/faqs'],
  ['FAQs by category', '/faqcategories/washing-and-drying/posts'],
  ['a FAQ', '/faqs/how-do-i-get-started-with-the-weekly-plan'],
  ['a new FAQ', '/faqs/new-faq'],
  ['FAQ categories', '/faqcategories'],
  ['terms', '/term&conditions'],
  ['a version of the terms', '/term&conditions/2'],
  ['new terms', '/term&conditions/new-terms'],
  ['not found', '/nothing-here'],
] as const

/** Number of screens that share a sign-in and the code loaded with it. */
const perJourney = 8

for (let first = 0; first < screens.length; first += perJourney) {
  const some = screens.slice(first, first + perJourney)
  test(`light and dark: ${some.map(([name]) => name).join(', ')}`, async ({ page }) => {
    test.setTimeout(240_000)
    await asUser(page, 'super_admin')
    for (const [name, address] of some)
      await test.step(name, async () => {
        await page.goto(address)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await page.waitForLoadState('networkidle')
        for (const mode of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme: mode })
          await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', mode)
          await expectAccessible(page)
        }
      })
  })
}

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
      test.setTimeout(90_000)
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
      await expect(page.getByRole('dialog').getByLabel('Reason')).toBeVisible()
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
      test.setTimeout(90_000)
      await asUser(page, 'super_admin')
      await page.goto('/demo-leads?fromDate=all&toDate=all')
      await page.getByRole('button', { name: 'More filters' }).click()
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

test('control: a missing label is found', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.evaluate(() => document.querySelector('main')!.append(document.createElement('input')))
  await expect(expectAccessible(page)).rejects.toThrow(/label/)
})
