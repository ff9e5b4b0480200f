import { expect, type Page } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, holdUndo } from './helpers.ts'
import { mailsTo } from './received-mails.ts'
import { inboundSecret } from './server.ts'
import { panel, test } from './panel.ts'

const address = 'nora@brackwater.example'
const gif = 'R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=='
const tracker = 'https://tracker.brackwater.example'
/** Everything here that runs sets the title of the page, and everything that is fetched goes to the tracker. */
const hostile = `<script>top.document.title='ran'</script><img src="x" onerror="top.document.title='ran'">
<svg onload="top.document.title='ran'"></svg><iframe src="${tracker}/frame"></iframe><link rel="stylesheet" href="${tracker}/style.css">
<style>@import url(${tracker}/import.css);body{background:url(${tracker}/background.png)}</style>
<form action="${tracker}"><input autofocus onfocus="top.document.title='ran'"></form><meta http-equiv="refresh" content="0;url=${tracker}/refresh">
<a href="javascript:top.document.title='ran'">A link</a><img src="${tracker}/pixel.gif" alt="Our house"><img src="cid:logo@gmail" alt="Logo">`

/** A reply as Gmail writes it. */
const reply = (replyTo: string, messageId: string) =>
  [
    'Message-ID: <CAF1@mail.gmail.example>',
    `From: Nora Lindqvist <${address}>`,
    `To: Paula Ferreira <${replyTo}>`,
    'Subject: Re: Your proposal',
    `In-Reply-To: ${messageId}`,
    `References: ${messageId}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/related; boundary="r"',
    '',
    '--r',
    'Content-Type: text/html; charset="UTF-8"',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(
      `<div dir="ltr">The board likes it.</div>${hostile}<div class="gmail_quote"><blockquote>Here it is</blockquote></div>`,
    ).toString('base64'),
    '--r',
    'Content-Type: image/gif; name="logo.gif"',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <logo@gmail>',
    'Content-Disposition: inline; filename="logo.gif"',
    '',
    gif,
    '--r--',
  ].join('\r\n')

const deliver = async (raw: string) => {
  const answer = await fetch(`${panel().url}/api/inbound/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'message/rfc822', 'X-Inbound-Secret': inboundSecret },
    body: raw,
  })
  return (await answer.json()) as { id: number; state: string }
}

/** Sends a request as the page's user. */
const call = (page: Page, path: string, body?: object) =>
  page.evaluate(
    async ([url, sent]) => {
      const answer = await fetch(`/api${url}`, {
        method: sent === undefined ? 'GET' : 'POST',
        headers: {
          'Content-Type': 'application/json',
          Authorization: `Bearer ${localStorage.getItem('access_token')}`,
        },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      })
      return { status: answer.status, ...(await answer.json()) }
    },
    [path, body] as const,
  )

async function send(page: Page, lead: number, subject: string, count: number) {
  const email = { to: [address], subject, content: '<p>Here it is</p>' }
  const { data } = await call(page, `/admin/mails/lead/${lead}`, email)
  await call(page, `/admin/mail/${data.id}/retry`, {})
  await expect.poll(() => mailsTo(address).length).toBe(count)
  return mailsTo(address).at(-1)!
}

test('a lead is emailed, answers, and is answered again; colleagues read it, and what the email contains neither runs nor is fetched', async ({
  browser,
}) => {
  const open = async (user: string) => {
    const page = await (await browser.newContext()).newPage()
    await asUser(page, user)
    return page
  }
  const paula = await open('crm')
  const [lead] = await enterLeads(paula, { companyName: 'Brackwater', contactName: 'Nora', email: address })
  const sent = await send(paula, lead!, 'Your proposal', 1)
  const replyTo = /replies\+[a-f0-9]{32}@linen\.example/.exec(sent.raw)![0]
  const { state } = await deliver(reply(replyTo, sent.messageId))
  expect(state).toBe('filed')

  const martin = await open('admin')
  const fetched: string[] = []
  const watch = (page: Page, urls: string[]) =>
    page.route(`${tracker}/**`, (route) => {
      urls.push(route.request().url())
      return route.abort()
    })
  await watch(martin, fetched)
  await martin.goto(`/demo-leads/lead/${lead}`)
  const timeline = martin.getByRole('region', { name: 'Timeline' })
  await expect(timeline.getByText('Verified sender')).toBeVisible()
  const letter = martin.frameLocator('iframe[title="Email from Nora Lindqvist"]')
  await expect(letter.getByText('The board likes it.')).toBeVisible()
  await expect(letter.getByText('Here it is')).toBeHidden()
  await letter.getByText('Show quoted text').click()
  await expect(letter.getByText('Here it is')).toBeVisible()
  await expect(letter.getByText('[Image not loaded: Our house]')).toBeVisible()
  // The image that came along is shown.
  await expect
    .poll(() => letter.getByAltText('Logo').evaluate((image) => (image as HTMLImageElement).naturalWidth))
    .toBe(1)
  await expect(timeline.getByText('1 remote image is blocked.')).toBeVisible()
  await letter.getByText('A link').click()
  await expect(martin).not.toHaveTitle(/ran/)
  expect(fetched).toEqual([])
  await expectAccessible(martin)
  const kept = await martin.evaluate(() => JSON.stringify([localStorage, sessionStorage]))
  expect(kept).not.toContain('The board likes it')

  // Control: the same HTML in a page of its own runs and fetches.
  const control = await (await browser.newContext()).newPage()
  const asked: string[] = []
  await watch(control, asked)
  await control.setContent(hostile.replace(/<meta[^>]*>/, ''))
  await expect(control).toHaveTitle('ran')
  expect(asked).toContain(`${tracker}/pixel.gif`)

  const answer = await send(paula, lead!, 'Re: Your proposal', 2)
  expect(answer.raw).toMatch(/^In-Reply-To: <CAF1@mail\.gmail\.example>/m)
  const support = await open('support')
  expect((await call(support, `/admin/received-mails/lead/${lead}`)).status).toBe(404)
  await support.goto(`/demo-leads/lead/${lead}`)
  await expect(support.getByText('The board likes it.')).toHaveCount(0)
})

test('an email that belongs to no record is filed under a new ticket with one key, and returned', async ({
  browser,
}) => {
  const page = await (await browser.newContext()).newPage()
  await asUser(page, 'support')
  await deliver(
    'Message-ID: <unsorted@gmx.example>\r\nFrom: Anna Reuter <anna@gmx.example>\r\nTo: a@linen.example\r\nSubject: Our login, again\r\n\r\nFour new tablets.',
  )
  await page.goto('/support/unsorted')
  await page.getByRole('link', { name: 'Anna Reuter' }).click()
  await expect(page.getByRole('region', { name: 'Email' })).toContainText('Four new tablets.')
  await expectAccessible(page)
  await page.getByRole('button', { name: /^New ticket/ }).focus()
  await page.keyboard.press('1')
  await (await holdUndo(page, 'Filed under a new ticket')).click()
  await expect(page.getByText('Returned to Unsorted.')).toBeVisible()
})
