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
