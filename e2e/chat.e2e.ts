import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole } from './helpers.ts'
import { test } from './panel.ts'

/*
 * The staff chat: loading older messages, keeping the scroll position, and keeping unsaved input. Tests with
 * two users are in together.e2e.ts.
 */

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'chat with authors' })
const log = (page: Page) => panelOf(page).getByRole('log')

async function openChat(page: Page, user: string): Promise<void> {
  await asUser(page, user)
  await page.goto('/dashboard')
  await page.getByRole('button', { name: /^chat with authors/ }).click()
  await expect(panelOf(page).getByLabel('send a message')).toBeVisible()
}

const more = (page: Page) => panelOf(page).getByRole('button', { name: 'load more messages' })

test('loading older messages keeps the scroll position, even if a new message arrives at the same time', async ({
  page,
  browser,
}) => {
  const isQuiet = expectQuietConsole(page)
  await asUser(page, 'qa')
  await page.evaluate(async () => {
    for (let n = 1; n <= 45; n += 1)
      await fetch('/api/admin/messages', {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: JSON.stringify({
          message: `Place ${n}\nwith a second line${n % 3 === 0 ? '\nand a third' : ''}`,
        }),
      })
  })
  await openChat(page, 'designer')
  const said = log(page).getByText(/^Place \d+/)
  await expect(said.last()).toBeInViewport()
  await more(page).click()
  await expect.poll(() => said.count()).toBeGreaterThan(12)
  await log(page).evaluate((element) => element.scrollTo({ top: 0 }))
  const anchor = said.first()
  const words = await anchor.innerText()
  const count = await said.count()
  const placeOf = async () => Math.round((await log(page).getByText(words, { exact: true }).boundingBox())!.y)
  const before = await placeOf()
  await more(page).click()
  await expect.poll(() => said.count()).toBeGreaterThan(count)
  expect(Math.abs((await placeOf()) - before)).toBeLessThanOrEqual(2)

  const other = await (await browser.newContext()).newPage()
  await openChat(other, 'crm')
  await panelOf(other).getByLabel('send a message').fill('While you were reading')
  await panelOf(other).getByRole('button', { name: 'Send' }).click()
  await expect(panelOf(page).getByRole('button', { name: 'New messages' })).toBeVisible()
  expect(Math.abs((await placeOf()) - before)).toBeLessThanOrEqual(2)
  await expectAccessible(page)
  await panelOf(page).getByRole('button', { name: 'New messages' }).click()
  await expect(log(page).getByText('While you were reading')).toBeInViewport()
  isQuiet()
})

test('unsaved input and the open chat survive a closed tab', async ({ page }) => {
  await openChat(page, 'adh')
  await panelOf(page).getByLabel('send a message').fill('Half a thought')
  const again = await page.context().newPage()
  await page.close()
  await again.goto('/dashboard')
  await expect(panelOf(again).getByLabel('send a message')).toHaveValue('Half a thought')
  await panelOf(again).getByRole('button', { name: 'Close chat' }).click()
  await again.reload()
  await expect(again.getByRole('button', { name: /^chat with authors/ })).toBeVisible()
  await expect(panelOf(again)).toHaveCount(0)
})

test('a message mentions a person, whose notice leads to it, and shows a record as it is now', async ({
  page,
  browser,
}) => {
  await openChat(page, 'super_admin')
  const field = panelOf(page).getByLabel('send a message')
  await panelOf(page).getByRole('button', { name: 'Mention someone' }).click()
  await expect(panelOf(page).getByRole('option')).not.toHaveCount(0)
  await page.keyboard.type('Nadia')
  await page.keyboard.press('Enter')
  await page.keyboard.type(`please look at ${page.url().replace('/dashboard', '/support/ticket/16/0')}`)
  await expect(field).toHaveValue(/^@Nadia \S+ please look/)
  await page.keyboard.press('Enter')
  const card = log(page)
    .getByRole('link', { name: /Ticket 16$/ })
    .last()
  await expect(card).toBeVisible()
  await expectAccessible(page)
  await card.click()
  // The page then puts the ticket's organization into its address.
  await expect(page).toHaveURL(/\/support\/ticket\/16\/\d+$/)
  await expect(panelOf(page)).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'editor')
  await other.goto('/posts')
  await other.getByRole('button', { name: /^Notices/ }).click()
  await other
    .getByRole('link', { name: /chat with authors/ })
    .first()
    .click()
  await expect(log(other).getByText('please look at').last()).toBeInViewport()
  await expect(other).toHaveURL(/\/posts/)
  // The editor can't open tickets.
  await expect(log(other).getByRole('link', { name: /Ticket 16$/ })).toHaveCount(0)
})

test('the chat is beside the page and its composer, which get narrower, or over the page, until the user writes in the page', async ({
  page,
}) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/16/0')
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await expect(message).toBeVisible()
  const right = async () => {
    const { x, width } = (await page.getByRole('main').boundingBox())!
    return x + width
  }
  expect(await right()).toBe(1366)
  await page.getByRole('button', { name: /^chat with authors/ }).click()
  await expect(panelOf(page)).toBeVisible()
  // The page follows in the next frame.
  await expect.poll(async () => (await right()) - (await panelOf(page).boundingBox())!.x).toBe(0)
  await message.click()
  await expect(page.getByRole('button', { name: 'Send', exact: true }).first()).toBeInViewport()
  await panelOf(page).getByRole('button', { name: 'Close chat' }).click()
  await expect.poll(right).toBe(1366)

  await page.setViewportSize({ width: 1100, height: 800 })
  await page.getByRole('button', { name: /^chat with authors/ }).click()
  await panelOf(page).getByLabel('send a message').fill('Half')
  await message.focus()
  await expect(panelOf(page)).toHaveCount(0)
  await expect(message).toBeFocused()
})

test.describe('dark, on a phone', () => {
  test.use({ colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true })

  test('messages are read and sent in the chat, and it makes the page no wider', async ({ page }) => {
    await openChat(page, 'qa')
    await panelOf(page)
      .getByLabel('send a message')
      .fill(`On the phone ${'w'.repeat(300)}`)
    await panelOf(page).getByRole('button', { name: 'Send', exact: true }).tap()
    await expect(log(page).getByText('On the phone').first()).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await expectAccessible(page)
  })
})
