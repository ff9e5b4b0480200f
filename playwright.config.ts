import { defineConfig } from '@playwright/test'
import { flags } from './scripts/chromium.ts'

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/server.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
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
    // Dialogs and menus are in place at once, which also saves the time of their transitions.
    contextOptions: { reducedMotion: 'reduce' },
    launchOptions: { executablePath: process.env['CHROMIUM_PATH'], args: flags },
    screenshot: 'only-on-failure',
  },
})
