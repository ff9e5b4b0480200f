import { expect, type Page } from '@playwright/test'
import { api, asUser, expectAccessible, expectQuietConsole, holdUndo } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Tasks: an issue that is found, fixed, and reopened; due dates changed with the keyboard and the mouse; a
 * week that is planned; a customer who is notified; a designer's day.
 */

async function enterTask(page: Page, values: object, path = '/common/task'): Promise<number> {
  return page.evaluate(
    async ([body, base]) => {
      const answer = await fetch(`/api${base}/save`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify({ product_id: 1, ...body }),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return ((await answer.json()) as { data: { id: number } }).data.id
    },
    [values, path] as const,
  )
}

/**
 * Returns a date in the browser's time zone: in Berlin, the next day begins an hour or two earlier than in
 * UTC.
 */
const dayFromNow = (days: number) =>
  new Date(Date.now() + days * 86_400_000).toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' })
const written = (day: string) =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
const details = (page: Page) => page.getByRole('dialog', { name: 'Task Details' })
/** Returns a day's cell in a calendar. */
const onDay = (page: Page, day: string) =>
  page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: new RegExp(`, ${written(day)}$`) }) })

test('QA finds an issue, a developer checks it off, QA reopens it', async ({ page, browser }) => {
  await asUser(page, 'admin')
  const isQuiet = expectQuietConsole(page)
  const id = await enterTask(page, { title: 'Journey of an issue' })
  const tested = await enterTask(page, { title: 'Journey through QA' })
  await api(page, 'POST', `/common/task/change-status/${tested}`, { status: 6 })
  await asUser(page, 'qa')
  await page.goto(`/development-tasks?task=${id}`)
  const panel = page.getByRole('dialog', { name: 'Task Details' })
  await expect(panel.getByRole('tab')).toHaveText(['Information', 'Issues'])
  await panel.getByRole('tab', { name: 'Issues' }).click()
  await expect(panel.getByText('No Issue Found')).toBeVisible()
  const composer = panel.getByRole('region', { name: 'Write' })
  await composer.getByRole('button', { name: 'Add issue' }).click()
  await expect(composer.getByText('This field is required.')).toBeVisible()
  await expect(composer.getByLabel('New issue')).toBeFocused()
  await expect(composer.getByLabel('New issue')).toHaveAccessibleDescription('This field is required.')
  await composer.getByLabel('New issue').pressSequentially('@Mei')
  await composer.getByRole('option', { name: 'Mei Tanaka' }).click()
  await composer.getByLabel('New issue').pressSequentially('The total is wrong')
  await composer.getByRole('button', { name: 'Add issue' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'The total is wrong' })).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'developer')
  await other.goto('/development-tasks')
  await other.getByRole('button', { name: /^Notices, / }).click()
  const noticed = other.getByRole('dialog', { name: 'Notices' })
  await noticed.getByRole('link', { name: /Journey of an issue/ }).click()
  const theirs = other.getByRole('dialog', { name: 'Task Details' })
  await expect(theirs.getByRole('tab', { name: 'Issues', selected: true })).toBeVisible()
  await theirs.getByRole('checkbox', { name: 'The total is wrong' }).check()
  await theirs.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByText('Task status updated successfully!')).toBeVisible()
  await other.context().close()

  await panel.getByRole('button', { name: 'Reopen' }).click()
  await expect(panel.getByText('Open', { exact: true })).toBeVisible()
  await expectAccessible(page)

  // QA can only move tasks out of In QA, and only to the statuses that QA assigns; options that are not
  // allowed say why.
  await panel.getByRole('tab', { name: 'Information' }).click()
  await panel.getByRole('button', { name: /^Status of Journey of an issue/ }).click()
  const entry = (name: string) => page.getByRole('menuitem', { name, exact: true })
  await expect(entry('Delivered')).toBeDisabled()
  await expect(entry('Delivered')).toHaveAttribute(
    'title',
    'You can change the status only while the task is In QA.',
  )
  await page.goto('/development-tasks?search=Journey%20through%20QA')
  const status = page.getByRole('button', { name: /^Status of Journey through QA/ })
  await status.click()
  await expect(entry('On Hold')).toBeDisabled()
  await expect(entry('On Hold')).toHaveAttribute(
    'title',
    'From In QA, choose one of: In Progress, Delivered, In Review.',
  )
  await entry('In Progress').click()
  await expect(status).toContainText('In Progress')

  // Without permission, a calendar sends no requests. The page before it has left, with its requests.
  await page.goto('about:blank')
  const asked: string[] = []
  page.on('request', (request) => void (request.url().includes('/api/common/') && asked.push(request.url())))
  await page.goto('/development-tasks/schedular', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('list', { name: /by due date/ })).toHaveCount(0)
  expect(asked).toEqual([])
  isQuiet()
})

test('a due date is changed by keyboard, asks for a reason, and keeps it', async ({ page }) => {
  await asUser(page, 'csm')
  const isQuiet = expectQuietConsole(page)
  await enterTask(page, { title: 'Journey of a promise', priority: 6, due_date: '2031-05-14' })
  await page.goto('/development-tasks/schedular?on=2031-05-14')
  await page.getByRole('button', { name: 'Move Journey of a promise' }).press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('Thursday, 22 May 2031')).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change due date of Journey of a promise' })
  await expect(dialog.getByRole('textbox', { name: 'Due date' })).toHaveValue('22 May 2031')
  await dialog.getByRole('button', { name: 'Change due date' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Reason').fill('Parts are late')
  await dialog.getByRole('button', { name: 'Change due date' }).click()
  await expect(page.getByText('Due date changed.')).toBeVisible()
  await page.getByRole('link', { name: 'Journey of a promise' }).click()
  await page.getByText('Due date changed once').click()
  await expect(
    page.getByText('changed the due date from 14 May 2031 to 22 May 2031: Parts are late'),
  ).toBeVisible()

  // On a phone, the calendar is an agenda, and the new day is chosen in a form: nothing is dragged, and
  // nothing is wider than the screen.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/development-tasks/schedular?on=2031-05-20')
  const task = page.getByRole('link', { name: 'Journey of a promise' })
  await expect(onDay(page, '2031-05-22').getByRole('link', { name: 'Journey of a promise' })).toBeVisible()
  await expect(onDay(page, '2031-05-21')).toHaveCount(0)
  await page.getByRole('button', { name: 'Move Journey of a promise' }).click()
  await dialog.getByRole('textbox', { name: 'Due date' }).fill('2031-05-23')
  await dialog.getByLabel('Reason').fill('Parts are later')
  await dialog.getByRole('button', { name: 'Change due date' }).click()
  await expect(onDay(page, '2031-05-23').getByRole('link', { name: 'Journey of a promise' })).toBeVisible()
  await expect(task).toHaveCount(1)
  expect(
    await page
      .locator('html, main')
      .evaluateAll((all) => all.map((one) => one.scrollWidth - one.clientWidth)),
  ).toEqual([0, 0])
  isQuiet()
})

test('a lead plans the week by keyboard: a first date from the tray, a change with its reason, undo, and another change', async ({
  page,
}) => {
  const week = 'Journey of a week'
  await asUser(page, 'admin')
  await enterTask(page, { title: week, priority: 6 })
  await asUser(page, 'development_lead')
  const isQuiet = expectQuietConsole(page)
  await page.goto('/development-tasks/schedular?view=week')
  const tray = page.getByRole('region', { name: 'No date' })
  await tray.getByRole('button', { name: `Move ${week}` }).press('Enter')
  // Wednesday of next week, so that the day after it is in the same week on whatever day this runs.
  const toWednesday = 3 - (new Date(dayFromNow(0)).getUTCDay() || 7)
  for (let step = 0; step < Math.abs(toWednesday); step += 1)
    await page.keyboard.press(toWednesday > 0 ? 'ArrowRight' : 'ArrowLeft')
  await page.keyboard.press('ArrowDown')
  const [planned, moved] = [dayFromNow(toWednesday + 7), dayFromNow(toWednesday + 8)]
  await expect(page.getByRole('status').filter({ hasText: written(planned) })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(onDay(page, planned).getByRole('link', { name: week })).toBeVisible()
  await expect(tray.getByText(week)).toHaveCount(0)

  await page.getByRole('button', { name: `Move ${week}` }).press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: `Change developer due date of ${week}` })
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  // The task is shown on its new day while the dialog asks for the reason, and returns to its old day if no
  // reason is given.
  await expect(onDay(page, moved).getByRole('link', { name: week })).toBeVisible()
  await expect(onDay(page, planned).getByRole('link', { name: week })).toHaveCount(0)
  const said = page.getByRole('status').filter({ hasText: week })
  await page.keyboard.press('Escape')
  await expect(onDay(page, planned).getByRole('link', { name: week })).toBeVisible()
  await expect(said).toHaveText(`${week} wasn’t moved.`)
  await page.getByRole('button', { name: `Move ${week}` }).press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('Reason')).toBeFocused()
  await page.keyboard.type('Waits for the scanner')
  await page.keyboard.press('Control+Enter')
  const undo = await holdUndo(page, 'ue date changed.')
  await expect(onDay(page, moved).getByRole('link', { name: week })).toBeVisible()
  await expect(said).toHaveText(`${week} moved to ${written(moved)}.`)
  await undo.click()
  await expect(onDay(page, planned).getByRole('link', { name: week })).toBeVisible()

  await page.getByRole('button', { name: `Move ${week}` }).press('Enter')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Escape')
  await expect(page.getByText(`${week} wasn’t moved.`)).toBeVisible()
  await expect(onDay(page, planned).getByRole('link', { name: week })).toBeVisible()
  await expectAccessible(page)
  isQuiet()
})

test('dragging changes a due date, asks for a reason, and undo reverts it; a full day shows N more', async ({
  page,
}) => {
  await asUser(page, 'csm')
  for (const n of [1, 2, 3, 4, 5])
    await enterTask(page, { title: `Dragged ${n}`, priority: n, due_date: '2032-06-09' })
  await page.goto('/development-tasks/schedular?on=2032-06-09')
  await expect(onDay(page, '2032-06-09').getByRole('button', { name: '1 more' })).toBeVisible()
  await page.getByRole('link', { name: 'Dragged 1' }).hover()
  await page
    .getByRole('listitem')
    .filter({ has: page.getByRole('link', { name: 'Dragged 1' }) })
    .last()
    .dragTo(onDay(page, '2032-06-11'))
  const dialog = page.getByRole('dialog', { name: 'Change due date of Dragged 1' })
  await expect(dialog.getByRole('textbox', { name: 'Due date' })).toHaveValue('11 Jun 2032')
  await dialog.getByLabel('Reason').fill('Parts are late')
  await dialog.getByRole('button', { name: 'Change due date' }).click()
  const undo = await holdUndo(page, 'ue date changed.')
  await expect(onDay(page, '2032-06-11').getByRole('link', { name: 'Dragged 1' })).toBeVisible()
  await expect(page.getByRole('button', { name: '1 more' })).toHaveCount(0)
  await undo.click()
  await expect(onDay(page, '2032-06-09').getByRole('link', { name: 'Dragged 1' })).toBeVisible()
  await page.getByRole('button', { name: '1 more' }).click()
  await expect(onDay(page, '2032-06-09').getByRole('link')).toHaveCount(5)

  // Tasks that don't fit in their day in the week view are shown in that day's list.
  for (let n = 1; n <= 32; n += 1)
    await enterTask(page, { title: `Crowded ${n}`, priority: 4, due_date: '2032-06-16' })
  await page.goto('/development-tasks/schedular?view=week&on=2032-06-16&search=Crowded')
  await expect(onDay(page, '2032-06-16').getByRole('link')).toHaveCount(30)
  await page.getByRole('button', { name: '2 more' }).click()
  await expect(page).toHaveURL(/\/development-tasks\?/)
  await expect(page.getByText('32 rows')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove filter Search: Crowded' })).toBeVisible()
})

test('a customer is notified: the bell opens the task, and Notify removes it from the bell', async ({
  page,
}) => {
  await asUser(page, 'admin')
  const { data: organizations } = await api(page, 'GET', '/admin/users/get-all-organizations?product=1')
  const id = await enterTask(page, {
    title: 'Journey of a delivery',
    organization_ids: [organizations[0].id],
  })
  await api(page, 'POST', `/common/task/change-status/${id}`, { status: 4 })
  await asUser(page, 'support')
  const isQuiet = expectQuietConsole(page, /The line is busy/)
  await page.goto('/dashboard')
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const count = async () =>
    (await api(page, 'GET', '/admin/support/unnotified-task-count')).task_count as number
  const before = await count()
  await bell.click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByRole('tab', { name: `Tasks ${before}` }).click()
  await panel.getByRole('link', { name: /Journey of a delivery/ }).click()
  await expect(page).toHaveURL(new RegExp(`task=${id}`))
  // The error is logged and shown, and the button stays.
  const logged: string[] = []
  page.on('console', (message) => void logged.push(message.text()))
  await page.route('**/api/common/task/notification-status/*', (route) =>
    route.fulfill({ status: 500, json: { message: 'The line is busy.' } }),
  )
  const notify = async () => {
    await details(page).getByRole('button', { name: 'Notify' }).click()
    await page
      .getByRole('dialog', { name: 'Mark this task as notified?' })
      .getByRole('button', { name: 'Proceed' })
      .click()
  }
  await notify()
  await expect(page.getByRole('alert').getByText('The line is busy.')).toBeVisible()
  await expect.poll(() => logged.join()).toContain('ApiError: The line is busy.')
  await page.unrouteAll()
  await notify()
  await expect(page.getByText('Marked as notified. No email was sent.')).toBeVisible()
  await expect(details(page).getByRole('button', { name: 'Notify' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(details(page)).toHaveCount(0)
  await bell.click()
  await expect(panel.getByRole('tab', { name: before > 1 ? `Tasks ${before - 1}` : 'Tasks' })).toBeVisible()
  expect(await count()).toBe(before - 1)
  isQuiet()
})

test("a designer's day: a task found in the palette, started, put on hold with a reason, and never a development task", async ({
  page,
}) => {
  await asUser(page, 'admin')
  const { data: people } = await api(page, 'GET', '/admin/options/staff?product_id=1')
  const hugo = people.find(({ name }: { name: string }) => name === 'Hugo Lambert')
  await enterTask(
    page,
    { title: 'Journey of a banner', assigned_to: hugo.id, due_date: dayFromNow(0) },
    '/common/designertask',
  )
  await asUser(page, 'designer')
  const isQuiet = expectQuietConsole(page)
  await page.goto('/dashboard')
  await page.getByRole('link', { name: /^All .*designer tasks$/ }).click()
  await expect(page).toHaveURL(/\/tasks$/)
  await expect(
    page.getByRole('region', { name: 'Designer tasks' }).getByRole('link', { name: 'Journey of a banner' }),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: 'Development tasks' })).toHaveCount(0)

  await page.keyboard.press('Control+K')
  await page.keyboard.type('of a banner')
  await page
    .getByRole('dialog', { name: 'Search or jump to' })
    .getByRole('button', { name: /Journey of a banner/ })
    .click()
  await expect(page).toHaveURL(/designer-tasks\?task=/)
  await expect(details(page).getByRole('tab')).toHaveText(['Information'])
  const status = details(page).getByRole('button', { name: /^Status of Journey of a banner/ })
  await status.click()
  await page.getByRole('menuitem', { name: 'In Progress' }).click()
  await expect(status).toContainText('In Progress')
  await status.click()
  await page.getByRole('menuitem', { name: 'On Hold' }).click()
  await page.getByLabel('Reason for hold').fill('No photographs yet')
  await page.getByRole('button', { name: 'Put on hold' }).click()
  await expect(status).toContainText('On Hold')
  await expectAccessible(page)

  // Another product has no designer tasks; the page explains this and offers to switch back.
  await page.evaluate(() => localStorage.setItem('product', '2'))
  await page.goto('/designer-tasks')
  await expect(page.getByText('This product has no designer tasks')).toBeVisible()
  await page
    .locator('#main')
    .getByRole('button', { name: /^Show / })
    .click()
  await expect(page.getByRole('table')).toBeVisible()
  isQuiet()
})

test('a new task has the type of its page, and its support ticket is a link for those who can open it', async ({
  page,
}) => {
  await asUser(page, 'admin')
  await page.goto('/common/development/task/bug')
  await page.getByRole('button', { name: 'New task' }).first().click()
  const form = page.getByRole('dialog', { name: 'New development task' })
  await expect(form.getByLabel('Type').locator('option:checked')).toHaveText('Bug')

  const { data } = await api(page, 'GET', '/admin/support/ticket')
  const ticket = data[0].id
  const id = await enterTask(page, { title: 'Journey to a ticket', ticket_id: ticket })
  await page.goto(`/development-tasks?task=${id}`)
  const panel = page.getByRole('dialog', { name: 'Task Details' })
  await panel.getByRole('tab', { name: 'Support ticket details' }).click()
  const messages = panel.getByRole('region', { name: 'Ticket messages' })
  await expect(messages.getByRole('article').first()).toContainText('Customer')
  await expect(messages.getByTitle('Message 1')).toBeVisible()
  await expectAccessible(page)
  await panel.getByRole('tab', { name: 'Activity' }).click()
  const activity = panel.getByRole('region', { name: 'Activity' })
  await expect(activity.getByRole('heading', { name: 'Today' })).toBeVisible()
  await expect(activity.getByText(/^\S.* added this task\.$/)).toBeVisible()
  await expectAccessible(page)

  await panel.getByRole('tab', { name: 'Information' }).click()
  await panel.getByRole('link', { name: `#${ticket}` }).click()
  await expect(page).toHaveURL(new RegExp(`/support/ticket/${ticket}/`))
})
