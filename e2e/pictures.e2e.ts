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
