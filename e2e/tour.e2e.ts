import { expect, type Page } from '@playwright/test'
import { plainPages } from './pages.ts'
import { asUser, expectAccessible, expectQuietConsole, watchRequests } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Visits every screen once, as a Super Admin, and checks what holds for each of them: its name, title, and
 * breadcrumb; axe with all rules, in dark mode that for contrast; that a list shows its default columns at 1440 px; and
 * that nothing scrolls outside the shell, on a desktop and on a phone.
 */

// The longest file: its tests only read, so they can run in both workers.
test.describe.configure({ mode: 'parallel' })

/** Records, and other states of pages; pages without parameters are visited without a line here. */
const states = [
  ['leads', '/demo-leads?fromDate=all&toDate=all'],
  ['leads, none', '/demo-leads?search=nothing-is-called-this'],
  ['a lead', '/demo-leads/morvale-clinic/1'],
  ['follow-ups', '/demo-leads/follow-ups?assigned_filter=all'],
  ['follow-ups, a lead', '/demo-leads/follow-ups?assigned_filter=all&open=1'],
  ['follow-ups, none', '/demo-leads/follow-ups?tab=today&page=9'],
  ['schedule, week', '/demo-leads/demo-leads-schedule?view=week'],
  ['development tasks', '/development-tasks?delivered=not-delivered'],
  ['Task Details', '/development-tasks?task=6'],
  ['delivery calendar, agenda', '/designer-tasks/designerschedular?view=agenda'],
  ['an organization', '/organizations/detail/name/0/3'],
  ['a customer user', '/users/detail/name/5'],
  ['documents of an organization', '/organizations/document/name/3'],
  ['an onboarding', '/on-boarding/details/name/3'],
  ['tickets, with one open', '/support?open=3'],
  ['tickets, as a table', '/support?layout=table'],
  ['the support board', '/support?layout=board'],
  ['saved replies, with one open', '/support/saved-replies?open=1'],
  ['the leads by status', '/demo-leads?layout=board'],
  ['a ticket', '/support/ticket/3/0'],
  ['a notification', '/notifications/update-notification/1'],
  ['a post', '/posts/a-short-guide-to-table-linen'],
  ['posts of an author', '/users/editor/posts'],
  ['a case study', '/case-study/what-changed-for-hotel-morvale'],
  ['FAQs by category', '/faqcategories/washing-and-drying/posts'],
  ['a FAQ', '/faqs/how-do-i-get-started-with-the-weekly-plan'],
  ['a version of the terms', '/term&conditions/2'],
  ['edit a post', '/posts/update-post/a-short-guide-to-table-linen'],
  ['a contract', '/customer-contracts/update-contract/1'],
  ['development tasks of a type', '/common/development/task/bug'],
  ['not found', '/nothing-here'],
] as const

const screens = [...states, ...plainPages.map(({ name, path }) => [`${name} (${path})`, path] as const)]

/** Number of screens that share a sign-in and the code loaded with it. */
const perJourney = 10
const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }

for (let first = 0; first < screens.length; first += perJourney) {
  const some = screens.slice(first, first + perJourney)
  test(`screens: ${some.map(([name]) => name).join(', ')}`, async ({ page }) => {
    const quiet = expectQuietConsole(page)
    const settled = watchRequests(page)
    await asUser(page, 'super_admin')
    for (const [screen, address] of some)
      await test.step(screen, async () => {
        await page.setViewportSize(desktop)
        await page.emulateMedia({ colorScheme: 'light' })
        await page.goto(address)
        await expectNamed(page, address)
        await settled()
        expect.soft(await overflowOf(page), 'on a desktop').toEqual({ right: 0, below: 0 })
        for (const [name, excess] of await excessOf(page))
          // The matrix has a column for each of the fourteen roles.
          if (name !== 'Permissions by role') expect.soft([name, excess]).toEqual([name, 0])
        await expectAccessible(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
        // A theme changes colors only.
        await expectAccessible(page, 'color-contrast')
        await page.setViewportSize(phone)
        await settled()
        await expect
          .poll(() => overflowOf(page), { message: `${address} on a phone` })
          .toEqual({ right: 0, below: 0 })
      })
    quiet()
  })
}

async function expectNamed(page: Page, address: string): Promise<void> {
  const heading = page.getByRole('heading', { level: 1 })
  await expect(heading).toBeVisible()
  await expect(page).toHaveURL((url) => url.pathname.startsWith(/^\/[^/?]*/.exec(address)![0]))
  if (address !== '/nothing-here') await expect(heading).not.toHaveText('Not Found - 404')
  // The heading of a record is its name, which arrives with the record.
  await expect(async () => {
    const name = (await heading.textContent())!
    expect(name.length).toBeGreaterThan(2)
    // The bell's number is before the name, once it has been counted.
    expect((await page.title()).replace(/^\(\d+\) /, '')).toBe(`${name} | Admin Panel`)
  }).toPass()
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' })
  if (address === '/dashboard') await expect(breadcrumb).toHaveCount(0)
  else await expect(breadcrumb).toContainText(/Home.*Dashboard/)
}

/** Returns the pixels by which the page exceeds the window, or its content the area beside the menu. */
const overflowOf = (page: Page): Promise<{ right: number; below: number }> =>
  page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement
    const main = document.querySelector('main')!
    return {
      right: Math.max(0, scrollWidth - innerWidth, main.scrollWidth - main.clientWidth),
      below: Math.max(0, scrollHeight - innerHeight),
    }
  })

/** Returns each list with the pixels by which its table is wider than the page. */
const excessOf = (page: Page): Promise<(readonly [string | null, number])[]> =>
  page
    .locator('main [role=region][data-fill]')
    .evaluateAll((found) =>
      found.map(
        (region) => [region.getAttribute('aria-label'), region.scrollWidth - region.clientWidth] as const,
      ),
    )

test('controls: a missing label, a pale text in dark mode, a page outside its shell, and a table that is too wide are found', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.setViewportSize(desktop)
  await page.goto('/development-tasks')
  const table = page.locator('main [role=region][data-fill]')
  await expect(table).toBeVisible()
  expect(await overflowOf(page)).toEqual({ right: 0, below: 0 })
  expect(await excessOf(page)).toEqual([['Development tasks', 0]])
  await table.evaluate((region) => (region.style.width = '600px'))
  expect((await excessOf(page))[0]![1]).toBeGreaterThan(100)
  await page.evaluate(() => (document.querySelector<HTMLElement>('main > *')!.style.width = '3000px'))
  expect((await overflowOf(page)).right).toBeGreaterThan(1000)

  await page.goto('/tags')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.getByRole('heading', { level: 1 }).evaluate((one) => (one.style.color = '#555'))
  await expect(expectAccessible(page, 'color-contrast')).rejects.toThrow(/color-contrast/)
  await page.evaluate(() => document.querySelector('main')!.append(document.createElement('input')))
  await expect(expectAccessible(page)).rejects.toThrow(/label/)
})
