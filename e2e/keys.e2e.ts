import { expect, test, type Page } from '@playwright/test'
import { asUser, expectQuietConsole, row } from './helpers.ts'

/*
 * The panel by keys: Escape closes one thing, choices are made by arrows, the focus stays where one works, and nothing typed is lost.
 */

/** Calls the API as the page's person. */
const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([at, sent]) => {
      const answer = await fetch(`/api${at}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem('access_token')}` },
        body: JSON.stringify(sent),
      })
      if (!answer.ok) throw new Error(await answer.text())
      return ((await answer.json()) as { data: { id: number } }).data.id
    },
    [path, body] as const,
  )

const enterTask = (page: Page, values: object) => post(page, '/common/task/save', { product_id: 1, ...values })

test('Escape closes what is on top, one thing at a time', async ({ page }) => {
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

  // A field of its own.
  const due = details.getByRole('button', { name: new RegExp(`^Due date of ${title}`) })
  await due.press('Enter')
  const day = details.locator('input[type=date]')
  await expect(day).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(day).toHaveCount(0)
  await expect(due).toBeFocused()

  // A form, and the question whether to leave it.
  await details.getByRole('button', { name: 'Edit' }).press('Enter')
  const form = page.getByRole('dialog').filter({ has: page.getByLabel('Title') })
  await form.getByLabel('Title').fill('Half a title')
  await page.keyboard.press('Escape')
  const question = page.getByRole('dialog', { name: 'Please confirm' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(form.getByLabel('Title')).toHaveValue('Half a title')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Proceed' }).click()
  await expect(form).toHaveCount(0)
  await expect(details).toBeVisible()

  // The control: on top itself, it goes.
  await page.keyboard.press('Escape')
  await expect(details).toHaveCount(0)
  isQuiet()
})
