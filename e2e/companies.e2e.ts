import { expect } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole, findOrganizations } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Organizations, onboardings, people, and the panel's settings: failures, what a form shows before it is
 * sent, and use on a phone.
 */

test.describe('dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true })

  test('an organization list that fails to load is empty, logged, and can be retried; its forms pass', async ({
    page,
  }) => {
    await asUser(page, 'csm')
    const [organization] = await findOrganizations(page, 'status=2&filter=ended')
    const said: string[] = []
    page.on('console', (message) => said.push(message.text()))
    await page.route('**/api/admin/getOrgUser**', (route) =>
      route.fulfill({ status: 500, json: { message: 'Not now.', request_id: 'x' } }),
    )
    await page.goto(`/organizations/detail/somebody/0/${organization!.organization_id}`)
    await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Details' })).toHaveCount(0)
    expect(said.join(' ')).toContain('The organization could not be loaded')
    await page.unroute('**/api/admin/getOrgUser**')
    await page.getByRole('button', { name: 'Retry' }).tap()
    const state = page.getByRole('region', { name: 'Status' })
    await expect(state).toContainText('Trial ended')

    await page.getByRole('button', { name: 'Change trial end date' }).tap()
    const trial = page.getByRole('dialog', { name: `Trial for ${organization!.name}` })
    const day = (ahead: number) =>
      new Date(Date.now() + ahead * 86_400_000).toLocaleDateString('en-GB', {
        timeZone: 'UTC',
        day: 'numeric',
        month: 'short',
        year: 'numeric',
      })
    await trial.getByLabel('Days').fill('400')
    // In the organization's time zone, the date may be one day earlier or later.
    await expect(trial.getByRole('status').filter({ hasText: 'The trial ends on' })).toContainText(
      new RegExp([399, 400, 401].map(day).join('|')),
    )
    await expect(trial).not.toContainText('earlier than the current end date')
    await trial.getByLabel('Ends').selectOption('Specific date')
    await trial.getByLabel('Date', { exact: true }).fill('2020-01-31')
    await expect(trial).toContainText('That’s earlier than the current end date')
    await expect(trial).toContainText('This date is in the past.')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Proceed' }).tap()

    for (const [button, title] of [
      ['Edit products', 'Products for'],
      [/^(Add|Edit) video$/, 'Demo video for'],
    ] as const) {
      await page.getByRole('button', { name: button }).tap()
      const dialog = page.getByRole('dialog', { name: `${title} ${organization!.name}` })
      await expect(dialog).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Close', exact: true }).tap()
      await expect(dialog).toHaveCount(0)
    }
  })

  test('onboardings have their own tabs, which leave the stored tab of the follow-ups alone; their forms pass too', async ({
    page,
  }) => {
    const quiet = expectQuietConsole(page)
    await asUser(page, 'super_admin')
    await page.evaluate(() => localStorage.setItem('tab', 'today'))
    await page.goto('/on-boarding')
    const state = page.getByRole('group', { name: 'Status' })
    await expect(state.getByRole('button', { name: /^In progress/ })).toHaveAttribute('aria-pressed', 'true')
    await expect(page.getByText(/^Day \d+ \(usually \d+\)/).first()).toBeVisible()
    await state.getByRole('button', { name: /^On hold/ }).tap()
    await expect(page).toHaveURL(/tab=on_hold/)
    await state.getByRole('button', { name: /^In progress/ }).tap()
    await expect(page).not.toHaveURL(/tab=/)
    expect(await page.evaluate(() => localStorage.getItem('tab'))).toBe('today')

    await page.locator('a[href^="/on-boarding/details/"]').first().tap()
    for (const open of [/^Schedule or complete /, 'New session', 'Put on hold', 'Send meeting link']) {
      await page.getByRole('button', { name: open }).first().tap()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      await page.waitForLoadState('networkidle')
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Close', exact: true }).tap()
      await expect(dialog).toHaveCount(0)
    }
    quiet()
  })
})
