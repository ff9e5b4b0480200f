import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import { api, asUser, bringFiles, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

const picture = (background: string) =>
  sharp({ create: { width: 200, height: 100, channels: 3, background } })
    .png()
    .toBuffer()
const sizeOf = (page: Page, alt: string) =>
  page
    .getByRole('article')
    .getByRole('img', { name: alt })
    .evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])

async function drawRightHalf(page: Page): Promise<void> {
  const image = page.getByRole('group', { name: 'Crop fold.png' }).getByRole('img')
  const { x, y, width, height } = (await image.first().boundingBox())!
  await page.mouse.move(x + width / 2, y)
  await page.mouse.down()
  await page.mouse.move(x + width, y + height, { steps: 4 })
  await page.mouse.up()
}

test('an image is cropped and described before it is inserted, and the next one is chosen from the library', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/user-guide/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('How sheets are folded')
  await page.getByRole('textbox', { name: 'Content' }).click()
  await page.keyboard.type('Look here.')
  await page.getByRole('button', { name: 'Image', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('list', { name: 'Library' }).getByRole('button').first()).toBeVisible()
  await expectAccessible(page)
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Upload from computer' }).click()
  await (await chooser).setFiles({ name: 'fold.png', mimeType: 'image/png', buffer: await picture('teal') })

  // The image cannot be inserted until it has alt text or is marked as decorative.
  await expect(dialog.getByRole('button', { name: 'Insert' })).toBeDisabled()
  await expectAccessible(page)
  await drawRightHalf(page)
  await expect(dialog.getByRole('button', { name: 'Reset crop' })).toBeVisible()
  await dialog.getByLabel('Alt text', { exact: true }).fill('A folded sheet')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(dialog).toHaveCount(0)
  const text = page.getByRole('textbox', { name: 'Content' })
  await expect(text.getByRole('img', { name: 'A folded sheet' })).toBeVisible()

  await page.getByRole('button', { name: 'Image', exact: true }).click()
  await dialog.getByRole('button', { name: 'Choose fold-cropped.png' }).click()
  await dialog.getByRole('checkbox', { name: /Decorative/ }).check()
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(text.getByRole('presentation').or(text.locator('img[alt=""]'))).toHaveCount(1)

  await page.getByRole('button', { name: 'Choose from library' }).click()
  await dialog.getByRole('button', { name: 'Choose fold-cropped.png' }).click()
  await page.getByRole('textbox', { name: 'Image caption' }).fill('The cover')
  await page.getByRole('button', { name: 'Create user guide' }).click()
  await expect(page).toHaveURL(/\/user-guide\/how-sheets-are-folded$/)
  await expect.poll(() => sizeOf(page, 'A folded sheet')).toEqual([100, 100])
  await expect(page.getByRole('article').locator('img')).toHaveCount(3)

  // Identical content is stored as a single file, which both articles and the cover refer to.
  await page.goto('/media?search=fold-cropped')
  await expect(page.getByRole('button', { name: 'Open fold-cropped.png' })).toHaveCount(1)
  await page.getByRole('button', { name: 'Open fold-cropped.png' }).click()
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  await dialog.getByLabel('Alt text', { exact: true }).fill('A sheet')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
})

test('images dropped and pasted into a text are described first; the saved text has their file ids and no URLs', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/user-guide/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('How napkins are stacked')
  const text = page.getByRole('textbox', { name: 'Content' })
  await text.click()
  await page.keyboard.type('A stack.')
  const dialog = page.getByRole('dialog')
  await bringFiles(text, 'drop', [{ name: 'stack.png', type: 'image/png', bytes: await picture('olive') }])
  await expect(dialog.getByRole('button', { name: 'Insert' })).toBeDisabled()
  await dialog.getByLabel('Alt text', { exact: true }).fill('A stack of napkins')
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(text.getByRole('img', { name: 'A stack of napkins' })).toBeVisible()
  await bringFiles(text, 'paste', [{ name: 'line.png', type: 'image/png', bytes: await picture('crimson') }])
  await dialog.getByRole('checkbox', { name: /Decorative/ }).check()
  await dialog.getByRole('button', { name: 'Insert' }).click()
  await expect(text.locator('img')).toHaveCount(2)
  await page.getByRole('button', { name: 'Create user guide' }).click()
  await expect(page).toHaveURL(/\/user-guide\/how-napkins-are-stacked$/)
  await expect.poll(() => sizeOf(page, 'A stack of napkins')).toEqual([200, 100])

  const { body } = (await api(page, 'GET', '/admin/user-guide/how-napkins-are-stacked/1')).data as {
    body: string
  }
  const pictures = body.match(/<img[^>]*>/g) ?? []
  expect(pictures).toHaveLength(2)
  for (const one of pictures) expect(one).toMatch(/data-file-id="[1-9]\d*"/)
  expect(pictures.map((one) => /alt="([^"]*)"/.exec(one)?.[1])).toEqual(['A stack of napkins', ''])
  expect(body).not.toMatch(/src=|blob:|data:image|signature|\/api\/files/)
})

test('an event has a local time and a place; a skipped hour is refused at its field, and no input is lost', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/event/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Open day in Frankfurt')
  await page.getByLabel('Starts').fill('2027-03-28T02:30')
  await page.getByLabel('Ends').fill('2027-03-28T04:00')
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin')
  await page.getByLabel('Location or link').fill('https://meet.example.com/linen')
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect(
    page.getByText(
      '02:30 doesn’t exist on 2027-03-28 in Europe/Berlin because the clocks go forward. Choose another time.',
    ),
  ).toBeVisible()
  await expect(page.getByLabel('Location or link')).toHaveValue('https://meet.example.com/linen')
  await page.getByLabel('Starts').fill('2027-03-28T03:30')
  await page.getByRole('button', { name: 'Create event' }).click()
  await expect(page).toHaveURL(/\/event\/open-day-in-frankfurt$/)
  await expect(page.getByRole('region', { name: 'About this event' })).toContainText('03:30 (Europe/Berlin)')
  await expect(page.getByRole('link', { name: 'https://meet.example.com/linen' })).toBeVisible()
})

test('publishing an article that sends email asks for confirmation with the number of recipients; the article is on the dashboard', async ({
  page,
}) => {
  await asUser(page, 'super_admin')
  await page.goto('/webinar/create')
  await page.getByRole('textbox', { name: /^Title/ }).fill('Sorting by color')
  await page.getByRole('checkbox', { name: /Send email/ }).check()
  await page.getByRole('checkbox', { name: 'Show on dashboard' }).check()
  await page.getByRole('button', { name: 'Create webinar' }).click()
  await page.getByRole('button', { name: 'Publish Sorting by color' }).click()
  const question = page.getByRole('dialog', { name: 'Publish “Sorting by color”?' })
  await expect(question).toContainText(
    /This will email \d+ subscribed customers\. The email is sent only once\./,
  )
  await page.keyboard.press('Escape')
  await expect(page.getByRole('article')).toContainText('Unpublished')
  await page.getByRole('button', { name: 'Publish Sorting by color' }).click()
  await page.getByRole('button', { name: 'Proceed' }).click()
  await expect(page.getByText(/Sending an email to \d+ customers\./).first()).toBeVisible()
  await page.goto('/dashboard')
  await page
    .getByRole('region', { name: 'News for the team' })
    .getByRole('link', { name: /Sorting by color/ })
    .click()
  await expect(page).toHaveURL(/\/webinar\/sorting-by-color$/)
})
