import { expect } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, expectQuietConsole, leadCell } from './helpers.ts'
import { mailsTo, partsOf } from './received-mails.ts'
import { test } from './panel.ts'

const company = '<b>Ünïcode & Söhne</b>'
const written = '&lt;b&gt;Ünïcode &amp; Söhne&lt;/b&gt;'

test('a demo email is sent to a lead: it is delivered once, as previewed, and is in the outbox', async ({
  browser,
}) => {
  const address = 'jo@soehne.example'
  const open = async (user: string) => {
    const page = await (await browser.newContext()).newPage()
    await asUser(page, user)
    return page
  }
  const paula = await open('crm')
  // Inspecting a frame that is not allowed to run scripts logs an error.
  const quiet = expectQuietConsole(paula, /^Blocked script execution in 'about:srcdoc'/)
  await enterLeads(paula, { companyName: company, contactName: 'Jürgen “Jo” <Söhne>', email: address })
  await paula.goto('/demo-leads?fromDate=all&toDate=all&search=%C3%BCn%C3%AFcode')
  await leadCell(paula, company).click()
  const mails = paula.getByRole('region', { name: 'Timeline' })
  await mails.getByRole('button', { name: 'Demo email' }).click()
  const form = paula.getByRole('dialog', { name: `Demo email to ${company}` })
  const preview = form.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText(`Linen demo for ${company}`)
  const letter = preview.frameLocator('iframe')
  await expect(letter.getByText('Hello Jürgen “Jo” <Söhne>,')).toBeVisible()
  await expect(form.getByRole('textbox', { name: 'Name' })).toHaveValue('Jürgen “Jo” <Söhne>')

  await form.getByRole('button', { name: 'Edit this message' }).click()
  const message = form.getByRole('textbox', { name: 'Message' })
  await message.fill(`Dear Jürgen,\n\nwhat ${company} washes, we count. 🧺\n\nPaula`)
  await expect(letter.getByText(`what ${company} washes, we count. 🧺`)).toBeVisible()
  await expect(letter.locator('b')).toHaveCount(0)
  await expectAccessible(paula)
  await paula.keyboard.press('Control+Enter')
  await expect(paula.getByText('Your email is on its way.')).toBeVisible()
  await expect(mails).toContainText(`Linen demo for ${company}`)
  await expect(mails.getByText('Sent', { exact: true })).toBeVisible()
  quiet()

  const ingrid = await open('admin')
  await ingrid.goto('/settings/outbox?state=sent')
  const row = ingrid.getByRole('listitem').filter({ hasText: address })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Sent')
  await expect(row).toContainText('Paula Ferreira')
  await row.getByRole('button', { name: `Linen demo for ${company}` }).click()
  const mail = ingrid.getByRole('dialog', { name: `Linen demo for ${company}` })
  await expect(mail).toContainText('1 attempt')
  await expect(mail).toContainText('Linen <panel@linen.example>')
  await expect(mail.getByRole('button', { name: 'Retry now' })).toBeDisabled()
  await expect(mail.frameLocator('iframe').getByText('we count. 🧺')).toBeVisible()

  const received = mailsTo(address)
  expect(received).toHaveLength(1)
  const { from, raw } = received[0]!
  expect(from).toBe('panel@linen.example')
  const parts = partsOf(raw)
  expect([...parts.keys()]).toEqual(['text/plain', 'text/html'])
  expect(parts.get('text/plain')).toContain(`what ${company} washes, we count. 🧺`)
  expect(parts.get('text/html')).toContain(`what ${written} washes, we count. 🧺`)
  expect(parts.get('text/html')).not.toMatch(/<b>/)
  expect(raw).toMatch(/^Reply-To: .*paula/im)
})
