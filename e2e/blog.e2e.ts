import { expect } from '@playwright/test'
import { asUser, chooseFound } from './helpers.ts'
import { test } from './panel.ts'

test("a moderator writes, publishes, and renames a post, and the old URL still opens it; a refused deletion shows the server's message", async ({
  page,
}) => {
  await asUser(page, 'editor')
  await page.goto('/posts/new-post')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Softer towels in a week')
  await chooseFound(page.getByRole('combobox', { name: /^Category/ }), 'Washing')
  await page
    .getByRole('combobox', { name: 'Tags' })
    .or(page.getByRole('textbox', { name: 'Tags' }))
    .fill('Softness')
  await page.keyboard.press('Enter')
  const text = page.getByRole('textbox', { name: 'Content' })
  await text.click()
  await page.keyboard.type('Less softener, more water. See ')
  await page.getByRole('button', { name: 'Link to a post' }).click()
  await page.getByRole('textbox', { name: 'Search posts' }).fill('short GUIDE to bath')
  await page
    .getByRole('list', { name: 'Posts' })
    .getByRole('button', { name: 'A short guide to bath towels' })
    .click()
  await page.keyboard.type(' too.')
  await page.getByRole('button', { name: 'Create post' }).click()

  await expect(page).toHaveURL(/\/posts\/softer-towels-in-a-week$/)
  await expect(page.getByRole('article')).toContainText('Less softener, more water.')
  await expect(page.getByRole('article')).toContainText('See A short guide to bath towels too.')
  const linked = page
    .getByRole('article')
    .getByRole('link', { name: 'A short guide to bath towels', exact: true })
  await expect(linked).toHaveAttribute('href', /^\/posts\/\d+$/)
  await expect(page.getByRole('article')).toContainText('Unpublished')
  await expect(page.getByRole('article')).toContainText('#Softness')
  await page.getByRole('button', { name: 'Publish Softer towels in a week' }).click()
  await expect(page.getByRole('article')).toContainText('Just now')

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Slug' }).fill('soft-towels')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/posts\/soft-towels$/)
  await page.goto('/posts/softer-towels-in-a-week')
  await expect(page.getByRole('article')).toContainText('Less softener, more water.')
  await expect(page.getByText('/posts/soft-towels')).toBeVisible()

  await page.getByRole('button', { name: 'Move to trash: Softer towels in a week' }).click()
  await expect(page.getByText('Moved to trash: 1 post.').first()).toBeVisible()
  await expect(page).toHaveURL(/\/posts$/)
})
