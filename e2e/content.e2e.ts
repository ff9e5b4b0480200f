import { expect, type Browser, type Locator, type Page } from '@playwright/test'
import { asUser, chooseFound, expectAccessible, watchRequests } from './helpers.ts'
import { panel, test } from './panel.ts'

const hostile = [
  `<img src=x onerror="window.ran = 1"><script>window.ran = 1</script><svg onload="window.ran=1"></svg>`,
  `<a href="javascript:window.ran=1">click</a><iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<img src="https://outside.example/a.png"><link rel="stylesheet" href="https://outside.example/a.css"><style>@import "https://outside.example/b.css"</style>`,
  `<meta http-equiv="refresh" content="0;url=https://outside.example/"><base href="https://outside.example/"><video src="https://outside.example/v.mp4"></video><p>Words</p>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.ran=1&gt;">`,
].join('')

const pages = {
  post: {
    read: '/posts/a-short-guide-to-bath-towels',
    edit: '/posts/update-post/a-short-guide-to-bath-towels',
    call: '**/api/admin/posts/a-short*',
    field: 'body',
  },
  'case study': {
    read: '/case-study/bath-towels-by-the-numbers',
    edit: '/case-study/edit/bath-towels-by-the-numbers',
    call: '**/api/admin/case-study/bath*/*',
    field: 'body',
  },
  FAQ: {
    read: '/faqs/how-do-i-get-started-with-the-weekly-plan',
    edit: '/faqs/update-faq/how-do-i-get-started-with-the-weekly-plan',
    call: '**/api/admin/faqs/how-do-i-get-started*',
    field: 'body',
  },
  terms: {
    read: '/term&conditions/1',
    edit: '/term&conditions/new-terms',
    call: '**/api/admin/termsandconditions/show/*',
    field: 'value',
  },
} as const

test('a post, case study, FAQ, or terms with hostile HTML, viewed and edited, runs nothing and fetches nothing; the control does both', async ({
  page,
}) => {
  const outside: string[] = []
  await page.route('https://outside.example/**', (route) => {
    outside.push(route.request().url())
    return route.abort()
  })
  await asUser(page, 'super_admin')
  const settled = watchRequests(page)
  const expectNothingRan = async () => {
    await settled()
    expect(await page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBeUndefined()
    expect(outside).toEqual([])
  }
  for (const [kind, { read, edit, call, field }] of Object.entries(pages))
    await test.step(kind, async () => {
      let planted = 0
      // Make the HTML appear to come from the database: the server would have sanitized anything sent through
      // its API.
      await page.route(call, async (route) => {
        const answer = await route.fetch()
        const reply = (await answer.json()) as { data: Record<string, unknown> }
        reply.data[field] = hostile
        planted += 1
        await route.fulfill({ response: answer, json: reply })
      })
      for (const path of [read, edit]) {
        await page.goto(path)
        await expect(page.getByText('Words').first()).toBeVisible()
        await expectNothingRan()
      }
      await page
        .locator('[contenteditable=true]')
        .first()
        .evaluate((element, html) => {
          const data = new DataTransfer()
          data.setData('text/html', html)
          element.dispatchEvent(
            new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
          )
        }, hostile)
      await expect(page.getByText(/Not pasted: .*embedded content/)).toBeVisible()
      await expectNothingRan()
      expect(planted).toBeGreaterThan(0)
    })

  await page.goto('about:blank')
  await page.setContent(hostile.replace(/<meta[^>]*>/, ''))
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBe(1)
  await expect.poll(() => outside.length).toBeGreaterThan(0)
})

test('a URL typed into the link dialog without its scheme is completed, and a bare link to a video becomes a card that fetches nothing, unlike a link in a sentence', async ({
  page,
}) => {
  const others: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith(panel().url) && request.url().startsWith('http')) others.push(request.url())
  })
  await asUser(page, 'super_admin')
  await page.goto('/user-guide/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Watch this')
  const content = page.getByRole('textbox', { name: 'Content' })
  await content.fill('Prices')
  await content.press('Control+a')
  await page.getByRole('button', { name: 'Link', exact: true }).click()
  await page.getByPlaceholder('https://example.com/').fill('example.com/prices')
  await page.keyboard.press('Enter')
  await expect(content.getByRole('link', { name: 'Prices' })).toHaveAttribute(
    'href',
    'https://example.com/prices',
  )
  await content.press('Control+a')
  await page.keyboard.press('Delete')
  await page.keyboard.type('https://www.youtube.com/watch?v=abc ')
  await page.keyboard.press('Enter')
  await page.keyboard.type('See https://vimeo.com/1 too.')
  await page.getByRole('button', { name: 'Create user guide' }).click()
  const card = page.getByRole('article').locator('a[data-card]')
  await expect(card).toHaveCount(1)
  await expect(card).toHaveAttribute('data-card', 'Video on youtube.com')
  await expect(page.getByRole('article').getByRole('link')).toHaveCount(2)
  await expectAccessible(page)
  expect(others).toEqual([])
})

const inOwnWindow = async (browser: Browser, user: string): Promise<Page> => {
  const page = await (await browser.newContext({ viewport: { width: 1366, height: 800 } })).newPage()
  await asUser(page, user)
  return page
}

test('two users edit one article: the second sees both texts and chooses; changes to different fields are merged', async ({
  browser,
}) => {
  const [first, second] = await Promise.all([
    inOwnWindow(browser, 'super_admin'),
    inOwnWindow(browser, 'editor'),
  ])
  await first.goto('/user-guide/create')
  await first.getByRole('textbox', { name: /^Title/ }).fill('Two at a time')
  await first.getByRole('button', { name: 'Create user guide' }).click()
  await expect(first).toHaveURL(/\/user-guide\/two-at-a-time$/)
  for (const page of [first, second]) {
    await page.goto('/user-guide/edit/two-at-a-time')
    await expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()
  }
  await first.getByRole('textbox', { name: 'Content' }).click()
  await first.keyboard.type('From the first.')
  await first.getByRole('textbox', { name: 'Meta title' }).fill('Meta of the first')
  await second.getByRole('textbox', { name: 'Content' }).click()
  await second.keyboard.type('From the second.')
  await first.getByRole('button', { name: 'Save' }).click()
  await expect(first).toHaveURL(/\/user-guide\/two-at-a-time$/)
  await second.getByRole('button', { name: 'Save' }).click()
  const dialog = second.getByRole('dialog', { name: /^Someone else changed/ })
  await expect(dialog).toContainText('From the first.')
  await expect(dialog).toContainText('From the second.')
  await expectAccessible(second)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(second.getByRole('article')).toContainText('From the second.')
  await second.getByRole('button', { name: /Show \d+ empty fields/ }).click()
  await expect(second.getByRole('region', { name: 'About this user guide' })).toContainText(
    'Meta of the first',
  )
})

test("a FAQ is dragged to another FAQ's position, moved with the arrow keys, and dragged to the next page over the pager", async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/faqcategories/deliveries/posts')
  const handles = page.getByRole('button', { name: /^Move .*\. Use the up and down arrow keys/ })
  await expect(handles.nth(3)).toBeVisible()
  const before = await handles.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  await handles.nth(0).dragTo(handles.nth(2))
  await expect(page.getByText(/moved to position 3\./).first()).toBeVisible()
  await expect(handles.nth(2)).toHaveAttribute('aria-label', before[0]!)
  await handles.nth(2).press('ArrowUp')
  await expect(handles.nth(1)).toHaveAttribute('aria-label', before[0]!)

  await page.goto('/faqcategories/washing-and-drying/posts')
  const handle = page.getByRole('button', { name: /^Move .*\. Use the up and down arrow keys/ }).nth(4)
  const label = (await handle.getAttribute('aria-label'))!
  const center = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox())!
    return [x + width / 2, y + height / 2] as const
  }
  await page.mouse.move(...(await center(handle)))
  await page.mouse.down()
  const next = await center(page.getByRole('button', { name: 'Next page' }))
  await page.mouse.move(next[0] - 5, next[1], { steps: 5 })
  await page.mouse.move(...next, { steps: 2 })
  await expect(page).toHaveURL(/page=2/)
  const target = page.getByRole('button', { name: /^Move .*\. Use the up and down arrow keys/ }).nth(2)
  await expect(page.getByRole('textbox', { name: /^Position of/ }).first()).toHaveValue('21')
  await page.mouse.move(...(await center(target)), { steps: 5 })
  await page.mouse.up()
  await expect(page.getByText(/moved to position 23\./).first()).toBeVisible()
  await expect(target).toHaveAttribute('aria-label', label)
})

test("the video of a FAQ is a card, or a file that the page's policy allows to play", async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.set(window, 'refused', [])
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) =>
      (Reflect.get(window, 'refused') as string[]).push(effectiveDirective),
    )
  })
  await asUser(page, 'super_admin')
  // If the categories cannot be fetched, there are none to choose from.
  await page.route('**/api/admin/faq-categories*', (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body: '{}' }),
  )
  await page.goto('/faqs/new-faq')
  await page.getByRole('combobox', { name: /^Category/ }).click()
  await expect(page.getByText('No categories found.')).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await page.unroute('**/api/admin/faq-categories*')
  await page.goto('/faqs/new-faq')
  await page.getByRole('textbox', { name: /^Question/ }).fill('How do I fold a sheet?')
  await chooseFound(page.getByRole('combobox', { name: /^Category/ }), 'Deliveries')
  await page.getByRole('textbox', { name: 'Video URL' }).fill('https://www.example.com/fold')
  await page.getByRole('button', { name: 'Create FAQ' }).click()
  const card = page.getByRole('article').locator('a[data-card]')
  await expect(card).toHaveAttribute('data-card', 'Video on example.com')
  await expect(card).toHaveAttribute('href', 'https://www.example.com/fold')

  await page.getByRole('link', { name: 'Edit' }).click()
  const mp4 = Buffer.concat([
    Buffer.from([0, 0, 0, 24]),
    Buffer.from('ftypisom'),
    Buffer.from([0, 0, 2, 0]),
    Buffer.from('isomiso2'),
    Buffer.alloc(64),
  ])
  await page
    .locator('input[type=file][aria-label^="Video file"]')
    .setInputFiles({ name: 'fold.mp4', mimeType: 'video/mp4', buffer: mp4 })
  await expect(page.getByText('fold.mp4')).toBeVisible()
  const played = page.waitForResponse(
    (answer) => answer.request().resourceType() === 'media' && /\/api\/files\/\d+/.test(answer.url()),
  )
  await page.getByRole('button', { name: 'Save' }).click()
  expect([200, 206]).toContain((await played).status())
  await expect(page.getByRole('article').locator('video')).toBeVisible()
  await expect(card).toHaveCount(0)
  expect(await page.evaluate(() => Reflect.get(window, 'refused') as unknown)).toEqual([])
})
