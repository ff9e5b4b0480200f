import sharp from 'sharp'
import { expect, type Page } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole, password } from './helpers.ts'
import { test } from './panel.ts'

async function openFromMenu(page: Page, who: RegExp, entry: string) {
  await page.goto('/dashboard')
  await page.getByRole('button', { name: who }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

test.describe('profile and password', () => {
  test('Reset User Password shows the first error, in the order of the specification', async ({ page }) => {
    await asUser(page, 'adh_helper')
    await openFromMenu(page, /Priya Nair/, 'Change Password')
    const dialog = page.getByRole('dialog', { name: 'Reset User Password' })
    const [current, next, again] = [
      dialog.getByLabel('Current password'),
      dialog.getByLabel('New password', { exact: false }).first(),
      dialog.getByLabel('Confirm new password'),
    ]
    const submit = dialog.getByRole('button', { name: 'Change password' })
    const alert = dialog.getByRole('alert')
    await submit.click()
    await expect(alert).toContainText('Fill All Fields')
    await current.fill('short')
    await expect(dialog.getByText('Password must be atleast 8 characters', { exact: true })).toHaveCount(1)
    await next.fill('seven77')
    await expect(dialog.getByText('Password must be atleast 8 characters', { exact: true })).toHaveCount(2)
    await again.fill('other')
    await submit.click()
    await expect(alert).toContainText('The password must be atleast 8 characters')
    await next.fill('eight888')
    await expect(dialog.getByText('Password must be atleast 8 characters', { exact: true })).toHaveCount(1)
    await submit.click()
    await expect(alert).toContainText('The password confirmation does not match.')
    await again.fill('eight888')
    await submit.click()
    await expect(alert).toContainText('You have entered wrong password.')
    await expectAccessible(page)
    await expect(next).toHaveAttribute('type', 'password')
    await dialog.getByLabel('Show Password').check()
    for (const field of [current, next, again]) await expect(field).toHaveAttribute('type', 'text')
  })

  test("changing the password shows the server's message and closes; a failed request shows a toast", async ({
    page,
  }) => {
    await asUser(page, 'adh')
    const change = async (from: string, to: string) => {
      await openFromMenu(page, /Grace Okafor/, 'Change Password')
      const dialog = page.getByRole('dialog', { name: 'Reset User Password' })
      await dialog.getByLabel('Current password').fill(from)
      await dialog.getByLabel('New password', { exact: false }).first().fill(to)
      await dialog.getByLabel('Confirm new password').fill(to)
      await dialog.getByRole('button', { name: 'Change password' }).click()
      return dialog
    }
    await page.route('**/reset-user-password', (route) =>
      route.fulfill({
        status: 503,
        json: { message: 'The database isn’t responding. Try again.', request_id: 'x' },
      }),
    )
    const failed = await change(password, 'another-password')
    await expect(page.getByText('The database isn’t responding. Try again.')).toBeVisible()
    await expect(failed).toBeVisible()
    await page.unroute('**/reset-user-password')
    const done = await change(password, 'another-password')
    await expect(page.getByText(/Password changed\./)).toBeVisible()
    await expect(done).toHaveCount(0)
    await change('another-password', password)
    await expect(page.getByText(/Password changed\./)).toBeVisible()
  })

  test("Edit Profile loads the user's own profile for every role, marks required fields, and shows missing ones", async ({
    page,
  }) => {
    const quiet = expectQuietConsole(page)
    await asUser(page, 'qa')
    await openFromMenu(page, /Olena Shevchenko/, 'Edit Profile')
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
    await expect(dialog.getByLabel('Username')).toHaveValue('qa')
    for (const name of ['Username', 'First name', 'Last name', 'Email'])
      await expect(dialog.getByLabel(name)).toHaveAttribute('required')
    await expect(dialog.getByLabel('Email')).toHaveAttribute('type', 'email')
    await expect(dialog.getByLabel('Role')).toBeDisabled()
    await expect(dialog.getByText('Only Super Admins and Admins can change roles.')).toBeVisible()
    await dialog.getByLabel('First name').fill('   ')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(
      dialog.getByRole('alert').filter({ hasText: 'Please Fill All Required Fields' }),
    ).toBeVisible()
    await expectAccessible(page)
    await dialog.getByLabel('First name').fill('Olga')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Profile Updated Successfully!')).toBeVisible()
    await expect(page.getByRole('button', { name: /Olga Shevchenko/ })).toBeVisible()
    expect(
      await page.evaluate(() => [localStorage.getItem('f_name'), localStorage.getItem('l_name')]),
    ).toEqual(['Olga', 'Shevchenko'])
    quiet()
  })

  test('a failed profile save shows a toast at the top center', async ({ page }) => {
    await asUser(page, 'csm')
    await openFromMenu(page, /Daniel Aguirre/, 'Edit Profile')
    const dialog = page.getByRole('dialog', { name: 'Edit Profile' })
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
    await expect(page.getByText('Profile Updated Successfully!')).toBeVisible()
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

  test('my sessions are listed, and ending one signs out its browser', async ({ page, browser }) => {
    await asUser(page, 'development_lead')
    const other = await (await browser.newContext()).newPage()
    await asUser(other, 'development_lead')
    await other.goto('/dashboard')
    await openFromMenu(page, /Viktor Novak/, 'My sessions')
    const dialog = page.getByRole('dialog', { name: 'My sessions' })
    await expect(dialog.getByText('Current session')).toBeVisible()
    await expectAccessible(page)
    const end = dialog.getByRole('button', { name: /^End session/ })
    await end.first().click()
    await expect(page.getByText('Session ended.')).toBeVisible()
    await other.reload()
    await expect(other.getByRole('dialog', { name: 'Sign in again' })).toBeVisible()
    await other.context().close()
  })
})
