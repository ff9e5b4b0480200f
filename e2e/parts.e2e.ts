import { brotliCompressSync } from 'node:zlib'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { asUser, bringFiles, expectAccessible, watchRequests } from './helpers.ts'
import { buildParts, openParts, openShowcase } from './parts.ts'
import { test } from './panel.ts'

/* Files and rich text, as used in every area, and the page that shows all shared parts. */

let parts: Awaited<ReturnType<typeof buildParts>>
test.beforeAll(async () => {
  parts = await buildParts()
})
test.afterAll(() => parts.remove())

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

async function write(page: Page): Promise<void> {
  await asUser(page, 'crm')
  await openParts(page, parts.folder)
  await page.getByRole('button', { name: 'Write' }).click()
  await expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()
}
const valueOf = async (page: Page) =>
  JSON.parse((await page.getByLabel('Value').textContent())!) as { content: string; file_ids: number[] }

test('the editor loads only where text is edited, in at most 170 KB', async ({ page }) => {
  await asUser(page, 'crm')
  const fetched: string[] = []
  page.on('request', (one) => fetched.push(new URL(one.url()).pathname))
  await openParts(page, parts.folder, '<p>Read</p>')
  await expect(page.getByRole('region', { name: 'Read' })).toHaveText('Read')
  const isEditor = (file: string) =>
    file.endsWith('.js') && /ProseMirror/.test(readFileSync(join(parts.folder, file), 'utf8'))
  const before = fetched.filter((path) => path.startsWith('/assets/')).map((path) => path.slice(1))
  expect(before.length).toBeGreaterThan(0)
  expect(before.filter(isEditor)).toEqual([])

  await page.getByRole('button', { name: 'Write' }).click()
  await expect(page.getByRole('textbox', { name: 'Content' })).toBeVisible()
  const after = fetched
    .filter((path) => path.startsWith('/assets/'))
    .map((path) => path.slice(1))
    .filter((file) => !before.includes(file))
  expect(after.some(isEditor)).toBe(true)
  const bytes = after.reduce(
    (sum, file) => sum + brotliCompressSync(readFileSync(join(parts.folder, file))).length,
    0,
  )
  console.log(`the editor: ${bytes} bytes of script and style in ${after.length} files`)
  expect(bytes).toBeLessThanOrEqual(170_000)

  // No page of the panel that is only read loads a byte of it.
  await page.unrouteAll()
  const folder = join(import.meta.dirname, '../dist/web/assets')
  const editor = readdirSync(folder).filter(
    (file) => file.endsWith('.js') && /ProseMirror/.test(readFileSync(join(folder, file), 'utf8')),
  )
  expect(editor.length).toBeGreaterThan(0)
  await asUser(page, 'super_admin')
  fetched.length = 0
  const reading = [
    ['/dashboard', 'heading'],
    ['/demo-leads', 'table'],
    ['/posts/a-short-guide-to-bath-towels', 'article'],
    ['/case-study/bath-towels-by-the-numbers', 'article'],
    ['/faqs/how-do-i-get-started-with-the-weekly-plan', 'article'],
    ['/term&conditions/1', 'heading'],
    ['/media', 'list'],
  ] as const
  for (const [path, whole] of reading) {
    await page.goto(path)
    await expect(page.getByRole(whole).first()).toBeVisible()
    await page.waitForLoadState('networkidle')
  }
  expect(fetched.filter((path) => path.startsWith('/assets/')).length).toBeGreaterThan(5)
  expect(fetched.filter((path) => editor.some((file) => path.endsWith(file)))).toEqual([])
})

test('hostile HTML runs nothing and fetches nothing; the control does both', async ({ page }) => {
  const hostile = [
    `<img src=x onerror="window.ran = 1"><script>window.ran = 1</script><svg onload="window.ran=1"></svg>`,
    `<a href="javascript:window.ran=1">click</a><iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
    `<img src="https://outside.example/a.png"><link rel="stylesheet" href="https://outside.example/a.css"><style>@import "https://outside.example/b.css"; p { background: url(https://outside.example/c.png) }</style>`,
    `<meta http-equiv="refresh" content="0;url=https://outside.example/"><base href="https://outside.example/"><p>Words</p>`,
    `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=window.ran=1&gt;">`,
  ].join('')
  const outside: string[] = []
  // Requests that the policy blocks do not get here.
  await page.route('https://outside.example/**', (route) => {
    outside.push(route.request().url())
    return route.abort()
  })
  await asUser(page, 'crm')
  const settled = watchRequests(page)
  await openParts(page, parts.folder, hostile)
  await expect(page.getByRole('region', { name: 'Read' })).toContainText('Words')
  await expect(page.frameLocator('iframe[title=Foreign]').getByText('Words')).toBeVisible()
  const click = page.getByRole('region', { name: 'Read' }).getByText('click')
  await click.click()
  await settled()
  expect(
    await page.evaluate(() => [
      Reflect.get(window, 'ran'),
      ...[...document.querySelectorAll('iframe')].map((frame) => Reflect.get(frame.contentWindow!, 'ran')),
    ]),
  ).toEqual([undefined, undefined])
  expect(outside).toEqual([])

  // The same content in an unprotected page. Its meta refresh is removed, because it would navigate away
  // before the page can be checked.
  await page.goto('about:blank')
  await page.setContent(hostile.replace(/<meta[^>]*>/, ''))
  await expect.poll(() => page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBe(1)
  await expect.poll(() => outside.length).toBeGreaterThan(0)
})

test('text pasted from Word and Google Docs keeps its formatting, and a line says what was dropped', async ({
  page,
}) => {
  await write(page)
  const paste = (html: string) =>
    page.getByRole('textbox', { name: 'Content' }).evaluate((field, text) => {
      const data = new DataTransfer()
      data.setData('text/html', text)
      data.setData('text/plain', 'plain')
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    }, html)
  const item = (level: number, sign: string, text: string) =>
    `<p class=MsoListParagraph style='mso-list:l0 level${level} lfo1'><span style='mso-list:Ignore'>${sign}<span>&nbsp; </span></span>${text}</p>`
  await paste(
    `<html><body><!--StartFragment--><h1 style="color:#1F3864">Offer</h1>${item(1, '·', 'One')}${item(2, 'o', 'Inner')}${item(1, '·', 'Two')}<p class=MsoNormal><span style="font-family:Arial;color:red"><b>Bold</b> <a href="https://example.com/">link</a></span></p><table><tr><td style="background:yellow"><p>Cell</p></td></tr></table><img src="file:///C:/a.png"></body></html>`,
  )
  await expect(page.getByText('Not pasted: colors, fonts, images')).toBeVisible()
  const { content } = await valueOf(page)
  expect(content).toContain(
    '<h1>Offer</h1><ul><li><p>One</p><ul><li><p>Inner</p></li></ul></li><li><p>Two</p></li></ul>',
  )
  expect(content).toContain('<strong>Bold</strong> <a href="https://example.com/">link</a>')
  expect(content).toMatch(/<table>.*<td[^>]*><p>Cell<\/p><\/td>/)
  expect(content).not.toMatch(/style|class|file:/)

  await page.getByRole('textbox', { name: 'Content' }).press('ControlOrMeta+a')
  await paste(
    `<b style="font-weight:normal;" id="docs-internal-guid-1"><h2 dir="ltr"><span style="font-size:16pt">Plan</span></h2><p><span style="font-weight:700">Strong</span><span style="font-style:italic"> and slanted</span></p><ol><li dir="ltr"><p><span>First</span></p></li></ol></b>`,
  )
  expect((await valueOf(page)).content).toMatch(
    /<h2>Plan<\/h2><p><strong>Strong<\/strong><em> and slanted<\/em><\/p><ol><li><p>First<\/p><\/li><\/ol>/,
  )

  // The same page of a handbook, as each program puts it on the clipboard.
  const whole = async (name: string) => {
    await page.getByRole('textbox', { name: 'Content' }).press('ControlOrMeta+a')
    await paste(readFileSync(join(import.meta.dirname, 'clipboards', name), 'utf8'))
    return (await valueOf(page)).content
  }
  const plan = (emphasis: string) =>
    `<p>Sort the <strong>white</strong> linen from the ${emphasis} and read <a href="https://linen.example/care">how to care for it</a>`
  const bags =
    '<h2>What to take</h2><ul><li><p>Two bags</p><ul><li><p>one for towels</p></li></ul></li><li><p>A <u>pen</u></p></li></ul>'
  const went = page.getByText('Not pasted: colors, fonts, alignment, images (add them one at a time).')
  expect(await whole('word.txt')).toBe(
    [
      '<h1>The weekly plan</h1><h1>Before the first wash</h1>',
      plan('<em>coloured</em>,'),
      `.[1]</p>${bags}<p>Then:</p><ol><li><p>Count</p></li><li><p>Sign</p></li></ol>`,
      '<table><tbody><tr><td><p><strong>Day</strong></p></td><td><p><strong>Linen</strong></p></td></tr><tr><td colspan="2"><p>Monday: sheets</p></td></tr></tbody></table><p></p>',
    ].join(''),
  )
  await expect(went).toBeVisible()
  expect(await whole('google-docs.txt')).toBe(
    [
      '<h1>The weekly plan</h1>',
      plan('<em><s>coloured</s></em>'),
      `.</p>${bags}<ol><li><p>Count</p></li></ol><ul><li><p>Signed by the porter</p></li></ul>`,
      '<table><tbody><tr><td><p><strong>Day</strong></p></td><td><p>Linen</p></td></tr></tbody></table><p></p>',
    ].join(''),
  )
  await expect(went).toBeVisible()
})

test('a person is mentioned by keyboard, an image and a table are inserted, and all of it is reachable', async ({
  page,
}) => {
  await write(page)
  const content = page.getByRole('textbox', { name: 'Content' })
  await content.pressSequentially('Hello @pe')
  await expect(page.getByRole('option', { name: 'Peter Aalto' })).toBeVisible()
  await content.press('Enter')
  await expect
    .poll(async () => (await valueOf(page)).content)
    .toContain('<span data-mention="4">@Peter Aalto</span>')
  await page
    .getByLabel('Images for Content')
    .setInputFiles({ name: 'place.png', mimeType: 'image/png', buffer: png })
  await expect(content.getByRole('img', { name: 'place.png' })).toBeVisible()
  expect(
    await content
      .getByRole('img', { name: 'place.png' })
      .evaluate((image: HTMLImageElement) => image.decode().then(() => image.naturalWidth)),
  ).toBe(1)
  await expect.poll(async () => (await valueOf(page)).content).toMatch(/<img [^>]*data-file-id="\d+"/)
  expect((await valueOf(page)).content).not.toContain('signature')
  const before = (await valueOf(page)).content
  await content.evaluate((field) => {
    const data = new DataTransfer()
    data.setData('text/html', `<p>${'x'.repeat(5_000_000)}</p>`)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  })
  await expect(page.getByText('Too long. Paste smaller parts.')).toBeVisible()
  expect((await valueOf(page)).content).toBe(before)
  await expectAccessible(page)
})

test('files are dropped and pasted, show their progress, and are canceled and retried, each with the icon of its type', async ({
  page,
}) => {
  await write(page)
  const list = page.getByRole('list', { name: 'Attachments' })
  const zone = page.getByText('or drop or paste up to 10 files here (up to 10 MB each)')
  const typed = (name: string, type: string, bytes: Buffer = Buffer.from(name)) => ({ name, type, bytes })
  let go: () => void = () => {}
  let held = new Promise<void>((done) => (go = done))
  const answers: (number | 'held')[] = ['held', 500]
  await page.route('**/api/files/stage', async (route) => {
    const answer = answers.shift()
    if (answer === 'held') await held
    if (answer === 500)
      return route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ message: 'The server is out of disk space.' }),
      })
    await route.continue().catch(() => {})
  })
  await bringFiles(zone, 'drop', [
    typed('never.txt', 'text/plain'),
    typed('late.csv', 'text/csv', Buffer.from('Name;City\n')),
  ])
  await expect(list.getByRole('progressbar', { name: 'Uploading never.txt' })).toBeAttached()
  await expectAccessible(page)
  await list.getByRole('button', { name: 'Cancel never.txt' }).click()
  go()
  await expect(list.getByRole('alert')).toHaveText('The server is out of disk space.')
  await expect(list).not.toContainText('never.txt')
  await list.getByRole('button', { name: 'Retry late.csv' }).click()
  await expect(list.getByRole('button', { name: 'Remove late.csv' })).toBeVisible()

  const mp3 = Buffer.concat([
    Buffer.from('ID3\u0004\u0000\u0000\u0000\u0000\u0000\u0000', 'latin1'),
    Buffer.from([0xff, 0xfb, 0x90, 0x64]),
    Buffer.alloc(800),
  ])
  await bringFiles(zone, 'paste', [typed('shot.png', 'image/png', png), typed('song.mp3', 'audio/mpeg', mp3)])
  const row = (name: string) => list.getByRole('listitem').filter({ hasText: name })
  for (const name of ['shot.png', 'song.mp3'])
    await expect(list.getByRole('button', { name: `Remove ${name}` })).toBeVisible()
  await expect(row('late.csv').getByRole('img', { name: 'Document' })).toBeVisible()
  await expect(row('song.mp3').getByRole('img', { name: 'Audio' })).toBeVisible()
  await expect(row('shot.png').locator('img')).toHaveAttribute('src', /small=1/)
  expect((await valueOf(page)).file_ids).toHaveLength(3)
})

test('a long draft is restored from the server after its tab was closed', async ({ page, context }) => {
  await write(page)
  const long = 'Long words. '.repeat(8000)
  await page.getByRole('textbox', { name: 'Content' }).evaluate((field, text) => {
    const data = new DataTransfer()
    data.setData('text/plain', text)
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }))
  }, long)
  await page.waitForResponse(
    (answer) =>
      answer.url().includes('/api/drafts/parts') && answer.request().method() === 'PUT' && answer.ok(),
  )
  await page.close()
  const next = await context.newPage()
  await openParts(next, parts.folder)
  await next.getByRole('button', { name: 'Write' }).click()
  await expect(next.getByText('A draft came back.')).toBeVisible()
  await expect.poll(async () => (await valueOf(next)).content.length).toBeGreaterThan(90_000)
  await expect(next.getByRole('textbox', { name: 'Content' })).toContainText('Long words.')
  await next.getByRole('button', { name: 'Discard' }).click()
  await expect.poll(async () => (await valueOf(next)).content).toBe('')
})

test.describe('the page with all shared parts', () => {
  let showcase: Awaited<ReturnType<typeof buildParts>>
  test.beforeAll(async () => {
    showcase = await buildParts('showcase.html')
  })
  test.afterAll(() => showcase.remove())

  test('is accessible in light and dark mode, no wider than a phone, and not in the production build', async ({
    page,
  }) => {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width: 1366, height: 900 })
      await openShowcase(page, showcase.folder)
      for (const part of [
        'Buttons',
        'Menus',
        'Dates',
        'States',
        'Lists',
        'Inbox',
        'Boards',
        'Stream',
        'Composer',
        'Sheet',
      ])
        await expect(page.getByRole('heading', { level: 2, name: part, exact: true })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme)
      await expectAccessible(page)
      await page.setViewportSize({ width: 390, height: 844 })
      // A long name must not push the arrow out of its line.
      const details = page.getByRole('button', { name: 'Details: Open' })
      await details.scrollIntoViewIfNeeded()
      await expect(details.locator('svg')).toBeInViewport({ ratio: 1 })
      await expectAccessible(page)
      expect(
        await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0)
    }
    expect(errors).toEqual([])

    const filesWithSamples = (folder: string) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(js|html)$/.test(file))
        .filter((file) => /Donaudampfschiff/.test(readFileSync(join(folder, file), 'utf8')))
    expect(filesWithSamples(showcase.folder)).toHaveLength(1)
    expect(filesWithSamples(join(import.meta.dirname, '../dist/web'))).toEqual([])
  })
})
