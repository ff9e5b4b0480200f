import { expect, type Locator, type Page } from '@playwright/test'
import { asUser, chooseFromMore, enterLeads } from './helpers.ts'
import { test } from './panel.ts'

const company = 'Unbroken'.padEnd(200, 'n')

/** Expects each element's content to be no wider than the element. */
async function expectNoSideways(what: Locator, where: string): Promise<void> {
  const wider = await what.evaluateAll((elements) =>
    elements.map(({ scrollWidth, clientWidth }) => Math.max(0, scrollWidth - clientWidth)),
  )
  expect(wider.length, where).toBeGreaterThan(0)
  expect(Math.max(...wider), where).toBe(0)
}

/** Expects an element's full width to be in the viewport. */
async function expectInReach(page: Page, what: Locator): Promise<void> {
  // The element may be replaced when content loads.
  await expect(async () => {
    const { x, width } = (await what.boundingBox())!
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x + width).toBeLessThanOrEqual(page.viewportSize()!.width)
  }).toPass()
}

for (const width of [390, 320])
  test(`at ${width} px a name of 200 letters widens no page and hides nothing`, async ({ browser }) => {
    const page = await (
      await browser.newContext({ viewport: { width, height: 844 }, hasTouch: true })
    ).newPage()
    const whole = page.locator('html, main')
    await asUser(page, 'crm')
    const [id] = await enterLeads(page, {
      companyName: company,
      email: `narrow-${width}-${'n'.repeat(40)}@linen.example`,
      company_url: 'http://127.0.0.1/',
    })

    await page.goto(`/demo-leads?fromDate=all&toDate=all&search=${company.slice(0, 100)}`)
    await expect(page.getByRole('button', { name: `Edit ${company}` }).first()).toBeVisible()
    await expectNoSideways(whole, 'the list')
    await expectInReach(page, page.getByRole('button', { name: 'Remove filter Search' }).locator('svg'))

    await page.goto(`/demo-leads/narrow/${id}`)
    const mails = page.getByRole('region', { name: 'Timeline' })
    await expect(mails).toContainText('created this lead')
    await expectNoSideways(whole, 'the lead')
    await expectNoSideways(mails, 'the email buttons')

    await page.getByRole('button', { name: `Follow-up date of ${company}: Set date` }).tap()
    const days = page.getByRole('dialog', { name: `Follow-up date of ${company}` })
    await expectInReach(page, days)
    await page.keyboard.press('Escape')
    await expect(days).toHaveCount(0)

    await chooseFromMore(page, 'Edit lead')
    await expectInReach(page, page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }))
    await page.keyboard.press('Escape')

    await mails.getByRole('tab', { name: 'Email' }).tap()
    await mails.getByRole('button', { name: 'Demo email' }).tap()
    const message = mails.getByRole('textbox', { name: 'Message' })
    await expect(message).toContainText('Thank you')
    await message.fill(company)
    await expectNoSideways(mails, 'the email')
    await mails.getByRole('button', { name: 'Preview' }).tap()
    const preview = page.getByRole('dialog', { name: 'Preview' })
    await expectInReach(page, preview.getByRole('button', { name: 'Close', exact: true }))
    const letter = preview.locator('iframe').contentFrame()
    await expect(letter.getByText(company)).toBeVisible()
    await expectNoSideways(letter.locator('html'), 'the preview')
    await preview.getByRole('button', { name: 'Close', exact: true }).tap()
    await mails.getByRole('button', { name: 'Send email', exact: true }).tap()
    await mails.getByRole('button', { name: 'Emails' }).tap()
    await expect(mails.getByText(company.slice(0, 100))).toBeVisible()
    await expectNoSideways(mails, 'the subject of an email')
    await expectNoSideways(whole, 'the lead with an email')

    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { name: /^My day/ })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await expectNoSideways(whole, 'the dashboard')
    await page.context().close()
  })
