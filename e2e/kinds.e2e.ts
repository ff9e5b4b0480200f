import { expect } from '@playwright/test'
import { asUser } from './helpers.ts'
import { test } from './panel.ts'

test('a case study goes from draft to published and renamed; a FAQ moves to another page; terms are replaced later', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/case-study/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Lighter bags for a hotel')
  await page.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('Two kilograms less.')
  await page.getByRole('button', { name: 'Create case study' }).click()
  await expect(page).toHaveURL(/\/case-study\/lighter-bags-for-a-hotel$/)
  await page.getByRole('button', { name: 'Publish Lighter bags for a hotel' }).click()
  await expect(page.getByRole('article')).toContainText('Just now')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Slug' }).fill('lighter-bags')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/case-study\/lighter-bags$/)
  await page.goto('/case-study/lighter-bags-for-a-hotel')
  await expect(page.getByRole('article')).toContainText('Two kilograms less.')

  await page.goto('/faqcategories/washing-and-drying/posts')
  const place = page.getByRole('textbox', { name: 'Position of How do I get started with the weekly plan?' })
  await place.fill('30')
  await place.press('Enter')
  await expect(page.getByText('moved to position 30.').first()).toBeVisible()
  await expect(place).toHaveCount(0)
  await page.goto('/faqcategories/washing-and-drying/posts?page=2')
  await expect(place).toHaveValue('30')
  await page.getByRole('button', { name: /^Move How do I get started with the weekly plan/ }).press('ArrowUp')
  await expect(place).toHaveValue('29')

  await page.goto('/term%26conditions/new-terms')
  await page.reload()
  await page.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.press('Control+End')
  await page.keyboard.type(' Thank you.')
  await page.getByLabel('Effective date').fill('2199-01-01')
  const publish = page.getByRole('button', { name: 'Publish version' })
  await expect(publish).toBeDisabled()
  await page.getByRole('button', { name: 'Review changes' }).click()
  await expect(page.getByRole('region', { name: 'Changes' }).getByRole('insertion')).toContainText(
    'Thank you.',
  )
  await publish.click()
  await expect(page.getByText('Version 4 published.').first()).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Version 2 since' })).toBeVisible()
  await page.getByLabel('In effect on').fill('2199-01-01')
  await expect(page.getByRole('status').filter({ hasText: 'Version 4 since' })).toBeVisible()
  await page.goto('/term&conditions/4')
  await page.getByLabel('Compare with').selectOption('Version 2')
  await expect(page.getByRole('insertion')).toContainText('Thank you.')
})

test('switching the product asks before unsaved input is discarded, and restores it with its product', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/case-study/create')
  const title = page.getByRole('textbox', { name: /^Title/ })
  const product = (name: string) =>
    page.getByRole('group', { name: 'Product' }).getByRole('button', { name, exact: true })
  await title.fill('Not saved yet')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await product('staffer').click()
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(product('Linen')).toHaveAttribute('aria-pressed', 'true')
  await expect(title).toHaveValue('Not saved yet')
  await product('staffer').click()
  await question.getByRole('button', { name: 'Proceed' }).click()
  await expect(product('staffer')).toHaveAttribute('aria-pressed', 'true')
  await expect(title).toHaveValue('')
  // Nothing has been entered here, so there is no confirmation.
  await product('Linen').click()
  await expect(product('Linen')).toHaveAttribute('aria-pressed', 'true')
  await expect(title).toHaveValue('Not saved yet')
})

test('a case study that could not be saved says so without a message, and keeps its input', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/case-study')
  await page.getByRole('rowheader').getByRole('link').first().click()
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.route('**/api/admin/case-study/update/**', (route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/json',
      body: JSON.stringify({ message: 'The save is broken.' }),
    }),
  )
  const form = page.getByRole('form', { name: /^Edit/ })
  const title = form.getByRole('textbox', { name: /^Title/ })
  await title.fill('Sheets for a harbor hotel')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('Not saved yet.')).toBeVisible()
  await expect(title).toHaveValue('Sheets for a harbor hotel')
  await expect(page.getByText('The save is broken.')).toHaveCount(0)
})

for (const [kind, kept] of [
  ['case-study', true],
  ['event', false],
] as const)
  test(`a list of ${kind} whose call fails ${kept ? 'keeps its rows' : 'becomes empty'} and logs to the console only`, async ({
    page,
  }) => {
    await asUser(page, 'super_admin')
    const said: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text())
    })
    await page.goto(`/${kind}`)
    const first = page.getByRole('rowheader').first()
    await expect(first).toBeVisible()
    const before = (await first.textContent())!
    await page.route(`**/api/admin/${kind}?*`, (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ message: 'The list is broken.' }),
      }),
    )
    await page
      .getByRole('searchbox')
      .or(page.getByRole('textbox', { name: /^Search/ }))
      .first()
      .fill('linen')
    await expect.poll(() => said.some((text) => text.includes('The list is broken.'))).toBe(true)
    if (kept) {
      await expect(page.getByRole('rowheader').first()).toHaveText(before)
      // The search belongs to rows that never came, so the list returns to its old filters.
      await expect(page).toHaveURL((url) => url.search === '')
    } else await expect(page.getByRole('rowheader')).toHaveCount(0)
    await expect(page.getByText('The list is broken.')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)
  })
