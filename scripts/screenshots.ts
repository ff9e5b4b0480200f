// Retakes the screenshots in docs/screenshots/ from a separate panel with demo data: npm run screenshots
// [FOLDER [NAME…]].
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { asUser } from '../e2e/helpers.ts'
import { openPanel } from '../e2e/panel.ts'
import { buildParts, openShowcase } from '../e2e/parts.ts'
import setUp from '../e2e/setup.ts'
import { plainDate } from '#shared/dates.ts'
import { flags, getChromium } from './chromium.ts'

const folder = process.argv[2] ?? join(import.meta.dirname, '../docs/screenshots')
const names = process.argv.slice(3)
const looks = [
  { name: 'light', viewport: { width: 1440, height: 900 }, colorScheme: 'light' },
  { name: 'dark', viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { name: 'phone', viewport: { width: 390, height: 844 }, colorScheme: 'light' },
] as const

const all = '/demo-leads?fromDate=all&toDate=all'

/** Sends a request to the panel as the signed-in user, from within the page. */
const post = (page: Page, path: string, body: object) =>
  page.evaluate(
    async ([address, text]) => {
      const headers = {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${localStorage.getItem('access_token')}`,
      }
      const answer = await fetch(`/api${address}`, { method: 'POST', headers, body: text })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as { data: any; operation?: { id: number } }
    },
    [path, JSON.stringify(body)] as const,
  )

/**
 * Adds data that the demo data lacks: custom fields, a lead with emails, demos, and a duplicate, records in the trash, and operations that
 * can be undone.
 */
async function prepare(page: Page): Promise<void> {
  await asUser(page, 'admin')
  for (const field of [
    { name: 'Number of sites', type: 'number' },
    {
      name: 'Laundry machine',
      type: 'choice',
      choices: ['Jensen', 'Kannegiesser', 'None'].map((name) => ({ name })),
    },
    { name: 'Contract ends', type: 'date' },
    { name: 'Washes in house', type: 'yes_no' },
  ])
    await post(page, '/admin/settings/custom-fields/1', field)
  await asUser(page, 'crm')
  const enter = async (companyName: string, more: object = {}) =>
    (await post(page, '/admin/users/save-demo-requests', { companyName, lead_for: 1, ...more })).data
      .lead_id as number
  const lead_id = await enter('Brackwater Hotel Group', {
    contactName: 'Nora Lindqvist',
    email: 'nora@brackwater.example',
    phone: '+1 212 555 0142',
    country: 'United States',
    company_url: 'https://brackwater.example',
    timezone: 'US/Eastern',
    assign_to: 3,
    custom_values: { 1: 12, 2: 2, 3: '2027-03-31' },
  })
  await enter('Brackwater Hotels Ltd.', { contactName: 'N. Lindqvist', email: 'nora@brackwater.example' })
  const inDays = (days: number, time: string) =>
    `${plainDate(new Date(Date.now() + days * 86_400_000))}T${time}:00Z`
  await post(page, '/admin/users/save-demo-session', {
    lead_id,
    sessions: [
      { type: 'Demo', final_date: inDays(1, '15:00'), final_comment: 'With the head of housekeeping.' },
      { type: 'Training', requested_date: inDays(4, '18:30'), schedule_comment: 'After the season.' },
    ],
  })
  const to = { lead_id, lead_name: 'Nora Lindqvist', lead_email: 'nora@brackwater.example' }
  await post(page, '/admin/users/schedule-demo-mail', to)
  await post(page, '/admin/users/send-prospection-mail', { ...to, question_ids: [1, 2] })
  const others = [await enter('Tamsel Spa'), await enter('Kanto Textiles'), await enter('Aalto Laundry')]
  await post(page, '/admin/users/change-leads', {
    selection: { ids: others },
    change: { kind: 'status', status: 3 },
  })
  await post(page, '/admin/users/change-leads', {
    selection: { ids: others.slice(1) },
    change: { kind: 'delete' },
  })
}

const theLead = async (page: Page) => {
  await page.goto(`${all}&search=brackwater+hotel`)
  await page.getByRole('link', { name: 'Brackwater Hotel Group' }).click()
  await page.getByRole('region', { name: 'Timeline' }).waitFor()
}

interface Screen {
  name: string
  user?: string
  /** Whether the picture is as high as the page. */
  isWhole?: boolean
  open: (page: Page) => Promise<unknown>
}

const screens: readonly Screen[] = [
  { name: 'login', open: (page) => page.goto('/login') },
  { name: 'dashboard', user: 'super_admin', open: (page) => page.goto('/dashboard') },
  { name: 'leads', user: 'crm', open: (page) => page.goto(all) },
  { name: 'follow-ups', user: 'crm', open: (page) => page.goto('/demo-leads/follow-ups') },
  { name: 'lead', user: 'crm', open: theLead },
  {
    name: 'mail',
    user: 'crm',
    open: async (page) => {
      await theLead(page)
      await page.getByRole('tab', { name: 'Email' }).click()
      await page.getByRole('button', { name: 'Prospecting email' }).click()
      await page.getByText('reply to this email').waitFor()
    },
  },
  { name: 'duplicates', user: 'crm', open: (page) => page.goto('/demo-leads/duplicates') },
  { name: 'sales-report', user: 'admin', open: (page) => page.goto('/demo-leads/report') },
  { name: 'schedule', user: 'crm', open: (page) => page.goto('/demo-leads/demo-leads-schedule') },
  {
    name: 'schedule-week',
    user: 'crm',
    open: (page) => page.goto('/demo-leads/demo-leads-schedule?view=week'),
  },
  { name: 'operations', user: 'crm', open: (page) => page.goto('/demo-leads/operations') },
  {
    name: 'trash',
    user: 'crm',
    open: async (page) => {
      await page.goto(all)
      await page.getByRole('button', { name: 'More', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Trash' }).click()
      await page.getByRole('dialog').getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'import',
    user: 'crm',
    open: async (page) => {
      await page.goto('/demo-leads/import')
      await page
        .locator('input[type=file]')
        .setInputFiles('src/features/crm/leads/import/server/fixtures/companies.csv')
      await page.getByRole('button', { name: 'Upload file' }).click()
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('button', { name: /^503 New/ }).waitFor()
    },
  },
  { name: 'organizations', user: 'csm', open: (page) => page.goto('/organizations/all-organizations') },
  { name: 'onboarding', user: 'csm', open: (page) => page.goto('/on-boarding') },
  { name: 'users', user: 'admin', open: (page) => page.goto('/users') },
  {
    name: 'tickets',
    user: 'support',
    open: async (page) => {
      await page.goto('/support')
      await page.getByRole('link', { name: 'Scanner stopped working after the update' }).first().click()
      const internal = page.getByRole('button', { name: 'Internal note' })
      await internal
        .or(page.getByRole('textbox', { name: 'Message' }))
        .first()
        .waitFor()
    },
  },
  {
    name: 'ticket',
    user: 'support',
    open: async (page) => {
      await page.goto('/support?layout=table')
      await page.getByRole('link', { name: 'Scanner stopped working after the update' }).first().click()
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
    },
  },
  {
    name: 'incident',
    user: 'support',
    open: async (page) => {
      const change = { kind: 'incident', incident_id: 12 }
      await post(page, '/admin/support/change-tickets', { selection: { ids: [13, 14, 15] }, change })
      await page.goto('/support/incident/12')
      const message = page.getByRole('textbox', { name: 'Message to all' })
      await message.fill('Hi {{first_name}}, we know why, and the fix is in testing.')
      await page.getByRole('region', { name: 'Preview' }).locator('iframe').waitFor()
    },
  },
  { name: 'board', user: 'support', open: (page) => page.goto('/support?layout=board') },
  {
    name: 'saved-replies',
    user: 'admin',
    open: async (page) => {
      await page.goto('/support/saved-replies?open=1')
      await page.getByRole('textbox', { name: 'Text' }).waitFor()
    },
  },
  {
    name: 'saved-reply',
    user: 'support',
    open: async (page) => {
      await page.goto('/support/ticket/3/0')
      await page.getByRole('textbox', { name: 'Message' }).click()
      await page.keyboard.type('/count')
      await page.getByRole('option', { name: /^Count towels manually/ }).waitFor()
    },
  },
  {
    name: 'new-ticket',
    user: 'support',
    open: async (page) => {
      await page.goto('/support/generate')
      await page.getByRole('textbox', { name: 'Message' }).waitFor()
    },
  },
  {
    name: 'customer-view',
    user: 'csm',
    open: async (page) => {
      await page.goto('/customer-view?q=grant')
      await page.getByText('Ada Grant').first().click()
      await page.getByRole('heading', { name: 'Ada Grant' }).waitFor()
    },
  },
  { name: 'support-report', user: 'admin', open: (page) => page.goto('/support/report') },
  { name: 'tasks', user: 'development_lead', open: (page) => page.goto('/development-tasks') },
  { name: 'calendar', user: 'development_lead', open: (page) => page.goto('/development-tasks/schedular') },
  { name: 'progress', user: 'development_lead', open: (page) => page.goto('/progress-report') },
  { name: 'posts', user: 'editor', open: (page) => page.goto('/posts') },
  { name: 'post', user: 'editor', open: (page) => page.goto('/posts/new-post') },
  { name: 'media', user: 'editor', open: (page) => page.goto('/media') },
  { name: 'faqs', user: 'editor', open: (page) => page.goto('/faqs') },
  {
    name: 'contract',
    user: 'editor',
    open: async (page) => {
      await page.goto('/customer-contracts')
      await page
        .getByRole('link', { name: /^Bed linen rental/ })
        .first()
        .click()
      await page.getByRole('textbox', { name: 'Content' }).waitFor()
    },
  },
  { name: 'outbox', user: 'admin', open: (page) => page.goto('/settings/outbox') },
  { name: 'custom-fields', user: 'admin', open: (page) => page.goto('/settings/custom-fields') },
  { name: 'options', user: 'admin', open: (page) => page.goto('/settings/lists') },
  { name: 'roles', user: 'super_admin', open: (page) => page.goto('/settings/roles') },
  {
    name: 'web-form',
    user: 'admin',
    open: async (page) => {
      await page.goto('/settings/web-forms')
      await page.getByRole('button', { name: 'Add field' }).waitFor()
    },
  },
  { name: 'scheduling', user: 'admin', open: (page) => page.goto('/calendly-widget-settings') },
  {
    name: 'admin-users',
    user: 'admin',
    open: async (page) => {
      await page.goto('/admin-users')
      await page.getByText('Daniel Aguirre').first().click()
      await page.getByRole('dialog', { name: 'Details of Daniel Aguirre' }).waitFor()
    },
  },
  { name: 'parts/all', isWhole: true, open: (page) => openShowcase(page, showcase.folder) },
]

mkdirSync(join(folder, 'parts'), { recursive: true })
const showcase = await buildParts('showcase.html')
const stop = await setUp()
const panel = await openPanel()
const browser = await chromium.launch({ executablePath: getChromium(), args: flags })
try {
  const first = await (await browser.newContext({ baseURL: panel.url })).newPage()
  await prepare(first)
  await first.context().close()
  for (const { name: look, ...options } of looks) {
    for (const screen of screens) {
      if (names.length > 0 && !names.includes(screen.name)) continue
      const context = await browser.newContext({
        baseURL: panel.url,
        locale: 'en-GB',
        timezoneId: 'Europe/Berlin',
        ...options,
      })
      const page = await context.newPage()
      if (screen.user) await asUser(page, screen.user)
      await screen.open(page)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      // Charts are drawn when they are about to be seen.
      if (screen.isWhole)
        for (const section of await page.getByRole('heading', { level: 2 }).all())
          await section.scrollIntoViewIfNeeded()
      // A page with an email in a frame never becomes idle.
      await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {})
      await page.waitForTimeout(600)
      // A palette of 256 colors takes a third of the bytes without a visible difference.
      await sharp(await page.screenshot({ fullPage: screen.isWhole ?? false }))
        .png({ palette: true, effort: 10 })
        .toFile(join(folder, `${screen.name}-${look}.png`))
      await context.close()
    }
  }
} finally {
  await browser.close()
  await panel.close()
  await stop()
  showcase.remove()
}
