import { expect, type Page } from '@playwright/test'
import { api, asUser, expectAccessible, expectQuietConsole, holdUndo } from './helpers.ts'
import { test } from './panel.ts'

/* Work of the support desk: queues, assignment, and bulk changes. */

/** Creates requests of an admin user, which are unassigned; returns their numbers. */
async function enterRequests(page: Page, ...titles: string[]): Promise<number[]> {
  const ids = []
  for (const title of titles) {
    const { data } = await api(page, 'POST', '/admin/support/ticket', {
      title,
      message: '<p>It stopped.</p>',
    })
    ids.push(data.id)
  }
  return ids
}

test('a ticket is taken by key from Unassigned, is in Mine, and is snoozed; a colleague’s counts follow', async ({
  page,
  browser,
}) => {
  await asUser(page, 'adh')
  await enterRequests(page, 'Desk: press one', 'Desk: press two')
  await asUser(page, 'support')
  const isQuiet = expectQuietConsole(page)
  await page.goto('/support?queue=unassigned&search=Desk%3A+press')
  const queues = page.getByRole('group', { name: 'Queues' })
  await expect(queues.getByRole('button', { name: /^Unassigned \d/ })).toHaveAttribute('aria-pressed', 'true')
  const colleague = await (await browser.newContext()).newPage()
  await asUser(colleague, 'admin')
  await colleague.goto('/support')
  const unassigned = colleague
    .getByRole('group', { name: 'Queues' })
    .getByRole('button', { name: /^Unassigned/ })
  await expect(unassigned).toHaveText(/\d/)
  const before = Number((await unassigned.textContent())!.replace(/\D/g, ''))

  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await expect(page.getByRole('alert').filter({ hasText: 'Ticket saved.' })).toBeVisible()
  await expect(unassigned).toHaveText(`Unassigned ${before - 1}`)
  await queues.getByRole('button', { name: /^Mine/ }).click()
  const taken = page.getByRole('link', { name: /^Desk: press/ })
  await expect(taken).toHaveCount(1)
  await expect(page.getByRole('button', { name: /^Assignee of Desk: press \w+: Tom/ })).toBeVisible()
  await expectAccessible(page)

  await page.goto((await taken.getAttribute('href'))!)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Snooze until tomorrow' }).click()
  await expect(page.getByText(/^Until /)).toBeVisible()
  await page.goto('/support?queue=mine&search=Desk%3A+press')
  await expect(page.getByText('No results match your filters').first()).toBeVisible()
  await expect(page.getByRole('link', { name: /^Desk: press/ })).toHaveCount(0)
  isQuiet()
  await colleague.context().close()
})

test('a duplicate is merged into the ticket that stays, its address leads there, and undo separates them', async ({
  page,
}) => {
  await asUser(page, 'adh')
  const [first, second] = await enterRequests(page, 'Desk: double one', 'Desk: double two')
  await asUser(page, 'support')
  const isQuiet = expectQuietConsole(page)
  await page.goto(`/support/ticket/${second}/0`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Merge with another ticket' }).click()
  const dialog = page.getByRole('dialog', { name: `Merge #${second} Desk: double two` })
  await dialog.getByRole('button', { name: `#${first} Desk: double one` }).click()
  await expect(dialog.getByRole('radio', { name: `#${first} Desk: double one` })).toBeChecked()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: `Merge #${second} into #${first}` }).click()
  const undo = await holdUndo(page, `Merged #${second} into #${first}.`)
  await expect(page.getByRole('heading', { level: 1, name: 'Desk: double one' })).toBeVisible()
  const conversation = page.getByRole('main').getByText('It stopped.')
  await expect(conversation).toHaveCount(2)
  await undo.click()
  await expect(conversation).toHaveCount(1)
  isQuiet()
})

test('a saved reply is found by typing a slash, and goes out with the customer’s name and its status', async ({
  page,
}) => {
  await asUser(page, 'adh')
  const [id] = await enterRequests(page, 'Desk: towels are missing')
  await asUser(page, 'support')
  const isQuiet = expectQuietConsole(page)
  await page.goto(`/support/ticket/${id}/0`)
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.click()
  await page.keyboard.type('/count')
  const menu = page.getByRole('region', { name: 'Saved replies' })
  await expect(menu.getByRole('option', { name: /^Count towels manually/ })).toHaveAttribute(
    'aria-selected',
    'true',
  )
  await expect(menu.getByText('Sets the status to Waiting on customer')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(menu).toBeHidden()
  await expect(message).toContainText('Until this is fixed, Count → Manual will keep your totals right.')
  await expect(message).toContainText(`I’ll write to you on #${id}`)
  await expect(message).not.toContainText('/count')
  await expect(page.getByText('Sets the status to Waiting on customer.')).toBeVisible()
  // These words, and those about the draft, leave the buttons in one row.
  await expect(page.getByText('Draft saved')).toBeVisible()
  const middleOf = async (name: string) => {
    const box = (await page.getByRole('button', { name, exact: true }).boundingBox())!
    return Math.round(box.y + box.height / 2)
  }
  expect(await middleOf('Send')).toBe(await middleOf('Bold'))
  // On a phone, they leave the buttons of the text beside each other.
  const desktop = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  const topsOf = (...names: string[]) =>
    Promise.all(
      names.map((name) =>
        page
          .getByRole('button', { name, exact: true })
          .evaluate((button) => button.getBoundingClientRect().top),
      ),
    )
  // The page follows the new size in a few steps, so its first layout doesn't count.
  await expect
    .poll(async () => {
      const [bold, italic] = await topsOf('Bold', 'Italic')
      return italic! - bold!
    })
    .toBe(0)
  await page.setViewportSize(desktop)

  // The requester is an admin user, so there is no organization to name.
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByText('Replace {{organization}} before you send the reply.')).toBeVisible()
  await message.press('ControlOrMeta+A')
  await page.keyboard.type('We are on it.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('article').filter({ hasText: 'We are on it.' })).toBeVisible()
  await page.goto('/support/saved-replies?open=1')
  await expect(page.getByText(/^47 uses, last .* by Tom Whitfield/)).toBeVisible()
  isQuiet()
})

test('in the inbox, the properties of a ticket are beside its conversation where they fit, else behind a button', async ({
  page,
}) => {
  await asUser(page, 'adh')
  const [id] = await enterRequests(page, 'Desk: properties')
  await asUser(page, 'support')
  await page.setViewportSize({ width: 1920, height: 1000 })
  await page.goto(`/support?search=Desk%3A+properties&open=${id}`)
  const pane = page.getByRole('region', { name: 'Reading pane' })
  const requester = pane.getByRole('region', { name: 'Requester' })
  const message = pane.getByRole('textbox', { name: 'Message' })
  await pane
    .getByRole('button', { name: /^Reply/ })
    .or(message)
    .click()
  await message.fill('A text that was begun')
  await expect(requester).toBeVisible()
  const details = pane.getByRole('button', { name: 'Details' })
  await expect(details).toHaveCount(0)
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(requester).toHaveCount(0)
  await details.click()
  await expect(requester).toBeVisible()
  await expect(message).toBeHidden()
  await expectAccessible(page)
  await details.click()
  await expect(message).toHaveText('A text that was begun')
})

test('the support report is printed on one page of A4 or Letter', async ({ page }) => {
  await asUser(page, 'admin')
  await page.goto('/support/report')
  await expect(page.getByRole('table', { name: /^By person/ })).toBeVisible()
  await expect(page.getByRole('img', { name: /^Received and solved/ })).toBeVisible()
  const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' }
  for (const format of ['A4', 'Letter']) {
    const file = (await page.pdf({ format, margin })).toString('latin1')
    expect(file.match(/\/Type\s*\/Page\b/g), format).toHaveLength(1)
  }
})
