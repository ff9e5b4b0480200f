import { expect, test, type Page } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole } from './helpers.ts'

/*
 * Tasks: an issue found, fixed and reopened; a promise moved by keys.
 */

async function enterTask(page: Page, values: object): Promise<number> {
  return page.evaluate(async (body) => {
    const answer = await fetch('/api/common/task/save', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem('access_token')}` },
      body: JSON.stringify({ product_id: 1, ...body }),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return ((await answer.json()) as { data: { id: number } }).data.id
  }, values)
}

test('QA finds an issue, a developer ticks it, QA reopens it', async ({ page, browser }) => {
  await asUser(page, 'admin')
  const isQuiet = expectQuietConsole(page)
  const id = await enterTask(page, { title: 'Journey of an issue' })
  await asUser(page, 'qa')
  await page.goto(`/development-tasks?task=${id}`)
  const panel = page.getByRole('dialog', { name: 'Task Details' })
  await expect(panel.getByRole('tab')).toHaveText(['Information', 'Issues'])
  await panel.getByRole('tab', { name: 'Issues' }).click()
  await expect(panel.getByText('No Issue Found')).toBeVisible()
  await panel.getByLabel('New issue').fill('The total is wrong')
  await panel.getByRole('button', { name: 'Add issue' }).click()
  await expect(panel.getByRole('listitem').filter({ hasText: 'The total is wrong' })).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'developer')
  await other.goto(`/development-tasks?task=${id}`)
  const theirs = other.getByRole('dialog', { name: 'Task Details' })
  await theirs.getByRole('tab', { name: 'Issues' }).click()
  await theirs.getByRole('checkbox', { name: 'The total is wrong' }).check()
  await theirs.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(other.getByText('Task status updated successfully!')).toBeVisible()
  await other.context().close()

  await panel.getByRole('button', { name: 'Reopen' }).click()
  await expect(panel.getByText('Open', { exact: true })).toBeVisible()
  await expectAccessible(page)
  isQuiet()
})

test('a promise moves by keys, asks why, and keeps the reason', async ({ page }) => {
  await asUser(page, 'csm')
  const isQuiet = expectQuietConsole(page)
  await enterTask(page, { title: 'Journey of a promise', priority: 6, due_date: '2031-05-14' })
  await page.goto('/development-tasks/schedular?on=2031-05-14')
  await page.getByRole('button', { name: 'Move Journey of a promise' }).press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await expect(page.getByText('Thursday, 22 May 2031')).toBeVisible()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Move Journey of a promise' })
  await expect(dialog.getByLabel('Due date')).toHaveValue('2031-05-22')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(dialog.getByText('This field is required.')).toBeVisible()
  await dialog.getByLabel('Why does it move?').fill('Parts are late')
  await dialog.getByRole('button', { name: 'Move' }).click()
  await expect(page.getByText('Due date moved.')).toBeVisible()
  await page.getByRole('link', { name: 'Journey of a promise' }).click()
  await page.getByText('A promised date moved once').click()
  await expect(page.getByText('moved the due date from 14 May 2031 to 22 May 2031: Parts are late')).toBeVisible()
  isQuiet()
})
