import { expect, type Page } from '@playwright/test'
import { asUser, chooseOrganization, findOrganizations } from './helpers.ts'
import { test } from './panel.ts'

test("the timeline shows the user's own change and a colleague's", async ({ page, browser }) => {
  await asUser(page, 'csm')
  const { organization_id } = (await findOrganizations(page, 'status=1')).at(-1)!
  const address = `/organizations/detail/any/0/${organization_id}`
  await page.goto(address)
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toBeVisible()
  const changes = timeline.getByText(/changed the status/)
  const before = await changes.count()
  await page.getByRole('button', { name: /^Status of/ }).click()
  await page.getByRole('menuitem', { name: 'Warning' }).click()
  await expect(changes).toHaveCount(before + 1)

  const colleague = await (await browser.newContext()).newPage()
  await asUser(colleague, 'super_admin')
  await colleague.goto(address)
  await colleague.getByRole('button', { name: /^Status of/ }).click()
  await colleague.getByRole('menuitem', { name: 'Active', exact: true }).click()
  await expect(changes).toHaveCount(before + 2)
})

test('a renamed entry is offered under its new name in another tab', async ({ page, browser }) => {
  await asUser(page, 'admin')
  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'csm')
  await other.goto('/users')
  const rolesOf = (tab: Page) => tab.getByLabel('Role', { exact: true }).locator('option')
  await page.goto('/settings/lists?list=customer_roles')
  await page.getByLabel('New role name').fill('Night porter')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(page.getByLabel('Name of Night porter')).toBeVisible()
  await expect(rolesOf(other).filter({ hasText: 'Night porter' })).toHaveCount(1)
  await page.getByLabel('Name of Night porter').fill('Night manager')
  await page.getByLabel('Name of Night porter').press('Enter')
  await expect(page.getByLabel('Name of Night manager')).toBeVisible()
  await expect(rolesOf(other).filter({ hasText: 'Night manager' })).toHaveCount(1)
})

test('due items are on the dashboard, which refetches after a trial change', async ({ page }) => {
  await asUser(page, 'csm')
  const [organization] = await findOrganizations(page, 'status=1')
  let due_on = '2027-12-01'
  await page.route('**/api/admin/organization/reminders', (route) =>
    route.fulfill({
      json: {
        data: [
          {
            id: 1,
            organization_id: organization!.organization_id,
            onboarding_id: null,
            name: organization!.name,
            due_on,
          },
        ],
      },
    }),
  )
  await page.goto('/dashboard')
  const card = page.getByRole('region', { name: /^My day/ })
  await expect(card.getByRole('listitem').filter({ hasText: organization!.name })).toContainText('1 Dec 2027')
  await page.goto('/organizations/all-organizations?status=3')
  await expect(page.getByRole('region', { name: 'Due soon' })).toContainText('1 Dec 2027')
  due_on = '2026-12-24'
  await page
    .getByRole('button', { name: /^Status of/ })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Active', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Due soon' })).toContainText('24 Dec 2026')
})

test('images are deleted after a confirmation that names them, and never one that is out of view', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/media')
  const first = page.getByRole('checkbox', { name: /^Select / }).first()
  const name = (await first.getAttribute('aria-label'))!.replace('Select ', '')
  await first.check()
  const remove = page.getByRole('button', { name: 'Delete 1' })
  await remove.click()
  await expect(page.getByRole('dialog', { name: `Delete ${name}?` })).toContainText('This can’t be undone.')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(first).toBeChecked()
  await page
    .getByRole('group', { name: 'Show' })
    .getByRole('button', { name: /^No alt text/ })
    .click()
  await expect(remove).toHaveCount(0)
})

test('a form that fails to load says so, and Retry opens it', async ({ page }) => {
  await asUser(page, 'super_admin')
  await page.goto('/categories')
  let fails = true
  await page.route('**/api/**/categories/**', (route) =>
    fails &&
    route.request().resourceType() === 'fetch' &&
    /\/\d+$/.test(new URL(route.request().url()).pathname)
      ? route.fulfill({ status: 422, json: { success: false, message: 'Not today.', errors: {} } })
      : route.fallback(),
  )
  const category = page.getByRole('row').nth(1)
  await category.hover()
  await category.getByRole('button', { name: /^Edit / }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit category' })
  await expect(dialog.getByRole('alert')).toContainText('Couldn’t load this')
  fails = false
  await dialog.getByRole('button', { name: 'Retry' }).click()
  await expect(page.getByRole('dialog').getByRole('textbox', { name: /^Title/ })).toBeVisible()
})

test('every user of a large organization can be made a master user, by search', async ({ page }) => {
  await asUser(page, 'super_admin')
  const [organization] = await findOrganizations(page, 'status=1')
  const id = organization!.organization_id
  const user = (number: number) => ({
    id: number,
    name: `Guest ${number}`,
    organization_id: id,
    is_master: false,
  })
  await page.route('**/api/admin/users?**', (route) => {
    const search = new URL(route.request().url()).searchParams.get('search')
    const found = search ? [user(57)] : Array.from({ length: 20 }, (_, index) => user(index + 1))
    return route.fulfill({ json: { data: found, total: search ? 1 : 60, page: 1, per_page: 20 } })
  })
  await page.goto('/users/master/add')
  await chooseOrganization(page.getByRole('combobox', { name: 'Organization' }), organization!.name)
  await expect(page.getByText('Showing the first 20 of 60 users. Search to find others.')).toBeVisible()
  await page.getByLabel('Search users').fill('57')
  await page.getByLabel('User', { exact: true }).selectOption('Guest 57')
  const make = page.getByRole('button', { name: 'Add master user' })
  await expect(make).toBeEnabled()
  // The error is shown, and the choice stays.
  await page.route('**/api/admin/users/update-org-user', (route) =>
    route.fulfill({ status: 409, json: { message: 'Not today.', request_id: 'x' } }),
  )
  await make.click()
  await expect(page.getByRole('alert')).toHaveText('Not today.')
  await expect(page.getByRole('combobox', { name: 'Organization' })).toHaveValue(organization!.name)
  await expect(page.getByLabel('User', { exact: true })).toHaveValue('57')
})

test('the audit log says what was changed from what to what', async ({ page }) => {
  await asUser(page, 'super_admin')
  const unnamed = { label: null, before_words: null, after_words: null }
  await page.route('**/api/admin/users/admin-log*', async (route) => {
    const answer = await route.fetch()
    const body = await answer.json()
    if (Array.isArray(body.data) && body.data[0]?.changes)
      Object.assign(body.data[0], {
        act: 'Edited',
        area: 'lead',
        record: 7,
        name: 'Aalto Linen',
        changed: 1,
        changes: [
          { ...unnamed, field: 'trial_end_date', before: null, after: '2026-03-03' },
          { ...unnamed, field: 'status', before: 1, after: 7, before_words: 'New', after_words: 'Won' },
          {
            ...unnamed,
            field: 'assign_to',
            label: 'Assignee',
            before: null,
            after: 3,
            after_words: 'Paula Ferreira',
          },
        ],
      })
    await route.fulfill({ response: answer, json: body })
  })
  await page.goto('/users/admin-log')
  const entries = page.getByRole('list', { name: 'Audit log' })
  await expect(entries.getByRole('listitem').first()).toContainText(
    'set the trial end date of Aalto Linen to 3 Mar 2026, changed the status from New to Won, ' +
      'and set the assignee to Paula Ferreira',
  )
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/open=\d+/)
  const entry = page.getByRole('region', { name: 'Reading pane' })
  await expect(entry.getByRole('region', { name: 'Request' })).toContainText('Endpoint')
  await entry.getByRole('link', { name: /^All changes by / }).click()
  await expect(page).toHaveURL(/staff_id=\d+/)
  await page.getByRole('searchbox', { name: 'Search records, fields, or values' }).fill('no such value')
  await expect(entries.getByRole('listitem')).toHaveCount(0)
})

test('the dashboard sends no request that is refused, for any role', async ({ browser }) => {
  for (const user of ['crm', 'data_entry', 'editor', 'designer', 'qa']) {
    const page = await browser.newPage()
    const refused: string[] = []
    page.on(
      'response',
      (response) =>
        response.status() === 403 &&
        refused.push(`${user} ${response.url()} ${response.request().postData() ?? ''}`),
    )
    await asUser(page, user)
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(refused).toEqual([])
    if (user === 'crm') {
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
    }
    await page.close()
  }
})
