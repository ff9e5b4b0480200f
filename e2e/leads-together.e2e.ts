import { readFile } from 'node:fs/promises'
import { expect, test, type Page } from '@playwright/test'
import { asUser, changeGrants, enterLeads, expectAccessible, expectQuietConsole, leadCell, row } from './helpers.ts'

const all = '/demo-leads?fromDate=all&toDate=all'

const bulk = (page: Page) => page.getByRole('group', { name: 'Selected leads' })

test('all that match are changed at once and undone from the toast, then from the list of operations', async ({ page }) => {
  test.setTimeout(120_000)
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  await enterLeads(page, ...Array.from({ length: 23 }, (_, index) => ({ companyName: `Bulk Laundry ${index}` })))
  await page.goto(`${all}&search=bulk+laundry`)
  await page.getByRole('checkbox', { name: 'Select all leads of this page' }).check()
  await bulk(page).getByRole('button', { name: 'Select all 23 that match' }).click()
  await expect(bulk(page)).toContainText('All 23 that match')
  await expectAccessible(page)
  await bulk(page).getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'Urgent' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(page.getByText('Priority set to Urgent: 23 leads.')).toBeVisible()
  await expect(row(page, 'Bulk Laundry 22').getByRole('button', { name: /^Priority/ })).toContainText('Urgent')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(row(page, 'Bulk Laundry 22').getByRole('button', { name: /^Priority/ })).toContainText('None')

  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 22' }).check()
  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 21' }).check()
  await bulk(page).getByRole('button', { name: 'Move to the trash' }).click()
  await expect(leadCell(page, 'Bulk Laundry 22')).toHaveCount(0)
  await page.getByRole('link', { name: 'Trash' }).click()
  await expect(page.getByText('Bulk Laundry 22')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore Bulk Laundry 21' }).click()
  await expect(page.getByText('One lead is restored.')).toBeVisible()
  await page.goto('/demo-leads/operations')
  await expect(page.getByRole('list', { name: 'Operations' })).toContainText('Moved to the trash: 2 leads')
  await page.getByRole('button', { name: 'Changed since: Moved to the trash: 2 leads' }).click()
  await expect(page.getByRole('list', { name: 'Changed since' })).toContainText('Bulk Laundry 21')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo Moved to the trash: 2 leads' }).click()
  await expect(page.getByText(/One lead is as before\. One was changed since and left alone\./)).toBeVisible()
  await page.goto(`${all}&search=bulk+laundry`)
  await expect(leadCell(page, 'Bulk Laundry 22')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as CSV' }).click()
  expect((await readFile(await (await download).path(), 'utf8')).trim().split('\n')).toHaveLength(24)
  quiet()
})

test('two people on one lead see each other, and are asked only about what both changed', async ({ browser }) => {
  test.setTimeout(120_000)
  const open = async (user: string) => {
    const page = await (await browser.newContext()).newPage()
    await asUser(page, user)
    return page
  }
  const [paula, martin] = [await open('crm'), await open('admin')]
  await enterLeads(paula, { companyName: 'Shared Linen' })
  for (const page of [paula, martin]) {
    await page.goto(`${all}&search=shared+linen`)
    await leadCell(page, 'Shared Linen').click()
    await expect(page.getByRole('region', { name: 'Facts' })).toBeVisible()
  }
  await expect(paula.getByRole('status', { name: 'Also here' })).toContainText('Martin Keller has this open too')
  await expect(martin.getByRole('status', { name: 'Also here' })).toContainText('Paula Ferreira has this open too')
  const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Shared Linen' })
  for (const page of [paula, martin]) {
    await page.getByRole('button', { name: 'Edit Shared Linen' }).click()
    await expect(form(page).getByLabel('Phone')).toBeVisible()
  }
  await form(paula).getByLabel('Phone').fill('111')
  await form(paula).getByLabel('Country').fill('Norway')
  await paula.keyboard.press('Control+Enter')
  await expect(paula.getByText('Shared Linen is saved.')).toBeVisible()
  await form(martin).getByLabel('Phone').fill('222')
  await form(martin).getByLabel('Contact', { exact: true }).fill('Ivo Rask')
  await martin.keyboard.press('Control+Enter')
  const dialog = martin.getByRole('dialog', { name: 'Shared Linen was changed meanwhile' })
  await expect(dialog.getByRole('group', { name: 'Phone' })).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Country' })).toHaveCount(0)
  await expectAccessible(martin)
  await dialog.getByRole('radio', { name: /Saved meanwhile/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(martin.getByText('Shared Linen is saved.')).toBeVisible()
  const facts = martin.getByRole('region', { name: 'Facts' })
  for (const text of ['111', 'Norway', 'Ivo Rask']) await expect(facts).toContainText(text)
  await martin.goto('/demo-leads/trash')
  await expect(paula.getByRole('status', { name: 'Also here' })).not.toContainText('Martin')
})

test('a draft does not undo what somebody else changed before it is opened again', async ({ page, browser }) => {
  test.setTimeout(90_000)
  const company = 'Draft Linen'
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: company, phone: '100' })
  await page.goto(`${all}&search=draft+linen`)
  const form = page.getByRole('dialog', { name: `Edit ${company}` })
  const open = () => page.getByRole('button', { name: `Edit ${company}` }).click()
  await open()
  await form.getByLabel('Phone').fill('222')
  await form.getByLabel('Contact', { exact: true }).fill('Ivo Rask')
  // The draft is kept a moment after the last key.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).includes('Ivo Rask'))).toBe(true)
  await page.goto('/favicon.svg')

  const martin = await (await browser.newContext()).newPage()
  await asUser(martin, 'admin')
  await martin.goto(`${all}&search=draft+linen`)
  await martin.getByRole('button', { name: `Edit ${company}` }).click()
  const his = martin.getByRole('dialog', { name: `Edit ${company}` })
  await his.getByLabel('Phone').fill('111')
  await his.getByLabel('Country').fill('Norway')
  await martin.keyboard.press('Control+Enter')
  await expect(his).toHaveCount(0)

  await page.goto(`${all}&search=draft+linen`)
  await open()
  await expect(form.getByText(/is back\. Some of it was changed by somebody else since/)).toBeVisible()
  await expect(form.getByLabel('Phone')).toHaveValue('222')
  await expect(form.getByLabel('Country')).toHaveValue('Norway')
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: `${company} was changed meanwhile` })
  await expect(dialog.getByRole('group', { name: 'Phone' })).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Contact' })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Go on editing' }).click()
  await expect(form.getByText('Somebody changed this lead after you typed this.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('radio', { name: /Saved meanwhile/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${company} is saved.`)).toBeVisible()
  await leadCell(page, company).click()
  const facts = page.getByRole('region', { name: 'Facts' })
  for (const text of ['111', 'Norway', 'Ivo Rask']) await expect(facts).toContainText(text)
})

test('a right that is revoked while a form is open refuses the save with words, and what was typed stays', async ({ browser }) => {
  test.setTimeout(90_000)
  const company = 'Revoked Linen'
  const [admin, heard, deaf] = (await Promise.all([0, 1, 2].map(async () => (await browser.newContext()).newPage()))) as [Page, Page, Page]
  await asUser(admin, 'super_admin')
  await enterLeads(admin, { companyName: company })
  await changeGrants(admin, 11, { grant: ['crm_view', 'lead_list', 'lead_detail', 'lead_edit'] })
  // One tab hears of its rights at once; the other has no live connection.
  await deaf.route('**/socket.io/**', (route) => route.abort())
  await deaf.routeWebSocket(/socket\.io/, (socket) => socket.close())
  const form = (page: Page) => page.getByRole('dialog', { name: `Edit ${company}` })
  for (const page of [heard, deaf]) {
    await asUser(page, 'adh_helper')
    const joined = page === heard ? page.waitForResponse((answer) => answer.request().postData()?.includes('private-staff.') ?? false) : undefined
    await page.goto(`${all}&search=revoked+linen`)
    await joined
    await page.getByRole('button', { name: `Edit ${company}` }).click()
    await form(page).getByLabel('Phone').fill('0451 99')
  }
  await changeGrants(admin, 11, { revoke: ['lead_edit'] })

  await expect(form(heard).getByText('You are not allowed to do this any more. What you typed stays here.')).toBeVisible({ timeout: 15_000 })
  await expect(form(heard).getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(heard)
  await expect(form(deaf).getByRole('button', { name: 'Save' })).toBeEnabled()
  await form(deaf).getByRole('button', { name: 'Save' }).click()
  await expect(form(deaf).getByRole('alert')).toContainText('You are not allowed to do this.')
  for (const page of [heard, deaf]) await expect(form(page).getByLabel('Phone')).toHaveValue('0451 99')

  await changeGrants(admin, 11, { grant: ['lead_edit'] })
  await expect(form(heard).getByRole('button', { name: 'Save' })).toBeEnabled({ timeout: 15_000 })
  await form(heard).getByRole('button', { name: 'Save' }).click()
  await expect(heard.getByText(`${company} is saved.`)).toBeVisible()
  await changeGrants(admin, 11, { revoke: ['crm_view', 'lead_list', 'lead_detail', 'lead_edit'] })
})

test('a lead that is there already is named while it is entered again, and two are merged', async ({ page }) => {
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: 'Twice Hotel', phone: '1' }, { companyName: 'Twice Hotel AS', email: 'info@twice.example' })
  await page.goto(`${all}&search=twice`)
  await page.getByRole('button', { name: 'New lead' }).first().click()
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByRole('textbox', { name: 'Company' }).fill('twice hotel')
  await expect(form.getByText('There is a lead like this already:')).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await page.getByRole('checkbox', { name: 'Select Twice Hotel', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select Twice Hotel AS' }).check()
  await bulk(page).getByRole('button', { name: 'Merge' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge two leads' })
  await expect(merge.getByRole('group', { name: 'E-mail' })).toBeVisible()
  await expectAccessible(page)
  await merge.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText(/The two leads are one\./)).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('rowheader')).toHaveCount(2)
})
