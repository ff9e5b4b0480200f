import { readFile } from 'node:fs/promises'
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
  undoLast,
  watchJoins,
} from './helpers.ts'
import { test } from './panel.ts'

const all = '/demo-leads?fromDate=all&toDate=all'

const bulk = (page: Page) => page.getByRole('group', { name: 'Selected rows' })

test('all matching leads are changed and undone from the toast, then from the undo history', async ({
  page,
}) => {
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  await enterLeads(
    page,
    ...Array.from({ length: 23 }, (_, index) => ({ companyName: `Bulk Laundry ${index}` })),
  )
  await page.goto(`${all}&search=bulk+laundry`)
  await page.getByRole('checkbox', { name: 'Select all leads on this page' }).check()
  await bulk(page).getByRole('button', { name: 'Select all 23 matching leads' }).click()
  await expect(bulk(page)).toContainText('All 23 matching leads selected')
  await expectAccessible(page)
  await bulk(page).getByRole('button', { name: 'Priority' }).click()
  await page.getByRole('menuitem', { name: 'Urgent' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(page.getByText('Priority set to Urgent: 23 leads.')).toBeVisible()
  await expect(row(page, 'Bulk Laundry 22').getByRole('button', { name: /^Priority/ })).toContainText(
    'Urgent',
  )
  await undoLast(page).click()
  await expect(row(page, 'Bulk Laundry 22').getByRole('button', { name: /^Priority/ })).toContainText('None')

  // All stay selected, including the rows on every page, until a checkbox is changed.
  await expect(bulk(page)).toContainText('All 23 matching leads selected')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page.getByRole('checkbox', { name: 'Select Bulk Laundry 2', exact: true })).toBeChecked()
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 22' }).uncheck()
  await expect(bulk(page)).toContainText('19 selected')
  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 22' }).check()
  await bulk(page).getByRole('button', { name: 'Select all 23 matching leads' }).click()
  await page.getByRole('checkbox', { name: 'Select all leads on this page' }).uncheck()
  await expect(bulk(page)).toHaveCount(0)

  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 22' }).check()
  await page.getByRole('checkbox', { name: 'Select Bulk Laundry 21' }).check()
  await expect(bulk(page)).toContainText('2 selected')
  await bulk(page).getByRole('button', { name: 'Move to trash' }).click()
  await expect(leadCell(page, 'Bulk Laundry 22')).toHaveCount(0)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Trash', exact: true }).click()
  await expect(page.getByText('Bulk Laundry 22')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Restore Bulk Laundry 21' }).click()
  await expect(page.getByText('Restored: 1 lead.')).toBeVisible()
  await page.goto('/demo-leads/operations')
  await expect(page.getByRole('list', { name: 'Undo history' })).toContainText('Moved to trash: 2 leads')
  await page.getByRole('button', { name: 'Show later changes: Moved to trash: 2 leads' }).click()
  await expect(page.getByRole('list', { name: 'Leads changed since then' })).toContainText('Bulk Laundry 21')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo Moved to trash: 2 leads' }).click()
  await expect(page.getByRole('dialog', { name: 'Undo “Moved to trash: 2 leads”?' })).toContainText(
    '1 of 2 leads can be restored.',
  )
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(
    page.getByText(/Undone: 1 lead restored\. One was skipped because it has changed since then\./),
  ).toBeVisible()
  await page.goto(`${all}&search=bulk+laundry`)
  await expect(leadCell(page, 'Bulk Laundry 22')).toBeVisible()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
  expect((await readFile(await (await download).path(), 'utf8')).trim().split('\n')).toHaveLength(24)
  quiet()
})

test('on a phone, cards are selected, changed in bulk, trashed, restored, and sorted', async ({
  browser,
}) => {
  const phone = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  ).newPage()
  const cards = phone.getByRole('list', { name: 'Leads' }).getByRole('listitem')
  const card = (company: string) => cards.filter({ has: leadCell(phone, company) })
  const tick = (name: string) => phone.getByRole('checkbox', { name: `Select ${name}`, exact: true })
  await asUser(phone, 'crm')
  const names = [
    'Pocket Mangle',
    'Pocket Airer',
    ...Array.from({ length: 9 }, (_, index) => `Pocket Press ${index}`),
  ]
  await enterLeads(
    phone,
    ...names.map((companyName, index) => ({ companyName, lead_date: `2026-03-${10 + index}` })),
  )
  await phone.goto(`${all}&search=pocket`)
  await expect(cards).toHaveCount(11)
  await expect(phone.getByRole('button', { name: 'Columns' })).toHaveCount(0)

  await tick('all leads on this page').tap()
  await expect(bulk(phone)).toContainText('11 selected')
  await tick('all leads on this page').tap()
  await expect(bulk(phone)).toHaveCount(0)

  await tick('Pocket Mangle').tap()
  await tick('Pocket Airer').tap()
  await expect(card('Pocket Airer')).toBeInViewport()
  await expect(bulk(phone)).toContainText('2 selected')
  // These are the last rows of the list, but the actions for them are still in view.
  await expect(bulk(phone)).toBeInViewport({ ratio: 1 })
  await expectAccessible(phone)
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  const room = (await phone
    .locator('label')
    .filter({ has: tick('Pocket Airer') })
    .boundingBox())!
  expect(Math.min(room.width, room.height)).toBeGreaterThanOrEqual(24)

  await bulk(phone).getByRole('button', { name: 'Priority' }).tap()
  await phone.getByRole('menuitem', { name: 'Urgent' }).tap()
  const priority = (company: string) => card(company).getByRole('button', { name: /^Priority/ })
  await expect(priority('Pocket Mangle')).toContainText('Urgent')
  await expect(priority('Pocket Airer')).toContainText('Urgent')
  await undoLast(phone).tap()
  await expect(priority('Pocket Mangle')).toContainText('None')
  await expect(priority('Pocket Airer')).toContainText('None')
  // A change keeps the selection.
  await expect(bulk(phone)).toContainText('2 selected')
  await bulk(phone).getByRole('button', { name: 'Clear selection' }).tap()

  await expect(cards.first()).toContainText('Pocket Press 8')
  await phone.getByRole('combobox', { name: 'Sort by' }).selectOption('Company')
  await expect(cards.first()).toContainText('Pocket Airer')
  await phone.getByRole('button', { name: 'Descending', pressed: false }).tap()
  await expect(cards.first()).toContainText('Pocket Press 8')
  await expect(phone).toHaveURL(/column=companyName/)

  await tick('Pocket Mangle').tap()
  await bulk(phone).getByRole('button', { name: 'Move to trash' }).tap()
  await expect(card('Pocket Mangle')).toHaveCount(0)
  await phone.getByRole('button', { name: 'More', exact: true }).tap()
  await phone.getByRole('menuitem', { name: 'Trash', exact: true }).tap()
  await expectAccessible(phone)
  await phone.getByRole('button', { name: 'Restore Pocket Mangle' }).tap()
  await expect(phone.getByText('Restored: 1 lead.')).toBeVisible()
  await phone.goto(`${all}&search=pocket`)
  await expect(card('Pocket Mangle')).toBeVisible()
  await phone.context().close()
})

test('two users on one lead see each other, and are asked only about fields that both changed', async ({
  browser,
}) => {
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
    await expect(properties(page)).toBeVisible()
  }
  await expect(paula.getByRole('status', { name: 'Also viewing' })).toContainText(
    'Martin Keller is also viewing this',
  )
  await expect(martin.getByRole('status', { name: 'Also viewing' })).toContainText(
    'Paula Ferreira is also viewing this',
  )
  const form = (page: Page) => page.getByRole('dialog', { name: 'Edit Shared Linen' })
  for (const page of [paula, martin]) {
    await chooseFromMore(page, 'Edit lead')
    await expect(form(page).getByLabel('Phone')).toBeVisible()
  }
  await form(paula).getByLabel('Phone').fill('111')
  await form(paula).getByLabel('Country').fill('Norway')
  await paula.keyboard.press('Control+Enter')
  await expect(paula.getByText('Shared Linen saved.')).toBeVisible()
  await form(martin).getByLabel('Phone').fill('222')
  await form(martin).getByLabel('Contact', { exact: true }).fill('Ivo Rask')
  await martin.keyboard.press('Control+Enter')
  const dialog = martin.getByRole('dialog', { name: 'Someone else changed Shared Linen' })
  await expect(dialog.getByRole('group', { name: 'Phone' })).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Country' })).toHaveCount(0)
  await expectAccessible(martin)
  await dialog.getByRole('radio', { name: /Saved version/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(martin.getByText('Shared Linen saved.')).toBeVisible()
  const facts = properties(martin)
  for (const text of ['111', 'Norway', 'Ivo Rask']) await expect(facts).toContainText(text)
  await martin.goto('/demo-leads/follow-ups')
  await expect(paula.getByRole('status', { name: 'Also viewing' })).not.toContainText('Martin')
})

test("a draft does not revert another user's change made before it is opened again", async ({
  page,
  browser,
}) => {
  const company = 'Draft Linen'
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: company, phone: '100' })
  await page.goto(`${all}&search=draft+linen`)
  const form = page.getByRole('dialog', { name: `Edit ${company}` })
  const open = () => page.getByRole('button', { name: `Edit ${company}` }).click()
  await open()
  await form.getByLabel('Phone').fill('222')
  await form.getByLabel('Contact', { exact: true }).fill('Ivo Rask')
  // The draft is stored shortly after the last keystroke.
  await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage).includes('Ivo Rask'))).toBe(true)
  await page.goto('/favicon.png')

  const martin = await (await browser.newContext()).newPage()
  await asUser(martin, 'admin')
  await martin.goto(`${all}&search=draft+linen`)
  await martin.getByRole('button', { name: `Edit ${company}` }).click()
  const martins = martin.getByRole('dialog', { name: `Edit ${company}` })
  await martins.getByLabel('Phone').fill('111')
  await martins.getByLabel('Country').fill('Norway')
  await martin.keyboard.press('Control+Enter')
  await expect(martins).toHaveCount(0)

  await page.goto(`${all}&search=draft+linen`)
  await open()
  await expect(
    form.getByText(/^Restored your draft from .*Someone else has changed some of these fields since then/),
  ).toBeVisible()
  await expect(form.getByLabel('Phone')).toHaveValue('222')
  await expect(form.getByLabel('Country')).toHaveValue('Norway')
  await page.keyboard.press('Control+Enter')
  const dialog = page.getByRole('dialog', { name: `Someone else changed ${company}` })
  await expect(dialog.getByRole('group', { name: 'Phone' })).toBeVisible()
  await expect(dialog.getByRole('group', { name: 'Contact' })).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await expect(form.getByText('Someone else changed this after you started editing.')).toBeVisible()
  await page.keyboard.press('Control+Enter')
  await dialog.getByRole('radio', { name: /Saved version/ }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`${company} saved.`)).toBeVisible()
  await leadCell(page, company).click()
  const facts = properties(page)
  for (const text of ['111', 'Norway', 'Ivo Rask']) await expect(facts).toContainText(text)
})

test('a permission revoked while a form is open refuses the save with a message, and the input stays', async ({
  browser,
}) => {
  const company = 'Revoked Linen'
  const [admin, heard, deaf] = (await Promise.all(
    [0, 1, 2].map(async () => (await browser.newContext()).newPage()),
  )) as [Page, Page, Page]
  await asUser(admin, 'super_admin')
  await enterLeads(admin, { companyName: company })
  await changeGrants(admin, 10, { grant: ['lead_list', 'lead_detail', 'lead_edit'] })
  // One tab is notified of its changed permissions immediately; the other has no live connection.
  await deaf.route('**/socket.io/**', (route) => route.abort())
  await deaf.routeWebSocket(/socket\.io/, (socket) => socket.close())
  const form = (page: Page) => page.getByRole('dialog', { name: `Edit ${company}` })
  for (const page of [heard, deaf]) {
    await asUser(page, 'csm')
    const { connected } = watchJoins(page)
    await page.goto(`${all}&search=revoked+linen`)
    if (page === heard) await connected
    await page.getByRole('button', { name: `Edit ${company}` }).click()
    await form(page).getByLabel('Phone').fill('0451 99')
  }
  await changeGrants(admin, 10, { revoke: ['lead_edit'] })

  await expect(
    form(heard).getByText('You no longer have permission to save this. Your changes are still here.'),
  ).toBeVisible()
  await expect(form(heard).getByRole('button', { name: 'Save' })).toBeDisabled()
  await expectAccessible(heard)
  await expect(form(deaf).getByRole('button', { name: 'Save' })).toBeEnabled()
  await form(deaf).getByRole('button', { name: 'Save' }).click()
  await expect(form(deaf).getByRole('alert')).toContainText('You don’t have permission to do this.')
  for (const page of [heard, deaf]) await expect(form(page).getByLabel('Phone')).toHaveValue('0451 99')

  await changeGrants(admin, 10, { grant: ['lead_edit'] })
  await expect(form(heard).getByRole('button', { name: 'Save' })).toBeEnabled()
  await form(heard).getByRole('button', { name: 'Save' }).click()
  await expect(heard.getByText(`${company} saved.`)).toBeVisible()
  await changeGrants(admin, 10, { revoke: ['lead_list', 'lead_detail', 'lead_edit'] })
})

test('an existing lead is named while a duplicate is typed, and the two are merged', async ({ page }) => {
  await asUser(page, 'crm')
  await enterLeads(
    page,
    { companyName: 'Twice Hotel', phone: '111' },
    { companyName: 'Twice Hotel AS', email: 'info@twice.example' },
  )
  await page.goto(`${all}&search=twice`)
  await page.getByRole('button', { name: 'New lead' }).first().click()
  const form = page.getByRole('dialog', { name: 'New lead' })
  await form.getByRole('textbox', { name: 'Company' }).fill('twice hotel')
  // The other one differs only in its legal form.
  await expect(form.getByText('This looks like existing leads for this product:')).toBeVisible()
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await page.getByRole('checkbox', { name: 'Select Twice Hotel', exact: true }).check()
  await page.getByRole('checkbox', { name: 'Select Twice Hotel AS' }).check()
  await bulk(page).getByRole('button', { name: 'Merge' }).click()
  const merge = page.getByRole('dialog', { name: 'Merge leads' })
  await expect(merge.getByRole('group', { name: 'Company' })).toBeVisible()
  await expectAccessible(page)
  await merge.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText(/Leads merged\./)).toBeVisible()
  await expect(page.getByRole('rowheader')).toHaveCount(1)
  await undoLast(page).click()
  await expect(page.getByRole('rowheader')).toHaveCount(2)
})

test("on a lead's page a change is undone and redone, the lead is merged with another, and the other moves to the trash", async ({
  page,
}) => {
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  const [kept, other] = await enterLeads(
    page,
    { companyName: 'Merge Me Laundry', country: 'Norway' },
    { companyName: 'Merge Twin Laundry', phone: '777' },
  )
  await page.goto(`/demo-leads/lead/${other}`)
  await page.getByRole('button', { name: /^Status of/ }).click()
  await page.getByRole('menuitem', { name: 'Contacted' }).click()
  // The timeline offers Undo and Redo as well, as soon as it has reloaded.
  await undoLast(page).click()
  await expect(page.getByRole('button', { name: /^Status of/ })).toContainText('New')
  await page.getByRole('button', { name: 'Redo' }).first().click()
  await expect(page.getByRole('button', { name: /^Status of/ })).toContainText('Contacted')

  await chooseFromMore(page, 'Merge with another lead')
  await page.getByRole('searchbox', { name: 'Search for a lead to merge' }).fill('merge me')
  await page.getByRole('dialog').getByRole('button', { name: 'Merge Me Laundry' }).click()
  const merging = page.getByRole('dialog', { name: 'Merge leads' })
  await expect(merging).toContainText('moves to trash')
  await expectAccessible(page)
  await merging.getByRole('button', { name: 'Merge', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/(${kept}|${other})$`))
  await expect(page.getByText(/Merged: 2 leads/).first()).toBeVisible()

  await chooseFromMore(page, 'Move to trash')
  await expect(page.getByRole('table')).toBeVisible()
  // Below the list, the last action can still be undone after its toast has disappeared.
  await undoLast(page).click()
  await expect(page.getByText(/^Undone: .* restored\.$/)).toBeVisible()
  quiet()
})
