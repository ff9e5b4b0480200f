import { readFileSync } from 'node:fs'
import { expect, type Page } from '@playwright/test'
import {
  asUser,
  chooseOrganization,
  enterLeads,
  expectAccessible,
  expectQuietConsole,
  row,
  undoLast,
} from './helpers.ts'
import { mailsTo, partsOf } from './received-mails.ts'
import { test } from './panel.ts'

const companies = readFileSync('src/features/crm/leads/import/server/fixtures/companies.csv', 'utf8')

/** Opens a stage's form and completes the stage. */
async function complete(page: Page, stage: string, company: string): Promise<void> {
  await page.getByRole('button', { name: `Schedule or complete ${stage}`, exact: true }).click()
  const form = page.getByRole('dialog', { name: `${stage}: ${company}` })
  await form.getByRole('switch', { name: 'Completed' }).click()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${stage} completed.`)).toBeVisible()
  await expect(form).toHaveCount(0)
}

test('a company of the real list goes from lead to live: its meeting is after a clock change, and its link arrives once', async ({
  browser,
}) => {
  const company = /^[A-Z.]+,(A\. O\. Smith),/m.exec(companies)![1]!
  const address = 'ida.berg@aosmith.example'
  const paula = await (await browser.newContext()).newPage()
  const quiet = expectQuietConsole(paula)
  await asUser(paula, 'crm')
  const [id] = await enterLeads(paula, {
    companyName: company,
    contactName: 'Ida Berg',
    email: address,
    timezone: 'US/Eastern',
  })
  await paula.goto(`/demo-leads/a-o-smith/${id}`)
  await paula.getByRole('button', { name: 'Create organization' }).click()
  const win = paula.getByRole('dialog', { name: `Organization for ${company}` })
  await win.getByRole('button', { name: 'Create organization' }).click()
  await expect(paula).toHaveURL(/\/on-boarding\/details\/a-o-smith\/\d+$/)
  const onboarding = paula.url()
  await paula.context().close()
  quiet()

  // Role 5 has no permissions for leads, but carries out the onboarding.
  const lucia = await (await browser.newContext()).newPage()
  const calm = expectQuietConsole(lucia)
  await asUser(lucia, 'data_entry')
  await lucia.goto('/on-boarding')
  await lucia.getByRole('searchbox').fill('O. Smith')
  await lucia.getByRole('link', { name: company }).first().click()
  await expect(lucia).toHaveURL(onboarding)
  await expect(lucia.getByRole('region', { name: 'Onboarding' }).getByRole('link')).toHaveCount(0)
  await lucia.getByRole('button', { name: 'Schedule or complete Kickoff' }).click()
  const step = lucia.getByRole('dialog', { name: `Kickoff: ${company}` })
  // On March 14, 2027, clocks in the United States go forward; in Europe, they go forward on March 28.
  await step.getByLabel('Scheduled for').fill('2027-03-14T02:30')
  await expect(step.getByText('because the clocks go forward').first()).toBeVisible()
  await step.getByLabel('Scheduled for').fill('2027-03-15T10:00')
  await step.getByLabel('Meeting link').fill('https://meet.example/kick-off')
  await expectAccessible(lucia)
  await step.getByRole('button', { name: 'Save' }).click()
  await expect(lucia.getByText('Kickoff saved.')).toBeVisible()
  await expect(lucia.getByRole('region', { name: 'Stages' })).toContainText('15 Mar 2027, 15:00 10:00 EDT')

  await lucia.getByRole('button', { name: 'Send meeting link' }).click()
  const link = lucia.getByRole('dialog', { name: `Meeting link for ${company}` })
  await expect(link.getByLabel('Recipients')).toHaveValue(address)
  await expectAccessible(lucia)
  // An error shows exactly the specified message, and the input stays.
  await lucia.route('**/api/**/send-meeting-link', (route) =>
    route.fulfill({ status: 422, json: { success: false, message: 'Not now.', errors: {} } }),
  )
  await link.getByRole('button', { name: 'Send to 1 recipient' }).click()
  await expect(lucia.getByText('OOPS! Something Went Wrong...')).toBeVisible()
  await expect(link.getByRole('textbox', { name: 'Meeting link' })).toHaveValue(
    'https://meet.example/kick-off',
  )
  await lucia.unroute('**/api/**/send-meeting-link')
  await link.getByRole('button', { name: 'Send to 1 recipient' }).click()
  await expect(lucia.getByText('Sending the meeting link to 1 recipient.')).toBeVisible()
  await expect.poll(() => mailsTo(address).length).toBe(1)
  const text = partsOf(mailsTo(address)[0]!.raw).get('text/plain')!
  expect(text).toContain('15 Mar 2027 at 10:00 (US/Eastern, EDT)')
  expect(text).toContain('https://meet.example/kick-off')

  for (const stage of ['Kickoff', 'Data and accounts', 'Setup', 'Training', 'Go-live'])
    await complete(lucia, stage, company)
  await expect(lucia.getByRole('region', { name: 'Onboarding', exact: true })).toContainText('5 of 5')
  expect(await lucia.evaluate(() => localStorage.getItem('onboarding_status'))).toBe('completed')
  await lucia.goto('/on-boarding?tab=completed&search=O.+Smith')
  await expect(lucia.getByRole('link', { name: company }).first()).toBeVisible()
  expect(mailsTo(address)).toHaveLength(1)

  // The user's data is gone from the browser after logout.
  await lucia.getByRole('button', { name: /Lucia Moretti/ }).click()
  await lucia.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(lucia).toHaveURL(/\/login/)
  await expect
    .poll(() =>
      lucia.evaluate(() =>
        ['onboarding_status', 'organizations', 'users'].map((key) => localStorage.getItem(key)),
      ),
    )
    .toEqual([null, null, null])
  calm()
})

test('role 2 wins a lead, lands on its onboarding, and completes the first stage', async ({ page }) => {
  const company = 'Journey Linen'
  await asUser(page, 'crm')
  const [id] = await enterLeads(page, {
    companyName: company,
    contactName: 'Ida Berg',
    email: 'ida@journey.example',
    timezone: 'Europe/Berlin',
  })
  await page.goto(`/demo-leads/journey-linen/${id}`)
  await page.getByRole('button', { name: 'Create organization' }).click()
  const form = page.getByRole('dialog', { name: `Organization for ${company}` })
  await expect(form.getByLabel('First name')).toHaveValue('Ida')
  await form.getByRole('button', { name: 'Create organization' }).click()
  await expect(page).toHaveURL(/\/on-boarding\/details\/journey-linen\/\d+$/)
  await expect(page.getByRole('progressbar', { name: `Progress of ${company}` })).toHaveAttribute('max', '5')
  await page.getByRole('button', { name: 'Schedule or complete Kickoff' }).click()
  const step = page.getByRole('dialog', { name: `Kickoff: ${company}` })
  await step.getByLabel('Scheduled for').fill('2027-03-28T02:30')
  await expect(step.getByText('because the clocks go forward').first()).toBeVisible()
  await step.getByLabel('Scheduled for').fill('2027-03-28T03:30')
  await step.getByRole('switch', { name: 'Completed' }).click()
  await step.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Kickoff completed.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Schedule or complete Data and accounts' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('onboarding_status'))).toBe('in_progress')

  // After the toast has disappeared, the stage can be undone and redone from the timeline.
  await page.reload()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await timeline.getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByRole('button', { name: 'Schedule or complete Kickoff' })).toBeVisible()
  await timeline.getByRole('button', { name: 'Redo' }).click()
  await expect(page.getByRole('button', { name: 'Schedule or complete Data and accounts' })).toBeVisible()

  // Another lead is linked to the existing organization, even though its name is not similar at all.
  const [other] = await enterLeads(page, { companyName: 'Quite Another', contactName: '', email: '' })
  await page.goto(`/demo-leads/quite-another/${other}`)
  await page.getByRole('button', { name: 'Create organization' }).click()
  const link = page.getByRole('dialog', { name: 'Organization for Quite Another' })
  await link.getByText('Existing organization').click()
  await chooseOrganization(link.getByRole('combobox', { name: 'Organization' }), company)
  await expect(link.getByRole('textbox', { name: 'Name', exact: true })).toHaveCount(0)
  await expectAccessible(page)
  await link.getByRole('button', { name: 'Link to organization' }).click()
  await expect(page.getByText(`Lead linked to ${company}.`)).toBeVisible()
})

test('a bulk status change reloads the page, and Undo reverts it', async ({ page }) => {
  await asUser(page, 'csm')
  await page.goto('/organizations/all-organizations?status=4')
  await expect(page.getByRole('rowheader').nth(1)).toBeVisible()
  const names = await page.getByRole('rowheader').allInnerTexts()
  expect(names.length).toBeGreaterThan(1)
  await row(page, names[0]!).getByRole('checkbox').check()
  await row(page, names[1]!).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Change status' }).click()
  // Any status other than the form's initial one: the reload must not ask whether to discard the choice.
  const asked: string[] = []
  page.on('dialog', (dialog) => {
    asked.push(dialog.type())
    void dialog.accept()
  })
  await page.getByRole('dialog').getByLabel('Status', { exact: true }).selectOption('Inactive')
  await expect(page.getByText('2 will change, 0 already have this status.')).toBeVisible()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('dialog').getByRole('button', { name: 'Change status' }).click()
  await expect(page.getByText('status changed!')).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await reloaded
  expect(asked).toEqual([])
  await expect(row(page, names[0]!)).toHaveCount(0)
  await undoLast(page).click()
  await expect(row(page, names[0]!)).toBeVisible()

  // Related records are listed before the organizations are moved to the trash.
  await page.route('**/api/admin/organization/used', (route) =>
    route.fulfill({
      json: {
        data: { customer_user: 1200, lead: 1, contract: 2 },
        documents: 1,
      },
    }),
  )
  await row(page, names[0]!).getByRole('checkbox').check()
  await row(page, names[1]!).getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Move to trash' }).click()
  await expect(page.getByRole('dialog', { name: 'Move 2 organizations to trash?' })).toContainText(
    'This also hides 1,200 customer users, 1 lead, 2 contracts, 1 document.',
  )
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByRole('group', { name: 'Selected rows' })).toContainText('2 selected')
  await expect(row(page, names[0]!)).toBeVisible()
})

test('two users with an organization open see each other', async ({ browser }) => {
  const open = async (user: string) => {
    const page = await (await browser.newContext()).newPage()
    await asUser(page, user)
    return page
  }
  const [daniel, martin] = [await open('csm'), await open('admin')]
  const others = (page: Page) => page.getByRole('status', { name: 'Also viewing' })
  for (const page of [daniel, martin]) await page.goto('/organizations/detail/any/0/1')
  await expect(others(daniel)).toHaveText('Martin Keller is also viewing this')
  await expect(others(martin)).toContainText('is also viewing this')
  await martin.goto('/organizations/all-organizations')
  await expect(others(daniel)).toBeEmpty()
})

test('a record opened from a list steps to its neighbors, across pages too, and back to its page of the list', async ({
  page,
}) => {
  await asUser(page, 'csm')
  await page.goto('/organizations/all-organizations?column=name&direction=asc')
  // Rows far down the list are not rendered yet.
  await page.getByRole('table').getByRole('row').nth(12).getByRole('link').first().click()
  const list = page.getByRole('navigation', { name: 'Record navigation' })
  const next = list.getByRole('button', { name: 'Next organization' })
  for (let place = 12; place < 20; place += 1) {
    await expect(list).toContainText(`${place} of 1`)
    await next.click()
  }
  await expect(list).toContainText('20 of 1')
  const [twentieth, name] = [page.url(), await page.getByRole('heading', { level: 1 }).textContent()]

  await next.click()
  await expect(list).toContainText('21 of 1')
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(name!)
  await list.getByRole('link', { name: 'Back to list' }).click()
  await expect(page).toHaveURL(/all-organizations\?.*column=name.*page=2$/)

  await page.getByRole('table').getByRole('row').nth(1).getByRole('link').first().click()
  await expect(list).toContainText('21 of 1')
  await page.keyboard.press('k')
  await expect(page).toHaveURL(twentieth)
  // A reload keeps the list, next page included; a page opened by its URL has no list to step through.
  await page.reload()
  await expect(list).toContainText('20 of 1')
  await next.click()
  await expect(list).toContainText('21 of 1')
  await next.click()
  await expect(list).toContainText('22 of 1')
  await page.goto(twentieth)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name!)
  await expect(list).toHaveCount(0)
})
