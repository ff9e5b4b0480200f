import { expect, type Page } from '@playwright/test'
import {
  asUser,
  enterLeads,
  expectAccessible,
  expectQuietConsole,
  holdUndo,
  leadCell,
  password,
  watchJoins,
} from './helpers.ts'
import { test } from './panel.ts'

/**
 * Creates leads assigned to the page's user; those with a follow-up date in 2020 come before all other leads.
 */
async function enter(page: Page, ...leads: object[]): Promise<number[]> {
  const assign_to = await page.evaluate(() => Number(localStorage.getItem('admin_id')))
  return enterLeads(page, ...leads.map((lead) => ({ assign_to, ...lead })))
}

/** Switches to a product, so that tests do not interfere with each other's leads. */
async function choose(page: Page, product: number): Promise<void> {
  await page.evaluate((id) => localStorage.setItem('product', String(id)), product)
}

const reminders = (page: Page) => page.getByRole('region', { name: /^My day/ })

/** A lead of the queue. */
const queued = (page: Page, name: string) =>
  page
    .getByRole('list', { name: 'Follow-ups' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name, exact: true }) })

const count = (page: Page, tab: string) =>
  page.getByRole('group', { name: 'Due', exact: true }).getByRole('button', { name: tab })

test('the queue works by keyboard: a lead is snoozed, the snooze is undone, and the next row gets the focus', async ({
  page,
}) => {
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  await choose(page, 2)
  await enter(
    page,
    { companyName: 'Queue Laundry', followup_date: '2020-01-01', lead_for: 2 },
    { companyName: 'Queue Hotel', followup_date: '2020-01-02', lead_for: 2 },
    { companyName: 'Queue Clinic', followup_date: '2020-01-03', lead_for: 2 },
  )
  await page.goto('/demo-leads')
  await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
  await page.getByRole('menuitem', { name: 'Follow-ups' }).press('Enter')
  await expect(leadCell(page, 'Queue Clinic')).toBeVisible()
  await expect(count(page, 'Overdue')).toContainText(/\d/)
  const overdue = Number(/\d+/.exec(await count(page, 'Overdue').innerText())![0])
  await page.keyboard.press('ArrowDown')
  await expect(queued(page, 'Queue Laundry')).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('t')
  await expect(queued(page, 'Queue Laundry')).toHaveCount(0)
  await expect(queued(page, 'Queue Hotel')).toBeFocused()
  await expect(page.getByText(/^Queue Laundry: follow-up moved to /)).toBeVisible()
  await expect(count(page, 'Overdue')).toContainText(String(overdue - 1))
  await page.keyboard.press('w')
  await expect(queued(page, 'Queue Clinic')).toBeFocused()
  await expect(count(page, 'Overdue')).toContainText(String(overdue - 2))
  // The last lead is restored with the undo key, and the tab shows the leads that were snoozed.
  await page.keyboard.press('u')
  await expect(queued(page, 'Queue Hotel')).toBeVisible()
  await page.keyboard.press('3')
  await expect(queued(page, 'Queue Laundry')).toBeVisible()
  await expect(queued(page, 'Queue Hotel')).toHaveCount(0)
  await page.keyboard.press('m')
  await expect(page.getByRole('button', { name: 'Everyone’s' })).toHaveAttribute('aria-pressed', 'true')
  // Until logout, the page reopens on the tab viewed last.
  await page.goto('/demo-leads/follow-ups')
  await expect(count(page, 'Next 7 days')).toHaveAttribute('aria-pressed', 'true')
  await expectAccessible(page)
  quiet()
})

test('the queue updates when another user works on it, and shows errors', async ({ page }) => {
  await asUser(page, 'crm')
  await choose(page, 3)
  const [id] = await enter(page, { companyName: 'Moved Away', followup_date: '2020-01-01', lead_for: 3 })
  let isRaining = true
  await page.route('**/get-demo-leads*', (route) =>
    isRaining ? route.fulfill({ status: 500, json: { message: 'It rains.' } }) : route.continue(),
  )
  await page.goto('/demo-leads/follow-ups')
  await expect(page.getByRole('alert')).toContainText('It rains.')
  isRaining = false
  // The list may have been read again already, when its live connection was made.
  await page
    .getByRole('button', { name: 'Retry' })
    .evaluateAll((found) => found.forEach((one) => (one as HTMLElement).click()))
  await expect(queued(page, 'Moved Away')).toBeVisible()
  await page.evaluate(
    (lead) =>
      fetch(`/api/admin/users/change-followup-date?id=${lead}&date=2030-01-01`, {
        headers: { Authorization: `Bearer ${localStorage.getItem('access_token')}` },
      }),
    id,
  )
  await expect(queued(page, 'Moved Away')).toHaveCount(0)
})

test('keys typed for the palette reach it, even before it has loaded', async ({ page }) => {
  await asUser(page, 'crm')
  await enter(page, { companyName: 'Westermark Typed', followup_date: '2020-01-01' })
  const changes: string[] = []
  page.on('request', (request) => request.url().includes('change-leads') && changes.push(request.url()))
  const typed = Promise.withResolvers<void>()
  await page.route('**/assets/*alette*.js', async (route) => {
    await typed.promise
    await route.continue()
  })
  await page.goto('/demo-leads/follow-ups')
  await expect(queued(page, 'Westermark Typed')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('westermark', { delay: 60 })
  typed.resolve()
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toHaveValue('westermark')
  await expect(page.getByRole('dialog').getByText('Westermark Typed')).toBeVisible()
  await page.keyboard.press('Escape')
  // Open the palette again, now that its code is loaded.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('sw')
  await expect(page.getByRole('textbox', { name: 'Search or jump to' })).toHaveValue('sw')
  // Pressing Ctrl+K while the palette is open must not take keys away from its other elements.
  await page.getByRole('textbox', { name: 'Search or jump to' }).fill('follow')
  await page
    .getByRole('dialog', { name: 'Search or jump to' })
    .getByRole('button', { name: /^Follow-ups/ })
    .focus()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toHaveCount(0)
  expect(changes).toEqual([])
})

test('previous and next lead: across pages, after a reload, and back to the list page', async ({ page }) => {
  const quiet = expectQuietConsole(page)
  await asUser(page, 'crm')
  await choose(page, 4)
  const ids = await enter(
    page,
    ...Array.from({ length: 22 }, (_, index) => ({ companyName: `Step Laundry ${22 - index}`, lead_for: 4 })),
  )
  const list = page.getByRole('navigation', { name: 'Record navigation' })
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  await page.goto('/demo-leads?search=step+laundry')
  await leadCell(page, 'Step Laundry 19').click()
  await expect(title('Step Laundry 19')).toBeVisible()
  await expect(list).toContainText('19 of 22')
  await list.getByRole('button', { name: 'Next lead' }).click()
  await expect(title('Step Laundry 20')).toBeVisible()
  await page.keyboard.press('j')
  await expect(title('Step Laundry 21')).toBeVisible()
  await page.reload()
  await expect(list).toContainText('21 of 22')
  await expectAccessible(page)
  await page.keyboard.press('k')
  await expect(title('Step Laundry 20')).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(title('Step Laundry 22')).toBeVisible()
  await expect(list.getByRole('button', { name: 'Next lead' })).toBeDisabled()
  await list.getByRole('link', { name: 'Back to list' }).click()
  await expect(page).toHaveURL('/demo-leads?search=step+laundry&page=2')
  await expect(leadCell(page, 'Step Laundry 21')).toBeVisible()

  // When a lead leaves the list, the next one takes its place; keys typed into a field are text.
  await page.goto('/demo-leads?search=step+laundry&status=1')
  await leadCell(page, 'Step Laundry 3').click()
  await expect(list).toContainText('3 of 22')
  await page.getByLabel('Write a note').fill('jjj')
  await expect(title('Step Laundry 3')).toBeVisible()
  await page.getByLabel('Write a note').fill('')
  await page.getByRole('button', { name: 'Status of Step Laundry 3' }).click()
  await page.getByRole('menuitem', { name: 'Qualified' }).click()
  // Its place stays, although another lead has it now.
  await expect(list).toContainText('3 of 21')
  await list.getByRole('button', { name: 'Next lead' }).click()
  await expect(title('Step Laundry 4')).toBeVisible()
  await expect(list).toContainText('3 of 21')
  // The browser's Back button takes a single step back to the list.
  await page.goBack()
  await expect(page).toHaveURL('/demo-leads?search=step+laundry&status=1')
  // A lead opened by a direct link has no list to step through.
  await page.goto(`/demo-leads/step/${ids[0]}`)
  await expect(title('Step Laundry 22')).toBeVisible()
  await expect(list).toHaveCount(0)
  quiet()
})

test('keys pressed before the next lead has loaded, or faster than its page loads, count as steps', async ({
  page,
}) => {
  await asUser(page, 'crm')
  await choose(page, 4)
  await enter(
    page,
    ...Array.from({ length: 23 }, (_, index) => ({
      companyName: `Quick Laundry ${23 - index}`,
      lead_for: 4,
    })),
  )
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  const list = page.getByRole('navigation', { name: 'Record navigation' })
  const press = (keys: string) =>
    page.evaluate((all) => {
      for (const key of all)
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }, keys)
  let answer = () => {}
  const held = new Promise<void>((done) => (answer = done))
  await page.goto('/demo-leads?search=quick+laundry')
  await leadCell(page, 'Quick Laundry 17').click()
  await expect(list).toContainText('17 of 23')
  await press('jjjk')
  await expect(title('Quick Laundry 19')).toBeVisible()

  await page.route(/get-demo-requests.*page=2/, async (route) => {
    await held
    await route.continue()
  })
  const asked = page.waitForRequest(/get-demo-requests.*page=2/)
  await press('j')
  await expect(title('Quick Laundry 20')).toBeVisible()
  await asked
  await expect(list.getByRole('button', { name: 'Next lead' })).toBeDisabled()
  await press('jj')
  answer()
  await expect(title('Quick Laundry 22')).toBeVisible()

  // Past the end of the list, there are no more pages to load.
  await press('jjj')
  await expect(title('Quick Laundry 23')).toBeVisible()
  await expect(list.getByRole('button', { name: 'Next lead' })).toBeDisabled()
  await press('k')
  await expect(title('Quick Laundry 22')).toBeVisible()

  // Holding down a key at either end of the list sends no requests that would have to be canceled.
  await page.goto('/demo-leads?search=quick+laundry')
  await leadCell(page, 'Quick Laundry 3').click()
  await expect(list).toContainText('3 of 23')
  for (let held = 0; held < 40; held++) await press('k')
  await expect(title('Quick Laundry 1')).toBeVisible()
  for (let held = 0; held < 10; held++) await press('k')
  await press('j')
  await expect(title('Quick Laundry 2')).toBeVisible()
})

test('a user assigned a lead that is due is notified in an open tab, finds it on the dashboard, and marks it as done', async ({
  browser,
}) => {
  const open = async (user: string) => {
    const page = await (await browser.newContext()).newPage()
    await asUser(page, user)
    return page
  }
  // Don't use the sales staff, because other tests of this file use their queues.
  const [jonas, martin] = [await open('digital_marketing'), await open('admin')]
  const { connected: joined } = watchJoins(jonas)
  await jonas.goto('/dashboard')
  await joined
  const heading = reminders(jonas).getByRole('heading', { level: 2 })
  await expect(heading).toHaveText(/\d/)
  const before = Number(/\d+/.exec(await heading.innerText())![0])
  const id = await jonas.evaluate(() => Number(localStorage.getItem('admin_id')))
  await enter(martin, { companyName: 'Given Linen', assign_to: id, followup_date: '2019-05-05' })
  const told = jonas.getByText('1 follow-up is due.')
  await expect(told).toBeVisible()
  await expect(reminders(jonas).getByRole('link', { name: /Given Linen/ })).toBeVisible()
  await expect(heading).toContainText(String(before + 1))
  await expectAccessible(jonas)
  await reminders(jonas).getByRole('button', { name: 'Done: Given Linen' }).click()
  const undo = await holdUndo(jonas, 'marked as done.')
  await expect(reminders(jonas).getByRole('link', { name: /Given Linen/ })).toHaveCount(0)
  await undo.click()
  await expect(reminders(jonas).getByRole('link', { name: /Given Linen/ })).toBeVisible()
  // Martin was not notified and does not see the lead.
  await martin.goto('/dashboard')
  await expect(reminders(martin).getByRole('heading', { level: 2 })).toHaveText(/\d/)
  await expect(reminders(martin).getByRole('link', { name: /Given Linen/ })).toHaveCount(0)
})

test("a day's follow-ups by keyboard only", async ({ page }) => {
  const quiet = expectQuietConsole(page)
  const title = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
  await asUser(page, 'crm')
  // State left over from the day before: two leads are due.
  await enter(
    page,
    { companyName: 'Daily Linen', followup_date: '2018-01-01' },
    { companyName: 'Daily Hotel', followup_date: '2018-01-02' },
  )
  await page.goto('/login')
  await page.evaluate(() => localStorage.clear())
  await page.goto('/login')
  await page.getByLabel('Username').focus()
  await page.keyboard.type('crm')
  await page.keyboard.press('Tab')
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await expect(title('Dashboard')).toBeVisible()
  // Open the queue with the palette, move to the first row, snooze the lead, and undo that.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('dialog', { name: 'Search or jump to' })).toBeVisible()
  await page.keyboard.type('follow-ups')
  await expect(page.getByRole('button', { name: /^Follow-ups/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(queued(page, 'Daily Linen')).toBeVisible()
  await page.keyboard.press('j')
  await expect(queued(page, 'Daily Linen')).toBeFocused()
  await page.keyboard.press('t')
  await expect(queued(page, 'Daily Hotel')).toBeFocused()
  await page.keyboard.press('u')
  // A reload that began before the snooze was saved can show the row for a moment, so wait for the undo itself.
  await expect(page.getByText(/^Undone/).first()).toBeVisible()
  await expect(queued(page, 'Daily Linen')).toBeVisible()
  // Open the lead, write a note, move to the next lead and back.
  const open = (name: string) =>
    page.getByRole('region', { name: 'Reading pane' }).getByRole('heading', { level: 2, name, exact: true })
  await page.keyboard.press('k')
  await expect(queued(page, 'Daily Linen')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(open('Daily Linen')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByLabel('Write a note')).toBeFocused()
  await page.keyboard.type('Called: wants the offer by Friday.')
  await page.keyboard.press('Control+Enter')
  await expect(
    page.getByRole('listitem').filter({ hasText: 'wants the offer by Friday' }).first(),
  ).toBeVisible()
  await expect(page.getByLabel('Write a note')).toHaveValue('')
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(open('Daily Hotel')).toBeVisible()
  await page.keyboard.press('k')
  await expect(open('Daily Linen')).toBeVisible()
  // At the end of the day, both leads are moved to next week, and neither is overdue anymore.
  await page.keyboard.press('w')
  await expect(open('Daily Hotel')).toBeVisible()
  await expect(queued(page, 'Daily Linen')).toHaveCount(0)
  await page.keyboard.press('w')
  await expect(queued(page, 'Daily Hotel')).toHaveCount(0)
  quiet()
})

test('a declined follow-up question reloads the list, which keeps its selection and scroll position', async ({
  page,
}) => {
  await asUser(page, 'crm')
  await page.setViewportSize({ width: 1366, height: 500 })
  await page.goto('/demo-leads?fromDate=all&toDate=all')
  const list = page.getByRole('region', { name: 'Leads' })
  const boxes = list.getByRole('row').getByRole('checkbox')
  const name = (await boxes.nth(3).getAttribute('aria-label'))!
  const chosen = list.getByRole('checkbox', { name, exact: true }).first()
  await chosen.check()
  await list.evaluate((element) => element.scrollTo({ top: 120 }))
  await list
    .getByRole('button', { name: /^Follow-up date of/ })
    .nth(8)
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'In a month' }).click()
  const reloaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await reloaded
  await expect(page.getByText('1 selected')).toBeVisible()
  await expect(chosen).toBeChecked()
  expect(await list.evaluate((element) => element.scrollTop)).toBeGreaterThan(100)
  // Only the reload keeps them.
  await page.reload()
  await expect(chosen).not.toBeChecked()
})
