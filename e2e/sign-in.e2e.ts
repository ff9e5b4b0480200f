import { expect } from '@playwright/test'
import { asUser, expectAccessible, expectQuietConsole, password, signIn } from './helpers.ts'
import { test } from './panel.ts'

test.describe('sign-in', () => {
  test('missing input and wrong credentials show an alert that can be dismissed', async ({ page }) => {
    await page.goto('/login')
    const submit = page.getByRole('button', { name: 'Sign In' })
    const alert = page.getByRole('alert')
    const [user, secret] = [page.getByLabel('Username'), page.getByRole('textbox', { name: 'Password' })]
    await submit.click()
    await expect(alert).toContainText('Username & Email is required.')
    await secret.fill('something')
    await submit.click()
    await expect(alert).toContainText('Username is required.')
    await user.fill('crm')
    await secret.fill('')
    await submit.click()
    await expect(alert).toContainText('Password is required.')
    await secret.fill('wrong-password')
    await submit.click()
    await expect(alert).toContainText('These credentials do not match our records.')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(alert).toHaveCount(0)
    await expect(page).toHaveURL(/\/login/)
  })

  for (const [what, answer] of [
    [
      'a server error',
      { status: 500, json: { message: 'Something went wrong on our end.', request_id: 'x' } },
    ],
    ['too many attempts', { status: 429, json: { message: 'Too many failed attempts.', request_id: 'x' } }],
    ['no answer', 'abort'],
  ] as const) {
    test(`${what} shows the same text as any other failure`, async ({ page }) => {
      await page.route('**/api/auth/login', (route) =>
        answer === 'abort' ? route.abort() : route.fulfill({ ...answer }),
      )
      await page.goto('/login')
      await page.getByLabel('Username').fill('crm')
      await page.getByRole('textbox', { name: 'Password' }).fill(password)
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByRole('alert')).toContainText('These credentials do not match our records.')
    })
  }

  test('the password can be shown, the button spins during the request, and the session is stored under the specified keys', async ({
    page,
  }) => {
    const quiet = expectQuietConsole(page)
    let letGo = () => {}
    const held = new Promise<void>((done) => (letGo = done))
    await page.route('**/api/auth/login', async (route) => {
      await held
      await route.continue()
    })
    const teams = page.waitForRequest('**/api/common/team/all')
    await page.goto('/login')
    await page.getByLabel('Username').fill('crm')
    const secret = page.getByRole('textbox', { name: 'Password' })
    await secret.fill(password)
    await expect(secret).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show or hide password' }).click()
    await expect(secret).toHaveAttribute('type', 'text')
    await page.getByRole('checkbox', { name: 'Remember me' }).check()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('button', { name: 'Sign In' })).toHaveAttribute('data-loading', 'true')
    letGo()
    await expect(page).toHaveURL(/\/dashboard$/)
    await teams
    const stored = await page.evaluate(
      () => Object.fromEntries(Object.entries(localStorage)) as { user_permissions: string },
    )
    expect(stored).toMatchObject({
      role: '2',
      f_name: 'Paula',
      l_name: 'Ferreira',
      product: '1',
      user_product: '[1,2,3,4]',
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      admin_id: expect.stringMatching(/^\d+$/),
    })
    expect(JSON.parse(stored['user_permissions'])).toContain('lead_list')
    await page.goto('/login')
    await expect(page).toHaveURL(/\/dashboard$/)
    quiet()
  })

  test('sign-in returns to the requested page, and nowhere else', async ({ page }) => {
    await page.goto('/demo-leads?search=clinic')
    await expect(page).toHaveURL(/\/login/)
    await page.getByLabel('Username').fill('crm')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(/\/demo-leads\?search=clinic$/)
    await page.evaluate(() => localStorage.clear())
    await page.goto('/login?from=//example.com')
    await page.getByLabel('Username').fill('crm')
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(/\/dashboard$/)
  })

  test('logout clears the twelve keys in order, then calls the server with the token, then leaves nothing', async ({
    page,
  }) => {
    await signIn(page, 'super_admin')
    await page.evaluate(() => {
      for (const key of ['tab', 'show_filter', 'software_filter', 'demo_filter', 'direction', 'column'])
        localStorage.setItem(key, 'x')
      const removed: string[] = []
      Object.assign(globalThis, { removed })
      const remove = Storage.prototype.removeItem
      Storage.prototype.removeItem = function (key: string) {
        removed.push(key)
        remove.call(this, key)
      }
      const ask = globalThis.fetch
      globalThis.fetch = (...request) => {
        if (typeof request[0] === 'string' && request[0].endsWith('/auth/logout')) removed.push('the request')
        return ask(...request)
      }
    })
    const request = page.waitForRequest('**/api/auth/logout')
    await page.getByRole('button', { name: /Ingrid Solheim/ }).click()
    await page.getByRole('menuitem', { name: 'Logout' }).click()
    expect((await request).headers()['authorization']).toMatch(/^Bearer [\w-]{43}$/)
    await expect(page).toHaveURL(/\/login$/)
    await expect.poll(() => page.evaluate(() => localStorage.getItem('access_token'))).toBeNull()
    const removed = await page.evaluate(() => (globalThis as unknown as { removed: string[] }).removed)
    expect(removed.filter((key) => !key.startsWith('draft:')).slice(0, 13)).toEqual([
      'tab',
      'role',
      'admin_id',
      'f_name',
      'l_name',
      'show_filter',
      'software_filter',
      'demo_filter',
      'direction',
      'column',
      'product',
      'user_permissions',
      'the request',
    ])
    expect(await page.evaluate(() => localStorage.getItem('user_product'))).toBeNull()
    await page.goBack()
    await expect(page).toHaveURL(/\/login/)
  })

  test('an expired session asks to sign in on the same page, and the unsaved input is then saved', async ({
    page,
  }) => {
    await asUser(page, 'crm')
    await page.goto('/demo-leads')
    await page.getByRole('button', { name: 'New lead' }).click()
    await page.getByRole('textbox', { name: 'Company' }).fill('Typed before the session ended')
    await page.evaluate(() => localStorage.setItem('access_token', 'A'.repeat(43)))
    await page.getByRole('button', { name: 'Create lead' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(password)
    await dialog.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Typed before the session ended created.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Typed before the session ended' })).toHaveCount(1)
  })

  test('closing that dialog goes to the sign-in page', async ({ page }) => {
    await asUser(page, 'crm')
    await page.goto('/dashboard')
    await page.evaluate(() => localStorage.setItem('access_token', 'A'.repeat(43)))
    await page.goto('/demo-leads')
    await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('button', { name: /close/i }).click()
    await expect(page).toHaveURL(/\/login/)
  })
})

test('the invitation page and the reset page show exactly one form', async ({ page }) => {
  const expectOneForm = async (name: string) => {
    await expect(page.getByRole('form', { name })).toBeVisible()
    await expect(page.locator('form:visible')).toHaveCount(1)
    // Control: the sign-in form is still on the page, but hidden.
    await expect(page.locator('[hidden] form')).toHaveCount(1)
  }
  await page.goto('/login')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expectOneForm('Forgot password')
  await page.goto('/login?invitation=unknown')
  await expectOneForm('Set your password')
})
