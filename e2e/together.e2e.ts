import { expect, type Page } from '@playwright/test'
import { asUser, chooseFound, enterLeads, expectAccessible, holdUndo } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Tests of how staff work together: chat, quick tasks, and hours; also a contract, from draft to trash and
 * back.
 */

const openChat = async (page: Page, user: string) => {
  await asUser(page, user)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^chat with authors/ }).click()
  const panel = page.getByRole('complementary', { name: 'chat with authors' })
  await expect(panel.getByLabel('send a message')).toBeVisible()
  return panel
}

test('two users chat; one who was offline gets the missed messages in order', async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage()
  const paula = await openChat(page, 'crm')
  const martin = await openChat(other, 'admin')
  const say = async (panel: typeof paula, text: string) => {
    await panel.getByLabel('send a message').fill(text)
    await panel.getByRole('button', { name: 'Send' }).click()
  }
  await say(paula, 'Could someone call #lead 1 today?')
  await expect(martin.getByText('Could someone call')).toBeVisible()
  await expect(martin.getByRole('link', { name: '#lead 1' }).last()).toBeVisible()
  await say(martin, 'I call them now')
  await expect(paula.getByText('I call them now', { exact: true })).toBeVisible()
  await expectAccessible(page)

  await other.context().setOffline(true)
  await say(paula, 'Missed one')
  await say(paula, 'Missed two')
  await expect(paula.getByText('Missed two')).toBeVisible()
  await other.context().setOffline(false)
  await expect(martin.getByText('Missed two')).toBeVisible()
  const texts = await martin.getByRole('log').innerText()
  expect(texts.indexOf('Missed one')).toBeLessThan(texts.indexOf('Missed two'))
})

test('a quick task is assigned to a colleague, completed, and reported back', async ({ page, browser }) => {
  await asUser(page, 'admin')
  const [lead] = await enterLeads(page, { companyName: 'Hall Two Laundry' })
  await page.goto('/quick-task')
  await expect(page).toHaveURL(/\/quick-task\/my-task/)
  await page.goto('/quick-task/assigned-task')
  await page.getByRole('button', { name: 'New quick task' }).first().click()
  const form = page.getByRole('dialog', { name: 'New quick task' })
  await form.getByLabel('Title').fill('Count the racks in hall two')
  // The related record is found by name.
  await form.getByLabel('Related to').selectOption({ label: 'Lead' })
  await form.getByLabel('Related lead').fill('Hall Two')
  await expect(page.getByRole('option', { name: /^Hall Two Laundry/ })).toBeVisible()
  // Escape closes the results, not the form.
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option', { name: /^Hall Two Laundry/ })).toHaveCount(0)
  await expect(form).toBeVisible()
  await form.getByLabel('Related lead').fill('Hall Two L')
  await page.getByRole('option', { name: /^Hall Two Laundry/ }).click()
  await chooseFound(form.getByLabel('Assignee', { exact: true }), 'Nadia Rahman')
  // An error is shown and logged, and the input stays.
  const logged: string[] = []
  page.on('console', (message) => void (message.type() === 'error' && logged.push(message.text())))
  const refuse = async (path: string) =>
    page.route(path, (route) => route.fulfill({ status: 500, json: { message: 'The linen cart is full.' } }))
  await refuse('**/api/common/quick-task')
  await page.keyboard.press('Control+Enter')
  await expect(form.getByText('The linen cart is full.')).toBeVisible()
  await expect(form.getByLabel('Title')).toHaveValue('Count the racks in hall two')
  await expect.poll(() => logged.join()).toContain('ApiError: The linen cart is full.')
  await page.unrouteAll()
  await page.keyboard.press('Control+Enter')
  await expect(form).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Count the racks in hall two/ })).toContainText('Nadia Rahman')
  await expect(
    page
      .getByRole('row', { name: /Count the racks in hall two/ })
      .getByRole('link', { name: `Lead ${lead}` }),
  ).toBeVisible()
  logged.length = 0
  await refuse('**/api/common/quick-task/snooze/*')
  await page.getByRole('row', { name: /Count the racks in hall two/ }).hover()
  await page.getByRole('button', { name: 'Move to tomorrow: Count the racks in hall two' }).click()
  await expect(page.getByRole('alert').getByText('The linen cart is full.')).toBeVisible()
  await expect.poll(() => logged.join()).toContain('ApiError: The linen cart is full.')
  await page.unrouteAll()

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'editor')
  await other.goto('/dashboard')
  await other.getByRole('button', { name: 'Done: Count the racks in hall two' }).click()
  await expect(other.getByText('Quick task marked as done.')).toBeVisible()
  await expect(page.getByRole('row', { name: /Count the racks in hall two/ })).toHaveCount(0)
  await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'Done' })
  await expect(page.getByRole('row', { name: /Count the racks in hall two/ })).toBeVisible()

  // An admin who is not involved finds the quick task by filtering for anyone's tasks; other users have no
  // such filter.
  await expect(other.getByRole('combobox', { name: 'Assignee' })).toHaveCount(0)
  await asUser(other, 'super_admin')
  await other.goto('/quick-task/my-task?status=1&search=hall%20two')
  await expect(other.getByText('No results match your filters')).toBeVisible()
  await other.getByRole('combobox', { name: 'Assignee' }).selectOption({ label: 'Anyone' })
  await expect(other.getByRole('row', { name: /Count the racks in hall two/ })).toBeVisible()
})

test("a quick task is assigned from a lead to a colleague, who completes it; the lead's page shows it", async ({
  page,
  browser,
}) => {
  await asUser(page, 'admin')
  const [lead, second] = await enterLeads(
    page,
    { companyName: 'Errand Laundry' },
    { companyName: 'Other Laundry' },
  )
  // A draft of a quick task for one lead is not restored on another lead.
  const draft = page.getByRole('dialog', { name: 'New quick task' }).getByLabel('Title')
  const begin = async (id: number | undefined) => {
    await page.goto(`/demo-leads/lead/${id}`)
    await page
      .getByRole('region', { name: 'Quick tasks' })
      .getByRole('button', { name: 'New quick task' })
      .click()
  }
  page.on('dialog', (dialog) => void dialog.accept())
  await begin(second)
  await draft.fill('Only about the other one')
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage)))
    .toContain('Only about the other one')
  await begin(lead)
  await expect(draft).toHaveValue('')
  await begin(second)
  await expect(draft).toHaveValue('Only about the other one')
  await page.goto(`/demo-leads/lead/${lead}`)
  const here = page.getByRole('region', { name: 'Quick tasks' })
  await here.getByRole('button', { name: 'New quick task' }).click()
  const form = page.getByRole('dialog', { name: 'New quick task' })
  await expect(form.getByLabel('Related to')).toHaveValue('lead')
  await form.getByLabel('Title').fill('Send them the price list')
  await chooseFound(form.getByLabel('Assignee', { exact: true }), 'Paula Ferreira')
  await page.keyboard.press('Control+Enter')
  await expect(here.getByRole('listitem')).toContainText('Send them the price list')

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'crm')
  await other.goto(`/demo-leads/lead/${lead}`)
  const theirs = other.getByRole('region', { name: 'Quick tasks' })
  await theirs.getByRole('checkbox', { name: 'Done: Send them the price list' }).click()
  await expect(other.getByText('Quick task marked as done.')).toBeVisible()
  await expect(here.getByRole('checkbox', { name: 'Done: Send them the price list' })).toBeChecked()
  await expectAccessible(page)
  // A user who is not involved sees none of the quick tasks.
  await asUser(other, 'digital_marketing')
  await other.goto(`/demo-leads/lead/${lead}`)
  await expect(theirs).toBeVisible()
  await expect(theirs.getByRole('listitem')).toHaveCount(0)
})

/** Returns a Tuesday that is too long ago to have any demo data. */
function longAgo(): string {
  const day = new Date(Date.now() - 70 * 86_400_000)
  while (day.getUTCDay() !== 2) day.setUTCDate(day.getUTCDate() - 1)
  return day.toISOString().slice(0, 10)
}

test('missing hours are found, the person is reminded, and their hours fill the gap', async ({
  page,
  browser,
}) => {
  await asUser(page, 'development_lead')
  const day = longAgo()
  await page.goto(`/progress-report?startDate=${day}&endDate=${day}`)
  const gaps = page.getByRole('group').filter({ hasText: 'Missing hours' })
  await gaps.getByText('Missing hours').click()
  const mei = gaps.getByRole('listitem').filter({ hasText: 'Mei Tanaka' })
  await mei.getByRole('button', { name: 'Remind Mei Tanaka' }).click()
  await expect(page.getByText('Reminder sent to Mei.')).toBeVisible()
  await expect(mei.getByRole('button', { name: 'Reminded Mei Tanaka' })).toBeDisabled()

  // A day marked as away by mistake does not hide missing hours: the mark is shown, undone, and removed.
  const viktor = gaps.getByRole('listitem').filter({ hasText: 'Viktor Novak' })
  const mark = viktor.getByRole('button', { name: /^\d+ \w+ \d+$/ })
  const away = viktor.getByRole('button', { name: /^Unmark Viktor Novak as away on/ })
  await mark.click()
  const undo = await holdUndo(page, 'Marked as away.')
  await expect(away).toBeVisible()
  await undo.click()
  await expect(away).toHaveCount(0)
  await mark.click()
  await away.click()
  await expect(away).toHaveCount(0)
  await expect(mark).toBeVisible()
  await expectAccessible(page)

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'developer')
  await other.goto('/development-tasks')
  await other.getByRole('row').getByRole('link').first().click()
  const details = other.getByRole('dialog', { name: 'Task Details' })
  await details.getByRole('tab', { name: 'Progress Report' }).click()
  await details.getByLabel('My hours on').fill(day)
  await details.getByLabel('Work, line 1').fill('Sorted the racks')
  await details.getByLabel('Hours, line 1').fill('7.5')
  await details.getByRole('button', { name: 'Save hours' }).click()
  await expect(details.getByText('Mei Tanaka worked on Sorted the racks for 7.5 hour')).toBeVisible()

  await page.reload()
  await gaps.getByText('Missing hours').click()
  await expect(viktor).toBeVisible()
  await expect(mei).toHaveCount(0)
  await expect(page.getByRole('row', { name: /Sorted the racks/ })).toContainText('7.5')

  // A task's total links to its rows, and the chart shows who worked.
  const byTask = page.getByRole('group').filter({ hasText: 'By task' })
  await byTask.getByText('By task').click()
  const sum = byTask.getByRole('listitem').filter({ hasText: '7.5 h' }).getByRole('button')
  const task = (await sum.textContent())!
  await sum.click()
  await expect(page).toHaveURL(/task_id=\d+/)
  await expect(page.getByRole('button', { name: `Remove filter Task: ${task}` })).toBeVisible()
  await expect(page.getByText('7.5 hours', { exact: true })).toBeVisible()
  await page.getByText('Chart', { exact: true }).click()
  const chart = page.getByRole('region', { name: 'Hours by day' })
  await expect(chart.getByRole('listitem').filter({ hasText: 'Mei Tanaka' })).toBeVisible()
})
