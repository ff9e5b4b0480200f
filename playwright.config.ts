import { defineConfig } from '@playwright/test'
import { flags } from './scripts/chromium.ts'

/** A page lives for seconds here: compiling its hot code again for speed takes a sixth of the renderer's time. */
const javascriptFlags = ['--js-flags=--no-opt --no-maglev']

export default defineConfig({
  testDir: 'e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './e2e/setup.ts',
  outputDir: 'test-results',
  // The tests of a file share a panel (e2e/panel.ts).
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  // A test that fails because of the product fails three times.
  retries: 2,
  // The only limits, long enough for a machine three times slower than this one. No test measures time.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
    headless: true,
    viewport: { width: 1366, height: 800 },
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 30_000,
    navigationTimeout: 60_000,
    // The path is set by the global setup, before the workers read this.
    launchOptions: { executablePath: process.env['CHROMIUM_PATH'], args: [...flags, ...javascriptFlags] },
    screenshot: 'only-on-failure',
    trace: 'on-first-retry',
  },
})
