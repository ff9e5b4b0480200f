import { expect, type Browser } from '@playwright/test'
import { loadCold, type Cold } from '../bench/cold.ts'
import { asUser } from './helpers.ts'
import { panel, test } from './panel.ts'

/*
 * The total size of a few pages, uncached and compressed, including parts that load after the page is shown.
 * What each page loads before that is checked by scripts/page-sizes.ts.
 */

/**
 * Limits far above today's sizes: they report a library or an editor that got into a page by mistake. The
 * sizes themselves are in docs/performance.md.
 */
const most = {
  js: { list: 250_000, record: 300_000, editor: 170_000 },
  css: 30_000,
  requests: 30,
}

/**
 * Calls `loadCold`, and repeats the call if a toast appeared, for example because something became due: the
 * code for toasts is not part of the page.
 */
async function loadQuiet(browser: Browser, path: string, user: string, settleMs?: number): Promise<Cold> {
  for (let attempt = 1; ; attempt += 1) {
    const cold = await loadCold(browser, panel().url, path, user, settleMs)
    if (attempt === 4 || !cold.files.some((file) => file.includes('/Toasts-'))) return cold
    await cold.page.context().close()
  }
}

test('the lead list stays within 250 KB of script, 30 KB of styles, and 30 requests', async ({ browser }) => {
  const { js, css, requests, files } = await loadQuiet(browser, '/demo-leads', 'crm')
  expect(js).toBeGreaterThan(50_000)
  expect(js).toBeLessThanOrEqual(most.js.list)
  expect(css).toBeLessThanOrEqual(most.css)
  expect(requests, files.join('\n')).toBeLessThanOrEqual(most.requests)
  console.log(`/demo-leads: ${js} bytes of script, ${css} of style, ${requests} requests`)
})

test('the dashboard stays within 30 requests, its charts included', async ({ browser }) => {
  // The one with the most cards, and one with the fewest; others load the same files.
  for (const who of ['super_admin', 'developer']) {
    const cold = await loadQuiet(browser, '/dashboard', who)
    // A chart loads when it is about to be seen.
    await cold.page
      .getByRole('img', { name: /^(Tickets|Tasks delivered)/ })
      .first()
      .scrollIntoViewIfNeeded()
    await expect(cold.page.locator('[role=img] svg').first()).toBeVisible()
    const { js, css, requests, files } = cold
    expect(requests, files.join('\n')).toBeLessThanOrEqual(most.requests)
    console.log(`/dashboard, ${who}: ${js} bytes of script, ${css} of style, ${requests} requests`)
  }
})

test('a ticket with its form for replies stays within 300 KB of script, and its editor loads within 170 KB when the text gets the focus', async ({
  browser,
}) => {
  const cold = await loadQuiet(browser, '/support/ticket/12/0', 'support')
  const { js, css, requests, page } = cold
  expect(js).toBeGreaterThan(50_000)
  expect(js).toBeLessThanOrEqual(most.js.record)
  await page.getByRole('textbox', { name: 'Message' }).click()
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  const editor = cold.js - js
  console.log(`a ticket: ${js} bytes of script, ${css} of style, ${requests} requests; its editor: ${editor}`)
  expect(editor).toBeGreaterThan(50_000)
  expect(editor).toBeLessThanOrEqual(most.js.editor)
})

test('the lead list names its files to the browser before anything is parsed, fetches each of them once, and lets the bell and the chat wait', async ({
  page,
  request,
}) => {
  const named = async (path: string) =>
    [...((await request.get(path)).headers()['link'] ?? '').matchAll(/<([^>]+)>/g)].map(([, file]) => file!)
  const [login, list] = [await named('/login'), await named('/demo-leads')]
  expect(login.length).toBeGreaterThan(4)
  expect(list).toEqual([...login, ...list.slice(login.length)])
  expect(list.join(' ')).toMatch(/Panel-.*LeadsPage-/)
  expect(login.join(' ')).not.toMatch(/Panel-|LeadsPage-/)
  // Chromium compiles their scripts eagerly, before the first statement.
  const scripts = list.filter((file) => /^\/assets\/.+\.js$/.test(file))
  expect(scripts.length).toBeGreaterThan(7)
  for (const file of scripts)
    expect
      .soft((await (await request.get(file)).text()).slice(0, 28), file)
      .toBe('//# allFunctionsCalledOnLoad')

  await asUser(page, 'super_admin')
  const asked: string[] = []
  page.on('request', (one) => asked.push(new URL(one.url()).pathname))
  page.on('requestfinished', (one) => asked.push(`done ${new URL(one.url()).pathname}`))
  await page.goto('/demo-leads')
  await expect(page.getByRole('table')).toBeVisible()
  for (const file of list) expect(asked.filter((one) => one === file)).toEqual([file])
  // The counts of the bell, the notices, and the chat come in one request.
  const beside = '/api/admin/reads'
  await expect.poll(() => asked).toContain(beside)
  const answered = asked.indexOf('done /api/admin/users/get-demo-requests')
  expect(answered).toBeGreaterThan(-1)
  expect(asked.indexOf(beside)).toBeGreaterThan(answered)
  expect(asked.filter((path) => path === beside)).toHaveLength(1)
})
