import { expect, type Page } from '@playwright/test'
import { api, asUser, changeGrants, expectAccessible, holdUndo, roleOf } from './helpers.ts'
import {
  deliver,
  listOf,
  rowsOf,
  titlesOf,
  paneOf,
  messageOf,
  composerOf,
  openComposer,
  send,
  headOf,
} from './inbox.ts'
import { test } from './panel.ts'

/* Tickets as an inbox: the list, and the open ticket beside it. */

const desktop = { width: 1440, height: 900 }

test('three tickets in a row are answered by keyboard, and the list keeps its order whatever the answers changed', async ({
  page,
}) => {
  const titles = ['Linen walk one', 'Linen walk two', 'Linen walk three', 'Linen walk four']
  const ids = await deliver(...titles)
  await page.setViewportSize(desktop)
  await asUser(page, 'support')
  // A status sent along takes the ticket off this list; an answer moves it to the other end.
  await page.goto('/support?search=linen+walk&status=0&column=last_message_at&direction=asc')
  await expect(rowsOf(page)).toHaveCount(4)
  await expect(paneOf(page)).toContainText('No ticket open')
  await page.locator('body').press('j')
  await expect(rowsOf(page).first()).toBeFocused()
  await expect(page).not.toHaveURL(/open=/)
  await page.keyboard.press('Enter')
  for (const [at, title] of titles.slice(0, 3).entries()) {
    await expect(headOf(page)).toHaveText(`#${ids[at]} ${title}`)
    await expect(page).toHaveURL(new RegExp(`open=${ids[at]}$`))
    await expect(rowsOf(page).nth(at)).toHaveAttribute('aria-current', 'true')
    await expect(composerOf(page)).toBeVisible()
    await page.keyboard.press('r')
    await expect(messageOf(page)).toBeFocused()
    await expect(paneOf(page).getByRole('button', { name: 'Bold' })).toBeVisible()
    await messageOf(page).fill(`Answer to ${title}`)
    if (at === 1) {
      await paneOf(page).getByRole('button', { name: 'More ways to send' }).press('Enter')
      await page.getByRole('menuitem', { name: 'Send and set Resolved' }).press('Enter')
      await expect(
        rowsOf(page)
          .nth(at)
          .getByRole('button', { name: /^Status of/ }),
      ).toHaveText('Resolved')
    } else await messageOf(page).press('Control+Enter')
    const talk = paneOf(page).getByRole('region', { name: 'Conversation' })
    await expect(talk.getByRole('article').filter({ hasText: `Answer to ${title}` })).toBeVisible()
    expect(await titlesOf(page)).toEqual(titles)
    await messageOf(page).press('Escape')
    await expect(rowsOf(page).nth(at)).toBeFocused()
    await page.keyboard.press('j')
  }
  await expect(headOf(page)).toHaveText(`#${ids[3]} ${titles[3]}`)
  await page.keyboard.press('k')
  await expect(headOf(page)).toHaveText(`#${ids[2]} ${titles[2]}`)
  await page.keyboard.press('Escape')
  await expect(paneOf(page)).toContainText('No ticket open')
})

test('by mouse: drafts survive the walk, “Send and next” opens the next ticket, and Back closes the pane', async ({
  page,
}) => {
  const titles = ['Towel walk one', 'Towel walk two', 'Towel walk three']
  const ids = await deliver(...titles)
  await page.setViewportSize(desktop)
  await asUser(page, 'support')
  await page.goto('/support?search=towel+walk&column=id&direction=asc')
  const row = (at: number) => rowsOf(page).nth(at)
  await expect(row(0)).toContainText('New')
  await row(0).getByRole('link').click()
  await openComposer(page)
  await messageOf(page).fill('A half-written answer')
  // Opening the ticket marked it as read.
  await expect(row(0).getByText('New', { exact: true })).toHaveCount(0)
  await row(1).getByRole('link').click()
  await expect(headOf(page)).toHaveText(`#${ids[1]} ${titles[1]}`)
  await expect(composerOf(page)).toContainText('Reply')
  await expect(messageOf(page)).toHaveCount(0)
  await row(0).getByRole('link').click()
  await expect(messageOf(page)).toContainText('A half-written answer')
  await paneOf(page).getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and next' }).click()
  await expect(headOf(page)).toHaveText(`#${ids[1]} ${titles[1]}`)
  await expect(row(1)).toBeFocused()
  // The next ticket still offers to undo the reply, whose text becomes a draft again.
  await paneOf(page).getByText(`Sending reply to #${ids[0]}`).waitFor()
  await paneOf(page).getByRole('button', { name: 'Undo send' }).click()
  await expect(paneOf(page).getByText(`Sending reply to #${ids[0]}`)).toHaveCount(0)
  await row(0).getByRole('link').click()
  await expect(messageOf(page)).toContainText('A half-written answer')
  await expect(paneOf(page).getByRole('article').filter({ hasText: 'A half-written' })).toHaveCount(0)
  await row(1).getByRole('link').click()
  await openComposer(page)
  await messageOf(page).fill('The second answer')
  await send(page).click()
  await expect(paneOf(page).getByRole('article').filter({ hasText: 'The second answer' })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expectAccessible(page)
  await page.goBack()
  await expect(paneOf(page)).toContainText('No ticket open')
  await expect(page).toHaveURL(/search=towel/)
  expect(await titlesOf(page)).toEqual(titles)

  // The address opens the same ticket for someone else, and the whole page has it too.
  await page.goto(`/support?search=towel+walk&open=${ids[2]}`)
  await expect(headOf(page)).toHaveText(`#${ids[2]} ${titles[2]}`)
  await openComposer(page)
  await messageOf(page).fill('Begun beside the list')
  await paneOf(page).getByRole('link', { name: 'Open ticket' }).click()
  await expect(page).toHaveURL(new RegExp(`/support/ticket/${ids[2]}/0$`))
  await expect(page.getByRole('textbox', { name: 'Message' })).toContainText('Begun beside the list')
  await page.getByRole('textbox', { name: 'Message' }).fill('')
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(rowsOf(page)).toHaveCount(3)
})

test('the step after the last row opens the first ticket of the next page', async ({ page }) => {
  await page.setViewportSize(desktop)
  await asUser(page, 'super_admin')
  await page.goto('/support?column=id&direction=asc')
  await expect(rowsOf(page)).toHaveCount(20)
  await rowsOf(page).last().getByRole('link').click()
  await expect(rowsOf(page).last()).toHaveAttribute('aria-current', 'true')
  await page.keyboard.press('j')
  await expect(page).toHaveURL(/page=2.*open=/)
  await expect(rowsOf(page).first()).toHaveAttribute('aria-current', 'true')
  await expect(rowsOf(page).first()).toBeFocused()
  await page.keyboard.press('k')
  await expect(page).not.toHaveURL(/page=2/)
  await expect(rowsOf(page).last()).toHaveAttribute('aria-current', 'true')
})

test('rows are selected with Shift and x, and the bar of the list moves them to the trash', async ({
  page,
}) => {
  const titles = ['Trash walk one', 'Trash walk two', 'Trash walk three', 'Trash walk four']
  await deliver(...titles)
  await page.setViewportSize(desktop)
  await asUser(page, 'super_admin')
  await page.goto('/support?search=trash+walk&column=id&direction=asc')
  const bar = page.getByRole('group', { name: 'Selected rows' })
  await page.getByRole('checkbox', { name: 'Select Trash walk one' }).check()
  await page.getByRole('checkbox', { name: 'Select Trash walk three' }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 selected')
  await rowsOf(page).first().focus()
  await page.keyboard.press('x')
  await expect(bar).toContainText('2 selected')
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Move to trash' }).click()
  const undo = await holdUndo(page, '')
  await expect.poll(() => titlesOf(page)).toEqual([titles[0], titles[3]])
  await undo.click()
  await expect.poll(() => titlesOf(page)).toEqual(titles)
})

test('on a phone, a row opens the page of its ticket, and a link to an open ticket shows it', async ({
  page,
}) => {
  const titles = ['Phone walk one', 'Phone walk two']
  const ids = await deliver(...titles)
  await page.setViewportSize({ width: 390, height: 844 })
  await asUser(page, 'support')
  await page.goto('/support?search=phone+walk&column=id&direction=asc')
  // A page without its list has no pane either.
  await expect(rowsOf(page)).toHaveCount(2)
  await expect(paneOf(page)).toBeHidden()
  await expectAccessible(page)
  await rowsOf(page).first().getByRole('link').click()
  await expect(page).toHaveURL(new RegExp(`/support/ticket/${ids[0]}/0$`))
  await page.getByRole('textbox', { name: 'Message' }).fill('From my phone')
  await page.getByRole('button', { name: 'More ways to send' }).click()
  await page.getByRole('menuitem', { name: 'Send and next' }).click()
  await expect(page).toHaveURL(new RegExp(`/support/ticket/${ids[1]}/0$`))
  await page.goBack()
  await expect(rowsOf(page)).toHaveCount(2)
  await page.goto(`/support?search=phone+walk&open=${ids[1]}`)
  await openComposer(page)
  await expect(listOf(page)).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to list' }).click()
  await expect(rowsOf(page)).toHaveCount(2)
})

test('on a phone, the marks of a row that has many continue on another line, and the filters are beside the search', async ({
  page,
}) => {
  const [id] = await deliver('Phone marks')
  await page.setViewportSize({ width: 390, height: 844 })
  await asUser(page, 'support')
  await api(page, 'POST', `/admin/support/ticket/${id}/update`, { priority: 1 })
  await api(page, 'POST', `/admin/support/change-ticket-status/${id}/3`)
  await page.goto(`/support/ticket/${id}/0`)
  await page.getByRole('textbox', { name: 'Message' }).fill('Not sent yet')
  await page.goto('/support?search=phone+marks')
  const row = rowsOf(page).first()
  await expect(row.getByTitle(/ left$/)).toBeInViewport({ ratio: 1 })
  await expect(row).toContainText(/Draft.*Urgent.*Waiting on customer/)
  await expect(row.getByRole('button', { name: /^Assignee of/ })).toBeInViewport({ ratio: 1 })
  const [search, filters] = await Promise.all(
    [
      page.getByRole('searchbox', { name: 'Search tickets' }),
      page.getByRole('button', { name: /^Filters/ }),
    ].map((one) => one.boundingBox()),
  )
  expect(filters!.y).toBe(search!.y)
})

test('two users on one ticket: each sees the other, and the second reply is not sent before the first is read', async ({
  browser,
}) => {
  const [id] = await deliver('Shared desk')
  const pages = await Promise.all(
    ['support', 'super_admin'].map(async (user) => {
      const page = await (await browser.newContext({ viewport: desktop })).newPage()
      await asUser(page, user)
      await page.goto(`/support?search=shared+desk&open=${id}`)
      await openComposer(page)
      return page
    }),
  )
  const [tom, ingrid] = pages as [Page, Page]
  await expect(paneOf(tom).getByRole('status', { name: 'Also viewing' })).toContainText(
    'is also viewing this',
  )
  await messageOf(ingrid).fill('Please restart it.')
  await messageOf(tom).fill('We are on it.')
  await send(tom).click()
  await expect(paneOf(ingrid).getByRole('article').filter({ hasText: 'We are on it.' })).toBeVisible()
  await send(ingrid).click()
  await expect(paneOf(ingrid).getByRole('alert').first()).toContainText(
    'sent a message while you were writing',
  )
  await paneOf(ingrid).getByRole('button', { name: 'Send anyway' }).click()
  await expect(paneOf(tom).getByRole('article').filter({ hasText: 'Please restart it.' })).toBeVisible()
  for (const page of pages) await page.context().close()
})

test('the user’s own requests are read and answered beside their list, and support’s reply arrives there', async ({
  page,
  browser,
}) => {
  await page.setViewportSize(desktop)
  await asUser(page, 'csm')
  const titles = ['Desk walk one', 'Desk walk two', 'Desk walk three']
  const ids: number[] = []
  for (const title of titles)
    ids.push(
      (await api(page, 'POST', '/admin/support/ticket', { title, message: '<p>It is dark.</p>' })).data.id,
    )
  await page.goto('/support-requests?search=desk+walk&column=last_message_at&direction=asc')
  const rows = page.getByRole('list', { name: 'Support requests' }).getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(paneOf(page)).toContainText('No request open')
  await page.locator('body').press('j')
  await page.keyboard.press('Enter')
  await expect(headOf(page)).toHaveText(`#${ids[0]} ${titles[0]}`)
  const talk = paneOf(page).getByRole('region', { name: 'Conversation' })
  await expect(talk).toContainText('It is dark.')

  const support = await (await browser.newContext()).newPage()
  await asUser(support, 'super_admin')
  await api(support, 'POST', `/admin/support/sendReply/${ids[0]}`, { message: '<p>Is the lamp on?</p>' })
  await support.context().close()
  await expect(talk).toContainText('Is the lamp on?')

  await page.keyboard.press('r')
  await expect(messageOf(page)).toBeFocused()
  await expect(paneOf(page).getByRole('button', { name: 'Bold' })).toBeVisible()
  await messageOf(page).fill('It is now.')
  await messageOf(page).press('Control+Enter')
  await expect(page.getByText('Message has been sent successfully')).toBeVisible()
  await expect(talk).toContainText('It is now.')
  // The request with the newest message is the last one now; the list that the user works in stays as it is.
  await expect.poll(() => rows.getByRole('link').allTextContents()).toEqual(titles)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await expectAccessible(page)

  await rows.nth(1).getByRole('link').click()
  await expect(headOf(page)).toHaveText(`#${ids[1]} ${titles[1]}`)
  await page.reload()
  await expect(headOf(page)).toHaveText(`#${ids[1]} ${titles[1]}`)
  await paneOf(page).getByRole('link', { name: 'Open request' }).click()
  await expect(page).toHaveURL(new RegExp(`/support-requests/request/${ids[1]}/0$`))
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'light')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  await expectAccessible(page)
})

test('an empty, a failed, and a refused inbox say so, in both themes and on a phone', async ({
  page,
  browser,
}) => {
  const looks = async () => {
    for (const viewport of [desktop, { width: 390, height: 844 }]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
        await expectAccessible(page)
      }
    }
    await page.setViewportSize(desktop)
  }
  const retry = page.getByRole('button', { name: 'Retry' })
  await page.setViewportSize(desktop)
  await asUser(page, 'support')
  await page.goto('/support?search=nothing-is-called-this')
  await expect(page.getByText('No results match your filters')).toBeVisible()
  await expect(paneOf(page)).toBeHidden()
  await looks()

  await page.route('**/api/admin/support/ticket?*', (route) =>
    route.fulfill({ status: 503, json: { message: 'Not now.' } }),
  )
  await page.goto('/support')
  await expect(page.getByRole('main').getByRole('alert')).toContainText('Not now.')
  await looks()
  await retry.click({ trial: true })
  await page.unroute('**/api/admin/support/ticket?*')
  // A change of any ticket, by another test, loads the list again too.
  await retry.or(rowsOf(page).first().getByRole('checkbox')).click()
  await expect(rowsOf(page).first()).toBeVisible()

  await page.route('**/api/admin/support/ticket/3', (route) =>
    route.fulfill({ status: 503, json: { message: 'Not this one.' } }),
  )
  await page.goto('/support?open=3')
  await expect(paneOf(page).getByRole('alert')).toContainText('Not this one.')
  await looks()
  await retry.click({ trial: true })
  await page.unroute('**/api/admin/support/ticket/3')
  await retry.or(headOf(page)).click()
  await expect(headOf(page)).toContainText('#3')
  await page.goto('/support?open=999999')
  await expect(paneOf(page)).toContainText('This ticket can’t be found')

  const admin = await (await browser.newContext()).newPage()
  await asUser(admin, 'super_admin')
  await changeGrants(admin, roleOf('designer'), { grant: ['all_tickets_list'] })
  try {
    await asUser(page, 'designer')
    await page.goto('/support')
    await rowsOf(page).first().getByRole('link').click()
    await expect(paneOf(page)).toContainText('Your role can list tickets, but not open them.')
    await looks()
  } finally {
    await changeGrants(admin, roleOf('designer'), { revoke: ['all_tickets_list'] })
    await admin.context().close()
  }
})
