import { expect, type Page } from '@playwright/test'
import { asUser, enterLeads, expectQuietConsole, row } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Using the panel with the keyboard: Escape closes one thing at a time, arrow keys choose, the focus stays in
 * place, and no input is lost.
 */

/** Calls the API as the page's user. */
const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([at, sent]) => {
      const answer = await fetch(`/api${at}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify(sent),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return ((await answer.json()) as { data: { id: number } }).data.id
    },
    [path, body] as const,
  )

const enterTask = (page: Page, values: object) =>
  post(page, '/common/task/save', { product_id: 1, ...values })

test('Escape closes the topmost thing, one at a time', async ({ page }) => {
  await asUser(page, 'admin')
  const isQuiet = expectQuietConsole(page)
  const title = 'Keys over keys'
  const id = await enterTask(page, { title, due_date: '2033-03-03' })
  await page.goto(`/development-tasks?task=${id}`)
  const details = page.getByRole('dialog', { name: 'Task Details' })

  // A menu.
  const status = details.getByRole('button', { name: `Status of ${title}` })
  await status.press('Enter')
  await expect(page.getByRole('menuitem').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menuitem')).toHaveCount(0)
  await expect(status).toBeFocused()

  // An inline field.
  const due = details.getByRole('button', { name: new RegExp(`^Due date of ${title}`) })
  await due.press('Enter')
  const day = details.getByRole('textbox', { name: `Due date of ${title}` })
  await expect(day).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(day).toHaveCount(0)
  await expect(due).toBeFocused()

  // A form, and the confirmation before leaving it.
  await details.getByRole('button', { name: 'Edit' }).press('Enter')
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('Title') })
  await form.getByLabel('Title').fill('Half a title')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await expect(question).toBeVisible()
  // The safe answer has the focus.
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel('Title')).toHaveValue('Half a title')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Proceed' }).click()
  await expect(form).toHaveCount(0)
  await expect(details).toBeVisible()

  // Control: now that the dialog is the topmost one, it closes.
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  isQuiet()
})

test('a choice in place is made with arrows and Enter, and an option passed on the way is not saved', async ({
  page,
}) => {
  await asUser(page, 'admin')
  const id = await enterTask(page, { title: 'Keys of an assignee' })
  const sent: string[] = []
  page.on(
    'request',
    (request) =>
      request.method() !== 'GET' && /assign/.test(request.url()) && sent.push(request.postData() ?? ''),
  )
  await page.goto(`/development-tasks?task=${id}`)
  const assignee = page
    .getByRole('dialog', { name: 'Task Details' })
    .getByRole('button', { name: /^Assignee: / })
  await expect(assignee).toHaveText('--')
  await assignee.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  const second = page.getByRole('menuitem').nth(2)
  await expect(second).toBeFocused()
  const name = await second.innerText()
  expect(sent).toEqual([])
  await page.keyboard.press('Enter')
  await expect(assignee).toHaveText(name)
  await expect(assignee).toBeFocused()
  expect(sent).toHaveLength(1)
})

test('a fact changed by keyboard keeps the focus, whether chosen or typed', async ({ page }) => {
  await asUser(page, 'super_admin')
  const id = await post(page, '/admin/support/ticket', {
    title: 'Keys of a fact',
    message: '<p>Look.</p>',
    category: 1,
    org_id: 0,
    user_id: 0,
  })
  await page.goto(`/support/ticket/${id}/0`)
  const facts = page.getByRole('region', { name: 'Details' })
  const waiting = facts.getByTitle('Edit Feedback requested')
  await expect(waiting).toHaveText('No')
  await waiting.press('Enter')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(waiting).toHaveText('Yes')
  await expect(waiting).toBeFocused()

  const title = facts.getByTitle('Edit Title')
  await title.press('Enter')
  await facts.getByLabel('Title').fill('Keys of a changed fact')
  await page.keyboard.press('Enter')
  await expect(title).toHaveText('Keys of a changed fact')
  await expect(title).toBeFocused()
  await title.press('Enter')
  await page.keyboard.press('Escape')
  await expect(title).toBeFocused()
})

test('after rows were moved to the trash, the focus is in the table', async ({ page }) => {
  await asUser(page, 'admin')
  for (const n of [1, 2, 3]) await enterTask(page, { title: `Keys to the trash ${n}` })
  await page.goto('/development-tasks?search=Keys+to+the+trash')
  for (const n of [1, 2]) await row(page, `Keys to the trash ${n}`).getByRole('checkbox').check()
  const bar = page.getByRole('group', { name: 'Selected rows' })
  await bar.getByRole('button', { name: 'Move to trash' }).press('Enter')
  await expect(row(page, 'Keys to the trash 1')).toHaveCount(0)
  await expect(bar).toHaveCount(0)
  await expect(
    page
      .getByRole('main')
      .getByRole('region')
      .filter({ has: page.getByRole('table') }),
  ).toBeFocused()
  await page.keyboard.press('j')
  await expect(row(page, 'Keys to the trash 3')).toBeFocused()
})

test('Enter in a date that is edited in place saves it: the delivery date of a ticket, the implementation date of a lead', async ({
  page,
}) => {
  const day = String(new Date().getUTCFullYear() + 1)
  const saveByEnter = async (label: string) => {
    await page
      .getByRole('button', { name: `Edit ${label}` })
      .or(page.getByTitle(`Edit ${label}`))
      .first()
      .click()
    const field = page.getByLabel(label, { exact: true })
    await field.fill(`${day}-07-08`)
    const saved = page.waitForResponse((reply) => reply.request().method() === 'POST' && reply.ok())
    await field.press('Enter')
    await saved
    await expect(field).toHaveCount(0)
    await expect(page.getByText(`8 Jul ${day}`).first()).toBeVisible()
  }
  await asUser(page, 'support')
  await page.goto('/support?layout=table')
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(/\/support\/ticket\//)
  await saveByEnter('Delivery date')

  await asUser(page, 'crm')
  const [id] = await enterLeads(page, {
    companyName: 'Dates by keyboard',
    implement_date: `${day}-01-02`,
  })
  await page.goto(`/demo-leads/dates-by-keyboard/${id}`)
  await saveByEnter('Implementation date')
})
