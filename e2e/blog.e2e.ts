import { expect, test } from '@playwright/test'
import { asUser, chooseFound } from './helpers.ts'

test('a moderator writes a post, publishes it, renames it, and the old address still opens it; deleting says the words of the server', async ({ page }) => {
  await asUser(page, 'editor')
  await page.goto('/posts/new-post')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Softer towels in a week')
  await chooseFound(page.getByRole('combobox', { name: /^Category/ }), 'Washing')
  await page
    .getByRole('combobox', { name: 'Tags' })
    .or(page.getByRole('textbox', { name: 'Tags' }))
    .fill('Softness')
  await page.keyboard.press('Enter')
  const text = page.getByRole('textbox', { name: 'Text' })
  await text.click()
  await page.keyboard.type('Less softener, more water. See ')
  await page.getByRole('button', { name: 'Link to a post' }).click()
  await page.getByRole('textbox', { name: 'Find a post' }).fill('short GUIDE to bath')
  await page.getByRole('list', { name: 'Posts' }).getByRole('button', { name: 'A short guide to bath towels' }).click()
  await page.keyboard.type(' too.')
  await page.getByRole('button', { name: 'Create post' }).click()

  await expect(page).toHaveURL(/\/posts\/softer-towels-in-a-week$/)
  await expect(page.getByRole('article')).toContainText('Less softener, more water.')
  await expect(page.getByRole('article')).toContainText('See A short guide to bath towels too.')
  const linked = page.getByRole('article').getByRole('link', { name: 'A short guide to bath towels', exact: true })
  await expect(linked).toHaveAttribute('href', /^http.*\/posts\/a-short-guide-to-bath-towels$/)
  await expect(page.getByRole('article')).toContainText('Not published')
  await expect(page.getByRole('article')).toContainText('#Softness')
  await page.getByRole('button', { name: 'Publish Softer towels in a week' }).click()
  await expect(page.getByRole('article')).toContainText('Just now')

  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByRole('textbox', { name: 'Address' }).fill('soft-towels')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/\/posts\/soft-towels$/)
  await page.goto('/posts/softer-towels-in-a-week')
  await expect(page.getByRole('article')).toContainText('Less softener, more water.')
  await expect(page.getByText('/posts/soft-towels')).toBeVisible()

  await page.getByRole('button', { name: 'Delete Softer towels in a week' }).click()
  await expect(page.getByText('Moved to the trash: 1 post.').first()).toBeVisible()
  await expect(page).toHaveURL(/\/posts$/)
})

test('who may not publish reads why, and product 2 shows no other product’s posts', async ({ page }) => {
  await asUser(page, 'editor')
  await page.goto('/posts?search=A+short+guide+to+bath+towels')
  const row = page.getByRole('row', { name: /A short guide to bath towels/ })
  await row.hover()
  const act = row.getByRole('button', { name: /ublish A short guide/ })
  await expect(act).toHaveAttribute('title', 'Only an admin or a moderator of its category may do this.')
  // The author's name leads to what that person wrote, and to nothing else.
  const author = (await row.getByRole('link').last().textContent())!
  await row.getByRole('link', { name: author }).click()
  await expect(page).toHaveURL(/\/users\/[\w-]+\/posts$/)
  await expect(page.getByRole('heading', { level: 1, name: `Posts of ${author}` })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .filter({ hasNotText: author }),
  ).toHaveCount(0)
  await page.goto('/posts')
  await page.evaluate(() => localStorage.setItem('product', '2'))
  await page.reload()
  await expect(page.getByText('This product has no blog')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(0)
})
