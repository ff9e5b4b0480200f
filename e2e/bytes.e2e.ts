import { expect, test } from '@playwright/test'
import { loadCold } from '../bench/cold.ts'

/*
 * What a page costs on the wire, cold and compressed: the budgets of the first figures.
 */

test('the sign-in page stays within 135 KB of script and 20 KB of style', async ({ browser }) => {
  const { js, css, requests } = await loadCold(browser, process.env['PANEL_URL']!, '/login')
  expect(js).toBeGreaterThan(20_000)
  expect(js).toBeLessThanOrEqual(135_000)
  expect(css).toBeLessThanOrEqual(20_000)
  console.log(`/login: ${js} bytes of script, ${css} of style, ${requests} requests`)
})

test('the lead list stays within 220 KB of script, 22 KB of style and 25 requests', async ({ browser }) => {
  const { js, css, requests } = await loadCold(browser, process.env['PANEL_URL']!, '/demo-leads', 'crm')
  expect(js).toBeGreaterThan(50_000)
  expect(js).toBeLessThanOrEqual(220_000)
  expect(css).toBeLessThanOrEqual(22_000)
  expect(requests).toBeLessThanOrEqual(25)
  console.log(`/demo-leads: ${js} bytes of script, ${css} of style, ${requests} requests`)
})
