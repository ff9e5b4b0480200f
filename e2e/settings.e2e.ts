import { expect, type Browser, type Page } from '@playwright/test'
import { asUser, expectAccessible, row } from './helpers.ts'
import { test } from './panel.ts'

const openAs = async (browser: Browser, user: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  await asUser(page, user)
  return page
}

test("a saved setting appears in another user's tab without a reload", async ({ browser }) => {
  const [martin, grace] = await Promise.all([openAs(browser, 'admin'), openAs(browser, 'designer')])
  // Deferred requests and their live channels start only after the page has been shown for a while.
  const isLate = grace.waitForRequest((request) =>
    /\/admin\/notices\/unread/.test(`${request.url()} ${request.postData() ?? ''}`),
  )
  await grace.goto('/dashboard')
  await expect(grace.getByRole('contentinfo')).toContainText('©')
  await isLate
  await martin.goto('/settings')
  const form = martin.getByRole('form', { name: 'Panel settings' })
  await form.getByLabel('Copyright notice').fill('© 2026 The linen people')
  await form.getByLabel('Workday ends').fill('08:00')
  await expectAccessible(martin)
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(form.getByText('Enter an end time after the start time.')).toBeVisible()
  await form.getByLabel('Workday ends').fill('20:30')
  const tabs = martin.getByRole('navigation', { name: 'Settings' })
  await tabs.getByRole('link', { name: 'Products' }).click()
  await form.getByLabel('Product 4 name').fill('')
  await tabs.getByRole('link', { name: 'General' }).click()
  await expect(form.getByRole('status')).toHaveText(/^3 unsaved changes in .*Copyright notice/)
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(form.getByText('Correct lineniq in the other tab.')).toBeVisible()
  await tabs.getByRole('link', { name: 'Products' }).click()
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(form.getByText('This field is required.')).toBeVisible()
  await expectAccessible(martin)
  await form.getByLabel('Product 4 name').fill('lineniq')
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(martin.getByText('Settings saved.')).toBeVisible()
  await expect(grace.getByRole('contentinfo')).toContainText('© 2026 The linen people')
  await martin.goto('/demo-leads/demo-leads-schedule?view=week')
  await expect(martin.getByText('20:00').first()).toBeVisible()
})

test('a scheduling page is turned on, shown in a sandboxed frame, and offered where a meeting link is sent', async ({
  browser,
}) => {
  const ingrid = await openAs(browser, 'super_admin')
  await ingrid.context().route('https://book.example.com/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<title>Book</title><p>Choose a time</p><script>try { top.location = "/stolen" } catch {}</script>',
    }),
  )
  await ingrid.goto('/calendly-widget-settings')
  const form = ingrid.getByRole('form', { name: 'Scheduling', exact: true })
  const address = form.getByRole('textbox', { name: 'Linen widget URL', exact: true })
  await address.fill('javascript:alert(1)')
  await form.getByRole('switch', { name: 'Linen widget on', exact: true }).press('Space')
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(form.getByText(/Enter a URL/)).toBeVisible()
  await address.fill('https://book.example.com/linen')
  await form.getByRole('button', { name: 'Save settings' }).click()
  await expect(ingrid.getByText('Scheduling widget saved.')).toBeVisible()
  await ingrid.reload()
  await form.getByRole('button', { name: 'Preview of Linen widget', exact: true }).click()
  await expect(
    ingrid.frameLocator('iframe[title="Linen widget preview"]').getByText('Choose a time'),
  ).toBeVisible()
  await expect(ingrid).toHaveURL(/\/calendly-widget-settings$/)

  await ingrid.goto('/on-boarding')
  await ingrid.getByRole('table').getByRole('link').first().click()
  await ingrid.getByRole('button', { name: 'Send meeting link' }).click()
  const mail = ingrid.getByRole('dialog', { name: /^Meeting link for/ })
  await mail.getByRole('button', { name: 'Use the scheduling page for Linen' }).click()
  await expect(mail.getByRole('textbox', { name: 'Meeting link' })).toHaveValue(
    'https://book.example.com/linen',
  )
  await mail.getByRole('button', { name: 'Preview' }).click()
  await expect(mail.getByRole('region', { name: 'Preview' })).toContainText('https://book.example.com/linen')
  await expectAccessible(ingrid)
})

test('an entry of a list is dragged by its handle, and the order is undone', async ({ page }) => {
  await asUser(page, 'admin')
  await page.goto('/settings/lists?list=session_types')
  const handles = page.getByRole('list', { name: 'Session types' }).getByRole('button', { name: /^Move / })
  await expect(handles.nth(2)).toBeVisible()
  const names = () => handles.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  const before = await names()
  const [first, second, third, ...rest] = before
  const saved = page.waitForResponse(/\/session_types\/order$/)
  const end = (await handles.nth(2).boundingBox())!
  await handles.nth(0).dragTo(handles.nth(2), { targetPosition: { x: 4, y: end.height - 1 } })
  await saved
  await expect.poll(names).toEqual([second, third, first, ...rest])
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(names).toEqual(before)
})

test('a web form is created, filled in by a visitor without scripts, and becomes a lead in an open list', async ({
  browser,
  baseURL,
}) => {
  const [martin, paula] = await Promise.all([openAs(browser, 'admin'), openAs(browser, 'crm')])
  await martin.goto('/settings/web-forms')
  const form = martin.getByRole('form', { name: 'Web form' })
  await form.getByRole('switch', { name: 'On' }).press('Space')
  const handle = form.getByRole('button', { name: 'Move Phone', exact: true })
  await handle.press('Space')
  await handle.press('ArrowUp')
  await handle.press('Space')
  await expect(form.getByRole('textbox', { name: /^Label of/ }).nth(2)).toHaveValue('Phone')
  await form.getByRole('combobox', { name: 'People in turn' }).fill('Paula')
  await martin.getByRole('option', { name: 'Paula Ferreira' }).click()
  await martin.keyboard.press('Tab')
  await form.getByLabel('Slug').fill('linen')
  await form.getByLabel('Consent', { exact: true }).fill('I agree to the privacy notice.')
  await expect(
    martin.frameLocator('iframe[title="Page of the web form"]').getByText('I agree to the privacy notice.'),
  ).toBeVisible()
  await expectAccessible(martin)
  await martin.keyboard.press('Control+s')
  await expect(martin.getByText('Web form saved.')).toBeVisible()

  await paula.goto('/demo-leads?fromDate=all&toDate=all')
  await expect(row(paula, 'Aalto Linen of Turku')).toHaveCount(0)
  const visitor = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
  await visitor.goto(`${baseURL}/api/public/lead-form/linen`)
  await visitor.getByLabel('Your name').fill('Zoë Berg')
  await visitor.getByLabel('Work email').fill('zoe@aalto.example')
  await visitor.getByLabel('Company').fill('Aalto Linen of Turku')
  await visitor.getByLabel('Phone').fill('x'.repeat(10))
  await visitor.getByRole('checkbox').check()
  // An entry within three seconds is held as spam.
  await visitor.waitForTimeout(3500)
  await visitor.getByRole('button', { name: 'Send' }).click()
  await expect(visitor.getByText('Thank you.')).toBeVisible()
  expect(await visitor.context().cookies()).toEqual([])

  await expect(row(paula, 'Aalto Linen of Turku')).toBeVisible()
  await row(paula, 'Aalto Linen of Turku').getByRole('link', { name: 'Aalto Linen of Turku' }).click()
  await expect(paula.getByText(/Agreed on .* to: “I agree to the privacy notice\.”/)).toBeVisible()
  await expect(martin.getByText('Sent once in 30 days, 0 held as spam')).toBeVisible()
})
