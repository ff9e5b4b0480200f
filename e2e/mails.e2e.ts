import { expect } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, expectQuietConsole, leadCell } from './helpers.ts'
import { mailsTo, partsOf } from './received-mails.ts'
import { test } from './panel.ts'

const company = '<b>Ünïcode & Söhne</b>'
const written = '&lt;b&gt;Ünïcode &amp; Söhne&lt;/b&gt;'

test('a demo email is sent to a lead: undone, then delivered once, as previewed, and is in the outbox', async ({
  browser,
}) => {
  const [address, colleague] = ['jo@soehne.example', 'books@soehne.example']
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
  await mails.getByRole('tab', { name: 'Email' }).click()
  const form = mails.getByRole('form', { name: 'Email' })
  await expect(form.getByText(address)).toBeVisible()
  await form.getByRole('button', { name: 'Demo email' }).click()
  const message = form.getByRole('textbox', { name: 'Message' })
  await expect(message).toContainText('Hello Jürgen “Jo” <Söhne>,')
  await expect(form.getByRole('textbox', { name: 'Subject' })).toHaveValue(`Linen demo for ${company}`)

  await message.fill(`Dear Jürgen,\n\nwhat ${company} washes, we count. 🧺\n\nPaula`)
  await form.getByRole('button', { name: 'Add questions' }).click()
  await form.getByRole('checkbox', { name: 'How many sites do you run?' }).check()
  await expect(message).toContainText('How many sites do you run?')
  await form.getByRole('button', { name: 'Cc' }).click()
  await form.getByLabel('Cc', { exact: true }).last().fill(`${colleague},`)
  await form.getByRole('button', { name: 'Preview' }).click()
  const preview = paula.getByRole('dialog', { name: 'Preview' })
  await expect(preview).toContainText('"Paula Ferreira" <panel@linen.example>')
  await expect(preview).toContainText(colleague)
  const letter = preview.frameLocator('iframe')
  await expect(letter.getByText(`what ${company} washes, we count. 🧺`)).toBeVisible()
  await expect(letter.getByText('How many sites do you run?')).toBeVisible()
  await expect(letter.locator('b')).toHaveCount(0)
  await expectAccessible(paula)
  await preview.getByRole('button', { name: 'Close' }).click()
  await expectAccessible(paula)

  // A sent email can be undone for ten seconds; its text is then back.
  await form.getByRole('button', { name: 'Send email', exact: true }).click()
  await expect(message).not.toContainText('we count')
  await mails.getByRole('button', { name: 'Undo send' }).click()
  await expect(message).toContainText('we count. 🧺')
  await message.click()
  await paula.keyboard.press('Control+Enter')
  await expect(mails.getByText('Scheduled', { exact: true })).toBeVisible()
  await expect(mails).toContainText(`Linen demo for ${company}`)
  await expect(mails.getByText('Canceled', { exact: true })).toHaveCount(1)
  await expect(mails.getByText('Sent', { exact: true })).toBeVisible()
  // It opens where it belongs, and shows what was sent.
  await mails.getByRole('button', { name: 'Show email' }).first().click()
  await expect(mails.getByRole('list', { name: 'Recipients' })).toContainText(address)
  await expect(mails.frameLocator('iframe').getByText('we count. 🧺')).toBeVisible()
  await expectAccessible(paula)
  quiet()

  const ingrid = await open('admin')
  await ingrid.goto('/settings/outbox?state=sent')
  const row = ingrid.getByRole('listitem').filter({ hasText: `Linen demo for ${company}` })
  await expect(row).toHaveCount(1)
  await expect(row).toContainText('Sent')
  await expect(row).toContainText('Paula Ferreira')
  await row.getByRole('link', { name: `Linen demo for ${company}` }).click()
  const mail = ingrid.getByRole('region', { name: 'Reading pane' })
  await expect(mail.getByRole('heading', { name: `Linen demo for ${company}` })).toBeVisible()
  await expect(mail).toContainText('1 attempt')
  await expect(mail).toContainText('"Paula Ferreira" <panel@linen.example>')
  await expect(mail.getByRole('link', { name: company })).toBeVisible()
  // Nothing is left to be sent.
  await expect(mail.getByRole('button', { name: 'Retry now' })).toHaveCount(0)
  await expectAccessible(ingrid)
  await expect(mail.frameLocator('iframe').getByText('we count. 🧺')).toBeVisible()

  const received = mailsTo(address)
  expect(received).toHaveLength(1)
  const { from, raw } = received[0]!
  // Delivery reports lead back to the email.
  expect(from).toMatch(/^replies\+[a-f0-9]{32}@linen\.example$/)
  const parts = partsOf(raw)
  expect([...parts.keys()]).toEqual(['text/plain', 'text/html'])
  expect(parts.get('text/plain')).toContain(`what ${company} washes, we count. 🧺`)
  expect(parts.get('text/html')).toContain(`what ${written} washes, we count. 🧺`)
  expect(parts.get('text/html')).not.toMatch(/<b>/)
  expect(raw).toMatch(/^Reply-To: .*paula/im)
  expect(raw).toMatch(new RegExp(`^Cc: ${colleague}`, 'm'))
  expect(mailsTo(colleague)).toHaveLength(1)
})
