import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, type Browser, type Page } from '@playwright/test'
import sharp from 'sharp'
import { asUser, expectAccessible, holdUndo, watchJoins, watchRequests } from './helpers.ts'
import { inboundSecret } from './server.ts'
import { panel, test } from './panel.ts'

const openAs = async (browser: Browser, user: string): Promise<Page> => {
  const page = await (await browser.newContext()).newPage()
  await asUser(page, user)
  return page
}

/** Delivers an email the way a gateway does; returns the ticket number. */
async function deliverMail(
  mail: {
    message_id: string
    from: string
    subject: string
    text?: string
    html?: string
    in_reply_to?: string
  },
  ...files: File[]
): Promise<number> {
  const body = new FormData()
  for (const [name, value] of Object.entries(mail)) body.set(name, value)
  for (const file of files) body.append('attachment[]', file)
  const answer = await fetch(`${panel().url}/api/inbound/ticket`, {
    method: 'POST',
    headers: { 'X-Inbound-Secret': inboundSecret },
    body,
  })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { id: number }).id
}

/** Calls the API as the page's user. */
const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([to, json]) => {
      const answer = await fetch(`/api${to}`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        body: json,
      })
      if (!answer.ok) throw new Error(await answer.text())
    },
    [path, JSON.stringify(body)] as const,
  )

test('two users reply to a ticket at the same time: the second is warned, no input is lost, and sending the reply is undone', async ({
  browser,
}) => {
  const [one, other] = await Promise.all([browser.newContext(), browser.newContext()])
  const [ana, ben] = await Promise.all([one.newPage(), other.newPage()])
  await asUser(ana, 'super_admin')
  await asUser(ben, 'admin')
  for (const page of [ana, ben]) {
    await page.goto('/support/ticket/12/0')
    await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  }
  const others = ana.getByRole('status', { name: 'Also viewing' })
  await expect(others).toContainText('is also viewing this')

  await ben.getByRole('textbox', { name: 'Message' }).fill('We are on it.')
  await expect(others).toHaveText(/is writing a reply$/)
  await expect(ana.getByRole('form', { name: 'Reply' })).toContainText('is writing a reply')
  await ana.getByRole('textbox', { name: 'Message' }).fill('Please restart it.')
  await ben.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ben.getByText('Message has been sent successfully')).toBeVisible()
  await expect(ana.getByRole('region', { name: 'Conversation' })).toContainText('We are on it.')
  await expect(others).toHaveText(/is also viewing this$/)

  await ana.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(ana.getByRole('alert')).toContainText('sent a message while you were writing')
  // The conversation shows the message, so the notice doesn't.
  await expect(ana.getByText('We are on it.')).toHaveCount(1)
  await ana.getByRole('button', { name: 'Go to message' }).click()
  await expect(ana.getByText('We are on it.')).toBeInViewport()
  await expect(ana.getByRole('textbox', { name: 'Message' })).toContainText('Please restart it.')
  await ana.getByRole('button', { name: 'Send anyway' }).click()
  await ana.getByRole('button', { name: 'Undo send' }).click()
  await expect(ana.getByText('Reply canceled. Your text is back in the editor.')).toBeVisible()
  await expect(ana.getByText('Message has been sent successfully')).toHaveCount(0)
  await expect(ana.getByRole('textbox', { name: 'Message' })).toContainText('Please restart it.')
  await expect(ana.getByRole('region', { name: 'Conversation' })).not.toContainText('Please restart it.')
  await one.close()
  await other.close()
})

test('a failed reload keeps the ticket and a half-written reply', async ({ page, browser }) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/15/0')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill('Please restart it.')
  const settled = watchRequests(page)
  let failed = 0
  let isDown = true
  await page.route('**/api/admin/support/ticket/15', async (route) => {
    if (!isDown) return route.continue()
    failed += 1
    await route.abort()
  })
  const other = await (await browser.newContext()).newPage()
  await asUser(other, 'admin')
  await other.goto('/support/ticket/15/0')
  await other.getByRole('button', { name: /^Status of/ }).click()
  await other
    .getByRole('menuitem', { name: 'Resolved' })
    .or(other.getByRole('menuitemradio', { name: 'Resolved' }))
    .click()
  // The live refresh is attempted twice.
  await expect.poll(() => failed).toBeGreaterThanOrEqual(2)
  await settled()
  await expect(message).toContainText('Please restart it.')
  await expect(page.getByText('This ticket couldn’t be reloaded.')).toBeVisible()
  // The ticket can be read again once Retry was pressed, and not before: the delivery of another ticket's email reloads
  // it, too. If the request comes first, it is repeated.
  await page.getByRole('button', { name: 'Retry' }).click()
  isDown = false
  await expect(page.getByText('This ticket couldn’t be reloaded.')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Status of/ })).toContainText('Resolved')
  await other.context().close()
})

test('a mentioned colleague opens the notice, which leads to the note, and mutes the ticket', async ({
  browser,
}) => {
  const [tom, grace] = await Promise.all([openAs(browser, 'support'), openAs(browser, 'csm')])
  const title = 'Mentioned at the linen room'
  const id = await deliverMail({
    message_id: '<mention@inn.example>',
    from: 'desk@inn.example',
    subject: title,
    text: 'Look.',
  })
  await grace.goto('/support-requests')
  const button = grace.getByRole('button', { name: /^Notices/ })
  await expect(button).toBeVisible()
  const whom = await grace.evaluate(() => Number(localStorage.getItem('admin_id')))
  await post(tom, '/admin/support/create-ticket/comment', {
    ticket_id: id,
    support_comment: 'You know this house.',
    tag_user: [whom],
  })
  await expect(button).toHaveAccessibleName('Notices, 1 unread')
  await button.press('Enter')
  const panel = grace.getByRole('dialog', { name: 'Notices' })
  const row = panel.getByRole('listitem').filter({ hasText: title })
  await expect(row).toContainText('You know this house.')
  await expectAccessible(grace)
  await grace.keyboard.press('j')
  await expect(row.getByRole('link')).toBeFocused()
  await grace.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(button).toBeFocused()
  await button.press('Enter')
  await grace.keyboard.press('j')
  await grace.keyboard.press('Enter')
  await expect(grace).toHaveURL(new RegExp(`/support/ticket/${id}/0#comment-`))
  await expect(panel).toBeHidden()
  const note = grace.getByRole('article').filter({ hasText: 'You know this house.' })
  await expect(note).toBeInViewport()
  await expect(note).toHaveAttribute('data-target')
  await expect(button).toHaveAccessibleName('Notices')
  await button.click()
  await expect(panel.getByText('No unread notices')).toBeVisible()
  await panel.getByRole('tab', { name: 'All' }).click()
  await row.getByRole('button', { name: 'Mute' }).click()
  const undo = await holdUndo(grace, '')
  await expect(row.getByRole('button', { name: 'Unmute' })).toBeVisible()
  // A click outside the panel closes it.
  await undo.click()
  await expect(panel).toBeHidden()
  // By key, because the next toast is above the button.
  await button.press('Enter')
  await grace.keyboard.press('ArrowRight')
  await expect(row.getByRole('button', { name: /^Mute/ })).toBeVisible()
})

test("the user's own support request is answered, shown live, and replied to", async ({ browser }) => {
  const [daniel, martin] = await Promise.all([openAs(browser, 'csm'), openAs(browser, 'super_admin')])
  await daniel.goto('/support-requests/create')
  await daniel.getByLabel('Title').fill('My second screen')
  await daniel.getByRole('textbox', { name: 'Message' }).fill('It stays black.')
  await daniel.getByRole('button', { name: 'Create request' }).click()
  await expect(daniel).toHaveURL(/\/support-requests\/request\/(\d+)\/0/)
  const id = Number(/request\/(\d+)/.exec(daniel.url())![1])
  await martin.goto(`/support/ticket/${id}/0`)
  await martin.getByRole('textbox', { name: 'Message' }).fill('Is it plugged in?')
  await martin.getByRole('button', { name: 'Send', exact: true }).click()
  // The other page is not reloaded.
  const talk = daniel.getByRole('region', { name: 'Conversation' })
  await expect(talk).toContainText('Is it plugged in?')
  await daniel.getByRole('textbox', { name: 'Message' }).fill('It is now, thank you.')
  await expectAccessible(daniel)
  const read = martin.waitForResponse(
    async (answer) => answer.url().includes('/get-ticket/') && (await answer.text()).includes('It is now'),
  )
  await daniel.getByRole('form', { name: 'Reply' }).getByRole('button', { name: 'Send' }).click()
  await expect(talk).toContainText('It is now, thank you.')
  const messages = martin.getByRole('region', { name: 'Conversation' }).getByRole('listitem')
  await expect(messages.filter({ hasText: 'It is now, thank you.' })).toBeVisible()

  await read
  // When the user returns, a line marks where the new messages begin, and each message shows who wrote it.
  await martin.goto('/support')
  await daniel.getByRole('textbox', { name: 'Message' }).fill('The other one is black now.')
  await daniel.getByRole('form', { name: 'Reply' }).getByRole('button', { name: 'Send' }).click()
  await expect(talk).toContainText('The other one is black now.')
  await martin.goto(`/support/ticket/${id}/0`)
  const newest = messages.filter({ hasText: 'The other one is black now.' })
  await expect(newest.getByRole('heading', { name: 'Today · New' })).toBeInViewport()
  await expect(martin.getByText('· New')).toHaveCount(1)
  await expect(newest.getByRole('article')).toContainText('Requester')
  await expect(messages.filter({ hasText: 'Is it plugged in?' }).getByRole('article')).toContainText(
    'Super Admin',
  )
})

test('a long ticket shows its last messages, and older ones when the user scrolls up, without moving the text', async ({
  page,
}) => {
  const root = '<long@inn.example>'
  const mail = { from: 'desk@inn.example', subject: 'A long conversation' }
  const id = await deliverMail({ ...mail, message_id: root, text: 'Number 0.' })
  for (let at = 1; at < 70; at += 1)
    await deliverMail({
      ...mail,
      message_id: `<long-${at}@inn.example>`,
      in_reply_to: root,
      text: `Number ${at}.`,
    })
  await asUser(page, 'support')
  const read = page.waitForResponse((answer) => answer.url().includes('/get-ticket/'))
  await page.goto(`/support/ticket/${id}/0`)
  await read
  await page.goto(`/support/ticket/${id}/0`)
  const talk = page.getByRole('region', { name: 'Conversation' })
  await expect(talk.getByText('Number 69.')).toBeInViewport()
  await expect(talk.getByRole('article')).toHaveCount(20)
  const last = talk.getByText('Number 52.')
  await talk.hover()
  await page.mouse.wheel(0, -100)
  await last.scrollIntoViewIfNeeded()
  await expect.poll(() => talk.getByRole('article').count()).toBeGreaterThan(20)
  await expect(last).toBeInViewport()
  await page.evaluate(
    (hash) => {
      location.hash = hash
    },
    await page.evaluate(() =>
      document.querySelector('article')!.id.replace(/\d+/, (n) => String(Number(n) - 9)),
    ),
  )
  await expect(talk.getByRole('article')).toHaveCount(70)
})

test('a ticket is moved to the trash from the menu in its heading, and the requester’s section links the organization', async ({
  page,
}) => {
  await asUser(page, 'admin')
  await page.goto('/support/ticket/13/0')
  const requester = page.getByRole('region', { name: 'Requester' })
  await expect(requester.getByRole('link', { name: /@/ })).toHaveAttribute('href', /^mailto:/)
  await expect(requester.getByRole('link').last()).toHaveAttribute('href', /^\/organizations\/detail\//)
  // The conversation and the properties fill the window.
  await expect(page.getByRole('contentinfo')).toHaveCount(1)
  const rail = (await page.getByRole('complementary', { name: 'Properties' }).boundingBox())!
  expect(rail.y + rail.height).toBe(800)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Move to trash' }).click()
  const undo = await holdUndo(page, '')
  await expect(page).toHaveURL(/\/support$/)
  await undo.click()
  await expect(page.getByText('Undone', { exact: false }).first()).toBeVisible()
})

test('a ticket opens at the first unread message, shows who wrote each one, and a pasted image is in the reply', async ({
  page,
}) => {
  const root = '<unread@inn.example>'
  const long = Array.from({ length: 40 }, (_, line) => `Line ${line}`).join('\n\n')
  const from = 'desk@inn.example'
  const id = await deliverMail({ message_id: root, from, subject: 'Many lines', text: long })
  await asUser(page, 'support')
  const read = page.waitForResponse((answer) => answer.url().includes('/get-ticket/'))
  await page.goto(`/support/ticket/${id}/0`)
  const talk = page.getByRole('region', { name: 'Conversation' })
  await expect(talk.getByRole('article')).toHaveCount(1)
  await read
  await page.goto('/support')
  for (const [sender, text] of [
    [from, 'The first new one.'],
    ['mallory@evil.example', 'Pay this invoice.'],
    [from, long],
  ] as const)
    await deliverMail({
      message_id: `<${text.length}-${sender}>`,
      in_reply_to: root,
      from: sender,
      subject: 'Re: Many lines',
      text,
    })
  await page.goto(`/support/ticket/${id}/0`)
  await expect(talk.getByRole('heading', { name: 'Today · New' })).toBeInViewport()
  await expect(talk.getByText('The first new one.')).toBeInViewport()
  // The email of a stranger waits in Unsorted.
  await expect(talk.getByText('Pay this invoice.')).toHaveCount(0)
  await expect(talk.getByRole('button', { name: 'Show more' })).toHaveCount(2)
  await expectAccessible(page)

  await page.locator('body').press('r')
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeFocused()
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 8)
    canvas.getContext('2d')!.fillRect(0, 0, 8, 8)
    const data = new DataTransfer()
    data.items.add(new File([await canvas.convertToBlob()], 'screen.png', { type: 'image/png' }))
    document.activeElement!.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
    )
  })
  const image = message.getByRole('img', { name: 'screen.png' })
  await expect(image).toHaveJSProperty('naturalWidth', 8)
  await page.keyboard.type('Press the last button.')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const sent = talk.getByRole('article').filter({ hasText: 'Press the last button.' })
  await expect(sent.getByRole('img', { name: 'screen.png' })).toHaveJSProperty('naturalWidth', 8)
  await expect(sent).toBeInViewport()
  await expect(sent.getByRole('list', { name: 'Attachments' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo send' }).click()
  await expect(image).toHaveJSProperty('naturalWidth', 8)
  await expect(message).toContainText('Press the last button.')
})

test('a long message that is unfolded at the end of the conversation keeps the line that the user reads', async ({
  page,
}) => {
  const text = Array.from({ length: 80 }, (_, line) => `Line ${line}.`).join('\n\n')
  const from = 'desk@inn.example'
  const id = await deliverMail({ message_id: '<rows@inn.example>', from, subject: 'Many rows', text })
  await asUser(page, 'support')
  await page.goto(`/support/ticket/${id}/0`)
  const more = page.getByRole('button', { name: 'Show more' })
  await more.scrollIntoViewIfNeeded()
  const line = page.getByText('Line 7.', { exact: true })
  const before = (await line.boundingBox())!.y
  await more.click()
  await expect(page.getByRole('button', { name: 'Show less' })).toHaveCount(1)
  await expect(page.getByText('Line 79.', { exact: true })).toBeAttached()
  // The observer that keeps the place has run by the second frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  expect(Math.abs((await line.boundingBox())!.y - before)).toBeLessThan(2)
})

test('a hostile email runs nothing and fetches nothing in the ticket', async ({ page }) => {
  const fetched: string[] = []
  const outside = createServer((request, response) => {
    if (request.url === '/control')
      return response.setHeader('Content-Type', 'text/html').end(html.replace(/<meta [^>]*>/, ''))
    fetched.push(request.url!)
    response.setHeader('Access-Control-Allow-Origin', '*').end()
  }).listen(0, '127.0.0.1')
  await once(outside, 'listening')
  const at = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`
  const html = `<p>Words</p><script>top.ran = 1; fetch('${at}/script')</script><img src="${at}/image" onerror="top.ran = 2"><svg onload="top.ran = 3"></svg>
    <link rel="stylesheet" href="${at}/style"><style>@import url(${at}/import); p { background: url(${at}/background) }</style><meta http-equiv="refresh" content="0;url=${at}/refresh">
    <iframe src="${at}/frame"></iframe><object data="${at}/object"></object><video src="${at}/video" poster="${at}/poster"></video><form action="${at}/form"><input autofocus onfocus="top.ran = 4"></form>
    <a href="javascript:top.ran = 5">click</a><base href="${at}/">`
  const id = await deliverMail({
    message_id: '<hostile@inn.example>',
    from: 'hostile@inn.example',
    subject: 'Hello <img src=x onerror=alert(1)>',
    html,
  })
  await asUser(page, 'super_admin')
  const settled = watchRequests(page)
  await page.goto(`/support/ticket/${id}/0`)
  const frame = page.getByRole('region', { name: 'Conversation' }).frameLocator('iframe')
  await expect(frame.getByText('Words')).toBeVisible()
  await frame.getByText('click').click()
  await settled()
  expect(await page.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBeUndefined()
  expect(fetched).toEqual([])
  await expect(page).toHaveURL(new RegExp(`/support/ticket/${id}/0`))
  // Control: on a separate page, the same HTML does all of these things.
  const bare = await page.context().newPage()
  await bare.goto(`${at}/control`)
  await expect.poll(() => bare.evaluate(() => Reflect.get(window, 'ran') as unknown)).toBeDefined()
  await expect.poll(() => fetched.length).toBeGreaterThan(3)
  outside.close()
})

test('an email from Outlook shows its styles and its image, folds the quote, fetches nothing, and is readable in the dark', async ({
  page,
}) => {
  const image = await sharp({ create: { width: 40, height: 20, channels: 3, background: '#c0392b' } })
    .png()
    .toBuffer()
  const id = await deliverMail(
    {
      message_id: '<outlook@inn.example>',
      from: 'Robert Meyer <robert@inn.example>',
      subject: 'Invoice 0417',
      html: `<html><head><style><!-- p.MsoNormal {margin:0cm;} --></style></head><body><div class="WordSection1">
        <p class="MsoNormal" style="color:black">The company name is wrong.</p><p class="MsoNormal"><img src="cid:image001.png@01DC5A7E.1F2B3C40"></p>
        <p class="MsoNormal"><img src="https://images.example/banner.png" alt="Spring sale"></p>
        <div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p><b>From:</b> Support<br><b>Sent:</b> Monday<br><b>Subject:</b> Invoice</p></div></div>
        <p class="MsoNormal">${'Which name is right? '.repeat(200)}</p></div></body></html>`,
    },
    new File([new Uint8Array(image)], 'image001.png', { type: 'image/png' }),
  )
  await asUser(page, 'super_admin')
  const outside: string[] = []
  page.on(
    'request',
    (request) => void (request.url().includes('images.example') && outside.push(request.url())),
  )
  await page.goto(`/support/ticket/${id}/0`)
  const conversation = page.getByRole('region', { name: 'Conversation' })
  const email = conversation.frameLocator('iframe')
  const words = email.getByText('The company name is wrong.')
  await expect(words).toHaveCSS('margin-top', '0px')
  await expect
    .poll(() =>
      email.locator('img').evaluateAll((all) => all.map((one) => (one as HTMLImageElement).naturalWidth)),
    )
    .toEqual([40])
  await expect(email.getByText('[Image not loaded: Spring sale]')).toBeVisible()
  expect(outside).toEqual([])

  // A long quote that the user expands is shown to its end.
  const quote = email.getByText('Which name is right?')
  await expect(quote).toBeHidden()
  await email.getByText('Show quoted text').click()
  await expect(quote).toBeVisible()
  await expect(conversation.getByRole('button', { name: 'Show less' })).toBeVisible()

  await page.emulateMedia({ colorScheme: 'dark' })
  await expect(email.locator('html')).toHaveCSS('filter', 'invert(1) hue-rotate(180deg)')
  // The screen shows the inverse of black words on a light surface.
  const shown = await sharp(await words.screenshot()).stats()
  expect(shown.channels[0]!.min).toBeLessThan(40)
  expect(shown.channels[0]!.max).toBeGreaterThan(200)
  expect(shown.channels[0]!.mean).toBeLessThan(90)
})

test('no key is lost when the editor takes the place of the field in which the user types', async ({
  page,
}) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/14/0')
  const text = page.getByRole('textbox', { name: 'Message' })
  await expect(text).toBeVisible()
  // Records what has the focus as soon as the field has been replaced, before another key can arrive.
  const focused = page.evaluate(
    () =>
      new Promise((resolve) => {
        new MutationObserver((_changes, observer) => {
          if (!document.querySelector('[contenteditable=true]')) return
          observer.disconnect()
          resolve(document.activeElement?.getAttribute('contenteditable'))
        }).observe(document.body, { childList: true, subtree: true })
      }),
  )
  await text.click()
  await page.keyboard.type('Thank you, ')
  expect(await focused).toBe('true')
  await page.keyboard.type('Jana. ')
  await expect(text).toHaveText('Thank you, Jana.')
})

/** Slows the browser down, and holds the scripts that it still loads until the returned function is called. */
async function slowDown(page: Page): Promise<() => void> {
  const browser = await page.context().newCDPSession(page)
  await browser.send('Emulation.setCPUThrottlingRate', { rate: 6 })
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

// Read as shortcuts, these letters would write a note, open another ticket, or assign this one.
const [beforeEditor, afterEditor] = ['Jana, no  keys are jumbled; ', 'join and run a <b> & c. k']

for (const [how, ticket, begin] of [
  ['r', 21, (page: Page) => page.locator('body').press('r')],
  ['a click', 22, (page: Page) => page.getByRole('textbox', { name: 'Message' }).click()],
] as const)
  test(`every letter typed after ${how} reaches the reply while the editor loads on a slow machine`, async ({
    page,
  }) => {
    await asUser(page, 'support')
    await page.goto(`/support/ticket/${ticket}/0`)
    const text = page.getByRole('textbox', { name: 'Message' })
    await expect(text).toBeVisible()
    const release = await slowDown(page)
    await begin(page)
    await page.keyboard.type(beforeEditor, { delay: 80 })
    release()
    await page.keyboard.type(afterEditor, { delay: 80 })
    await expect(page.locator('[contenteditable=true]')).toBeVisible()
    await expect(text).toHaveText(beforeEditor + afterEditor)
    await expect(page.getByRole('tab', { name: 'Reply' })).toHaveAttribute('aria-selected', 'true')
    await expect(page).toHaveURL(new RegExp(`/support/ticket/${ticket}/`))
  })

test('text typed while a draft loads on a slow machine is added to it', async ({ page }) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/23/0')
  const text = page.getByRole('textbox', { name: 'Message' })
  await text.click()
  await expect(page.locator('[contenteditable=true]')).toBeFocused()
  await page.keyboard.type('This is a draft.')
  await expect
    .poll(() => page.evaluate(() => JSON.stringify(localStorage).includes('This is a draft.')))
    .toBe(true)
  page.on('dialog', (dialog) => void dialog.accept())
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/assets/*.js', async (route) => {
    const script = await (await route.fetch()).text()
    if (script.includes('ProseMirror')) await promise
    await route.continue()
  })
  await page.reload()
  await expect(text).toBeVisible()
  await page.locator('body').press('r')
  await page.keyboard.type(beforeEditor, { delay: 80 })
  release()
  await page.keyboard.type(afterEditor, { delay: 80 })
  await expect(page.locator('[contenteditable=true]')).toBeVisible()
  await expect(text).toHaveText(`This is a draft.${beforeEditor}${afterEditor}`)
  await expect(page).toHaveURL(/\/support\/ticket\/23\//)
})

test('r continues a draft at its end', async ({ page }) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/24/0')
  const editor = page.locator('[contenteditable=true]')
  await page.getByRole('textbox', { name: 'Message' }).click()
  await expect(editor).toBeFocused()
  const hint = () =>
    editor.evaluate((text) =>
      getComputedStyle(text.firstElementChild!, '::before').getPropertyValue('content'),
    )
  expect(await hint()).toBe('"Write a reply. Type / for a saved reply."')
  await page.keyboard.type('First')
  await expect.poll(hint).toBe('none')
  await expect(page.getByText('Draft saved')).toBeVisible()
  await page.reload()
  await expect(editor).toHaveText('First')
  await page.locator('body').press('r')
  await expect(editor).toBeFocused()
  await page.keyboard.type(' and second')
  await expect(editor).toHaveText('First and second')
})

test('every letter typed after n reaches the note while its form loads on a slow machine', async ({
  page,
}) => {
  await asUser(page, 'support')
  await page.goto('/support/ticket/24/0')
  await expect(page.getByRole('textbox', { name: 'Message' })).toBeVisible()
  const release = await slowDown(page)
  await page.locator('body').press('n')
  await page.keyboard.type(beforeEditor, { delay: 80 })
  release()
  await page.keyboard.type(afterEditor, { delay: 80 })
  await expect(page.getByRole('textbox', { name: 'Note' })).toHaveValue(beforeEditor + afterEditor)
  await expect(page).toHaveURL(/\/support\/ticket\/24\//)
})

test('after Escape and after sending, keys move through the queue again', async ({ page }) => {
  await asUser(page, 'support')
  await page.goto('/support?layout=table&column=id&direction=asc&status=0')
  const titles = page.getByRole('table').getByRole('link')
  await expect(titles.nth(2)).toBeVisible()
  const addresses = await titles.evaluateAll((links) =>
    links.slice(0, 3).map((link) => link.getAttribute('href')!),
  )
  await titles.nth(0).click()
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeVisible()
  await page.keyboard.press('r')
  await expect(message).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  // The next ticket arrives late, and keys that are pressed meanwhile are meant for it.
  await expect(page).toHaveURL(new RegExp(`${addresses[1]}$`))
  await page.keyboard.press('r')
  await expect(page.locator('[contenteditable=true]')).toBeFocused()
  await page.keyboard.type('Thank you.')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByRole('article').filter({ hasText: 'Thank you.' })).toBeVisible()
  await expect(message).not.toBeFocused()
  await page.keyboard.press('j')
  await expect(page).toHaveURL(new RegExp(`${addresses[2]}$`))
})

test('the palette acts on the open ticket, and finds a ticket by its number before other records', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/support/ticket/12/0')
  await expect(page.getByRole('tab', { name: 'Reply' })).toBeVisible()
  const palette = page.getByRole('dialog', { name: 'Search or jump to' })
  await page.keyboard.press('Control+k')
  await expect(palette.getByRole('button', { name: /^Reply/ })).toBeVisible()
  await expectAccessible(page)
  await palette.getByRole('button', { name: /^Internal note/ }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()

  // An action with a choice asks for it in a second step, and Backspace leads back.
  await page.keyboard.press('Control+k')
  const search = palette.locator('[data-palette]')
  await search.fill('change status')
  await palette.getByRole('button', { name: /^Change status/ }).click()
  await expect(search).toHaveAccessibleName('Change status')
  await expect(palette.getByRole('button', { name: 'Waiting on customer' })).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(search).toHaveAccessibleName('Search or jump to')

  await page.keyboard.type('#145')
  await expect(palette.locator('[data-action]').first()).toContainText('#145')
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('Control+Enter')
  await expect(await opened).toHaveURL(/\/support\/ticket\/145\//)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/support\/ticket\/145\//)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('o')
  await expect(page).toHaveURL(/\/organizations\/all-organizations/)
})

test('one bell for all: it updates in two browsers and their titles, and clears in both when one opens the ticket; other roles send no requests', async ({
  browser,
}) => {
  const title = 'The bell that rings twice'
  const daniel = await openAs(browser, 'csm')
  const asked: string[] = []
  daniel.on(
    'request',
    (request) =>
      void (
        /unread-tickets-count|unnotified-task-count/.test(`${request.url()} ${request.postData() ?? ''}`) &&
        asked.push(request.url())
      ),
  )
  await daniel.goto('/support-requests')
  await expect(daniel.getByRole('heading', { level: 1 })).toBeVisible()
  const both = await Promise.all([openAs(browser, 'support'), openAs(browser, 'super_admin')] as const)
  // Wait until both pages are listening and the bell's count has loaded.
  const listening = both.map((page) => watchJoins(page).connected)
  for (const page of both) await page.goto('/dashboard')
  await Promise.all(listening)
  for (const page of both)
    await expect(page.getByRole('button', { name: /^Notifications, \d+ new/ })).toBeVisible()
  await deliverMail({
    message_id: '<twice@inn.example>',
    from: 'twice@inn.example',
    subject: title,
    text: 'Ding.',
  })
  const [tom, ingrid] = both
  // The newest ticket is the last one of today, behind the first eight.
  const card = ingrid.getByRole('region', { name: /^My day/ })
  const unread = card.getByRole('link', { name: new RegExp(title) })
  const more = card.getByRole('button', { name: /more: Today$/ })
  await expect(more.or(unread).first()).toBeVisible()
  if (await more.isVisible()) await more.click()
  await expect(unread).toBeVisible()
  const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
  /** Returns whether the bell's count equals the count at the start of the title. */
  const agrees = async (page: Page) => {
    const label = await page
      .getByRole('button', { name: /^Notifications, \d+ new/ })
      .getAttribute('aria-label')
    return (await page.title()).startsWith(`(${/\d+/.exec(label!)![0]}) `)
  }
  for (const page of both) {
    await expect.poll(() => agrees(page)).toBe(true)
    await page.getByRole('button', { name: /^Notifications, \d+ new/ }).click()
    await expect(panelOf(page).getByText(title)).toBeVisible()
    await expect(panelOf(page).getByRole('tab')).toHaveText([/^Support/, /^Tasks/])
    await expect(panelOf(page).getByRole('listitem').filter({ hasText: title })).toContainText(
      'twice@inn.example',
    )
    expect((await panelOf(page).boundingBox())!.width).toBeGreaterThanOrEqual(440)
  }
  await panelOf(tom).getByText(title).click()
  await expect(tom).toHaveURL(/\/support\/ticket\/\d+\/0/)
  await expect(panelOf(tom)).toBeHidden()
  await expect(panelOf(ingrid).getByText(title)).toHaveCount(0)
  await expect(card.getByRole('link', { name: new RegExp(title) })).toHaveCount(0)
  for (const page of both) await expect.poll(() => agrees(page)).toBe(true)
  // The user without a bell has had as much time to send requests as the others.
  expect(asked).toEqual([])
  await expect(daniel.getByRole('banner').getByRole('button', { name: /^Profile of/ })).toBeVisible()
  await expect(daniel.getByRole('banner').getByRole('button', { name: /^Notifications/ })).toHaveCount(0)
})

test('the bell answers a ticket and marks a customer as notified without leaving the page', async ({
  page,
}) => {
  await asUser(page, 'support')
  await page.goto('/organizations')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const bell = page.getByRole('dialog', { name: 'Notifications' })
  expect((await bell.boundingBox())!.width).toBeGreaterThanOrEqual(440)
  const reply = bell.getByRole('button', { name: /^Reply to / }).first()
  const title = (await reply.getAttribute('aria-label'))!
  await reply.click()
  await bell.getByRole('textbox', { name: title }).fill('We jumped on it.')
  await expectAccessible(page)
  await page.keyboard.press('Control+Enter')
  await expect(bell.getByRole('textbox', { name: title })).toHaveCount(0)
  await expect(bell.getByRole('button', { name: title, exact: true })).toHaveCount(0)
  await bell.getByRole('tab', { name: /^Tasks/ }).click()
  const notify = bell.getByRole('button', { name: /^Mark as notified: / })
  const waiting = await notify.count()
  await notify.first().click()
  await expect(notify).toHaveCount(waiting - 1)
  await expect(page).toHaveURL(/\/organizations\/all-organizations$/)
})

test('on a small window, a long reply leaves room for the conversation; the composer keeps its height when its tab changes, and the properties their place after a change', async ({
  page,
}) => {
  // A window of 1440 × 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 })
  await asUser(page, 'support')
  await page.goto('/support/ticket/15/0')
  const message = page.getByRole('textbox', { name: 'Message' })
  await message.fill(Array.from({ length: 7 }, (_, line) => `Line ${line}`).join('\n'))
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  const talk = (await page.getByRole('region', { name: 'Conversation' }).boundingBox())!
  // About three lines, as many as fit.
  expect(talk.height).toBeGreaterThan(70)

  await page.setViewportSize({ width: 1366, height: 800 })
  await page.goto('/support/ticket/16/0')
  const write = page.getByRole('region', { name: 'Write' })
  await expect(write.getByRole('textbox', { name: 'Message' })).toBeVisible()
  const heightOf = async () => (await write.boundingBox())!.height
  const height = await heightOf()
  await write.getByRole('tab', { name: 'Internal note' }).focus()
  await page.keyboard.press('Enter')
  await expect(write.getByRole('button', { name: 'Add note' })).toBeVisible()
  expect(await heightOf()).toBe(height)

  const details = page.getByRole('region', { name: 'Details' })
  const placeOf = async () => (await details.boundingBox())!.y
  const place = await placeOf()
  await page.getByRole('button', { name: /^Status of/ }).click()
  await page.getByRole('menuitem', { name: 'In progress' }).click()
  const rail = page.getByRole('complementary', { name: 'Properties' })
  await expect(rail.getByText(/^Status set to In progress/)).toBeVisible()
  expect(await placeOf()).toBe(place)
  // The toast is below the heading, whose buttons stay in reach.
  const toast = page.getByRole('alert').filter({ hasText: 'Status changed to In progress.' })
  const heading = (await page.getByRole('heading', { level: 1 }).boundingBox())!
  expect((await toast.boundingBox())!.y).toBeGreaterThanOrEqual(heading.y + heading.height)
})

test('Tab leads from the delivery date into the message of a new ticket, which has few buttons', async ({
  page,
}) => {
  await asUser(page, 'support')
  await page.goto('/support/generate')
  const message = page.getByRole('textbox', { name: 'Message' })
  await expect(message).toBeVisible()
  await expect(page.getByRole('button', { name: 'Heading 1' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible()
  await page.getByLabel('Delivery date').focus()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await expect(message).toBeFocused()
})

test('in the table, a title is bold until it is read, and a long one ends with an ellipsis; a wide email scrolls', async ({
  page,
}) => {
  const mail = { message_id: '<bold@inn.example>', from: 'desk@inn.example', text: 'Look.' }
  const id = await deliverMail({ ...mail, subject: 'Bold until read' })
  await asUser(page, 'support')
  const list = '/support?layout=table&search=bold+until'
  const title = page.getByRole('link', { name: 'Bold until read' })
  await page.goto(list)
  await expect(title).toHaveCSS('font-weight', '550')
  const read = page.waitForResponse((answer) => answer.url().includes('/get-ticket/'))
  await page.goto(`/support/ticket/${id}/0`)
  await read
  await page.goto(list)
  await expect(title).toHaveCSS('font-weight', '400')

  const longTitle = `Wide ${'and long '.repeat(25)}title`
  const cells = '<td style="min-width:400px">Cell</td>'.repeat(3)
  const html = `<table width="1600"><tr>${cells}<td>Price 40</td></tr></table>`
  const wide = await deliverMail({
    message_id: '<wide@inn.example>',
    from: 'desk@inn.example',
    subject: longTitle,
    html,
  })
  await page.goto('/support?layout=table&column=id&direction=desc')
  const link = page.getByRole('table').getByRole('link', { name: longTitle })
  const cell = await link.evaluate((element) => {
    const { scrollWidth, clientWidth } = element.closest('th, td')!
    return {
      isCut: scrollWidth > clientWidth,
      end: getComputedStyle(element.closest('th, td')!).textOverflow,
    }
  })
  expect(cell).toEqual({ isCut: true, end: 'ellipsis' })
  // An ellipsis ends only what is inline.
  await expect(link).toHaveCSS('display', 'inline')

  await page.goto(`/support/ticket/${wide}/0`)
  const email = page.getByRole('region', { name: 'Conversation' }).frameLocator('iframe')
  await expect(email.getByText('Price 40')).toBeAttached()
  // The bar is always shown, where the browser would hide it.
  const bar = await email.locator('body').evaluate((body) => ({
    scrolls: body.scrollWidth > body.clientWidth && getComputedStyle(body).overflowX === 'auto',
    height: getComputedStyle(body, '::-webkit-scrollbar').height,
  }))
  expect(bar).toEqual({ scrolls: true, height: '10px' })
})
