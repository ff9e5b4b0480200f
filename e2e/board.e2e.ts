import { expect, type Page } from '@playwright/test'
import { api, asUser, enterLeads, expectAccessible, undoLast } from './helpers.ts'
import { test } from './panel.ts'

/** The lane whose name begins like this. */
const laneOf = (page: Page, name: string) =>
  page
    .getByRole('group', { name: /Board|Leads by status/ })
    .locator('section')
    .filter({ hasText: new RegExp(`^${name}`) })
const cardOf = (page: Page, title: string) => page.getByRole('link', { name: title })
const titlesIn = (page: Page, lane: string) => laneOf(page, lane).getByRole('link').allTextContents()
const toasts = (page: Page) => page.getByRole('alert')

/** Enters tickets with these titles, whose cards are in the list To do. */
async function enterCards(page: Page, ...titles: string[]): Promise<number[]> {
  const ids: number[] = []
  for (const title of titles) {
    const { data } = await api(page, 'POST', '/admin/support/ticket', { title, message: '<p>Hello</p>' })
    ids.push(data.id)
    await api(page, 'POST', `/admin/support/moveCard/${data.id}`, { list_id: 1 })
  }
  return ids
}

/** Drags a card over an element, and drops it there, once the card no longer moves to its place. */
async function drag(page: Page, title: string, to: ReturnType<typeof laneOf>, y = 60): Promise<void> {
  await cardOf(page, title).hover({ position: { x: 30, y: 12 } })
  const from = (await cardOf(page, title).boundingBox())!
  const over = (await to.boundingBox())!
  await page.mouse.down()
  await page.mouse.move(from.x + 40, from.y + 20, { steps: 3 })
  await page.mouse.move(over.x + over.width / 2, over.y + y, { steps: 5 })
  await page.mouse.up()
}

/** Holds a card with a finger, moves it over an element, and lifts the finger. */
async function hold(page: Page, title: string, to: ReturnType<typeof laneOf>): Promise<void> {
  const center = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) => ({
    x: x + width / 2,
    y: y + height / 2,
  })
  const from = center((await cardOf(page, title).boundingBox())!)
  const over = center((await to.boundingBox())!)
  const finger = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    finger.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  await touch('touchStart', from)
  await expect(page.locator('[data-ghost]')).toBeVisible()
  for (const part of [0.3, 0.7, 1])
    await touch('touchMove', {
      x: from.x + (over.x - from.x) * part,
      y: from.y + (over.y - from.y) * part,
    })
  await touch('touchEnd')
}

test('a card is dragged between others and removed from the board, and Undo reverts a move', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await enterCards(page, 'Drag one', 'Drag two', 'Drag three')
  await page.goto('/support?layout=board&search=drag')
  await expect(laneOf(page, 'To do').getByRole('link')).toHaveCount(3)
  await expectAccessible(page)
  await drag(page, 'Drag three', laneOf(page, 'Doing'))
  await expect(laneOf(page, 'Doing').getByRole('link')).toHaveCount(1)
  await drag(page, 'Drag one', laneOf(page, 'Doing'), 45)
  await expect
    .poll(async () => (await titlesIn(page, 'Doing')).map((text) => text.slice(0, 8)))
    .toEqual(['Drag one', 'Drag thr'])
  await undoLast(page).click()
  await expect(laneOf(page, 'To do').getByRole('link')).toHaveCount(2)
  // A folded lane takes a drop too, below the toasts.
  await drag(page, 'Drag two', laneOf(page, 'Not on the board'), 300)
  await expect(cardOf(page, 'Drag two')).toHaveCount(0)
  await page.getByRole('button', { name: 'Not on the board, 1 card, expand' }).click()
  await expect(laneOf(page, 'Not on the board').getByRole('link', { name: 'Drag two' })).toBeVisible()
})

test('a card is moved with the keyboard, which tells each position, and keeps the focus', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await enterCards(page, 'Keys one', 'Keys two')
  await page.goto('/support?layout=board&search=keys')
  const said = page.getByRole('status').filter({ hasText: 'Keys' })
  await cardOf(page, 'Keys two').focus()
  await page.keyboard.press('Space')
  await expect(said).toContainText('Keys two picked up from To do, position 2 of 2.')
  await page.keyboard.press('ArrowUp')
  await expect(said).toHaveText('Keys two is over To do, position 1 of 2')
  await page.keyboard.press('Space')
  await expect.poll(async () => (await titlesIn(page, 'To do'))[0]).toContain('Keys two')
  await expect(cardOf(page, 'Keys two')).toBeFocused()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(said).toHaveText('Keys two wasn’t moved.')
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await expect(laneOf(page, 'Doing').getByRole('link', { name: 'Keys two' })).toBeFocused()
  await expect(said).toHaveText('Keys two moved to Doing, position 1 of 1.')
  await page.keyboard.press('ArrowLeft')
  await expect(cardOf(page, 'Keys one')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/support\/ticket\//)
})

test('if two users move one card, the second one sees who moved it, and where it is', async ({ page }) => {
  await asUser(page, 'super_admin')
  const [id] = await enterCards(page, 'Shared card')
  const other = await page.context().browser()!.newContext()
  const admin = await other.newPage()
  await asUser(admin, 'admin')
  await admin.goto('/support?layout=board&search=shared+card')
  await cardOf(admin, 'Shared card').focus()
  await admin.keyboard.press('Space')
  await api(page, 'POST', `/admin/support/moveCard/${id}`, { list_id: 3 })
  await expect(laneOf(admin, 'Waiting').getByRole('link')).toHaveCount(1)
  await admin.keyboard.press('ArrowRight')
  await admin.keyboard.press('Space')
  await expect(toasts(admin)).toContainText('already moved this card to “Waiting”.')
  await expect(laneOf(admin, 'Waiting').getByRole('link', { name: 'Shared card' })).toBeVisible()
  await other.close()
})

test('on a phone, a card is moved by holding it, or from its menu', async ({ browser }) => {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  await asUser(page, 'super_admin')
  await enterCards(page, 'Phone card')
  await page.goto('/support?layout=board&search=phone+card')
  await expect(cardOf(page, 'Phone card')).toBeVisible()
  await expectAccessible(page)
  const tabs = page.getByRole('group', { name: 'Lanes' })
  await hold(page, 'Phone card', tabs.getByRole('button', { name: /^Doing/ }))
  await expect(laneOf(page, 'Doing').getByRole('link', { name: 'Phone card' })).toBeVisible()
  await tabs.getByRole('button', { name: /^Doing/ }).tap()
  await expect(cardOf(page, 'Phone card')).toBeInViewport({ ratio: 0.9 })
  await page.getByRole('button', { name: 'Actions for Phone card' }).tap()
  await page.getByRole('menuitem', { name: 'Move to Waiting' }).tap()
  await expect(laneOf(page, 'Waiting').getByRole('link', { name: 'Phone card' })).toBeVisible()
  await context.close()
})

test('leads are a list or a board with the same filters; a drop sets the status, and Rejected asks for the reason', async ({
  page,
}) => {
  // Wide enough to show all lanes.
  await page.setViewportSize({ width: 1900, height: 900 })
  await asUser(page, 'super_admin')
  await enterLeads(page, { companyName: 'Board Inn' }, { companyName: 'Board Spa' })
  await page.goto('/demo-leads?search=board')
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'Board' }).click()
  await expect(page).toHaveURL(/search=board.*layout=board|layout=board.*search=board/)
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(2)
  await expectAccessible(page)
  await drag(page, 'Board Inn', laneOf(page, 'Contacted'))
  await expect(laneOf(page, 'Contacted').getByRole('link', { name: 'Board Inn' })).toBeVisible()
  await expect(toasts(page)).toContainText('Board Inn moved to Contacted.')

  await cardOf(page, 'Board Spa').click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Move to Rejected' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(1)
  await drag(page, 'Board Spa', laneOf(page, 'Rejected'))
  await page.getByRole('textbox', { name: 'Reason' }).fill('Too small')
  await page.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(laneOf(page, 'Rejected')).toContainText('1')
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(0)
  await page.getByRole('group', { name: 'Layout' }).getByRole('button', { name: 'List' }).click()
  await expect(page.getByRole('table')).toBeVisible()
  await expect(page).toHaveURL(/search=board/)
})

test('a lead that is dropped on Won asks for its organization, and goes back if the question is closed', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1900, height: 900 })
  await asUser(page, 'super_admin')
  await enterLeads(page, { companyName: 'Drop Lodge' })
  await page.goto('/demo-leads?search=lodge&layout=board')
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(1)
  const question = page.getByRole('dialog', { name: 'Won: Drop Lodge' })
  await drag(page, 'Drop Lodge', laneOf(page, 'Won'))
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toHaveCount(0)
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(1)

  await drag(page, 'Drop Lodge', laneOf(page, 'Won'))
  await question.getByRole('button', { name: 'Win without an organization' }).click()
  // The lane of won leads is folded.
  await expect(laneOf(page, 'Won')).toContainText('1')
  await expect(laneOf(page, 'New').getByRole('link')).toHaveCount(0)
})
