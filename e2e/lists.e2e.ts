import { expect, type Page } from '@playwright/test'
import { asUser } from './helpers.ts'
import { test } from './panel.ts'

/*
 * Editing the lists in the settings with the keyboard. Each test has its own list, because reordering is
 * rejected if others have changed the list.
 */

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const names = (page: Page) => page.getByRole('textbox', { name: /^Name of (?!the new)/ })

async function atList(page: Page, list: string, ...entries: string[]): Promise<void> {
  await asUser(page, 'super_admin')
  await page.goto(`/settings/lists?list=${list}`)
  const field = page.getByRole('textbox', { name: /^New .* name$/ })
  for (const entry of entries) {
    await field.fill(entry)
    await button(page, 'Add').press('Enter')
    await expect(button(page, `Remove ${entry}`)).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue('')
  }
}

test('entries are added, moved, and removed by keyboard, and the focus stays in place', async ({ page }) => {
  await atList(page, 'questions', 'Which looms?', 'How many shifts?', 'Who buys?')
  const down = button(page, 'Move Which looms? down')
  await down.press('Enter')
  await expect(names(page).last()).toHaveValue('Who buys?')
  await expect(names(page).nth(-3)).toHaveValue('How many shifts?')
  await expect(down).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(names(page).last()).toHaveValue('Which looms?')
  await expect(down).toBeFocused()
  await expect(down).toHaveAttribute('aria-disabled', 'true')

  await button(page, 'Remove Who buys?').press('Enter')
  await expect(button(page, 'Remove Who buys?')).toHaveCount(0)
  await expect(button(page, 'Remove Which looms?')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Remove How many shifts?')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(button(page, 'Remove How many shifts?')).toHaveCount(0)
})

// A tag has an ID; a service is identified by its name, so a renamed service counts as a different one.
for (const list of ['tags', 'services'])
  test(`a refused name of ${list} stays in its field, with the server's message, until it is corrected`, async ({
    page,
  }) => {
    await atList(page, list, `Weft of ${list}`, `Warp of ${list}`)
    const field = page.getByRole('textbox', { name: `Name of Warp of ${list}` })
    await field.fill(`Weft of ${list}`)
    await field.press('Enter')
    await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(`Weft of ${list}`)
    await page.keyboard.press('Tab')
    await expect(field).toHaveValue(`Weft of ${list}`)
    await expect(field).toHaveAttribute('aria-invalid', 'true')

    await field.fill(`Yarn of ${list}`)
    await field.press('Enter')
    const renamed = page.getByRole('textbox', { name: `Name of Yarn of ${list}` })
    await expect(renamed).toBeFocused()
    await expect(renamed).not.toHaveAttribute('aria-invalid', 'true')
    await expect(page.getByRole('main').getByRole('alert')).toHaveCount(0)
  })
