import { expect, type Page } from '@playwright/test'
import { api, asUser } from './helpers.ts'
import { composerOf, deliver, headOf, listOf, messageOf, paneOf, rowsOf } from './inbox.ts'
import { test } from './panel.ts'

/* A morning at the support desk, without a mouse. */

const count = 40
const titles = Array.from({ length: count }, (_, at) => `Zephyr laundry ${String(at + 1).padStart(2, '0')}`)

async function answer(page: Page, text: string): Promise<void> {
  await page.keyboard.press('r')
  await expect(messageOf(page)).toBeFocused()
  await expect(paneOf(page).getByRole('button', { name: 'Bold' })).toBeVisible()
  await page.keyboard.type(text)
}

async function returnToList(page: Page, text: string): Promise<void> {
  await expect(
    paneOf(page).getByRole('region', { name: 'Conversation' }).getByRole('article').filter({ hasText: text }),
  ).toBeVisible()
  await page.keyboard.press('Escape')
}

/** Work on the open ticket, in turns. */
const acts: ((page: Page, title: string) => Promise<void>)[] = [
  async (page, title) => {
    await answer(page, `Answer to ${title}`)
    await page.keyboard.press('Control+Enter')
    await returnToList(page, `Answer to ${title}`)
  },
  async (page, title) => {
    await answer(page, `Solution of ${title}`)
    await paneOf(page).getByRole('button', { name: 'More ways to send' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Send and set Resolved' }).press('Enter')
    await returnToList(page, `Solution of ${title}`)
  },
  async (page, title) => {
    await page.keyboard.press('a')
    await expect(
      listOf(page).getByRole('button', { name: `Assignee of ${title}: Tom Whitfield` }),
    ).toBeVisible()
  },
  async (page, title) => {
    await page.keyboard.press('n')
    const note = composerOf(page).getByRole('textbox', { name: 'Note' })
    await expect(note).toBeFocused()
    await page.keyboard.type(`Note on ${title}`)
    await page.keyboard.press('Control+Enter')
    await returnToList(page, `Note on ${title}`)
  },
]

test('a morning with forty tickets by keyboard: each is answered, resolved, taken, or gets a note, over two pages of the list', async ({
  page,
}) => {
  const ids = await deliver(...titles)
  await page.setViewportSize({ width: 1440, height: 900 })
  await asUser(page, 'support')
  await page.goto('/support?search=zephyr+laundry&column=id&direction=asc')
  await expect(rowsOf(page).first()).toBeVisible()
  await page.locator('body').press('j')
  await expect(rowsOf(page).first()).toBeFocused()
  await page.keyboard.press('Enter')
  for (const [at, title] of titles.entries()) {
    await expect(headOf(page)).toHaveText(`#${ids[at]} ${title}`)
    await acts[at % acts.length]!(page, title)
    if (at < count - 1) await page.keyboard.press('j')
  }
  const done = await Promise.all(
    ids.map(async (id) => {
      const { data } = await api(page, 'GET', `/admin/support/ticket/${id}`)
      return data
    }),
  )
  for (const [at, title] of titles.entries()) {
    const { status, assignee_id, messages } = done[at]!
    const replies = messages.filter((message: { sent_by_admin: boolean }) => message.sent_by_admin)
    const turn = at % acts.length
    expect([title, status, replies.length]).toEqual([title, turn === 1 ? 4 : 0, turn < 2 ? 1 : 0])
    // Answering a ticket that is unassigned takes it.
    expect([title, assignee_id !== null]).toEqual([title, turn < 3])
  }
})
