import { chromium, type Browser } from '@playwright/test'
import { flags, getChromium } from '../scripts/chromium.ts'
import { loadCold } from './cold.ts'
import { measureInteractions } from './interactions.ts'
import { setUp } from './setup.ts'

/*
 * What a page costs in the browser: production build, Chromium, CPU slowed four times, brotli, an empty cache. Bytes are
 * asserted in the tests too (e2e/bytes.e2e.ts); times are of this machine.
 */

const slowdown = 4
const rounds = Number(process.env['ROUNDS'] ?? 7)
const leads = Number(process.env['LEADS'] ?? 20_000)

interface Paint {
  fcp: number
  lcp: number
  /** Total Blocking Time as the field defines it: what tasks after the first contentful paint take beyond 50 ms. */
  tbt: number
  cls: number
}

const pages = [
  { name: '/login', path: '/login', user: undefined, wanted: 'JS ≤ 135 KB, CSS ≤ 20 KB' },
  { name: '/demo-leads', path: '/demo-leads', user: 'crm', wanted: 'JS ≤ 220 KB, CSS ≤ 22 KB, ≤ 25 requests, LCP ≤ 2000 ms, TBT ≤ 50 ms' },
]

const bench = await setUp(leads, new Date().toISOString().slice(0, 10))
const browser = await chromium.launch({ executablePath: getChromium(), args: flags })
try {
  const panel = await bench.start('panel', 'src/app/main.ts', { LOG_LEVEL: 'warn' })
  for (const { name, path, user, wanted } of pages) {
    const measured: Awaited<ReturnType<typeof measure>>[] = []
    for (let round = 0; round < rounds; round++) measured.push(await measure(browser, panel.origin, path, user))
    const median = (of: (one: (typeof measured)[number]) => number) => measured.map(of).sort((a, b) => a - b)[Math.floor(measured.length / 2)]!
    const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
    console.log(
      `${name.padEnd(12)} JS ${kilobytes(median((one) => one.js))} KB  CSS ${kilobytes(median((one) => one.css))} KB  ${median((one) => one.requests)} requests  FCP ${median((one) => one.fcp).toFixed(0)} ms  LCP ${median((one) => one.lcp).toFixed(0)} ms  TBT ${median((one) => one.tbt).toFixed(0)} ms  shift ${median((one) => one.cls).toFixed(3)}   (wanted: ${wanted})`,
    )
  }
  for (const { name, ms } of await measureInteractions(browser, panel.origin))
    console.log(`${name.padEnd(28)} median ${ms[Math.floor(ms.length / 2)]} ms, longest ${ms.at(-1)} ms   (wanted: ≤ 120, ≤ 200 ms)`)
} finally {
  await browser.close()
  await bench.stop()
}

async function measure(from: Browser, origin: string, path: string, user: string | undefined) {
  const cold = await loadCold(from, origin, path, user, async (session, page) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.addInitScript(() => {
      const paint: Paint = { fcp: 0, lcp: 0, tbt: 0, cls: 0 }
      const tasks: PerformanceEntry[] = []
      Object.assign(globalThis, { paint })
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (paint.lcp = entry.startTime))).observe({
        type: 'largest-contentful-paint',
        buffered: true,
      })
      const block = () => {
        const after = paint.fcp === 0 ? [] : tasks.filter(({ startTime, duration }) => startTime + duration > paint.fcp)
        // A task that paints first counts from there on.
        paint.tbt = after.reduce((sum, { startTime, duration }) => sum + Math.max(0, startTime + duration - Math.max(startTime, paint.fcp) - 50), 0)
      }
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (entry.name === 'first-contentful-paint') paint.fcp = entry.startTime
        block()
      }).observe({ type: 'paint', buffered: true })
      new PerformanceObserver((list) => {
        tasks.push(...list.getEntries())
        block()
      }).observe({ type: 'longtask', buffered: true })
      new PerformanceObserver((list) => list.getEntries().forEach((entry) => (paint.cls += (entry as unknown as { value: number }).value))).observe({
        type: 'layout-shift',
        buffered: true,
      })
    })
  })
  const paint = await cold.page.evaluate(() => (globalThis as unknown as { paint: Paint }).paint)
  await cold.page.context().close()
  return { ...cold, ...paint }
}
