import { expect, type Page } from '@playwright/test'
import {
  asUser,
  changeGrants,
  chooseFromMore,
  enterLeads,
  expectAccessible,
  expectQuietConsole,
  leadCell,
  properties,
  row,
  watchRequests,
} from './helpers.ts'
import { test } from './panel.ts'

const companies = 'src/features/crm/leads/import/server/fixtures/companies.csv'
const all = '/demo-leads?fromDate=all&toDate=all'

/** Creates a separate lead through the form. */
async function enterLead(page: Page, company: string): Promise<void> {
  await page.goto(`/demo-leads?search=${encodeURIComponent(company)}`)
  await page.getByRole('button', { name: 'New lead' }).first().click()
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByRole('textbox', { name: 'Company' }).fill(company)
  await form.getByRole('button', { name: 'Create lead' }).click()
  await expect(leadCell(page, company)).toBeVisible()
}

test.describe('leads', () => {
  test('the real company list is imported, searched, followed up, and rejected', async ({ page }) => {
    const quiet = expectQuietConsole(page)
    await asUser(page, 'crm')
    await page.goto('/demo-leads')
    await page.getByRole('link', { name: 'Import', exact: true }).click()
    await page.locator('input[type=file]').setInputFiles(companies)
    await page.getByRole('button', { name: 'Upload file' }).click()
    await expect(page.getByLabel('Lead field for Symbol')).toHaveValue('reference')
    await expect(page.getByLabel('Lead field for Security')).toHaveValue('companyName')
    await expect(page.getByLabel('Lead field for Founded')).toHaveValue('detail')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Preview import' }).click()
    await expect(page.getByRole('button', { name: /^503 New/ })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Import 503 rows' }).click()
    await expect(page.getByRole('button', { name: /^503 Created/ })).toBeVisible()
    await page.getByRole('link', { name: 'View leads' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Leads' })).toBeVisible()

    await page.getByRole('searchbox', { name: 'Search leads' }).fill('berkshire')
    await expect(page).toHaveURL(/search=berkshire/)
    await expect(page.getByRole('rowheader')).toHaveCount(1)
    await leadCell(page, 'Berkshire Hathaway').click()
    const imported = page.getByRole('region', { name: 'Imported details' })
    await expect(imported).toContainText('Omaha, Nebraska')
    await expect(imported).toContainText('1839')
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText(
      'imported this lead from a file',
    )

    await chooseFromMore(page, 'Edit lead')
    const form = page.getByRole('dialog', { name: 'Edit Berkshire Hathaway' })
    await form.getByLabel('Contact', { exact: true }).fill('Núria Øst 🧵')
    await form.getByLabel('Country').fill('United States')
    await page.keyboard.press('Control+Enter')
    await expect(page.getByText('Berkshire Hathaway saved.')).toBeVisible()
    await expect(properties(page)).toContainText('Núria Øst 🧵')
    // Keys typed right after the shortcut are part of the note.
    await page.keyboard.press('n')
    await page.keyboard.type('Called. They want <b>samples</b>.')
    await expect(page.getByLabel('Write a note')).toHaveValue('Called. They want <b>samples</b>.')
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('They want <b>samples</b>.')
    // The field is empty again, which is not an error.
    await page.getByLabel('Write a note').focus()
    await page.getByLabel('Write a note').blur()
    await expect(page.getByText('This field is required.')).toHaveCount(0)

    await page.getByRole('button', { name: /^Follow-up date of Berkshire Hathaway/ }).click()
    await page
      .getByRole('dialog', { name: 'Follow-up date of Berkshire Hathaway' })
      .getByRole('button', { name: 'Tomorrow' })
      .click()
    await expect(page.getByText('Are you sure you want to change the followup date?')).toBeVisible()
    await expect(
      page.getByRole('dialog', { name: 'Are you sure you want to change the followup date?' }),
    ).toContainText('Berkshire Hathaway: ')
    await page.getByRole('button', { name: 'Proceed' }).click()
    await expect(page.getByText('Date Changed!')).toBeVisible()
    await expect(page.getByText('Date Changed!')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Follow-up date of Berkshire Hathaway/ })).toBeFocused()

    await page.getByRole('button', { name: 'Reject Berkshire Hathaway' }).click()
    const rejection = page.getByRole('dialog', { name: 'Reject Berkshire Hathaway' })
    await expect(rejection.getByRole('textbox', { name: 'Reason' })).toBeFocused()
    await expect(rejection.getByText('This field is required.')).toHaveCount(0)
    await rejection.getByRole('button', { name: 'Reject' }).click()
    await expect(rejection.getByText('This field is required.')).toBeVisible()
    await rejection.getByRole('textbox', { name: 'Reason' }).fill('No budget before spring.')
    await rejection.getByRole('button', { name: 'Reject' }).click()
    await expect(page.getByText('Rejected: No budget before spring.')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('changed the status from')
    await expectAccessible(page)

    // Importing the same file again creates nothing.
    await page.goto('/demo-leads/import')
    await page.locator('input[type=file]').setInputFiles(companies)
    await page.getByRole('button', { name: 'Upload file' }).click()
    await page.getByRole('button', { name: 'Preview import' }).click()
    await expect(page.getByRole('button', { name: /^503 Duplicates/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled()
    quiet()
  })

  test("status and priority change in the row, and a refusal reverts the row with the server's message", async ({
    page,
  }) => {
    await asUser(page, 'crm')
    await enterLead(page, 'Changed In Its Row')
    const lead = row(page, 'Changed In Its Row')
    await lead.getByRole('button', { name: /^Status/ }).click()
    await page.getByRole('menuitem', { name: 'Qualified' }).click()
    await expect(lead.getByRole('button', { name: /^Status/ })).toContainText('Qualified')
    await lead.getByRole('button', { name: /^Priority/ }).click()
    // A choice made just before leaving the page is not lost.
    await page.getByRole('menuitem', { name: 'Urgent' }).evaluate((item: HTMLElement) => {
      item.click()
      location.reload()
    })
    await expect(lead).toContainText('Qualified')
    await expect(lead).toContainText('Urgent')
    await page.route('**/change-lead-status**', (route) =>
      route.fulfill({ status: 409, json: { message: 'Someone was faster.', request_id: 'x' } }),
    )
    await lead.getByRole('button', { name: /^Status/ }).click()
    await page.getByRole('menuitem', { name: 'Proposal' }).click()
    await expect(page.getByText('Someone was faster.')).toBeVisible()
    await expect(lead.getByRole('button', { name: /^Status/ })).toContainText('Qualified')
  })

  test("two browsers see each other's changes within a second", async ({ page, browser }) => {
    // Use a search, because other tests of this file create hundreds of leads, and a row that leaves the page
    // takes its open menu with it.
    const both = '/demo-leads?search=seen+by+both'
    await asUser(page, 'crm')
    await enterLeads(page, { companyName: 'Seen By Both' })
    await page.goto(both)
    const other = await (await browser.newContext()).newPage()
    await asUser(other, 'digital_marketing')
    // The first change comes before the live connection is there, which needs the configuration.
    const changed = Promise.withResolvers<void>()
    await other.route('**/api/config', async (route) => {
      await changed.promise
      await route.continue()
    })
    await other.goto(both)
    await expect(leadCell(other, 'Seen By Both')).toBeVisible()
    await row(page, 'Seen By Both')
      .getByRole('button', { name: /^Priority/ })
      .click()
    await page.getByRole('menuitem', { name: 'Urgent' }).click()
    await expect(row(page, 'Seen By Both').getByRole('button', { name: /^Priority/ })).toContainText('Urgent')
    changed.resolve()
    await expect(row(other, 'Seen By Both').getByRole('button', { name: /^Priority/ })).toContainText(
      'Urgent',
    )
    await enterLeads(page, { companyName: 'Seen By Both Later' })
    await expect(leadCell(other, 'Seen By Both Later')).toBeVisible()
    await other.context().close()
  })

  test('a new lead needs a company, keeps unsaved input through a reload, and warns before leaving', async ({
    page,
  }) => {
    await asUser(page, 'digital_marketing')
    await page.goto('/demo-leads')
    await page.getByRole('button', { name: 'New lead' }).first().click()
    const form = page.getByRole('dialog', { name: 'New lead' })
    await form.getByRole('button', { name: 'Create lead' }).click()
    await expect(form.getByText('This field is required.').first()).toBeVisible()
    await expect(form.getByRole('textbox', { name: 'Company' })).toBeFocused()
    await form.getByRole('textbox', { name: 'Company' }).fill('Kept Through A Reload')
    await form.getByLabel('Email').fill('no address')
    await form.getByLabel('Phone').click()
    await expect(form.getByText('Enter a valid email address.')).toBeVisible()
    await expectAccessible(page)
    await expect
      .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
      .toContain('Kept Through A Reload')
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByRole('button', { name: 'New lead' }).first().click()
    await expect(form.getByRole('textbox', { name: 'Company' })).toHaveValue('Kept Through A Reload')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByText('Discard unsaved changes?')).toBeVisible()
    await page.getByRole('button', { name: 'Proceed' }).click()
    await expect(form).toHaveCount(0)
  })

  test('a form closed while saving closes no other form, and reports a failed save', async ({ page }) => {
    await asUser(page, 'crm')
    await page.goto('/demo-leads')
    const held: (() => Promise<void>)[] = []
    await page.route('**/save-demo-requests', (route) => {
      held.push(() =>
        held.length === 1 ? route.continue() : route.fulfill({ status: 500, json: { message: 'It rains.' } }),
      )
    })
    const form = page.getByRole('dialog', { name: 'New lead' })
    const company = form.getByRole('textbox', { name: 'Company' })
    const open = () => page.getByRole('button', { name: 'New lead' }).first().click()
    await open()
    await company.fill('Closed While Saving')
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => held.length).toBe(1)
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await open()
    await company.fill('Typed Later')
    await held[0]!()
    await expect(page.getByText('Closed While Saving created.')).toBeVisible()
    await expect(company).toHaveValue('Typed Later')

    await page.keyboard.press('Control+Enter')
    await expect.poll(() => held.length).toBe(2)
    await page.keyboard.press('Escape')
    await expect(form).toHaveCount(0)
    await held[1]!()
    await expect(page.getByText('It rains. Not saved. Your changes are kept as a draft.')).toBeVisible()
    await open()
    await expect(company).toHaveValue('Typed Later')

    // Errors are in view at the end of a long form as well as at the beginning.
    await page.keyboard.press('Control+Enter')
    await expect.poll(() => held.length).toBe(3)
    await held[2]!()
    await expect(form.getByRole('alert')).toBeInViewport()
    await expectAccessible(page)
    await form.getByRole('button', { name: 'Discard draft' }).click()
  })

  test('markup in every text field stays text', async ({ page }) => {
    await asUser(page, 'crm')
    const markup = '<img src=x onerror="document.title=1">'
    await page.goto('/demo-leads')
    await page.getByRole('button', { name: 'New lead' }).first().click()
    const form = page.getByRole('dialog', { name: 'New lead' })
    for (const name of ['Company', 'Contact', 'Country', 'Contact role', 'Additional info', 'Answer', 'Join'])
      await form.getByRole('textbox', { name, exact: true }).fill(`${name} ${markup}`)
    await form.getByRole('button', { name: 'Create lead' }).click()
    await leadCell(page, `Company ${markup}`).click()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Company ${markup}`)
    const facts = properties(page)
    for (const name of ['Contact', 'Country', 'Contact role', 'Additional info', 'Answer', 'Join'])
      await expect(facts).toContainText(`${name} ${markup}`)
    expect(await page.locator('main img').count()).toBe(0)
    expect(await page.title()).not.toBe('1')
  })

  test('the list works by keyboard only', async ({ page }) => {
    await asUser(page, 'crm')
    await page.goto(all)
    await expect(page.getByRole('rowheader')).toHaveCount(20)
    await page.keyboard.press('/')
    await page.keyboard.type('clinic')
    await expect(page).toHaveURL(/search=clinic/)
    await expect(page.getByRole('rowheader').first()).toContainText(/clinic/i)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const name = await page.locator('tr:focus').getByRole('rowheader').textContent()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(name!)
    await page.goBack()
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  })

  test('on a phone leads are cards, and nothing overflows the page', async ({ browser }) => {
    const phone = await (
      await browser.newContext({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        colorScheme: 'dark',
      })
    ).newPage()
    await asUser(phone, 'crm')
    for (const address of [all, '/dashboard', '/demo-leads/import']) {
      await phone.goto(address)
      await expect(phone.getByRole('heading', { level: 1 })).toBeVisible()
      await phone.waitForLoadState('networkidle')
      expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    }
    await phone.goto(all)
    await expect(phone.getByRole('list', { name: 'Leads' }).getByRole('listitem')).toHaveCount(20)
    await expectAccessible(phone)
    await phone.getByRole('button', { name: 'Open menu' }).click()
    await phone.getByRole('link', { name: 'Leads' }).click()
    await phone.getByRole('list', { name: 'Leads' }).getByRole('link').first().click()
    await phone.getByRole('button', { name: /^Details:/ }).click()
    await expect(properties(phone)).toBeVisible()
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await phone.context().close()
  })

  test('a read-only user sees no buttons that change anything, and a user without access sends no requests', async ({
    page,
    browser,
  }) => {
    const admin = await (await browser.newContext()).newPage()
    await asUser(admin, 'super_admin')
    await changeGrants(admin, 9, { grant: ['crm_view', 'lead_list'] })
    await asUser(page, 'developer')
    await page.goto(all)
    await expect(page.getByRole('rowheader')).toHaveCount(20)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await expect(page.getByText('1 selected')).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection', exact: true }).click()
    for (const name of [
      /^Edit /,
      /^Reject /,
      /^More actions for/,
      'New lead',
      /^Status of/,
      /^Priority of/,
      /^Follow-up date of/,
    ])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Import', exact: true })).toHaveCount(0)
    const asked: string[] = []
    page.on(
      'request',
      (request) => request.url().includes('/api/admin/users/getdemo') && asked.push(request.url()),
    )
    // Without permission to open leads, their names are no links.
    await expect(page.getByRole('rowheader').getByRole('link')).toHaveCount(0)
    const settled = watchRequests(page)
    await page.goto('/demo-leads/lead/1')
    await expect(page.getByRole('navigation', { name: 'Breadcrumb' })).toBeVisible()
    await settled()
    expect(asked).toEqual([])
    await admin.context().close()
  })
})
