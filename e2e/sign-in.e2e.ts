import { expect } from '@playwright/test'
import { expectAccessible, expectQuietConsole, password, signIn } from './helpers.ts'
import { test } from './panel.ts'

test.describe('sign-in', () => {
  test('the password can be shown, the button spins during the request, and the session is stored under the specified keys', async ({
    page,
  }) => {
    const quiet = expectQuietConsole(page)
    await page.goto('/login')
    await page.getByLabel('Username').fill('crm')
    const secret = page.getByRole('textbox', { name: 'Password' })
    await secret.fill('wrong-password')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByRole('alert')).toContainText('These credentials do not match our records.')
    await expectAccessible(page)
    let letGo = () => {}
    const held = new Promise<void>((done) => (letGo = done))
    await page.route('**/api/auth/login', async (route) => {
      await held
      await route.continue()
    })
    const teams = page.waitForRequest('**/api/common/team/all')
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
})
