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

/** Mocks a chat room with exactly this many messages. */
async function withMessages(page: Page, count: number): Promise<void> {
  const all = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    message: `Message ${index + 1}${index % 3 === 0 ? '\nwith a second line' : ''}`,
    created_at: '2026-03-16T10:00:00.000Z',
    user: { id: 999, slug: 'anna', name: 'Anna Aalto', avatar: null },
  })).toReversed()
  await page.route(/\/api\/admin\/messages\?/, (route) => {
    const asked = new URL(route.request().url()).searchParams
    const [limit, before] = [Number(asked.get('limit') ?? 10), Number(asked.get('id') ?? count + 1)]
    const data = asked.has('after') ? [] : all.filter(({ id }) => id < before).slice(0, limit)
    return route.fulfill({ json: { data } })
  })
}

const more = (page: Page) => panelOf(page).getByRole('button', { name: 'load more messages' })
const end = (page: Page) => panelOf(page).getByText('no more messages')

for (const [count, loads] of [
  [3, 0],
  [10, 1],
  [20, 2],
  [25, 2],
] as const)
  test(`with exactly ${count} messages, the end is reached after ${loads} more loads`, async ({ page }) => {
    await withMessages(page, count)
    await openChat(page, 'qa')
    const messages = log(page).getByText(/^Message \d+/)
    await expect(messages).toHaveCount(Math.min(count, 10))
    for (let load = 1; load <= loads; load += 1) {
      await expect(end(page)).toHaveCount(0)
      await more(page).click()
      await expect(messages).toHaveCount(Math.min(count, 10 * (load + 1)))
    }
    await expect(end(page)).toBeVisible()
    await expect(more(page)).toHaveCount(0)
    await expect(messages.first()).toHaveText(/^Message 1\b/)
  })

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

test('records named in a message are links for users with access to them', async ({ page, browser }) => {
  await openChat(page, 'super_admin')
  const text = 'See #ticket 91, #lead 482 and #task 7, not #lead 0x1'
  await panelOf(page).getByLabel('send a message').fill(text)
  await panelOf(page).getByLabel('send a message').press('Enter')
  const links = (of: Page) => log(of).getByText('not #lead 0x1').last().getByRole('link')
  await expect(links(page)).toHaveText(['#ticket 91', '#lead 482', '#task 7'])
  const other = await (await browser.newContext()).newPage()
  for (const [who, wanted] of [
    ['digital_marketing', ['#lead 482']],
    ['developer', ['#task 7']],
    ['editor', []],
  ] as const) {
    await openChat(other, who)
    await expect(log(other).getByText('not #lead 0x1').last()).toBeVisible()
    await expect(links(other)).toHaveText([...wanted])
  }
  await links(page).nth(1).click()
  await expect(page).toHaveURL(/\/demo-leads\/lead\/482$/)
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

test('a chat over the page closes when the user writes in the page', async ({ page }) => {
  await page.setViewportSize({ width: 1100, height: 800 })
  await asUser(page, 'support')
  await page.goto('/support/ticket/16/0')
  await page.getByRole('button', { name: /^chat with authors/ }).click()
  await panelOf(page).getByLabel('send a message').fill('Half')
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  await message.focus()
  await expect(panelOf(page)).toHaveCount(0)
  await expect(message).toBeFocused()
})

test('the chat is beside the page and its composer, which get narrower', async ({ page }) => {
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
  expect(await right()).toBe((await panelOf(page).boundingBox())!.x)
  await message.click()
  await expect(page.getByRole('button', { name: 'Send', exact: true }).first()).toBeInViewport()
  await panelOf(page).getByRole('button', { name: 'Close chat' }).click()
  expect(await right()).toBe(1366)
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
