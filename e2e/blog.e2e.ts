import { expect } from '@playwright/test'
import { asUser, chooseFound, undoLast } from './helpers.ts'
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

test('a user who cannot publish sees the reason, and product 2 shows no posts of other products', async ({
  page,
}) => {
  await asUser(page, 'editor')
  await page.goto('/posts?search=A+short+guide+to+bath+towels')
  const row = page.getByRole('row', { name: /A short guide to bath towels/ })
  await row.hover()
  const act = row.getByRole('button', { name: /ublish A short guide/ })
  await expect(act).toHaveAttribute('title', 'Only an admin or a category moderator can do this.')
  // The author's name links to a page that shows only that author's posts.
  const author = (await row.getByRole('link').last().textContent())!
  await row.getByRole('link', { name: author }).click()
  await expect(page).toHaveURL(/\/users\/[\w-]+\/posts$/)
  await expect(page.getByRole('heading', { level: 1, name: `Posts by ${author}` })).toBeVisible()
  await expect(page.getByRole('rowheader').first()).toBeVisible()
  await expect(
    page
      .getByRole('row')
      .filter({ has: page.getByRole('rowheader') })
      .filter({ hasNotText: author }),
  ).toHaveCount(0)
  await page.goto('/posts')
  await page.goto('/tags')
  await expect(page.getByRole('button', { name: /^Move to trash: / }).first()).toHaveAttribute(
    'title',
    'Only an admin can do this.',
  )
  await expect(page.getByRole('button', { name: /^Rename / }).first()).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await page.goto('/categories')
  await expect(page.getByRole('button', { name: 'New category' }).first()).toHaveAttribute(
    'title',
    'Only an admin can do this.',
  )
  await expect(page.getByRole('button', { name: /^Moderators of / }).first()).toHaveAttribute(
    'title',
    'Only an admin can do this.',
  )
  await page.getByRole('button', { name: 'New category' }).first().press('Enter')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goto('/posts')
  await page.evaluate(() => localStorage.setItem('product', '2'))
  await page.reload()
  await expect(page.getByText('This product has no blog')).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(0)
})

test('comments are marked one by one and in bulk and restored, a tag is renamed and deleted, meta tags are saved, a post gets a new author', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/comments?state=0')
  const count = page.getByText(/^\d+ rows$/)
  const rows = async () => Number.parseInt((await count.textContent())!)
  const pending = await rows()
  const undo = undoLast(page)
  const first = page.getByRole('row').nth(1)
  const firstText = (await first.textContent())!
  await first.getByRole('button', { name: /^Status of comment by .*: Pending$/ }).click()
  await page
    .getByRole('menuitem', { name: 'Approved' })
    .or(page.getByRole('menuitemradio', { name: 'Approved' }))
    .click()
  await expect.poll(rows).toBe(pending - 1)
  await undo.click()
  await expect.poll(rows).toBe(pending)
  // The rows arrive separately from their number.
  await expect(first).toHaveText(firstText)
  for (const at of [1, 2]) await page.getByRole('row').nth(at).getByRole('checkbox').check()
  await page.getByRole('group', { name: 'Selected rows' }).getByRole('button', { name: 'Spam' }).click()
  await expect.poll(rows).toBe(pending - 2)
  await undo.click()
  await expect.poll(rows).toBe(pending)

  await page.goto('/tags')
  const tag = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) })
  await tag('RFID').hover()
  await page.getByRole('button', { name: 'Rename RFID' }).click()
  await page.getByRole('dialog').getByRole('textbox', { name: /^Name/ }).fill('Chips in linen')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await tag('Chips in linen').hover()
  await page.getByRole('button', { name: 'Move to trash: Chips in linen' }).click()
  await expect(tag('Chips in linen')).toHaveCount(0)
  await undo.click()
  await expect(tag('Chips in linen')).toBeVisible()

  await page.goto('/meta-tag-setting')
  const side = page.getByRole('group', { name: 'Category pages' })
  await side.getByRole('textbox', { name: 'Meta title' }).fill('All about linen')
  await side.getByRole('textbox', { name: 'Meta description' }).fill('x'.repeat(161))
  const preview = page.getByRole('region', { name: 'Search result preview for Category pages' })
  await expect(preview).toContainText('All about linen')
  await expect(preview).toContainText(
    'The meta description has 161 characters. Search engines show only the first 160.',
  )
  await expect(page.getByRole('region', { name: 'Search result preview for FAQ pages' })).not.toContainText(
    'All about linen',
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(/^Updated .* by /)).toBeVisible()
  await page.reload()
  await expect(side.getByRole('textbox', { name: 'Meta title' })).toHaveValue('All about linen')

  await page.goto('/posts/a-short-guide-to-table-linen')
  const author = page.getByRole('combobox', { name: 'Author' })
  await expect.poll(() => author.locator('option').count()).toBeGreaterThan(1)
  const before = await author.inputValue()
  const others = await author
    .locator('option')
    .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))
  await author.selectOption(others.find((one) => one !== before)!)
  await expect(page.getByText('Post author changed.').first()).toBeVisible()
  await expect(author).not.toHaveValue(before)
  await undo.click()
  await expect(author).toHaveValue(before)
})
