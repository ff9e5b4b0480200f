import { expect, type Page } from '@playwright/test'
import { api, asUser } from './helpers.ts'
import { test } from './panel.ts'

/* Tests that input is not lost and that saving does not revert a colleague's changes. */

const enterTask = async (page: Page, values: object): Promise<number> =>
  (await api(page, 'POST', '/common/task/save', { product_id: 1, ...values })).data.id
const leaves = /Leave this page\?|Discard unsaved changes\?/

test('saving the title keeps the description that a colleague saved in the meantime', async ({
  page,
  browser,
}) => {
  await asUser(page, 'admin')
  const id = await enterTask(page, { title: 'Weigh the sheets', description: '<p>By hand</p>' })
  await page.goto(`/development-tasks?task=${id}`)
  const details = page.getByRole('dialog', { name: 'Task Details' })
  await details.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Weigh the sheets' })
  await form.getByLabel('Title').fill('Weigh all sheets')

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'super_admin')
  const { data } = await api(other, 'GET', `/admin/users/view-task/${id}`)
  await api(other, 'POST', `/common/task/${id}`, {
    description: '<p>On the scale</p>',
    version: data.version,
    base: { description: data.description },
  })
  // The change has arrived in the details behind the form before the form is saved.
  await expect(details.getByText('On the scale').first()).toBeAttached()
  await page.keyboard.press('Control+Enter')
  await expect(form).toHaveCount(0)
  const after = (await api(page, 'GET', `/admin/users/view-task/${id}`)).data
  expect(after).toMatchObject({ title: 'Weigh all sheets' })
  expect(after.description).toContain('On the scale')
})

test("a page that stays open after a save continues from the saved record, and shows other users' changes while it is unedited", async ({
  page,
  browser,
}) => {
  await asUser(page, 'admin')
  const { id } = (await api(page, 'POST', '/admin/create_contract', { title: 'Rent of two presses' })).data
  await page.goto(`/customer-contracts/update-contract/${id}`)
  const title = page.getByRole('textbox', { name: 'Title' })
  await title.fill('Rent of three presses')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Rent of three presses' })).toBeVisible()
  await title.fill('Rent of four presses')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('heading', { name: 'Rent of four presses' })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'super_admin')
  await other.goto(`/customer-contracts/update-contract/${id}`)
  await other.getByRole('textbox', { name: 'Title' }).fill('Rent of five presses')
  await other.keyboard.press('Control+Enter')
  await expect(title).toHaveValue('Rent of five presses')
})

test('text typed just before the pause in which it is serialized is included: in a save, on leaving, in a closed tab, and on Discard', async ({
  page,
}) => {
  // Prevents the 400 ms delays from elapsing, both for serializing the text and for storing its draft.
  await page.addInitScript(() => {
    const wait = globalThis.setTimeout
    globalThis.setTimeout = ((act: () => void, ms?: number) =>
      wait(act, ms === 400 ? 600_000 : ms)) as typeof setTimeout
  })
  page.on('dialog', (dialog) => void dialog.accept())
  await asUser(page, 'admin')
  const { id } = (
    await api(page, 'POST', '/admin/create_contract', {
      title: 'Rent of a mangle',
      content: '<p>Two rolls</p>',
    })
  ).data
  const stored = async () => (await api(page, 'POST', `/admin/contract/${id}`)).data.content as string
  const text = page.getByRole('textbox', { name: 'Content' })
  const type = async (words: string) => {
    await text.press('ControlOrMeta+End')
    await text.pressSequentially(words)
  }
  await page.goto(`/customer-contracts/update-contract/${id}`)
  await type(' of felt')
  await text.press('Control+Enter')
  await expect.poll(stored).toBe('<p>Two rolls of felt</p>')
  await type(', heated')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(stored).toBe('<p>Two rolls of felt, heated</p>')

  await type(' by gas')
  await page.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).first().click()
  await expect(page.getByText(leaves)).toBeVisible()
  await page.getByRole('dialog', { name: leaves }).getByRole('button', { name: 'Cancel' }).click()
  await expect(text).toHaveText('Two rolls of felt, heated by gas')
  await type(' alone')
  await page.reload()
  await expect(page.getByText(/^Restored your draft from /)).toBeVisible()
  await expect(text).toHaveText('Two rolls of felt, heated by gas alone')
  await type('.')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect(text).toHaveText('Two rolls of felt, heated')
  expect(await stored()).toBe('<p>Two rolls of felt, heated</p>')
})

test("hours, an issue, and checkboxes survive a closed tab, a colleague's change, and a click outside the dialog", async ({
  page,
  browser,
}) => {
  await asUser(page, 'super_admin')
  const id = await enterTask(page, { title: 'Fold the towels' })
  await api(page, 'POST', '/common/task/task-issue', { task_id: id, task_issue: 'The folds are crooked' })
  await page.goto(`/development-tasks?task=${id}`)
  const details = page.getByRole('dialog', { name: 'Task Details' })
  await details.getByRole('tab', { name: 'Issues' }).click()
  await details.getByRole('checkbox', { name: 'The folds are crooked' }).check()
  await details.getByLabel('New issue').last().fill('The pile leans')
  await details.getByRole('tab', { name: 'Progress Report' }).click()
  await details.getByLabel('Hours, line 1').fill('2')

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'developer')
  await api(other, 'POST', '/common/task/developer-report', {
    task_id: id,
    task_details: [{ title: 'Ironed', hours: 3 }],
  })
  await expect(details.getByText('worked on Ironed for 3 hour')).toBeVisible()
  await expect(details.getByLabel('Hours, line 1')).toHaveValue('2')
  await details.getByLabel('My hours on').fill('2026-01-13')
  await expect(details.getByLabel('Hours, line 1')).toHaveValue('2')

  await details.getByRole('tab', { name: 'Issues' }).click()
  await expect(details.getByRole('checkbox', { name: 'The folds are crooked' })).toBeChecked()
  await expect(details.getByRole('textbox', { name: 'New issue' })).toHaveValue('The pile leans')
  // Click outside the dialog.
  await page.mouse.click(5, 400)
  await expect(details).toBeVisible()
  await details.getByRole('textbox', { name: 'New issue' }).press('Escape')
  await expect(page.getByText(leaves)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText(leaves)).toHaveCount(0)

  await details.getByRole('textbox', { name: 'New issue' }).press('Control+Enter')
  await expect(details.getByRole('listitem').filter({ hasText: 'The pile leans' })).toBeVisible()
  await details.getByRole('tab', { name: 'Progress Report' }).click()
  await details.getByRole('button', { name: 'Save hours' }).click()
  await expect(details.getByText('worked on Fold the towels for 2 hour')).toBeVisible()
  await expect(details.getByLabel('Hours, line 1')).toHaveValue('2')
})
