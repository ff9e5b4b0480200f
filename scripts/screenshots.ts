// Takes the pictures in docs/screenshots/ anew, from a panel of its own with demo data: npm run screenshots.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import startServer from '../e2e/server.ts'
import { asUser } from '../e2e/helpers.ts'
import { flags, getChromium } from './chromium.ts'

const folder = join(import.meta.dirname, '../docs/screenshots')
const looks = [
  { name: 'light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

const all = '/demo-leads?fromDate=all&toDate=all'
const screens: { name: string; user?: string; open: (page: Page) => Promise<unknown> }[] = [
  { name: 'login', open: (page) => page.goto('/login') },
  { name: 'dashboard', user: 'super_admin', open: (page) => page.goto('/dashboard') },
  { name: 'leads', user: 'crm', open: (page) => page.goto(all) },
  {
    name: 'lead',
    user: 'crm',
    open: async (page) => {
      await page.goto(`${all}&search=restaurant`)
      await page
        .getByRole('link', { name: /Restaurant/ })
        .first()
        .click()
      await page.getByRole('region', { name: 'History' }).waitFor()
    },
  },
  {
    name: 'import',
    user: 'crm',
    open: async (page) => {
      await page.goto('/demo-leads/import')
      await page.locator('input[type=file]').setInputFiles('src/features/leads/server/fixtures/companies.csv')
      await page.getByRole('button', { name: 'Read the file' }).click()
      await page.getByRole('button', { name: 'Dry run' }).click()
      await page.getByRole('button', { name: /^503 New/ }).waitFor()
    },
  },
  { name: 'permissions', user: 'super_admin', open: (page) => page.goto('/settings/roles') },
]

mkdirSync(folder, { recursive: true })
const stop = await startServer()
const browser = await chromium.launch({ executablePath: getChromium(), args: flags })
try {
  for (const { name: look, ...options } of looks) {
    for (const { name, user, open } of screens) {
      const context = await browser.newContext({ baseURL: process.env['PANEL_URL']!, locale: 'en-GB', ...options })
      const page = await context.newPage()
      if (user) await asUser(page, user)
      await open(page)
      await page.waitForLoadState('networkidle')
      await page.waitForTimeout(600)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
      await context.close()
    }
  }
} finally {
  await browser.close()
  await stop()
}
