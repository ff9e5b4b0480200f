import sharp from 'sharp'
import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

async function openFromMenu(page: Page, who: RegExp, entry: string) {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: who }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test.describe('profile and password', () => {
  test('errors in the dialogs are accessible, and a failed profile save shows a toast at the top center', async ({
    page,
  }) => {
    await asUser(page, 'csm')
    await openFromMenu(page, /Daniel Aguirre/, 'Change Password')
    const passwords = page.getByRole('dialog', { name: 'Reset User Password' })
    await passwords.getByRole('button', { name: 'Change password' }).click()
    await expect(passwords.getByRole('alert')).toContainText('Fill All Fields')
    await expectAccessible(page)
    await openFromMenu(page, /Daniel Aguirre/, 'Edit Profile')
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await dialog.getByLabel('First name').fill('   ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(
      dialog.getByRole('alert').filter({ hasText: 'Please Fill All Required Fields' }),
    ).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('First name').fill('Daniel')
    await dialog.getByLabel('Username').fill('editor')
    await dialog.getByRole('button', { name: 'Save' }).click()
    const toast = page.getByText('This username is already taken.').first()
    await expect(toast).toBeVisible()
    const box = (await page
      .locator('[data-position="top-center"]')
      .getByText(/already taken/)
      .boundingBox())!
    expect(Math.abs(box.x + box.width / 2 - page.viewportSize()!.width / 2)).toBeLessThan(200)
    await expect(dialog.getByLabel('Username')).toHaveValue('editor')
  })

  test('a profile picture is chosen, cropped, previewed, and stored; another file type is refused', async ({
    page,
  }) => {
    await asUser(page, 'designer')
    await openFromMenu(page, /Hugo Lambert/, 'Edit Profile')
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    // The right half is green, and the rest is red.
    const green = { create: { width: 320, height: 400, channels: 3, background: '#00aa00' } } as const
    const bytes = await sharp({ create: { width: 640, height: 400, channels: 3, background: '#aa0000' } })
      .composite([{ input: await sharp(green).png().toBuffer(), left: 320, top: 0 }])
      .png()
      .toBuffer()
    await dialog
      .getByLabel('Profile picture', { exact: true })
      .setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: bytes })
    // The square moves with the keyboard to the right edge of the picture.
    await page.getByRole('group', { name: 'Use the arrow keys to move the crop selection area' }).focus()
    for (let times = 0; times < 3; times++) await page.keyboard.press('Control+ArrowRight')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Use this image' }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'Profile Updated Successfully!' })
    await expect(toast).toBeVisible()
    // The buttons of the top bar stay in reach.
    const bar = (await page.getByRole('banner').boundingBox())!
    expect((await toast.boundingBox())!.y).toBeGreaterThanOrEqual(bar.y + bar.height)
    const picture = page.getByRole('banner').locator('img')
    await expect(picture).toBeVisible()
    // Of 400 columns, 80 are red and 320 are green; without the keys, 200 each.
    const colorAt = (share: number) =>
      picture.evaluate((image: HTMLImageElement, at) => {
        const canvas = document.createElement('canvas')
        const context = canvas.getContext('2d')!
        context.drawImage(image, 0, 0, 100, 100)
        const [red, green] = context.getImageData(at * 100, 50, 1, 1).data
        return red! > green! ? 'red' : 'green'
      }, share)
    await expect.poll(() => colorAt(0.1)).toBe('red')
    expect(await colorAt(0.35)).toBe('green')
  })
})
