import { expect } from '@playwright/test'
import { api, asUser, chooseFromMore, enterLeads, expectAccessible } from './helpers.ts'
import { test } from './panel.ts'

/* Dates that are typed or chosen from the panel's calendar. */

for (const { name, ...screen } of [
  { name: 'on a wide screen', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
  { name: 'dark, on a phone', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
] as const)
  test.describe(name, () => {
    test.use(screen)

    test('a date is typed, then chosen with the keyboard, and a list is filtered by a range', async ({
      page,
    }) => {
      await asUser(page, 'crm')
      const companyName = `Typed Laundry ${screen.colorScheme}`
      const [id] = await enterLeads(page, { companyName, request_date: '2031-05-05' })
      await page.goto(`/demo-leads/typed-laundry/${id}`)
      await chooseFromMore(page, 'Edit lead')
      const form = page.getByRole('dialog', { name: `Edit ${companyName}` })
      const field = form.getByLabel('Implementation date')
      await field.fill('5/6/2031')
      await field.press('ArrowDown')
      const calendar = page.getByRole('dialog', { name: 'Calendar' })
      await expect(calendar.getByRole('button', { name: '5 Jun 2031', exact: true })).toBeFocused()
      await expectAccessible(page)
      await page.keyboard.press('PageDown')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('Enter')
      await expect(calendar).toHaveCount(0)
      await expect(field).toBeFocused()
      await expect(field).toHaveValue('6 Jul 2031')
      await field.press('ArrowDown')
      await expect(calendar).toBeVisible()
      await page.keyboard.press('Escape')
      await expect(calendar).toHaveCount(0)

      await field.fill('someday')
      await form.getByLabel('Country').focus()
      await expect(form.getByText('Enter a date, such as 18 Nov 2026.')).toBeVisible()
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toBeVisible()
      await field.fill('7 Jul 2031')
      await form.getByRole('button', { name: 'Save' }).click()
      await expect(form).toHaveCount(0)
      expect((await api(page, 'GET', `/admin/users/getdemo?id=${id}`)).data.implement_date).toBe('2031-07-07')

      await page.goto(`/demo-leads?fromDate=all&toDate=all`)
      await page.getByRole('button', { name: /^(More filters|Filters)/ }).click()
      await page.getByRole('button', { name: /^Request date:/ }).click()
      const range = page.getByRole('dialog', { name: 'Request date' })
      await range.getByLabel('From').fill('1.5.2031')
      await expectAccessible(page)
      await range.getByLabel('To').fill('31.5.2031')
      await range.getByLabel('To').press('Enter')
      await expect(page).toHaveURL(/request_from=2031-05-01.*request_to=2031-05-31/)
      await expect(page.getByText(companyName).first()).toBeVisible()
      const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      expect(width).toBeLessThanOrEqual(0)
      await range.getByRole('button', { name: 'Last month' }).click()
      await expect(range).toHaveCount(0)
      await expect(page.getByText(companyName)).toHaveCount(0)
    })
  })
