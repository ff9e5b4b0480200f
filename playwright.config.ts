import { defineConfig } from '@playwright/test'
import { flags } from './scripts/chromium.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/server.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  // On a busy machine one journey in some hundreds is late: it has a second attempt, and the gate names it.
  // What no attempt may lose (kills, chat, files) is tested over HTTP, without a second one.
  retries: 1,
  forbidOnly: true,
  // Long enough for a machine that does something else too; who waits for what does not come fails later, not less.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    // Both are set by the global setup, before the workers read this.
    baseURL: process.env['PANEL_URL'],
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1366, height: 800 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    launchOptions: { executablePath: process.env['CHROMIUM_PATH'], args: flags },
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
  },
})
