// Takes pictures of ten emails in two widths, light and dark, for docs/screenshots/emails. The panel must be
// running: PANEL=http://127.0.0.1:3000 node scripts/email-pictures.ts
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { flags, getChromium } from './chromium.ts'

const panel = process.env['PANEL'] ?? 'http://127.0.0.1:3000'
const folder = join(import.meta.dirname, '../docs/screenshots/emails')
const kinds = [
  'ticket-reply',
  'prospection',
  'schedule-demo',
  'session-scheduled',
  'meeting-link',
  'set-credentials',
  'invitation',
  'forgotten-password',
  'announcement',
  'notification',
]

async function call(path: string, token: string | undefined, body?: object): Promise<any> {
  const reply = await fetch(`${panel}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${await reply.text()}`)
  return reply.json()
}

const signedIn = await call('/auth/login', undefined, {
  username: 'super_admin',
  password: process.env['DEMO_PASSWORD'] ?? 'demo-password',
})
const token = signedIn.access_token ?? signedIn.data?.access_token ?? signedIn.token
mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: getChromium(), args: flags })
for (const kind of kinds) {
  const { data } = await call(`/admin/mail-template?kind=${kind}`, token)
  const shown = await call('/admin/mail-template/preview', token, { ...data, id: null })
  for (const width of [640, 360])
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ viewport: { width, height: 200 }, colorScheme })
      const page = await context.newPage()
      await page.setContent(shown.data.html)
      await page.screenshot({ path: join(folder, `${kind}-${width}-${colorScheme}.png`), fullPage: true })
      await context.close()
    }
}
await browser.close()
console.log(`${kinds.length * 4} pictures in docs/screenshots/emails`)
