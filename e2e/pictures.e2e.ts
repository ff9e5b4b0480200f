import { expect, test, type Page } from '@playwright/test'
import sharp from 'sharp'
import { asUser, expectAccessible } from './helpers.ts'

const picture = (background: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background } })
    .png()
    .toBuffer()
const sizeOf = (page: Page, alt: string) =>
  page
    .getByRole('article')
    .getByRole('img', { name: alt })
    .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])

test('a picture is cropped and described before it is put into a text, and one of the library is chosen for the next', async ({ page }) => {
  await asUser(page, 'super_admin')
  await page.goto('/user-guide/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('How sheets are folded')
  await page.getByRole('textbox', { name: 'Text' }).click()
  await page.keyboard.type('Look here.')
  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'Library' }).getByRole('button').first()).toBeVisible()
  await expectAccessible(page)
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'From this computer' }).click()
  await (await chooser).setFiles({ name: 'fold.png', mimeType: 'image/png', buffer: await picture('teal') })

  // Neither described nor decoration: it is not put in.
  await expect(dialog.getByRole('button', { name: 'Insert' })).toBeDisabled()
  await expectAccessible(page)
  await dialog.getByRole('slider', { name: 'Left edge' }).fill('50')
  await dialog.getByLabel('Alt text').fill('A folded sheet')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(dialog).toHaveCount(0)
  const text = page.getByRole('textbox', { name: 'Text' })
  await expect(text.getByRole('img', { name: 'A folded sheet' })).toBeVisible()

  await page.getByRole('button', { name: 'Picture', exact: true }).click()
  await dialog.getByRole('button', { name: 'Choose fold-cropped.png' }).click()
  await dialog.getByRole('checkbox', { name: /Decorative/ }).check()
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(text.getByRole('presentation').or(text.locator('img[alt=""]'))).toHaveCount(1)

  await page.getByRole('button', { name: 'From the library' }).click()
  await dialog.getByRole('button', { name: 'Choose fold-cropped.png' }).click()
  await page.getByRole('textbox', { name: 'Caption of the picture' }).fill('The cover')
  await page.getByRole('button', { name: 'Create user guide' }).click()
  await expect(page).toHaveURL(/\/user-guide\/how-sheets-are-folded$/)
  await expect.poll(() => sizeOf(page, 'A folded sheet')).toEqual([100, 100])
  await expect(page.getByRole('article').locator('img')).toHaveCount(3)

  // The same content is one file: both texts and the cover name it.
  await page.goto('/media?search=fold-cropped')
  await expect(page.getByRole('button', { name: 'Open fold-cropped.png' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Open fold-cropped.png' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await dialog.getByLabel('Alt text').fill('A sheet')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
})

test('an event has a time of its zone and a place; the hour that the clock skips is refused at its field, and nothing is lost', async ({ page }) => {
  await asUser(page, 'super_admin')
  await page.goto('/event/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Open day in Frankfurt')
  await page.getByLabel('Starts').fill('2027-03-28T02:30')
  await page.getByLabel('Ends').fill('2027-03-28T04:00')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin')
  await page.getByLabel('Place or link').fill('https://meet.example.com/linen')
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect(page.getByText('There is no 02:30 on 2027-03-28 in Europe/Berlin: the clock is set forward over it.')).toBeVisible()
  await expect(page.getByLabel('Place or link')).toHaveValue('https://meet.example.com/linen')
  await page.getByLabel('Starts').fill('2027-03-28T03:30')
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect(page).toHaveURL(/\/event\/open-day-in-frankfurt$/)
  await expect(page.getByRole('region', { name: 'About this event' })).toContainText('03:30 (Europe/Berlin)')
  await expect(page.getByRole('link', { name: 'https://meet.example.com/linen' })).toBeVisible()
})

test('publishing what sends an e-mail asks first and says to how many; it stands on the dashboard', async ({ page }) => {
  await asUser(page, 'super_admin')
  await page.goto('/webinar/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Sorting by colour')
  await page.getByRole('checkbox', { name: /Send e-mail/ }).check()
  await page.getByRole('checkbox', { name: 'Show in admin' }).check()
  await page.getByRole('button', { name: 'Create webinar' }).click()
  await page.getByRole('button', { name: 'Publish Sorting by colour' }).click()
  const question = page.getByText(/Publish “Sorting by colour”\? An e-mail goes to \d+ subscribed customers, once\./)
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toContainText('Not published')
  await page.getByRole('button', { name: 'Publish Sorting by colour' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(page.getByText(/The e-mail goes to \d+ customers\./).first()).toBeVisible()
  await page.goto('/dashboard')
  await page
    .getByRole('region', { name: 'News for the team' })
    .getByRole('link', { name: /Sorting by colour/ })
    .click()
  await expect(page).toHaveURL(/\/webinar\/sorting-by-colour$/)
})
