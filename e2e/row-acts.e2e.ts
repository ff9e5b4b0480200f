import { expect, type Page } from '@playwright/test'
import { asUser, enterLeads, expectAccessible, expectQuietConsole } from './helpers.ts'
import { test } from './panel.ts'

const listOf = (company: string) =>
  `/demo-leads?fromDate=all&toDate=all&search=${encodeURIComponent(company)}`
const more = (page: Page, company: string) =>
  page.getByRole('button', { name: `More actions for ${company}`, exact: true })
const menu = (page: Page, company: string) => page.getByRole('menu', { name: `More actions for ${company}` })

test('emails, website check, and organization are reached from the row, also by keyboard', async ({
  page,
}) => {
  const quiet = expectQuietConsole(page, /^Blocked script execution in 'about:srcdoc'/)
  const company = 'Row Linen'
  await asUser(page, 'crm')
  await enterLeads(page, {
    companyName: company,
    email: 'row@linen.example',
    country: 'Norway',
    company_url: 'http://127.0.0.1/',
    timezone: 'Europe/Oslo',
  })
  await page.goto(listOf(company))
  await more(page, company).focus()
  await page.keyboard.press('Enter')
  await expect(menu(page, company).getByRole('menuitem')).toHaveText([
    'Demo email',
    'Prospecting email',
    'Questions',
    'Check website',
    'Create organization',
  ])
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(more(page, company)).toBeFocused()

  await more(page, company).click()
  await menu(page, company).getByRole('menuitem', { name: 'Prospecting email' }).click()
  const mail = page.getByRole('dialog', { name: `Email ${company}` })
  await expect(mail.getByText('row@linen.example', { exact: true })).toBeVisible()
  await expect(mail.getByRole('textbox', { name: 'Message' })).toContainText('reply to this email')
  await mail.getByRole('button', { name: 'Close' }).click()
  await expect(mail).toHaveCount(0)

  await more(page, company).click()
  await menu(page, company).getByRole('menuitem', { name: 'Check website' }).click()
  await expect(page.getByRole('alert')).toContainText('public')

  await more(page, company).click()
  await menu(page, company).getByRole('menuitem', { name: 'Create organization' }).click()
  const form = page.getByRole('dialog', { name: `Organization for ${company}` })
  await expect(form.getByLabel('Time zone')).toHaveValue('Europe/Oslo')
  await expect(form.getByLabel('Country')).toHaveValue('Norway')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText(`Organization ${company} created.`)).toBeVisible()
  // Role 2 cannot open organizations, so the user is taken to the onboarding page.
  await expect(page).toHaveURL(/\/on-boarding\/details\//)
  await page.goto(listOf(company))
  await more(page, company).click()
  const again = menu(page, company).getByRole('menuitem', { name: 'Create organization' })
  await expect(again).toBeDisabled()
  await expect(again).toHaveAttribute('title', /already has an organization \(#\d+\)/)
  quiet()
})

test('a menu supports arrows, Home, End, and first letters, and closes on Escape, Tab, its button, and a click elsewhere', async ({
  page,
}) => {
  const company = 'Row Menu'
  await asUser(page, 'crm')
  // The newest lead comes first, and Tab moves on to the other lead.
  await enterLeads(page, { companyName: 'Row Menu Below' }, { companyName: company })
  await page.goto(listOf(company))
  const item = (name: string) => menu(page, company).getByRole('menuitem', { name })
  const steps = [
    ['ArrowDown', 'Prospecting email'],
    ['End', 'Create organization'],
    ['ArrowDown', 'Demo email'],
    ['ArrowUp', 'Create organization'],
    ['Home', 'Demo email'],
    ['q', 'Questions'],
    // Ends the word, which letters in quick succession are.
    ['Home', 'Demo email'],
    ['c', 'Check website'],
    ['c', 'Create organization'],
    ['c', 'Check website'],
  ] as const
  const isClosed = async () => {
    await expect(menu(page, company)).toHaveCount(0)
    await expect(more(page, company)).toHaveAttribute('aria-expanded', 'false')
  }
  await more(page, company).focus()
  await page.keyboard.press('Enter')
  await expect(item('Demo email')).toBeFocused()
  await expect(more(page, company)).toHaveAttribute('aria-expanded', 'true')
  for (const [key, name] of steps) {
    await page.keyboard.press(key)
    await expect(item(name), `after ${key}`).toBeFocused()
  }
  // The item explains that the lead has no website, and the menu stays open.
  await page.keyboard.press('Enter')
  await expect(item('Check website')).toHaveAttribute('title', 'This lead has no website.')
  await expect(item('Check website')).toBeFocused()
  await page.keyboard.press('Escape')
  await isClosed()
  await expect(more(page, company)).toBeFocused()

  await page.keyboard.press('Space')
  await expect(item('Demo email')).toBeFocused()
  await page.keyboard.press('Tab')
  await isClosed()
  await expect(more(page, company)).not.toBeFocused()

  await more(page, company).click()
  await expect(item('Demo email')).toBeFocused()
  await more(page, company).click()
  await isClosed()

  await more(page, company).click()
  await expect(item('Demo email')).toBeFocused()
  await page.getByRole('heading', { level: 1 }).click()
  await isClosed()

  // Opening another menu closes the first one.
  await more(page, company).click()
  await page.getByRole('button', { name: `Status of ${company}: New` }).click()
  await expect(page.getByRole('menu')).toHaveCount(1)
  await expect(page.getByRole('menu', { name: `Status of ${company}` })).toBeVisible()
})

test('on a phone the card has the same menu', async ({ browser }) => {
  const page = await (
    await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  ).newPage()
  const company = 'Row Phone'
  await asUser(page, 'crm')
  await enterLeads(page, { companyName: company, company_url: '' })
  await page.goto(listOf(company))
  await more(page, company).tap()
  await expect(menu(page, company).getByRole('menuitem')).toHaveCount(5)
  await expect(menu(page, company).getByRole('menuitem', { name: 'Check website' })).toHaveAttribute(
    'title',
    'This lead has no website.',
  )
  await expectAccessible(page)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
})

test("a fact on a lead's page is changed by a click, and empty facts are collapsed", async ({ page }) => {
  await asUser(page, 'crm')
  const [id] = await enterLeads(page, { companyName: 'In Place Laundry', country: 'Norway' })
  await page.goto(`/demo-leads/lead/${id}`)
  const facts = page.getByRole('region', { name: 'Contact', exact: true })
  // The zone of a new lead is that of its country.
  await expect(facts).toContainText('Time zoneEurope/Oslo')
  await facts.getByRole('button', { name: 'Norway' }).click()
  await page.getByRole('textbox', { name: 'Country' }).fill('Sweden')
  await page.keyboard.press('Enter')
  await expect(facts.getByRole('button', { name: 'Sweden' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Sweden')
  await facts.getByRole('button', { name: /^Show \d+ empty fields?$/ }).click()
  await expect(facts).toContainText('Phone')
  await expectAccessible(page)
})
