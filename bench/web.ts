import { chromium } from '@playwright/test'
import { sql } from 'kysely'
import { flags, getChromium } from '../scripts/chromium.ts'
import { launchBare, type BareBrowser } from './bare.ts'
import { loadCold, openSession } from './cold.ts'
import { measureInteractions } from './interactions.ts'
import { setUp } from './setup.ts'

/*
 * The cost of a page in the browser: production build, Chromium, CPU throttled four times, brotli, an empty cache. The bytes are
 * asserted in the tests too (e2e/bytes.e2e.ts); times are those of this machine. PAGES=/dashboard measures only the pages with this
 * in their name, without the interactions.
 */

const slowdown = 4
/** Long enough for requests that a page defers until it has been shown for a while. */
const watchedMs = 8000
const rounds = Number(process.env['ROUNDS'] ?? 7)
const leads = Number(process.env['LEADS'] ?? 20_000)
const wantedPages = process.env['PAGES'] ?? ''

interface Paint {
  fcp: number
  lcp: number
  /** Total Blocking Time as usually defined: what tasks after the first contentful paint take beyond 50 ms. */
  tbt: number
  /** The same for all tasks, including those before the first paint. */
  blocked: number
  cls: number
}

const pages = [
  { name: '/login', path: '/login', user: undefined, wanted: 'JS ≤ 135 KB, CSS ≤ 20 KB' },
  {
    name: '/demo-leads',
    path: '/demo-leads',
    user: 'crm',
    wanted: 'JS ≤ 220 KB, CSS ≤ 22 KB, ≤ 25 requests, LCP ≤ 2000 ms, TBT ≤ 50 ms',
  },
  ...['super_admin', 'csm', 'support', 'developer'].map((user) => ({
    name: `/dashboard, ${user}`,
    path: '/dashboard',
    user,
    wanted: '≤ 30 requests, TBT ≤ 300 ms, shift ≤ 0.05',
  })),
]

const bench = await setUp(leads, new Date().toISOString().slice(0, 10))
// Tasks of this month, for the operations on them.
await sql`insert into tasks (discipline, product_id, title, status, priority, assigned_to, due_date, created_by)
  select 'development', 1, 'Mend the report ' || i, 1, 1 + i % 6, 1 + i % 14, date_trunc('month', now())::date + i % 28, 1 from generate_series(1, 2000) i`.execute(
  bench.database.db,
)
const browser = await chromium.launch({ executablePath: getChromium(), args: flags })
const bare = await launchBare()
try {
  const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
  for (const { name, path, user, wanted } of pages.filter((page) => page.name.includes(wantedPages))) {
    const { js, css, requests, page } = await loadCold(browser, panel.origin, path, user)
    await page.context().close()
    const stored = user === undefined ? {} : await openSession(panel.origin, user)
    const measured: Paint[] = []
    for (let round = 0; round < rounds; round++)
      measured.push(await measureTimes(bare, panel.origin, path, stored))
    const median = (of: (one: Paint) => number) =>
      measured.map(of).sort((a, b) => a - b)[Math.floor(measured.length / 2)]!
    const kilobytes = (bytes: number) => (bytes / 1000).toFixed(1)
    console.log(
      `${name.padEnd(23)} JS ${kilobytes(js)} KB  CSS ${kilobytes(css)} KB  ${requests} requests  FCP ${median((one) => one.fcp).toFixed(0)} ms  LCP ${median((one) => one.lcp).toFixed(0)} ms  TBT ${median((one) => one.tbt).toFixed(0)} ms (all ${median((one) => one.blocked).toFixed(0)} ms)  shift ${median((one) => one.cls).toFixed(3)}   (wanted: ${wanted})`,
    )
  }
  for (const { name, ms } of wantedPages ? [] : await measureInteractions(browser, panel.origin))
    console.log(
      `${name.padEnd(34)} median ${ms[Math.floor(ms.length / 2)]} ms, longest ${ms.at(-1)} ms   (wanted: ≤ 120, ≤ 200 ms)`,
    )
} finally {
  await bare.close()
  await browser.close()
  await bench.stop()
}

/** Measures the times of a page opened with an empty cache, until it has been idle for a while. */
async function measureTimes(
  from: BareBrowser,
  origin: string,
  path: string,
  stored: Record<string, string>,
): Promise<Paint> {
  const page = await from.open()
  await page.send('Page.enable')
  await page.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.send('Page.addScriptToEvaluateOnNewDocument', {
    source: `(${store})(${JSON.stringify(stored)});(${watch})()`,
  })
  await page.send('Page.navigate', { url: `${origin}${path}` })
  await new Promise((done) => setTimeout(done, watchedMs))
  const paint = await page.read<Paint>('globalThis.paint')
  await page.close()
  return paint
}

/* The functions below run in the page. */

function store(stored: Record<string, string>): void {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value)
}

function watch(): void {
  const paint: Paint = { fcp: 0, lcp: 0, tbt: 0, blocked: 0, cls: 0 }
  const tasks: PerformanceEntry[] = []
  Object.assign(globalThis, { paint })
  const look = (type: string, seen: (entries: PerformanceEntry[]) => void) =>
    new PerformanceObserver((list) => seen(list.getEntries())).observe({ type, buffered: true })
  const block = () => {
    paint.blocked = tasks.reduce((sum, { duration }) => sum + Math.max(0, duration - 50), 0)
    const after =
      paint.fcp === 0 ? [] : tasks.filter(({ startTime, duration }) => startTime + duration > paint.fcp)
    // A task that includes the first paint counts from there.
    paint.tbt = after.reduce(
      (sum, { startTime, duration }) =>
        sum + Math.max(0, startTime + duration - Math.max(startTime, paint.fcp) - 50),
      0,
    )
  }
  look('largest-contentful-paint', (entries) => {
    paint.lcp = entries.at(-1)!.startTime
  })
  look('paint', (entries) => {
    paint.fcp = entries.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? paint.fcp
    block()
  })
  look('longtask', (entries) => {
    tasks.push(...entries)
    block()
  })
  look('layout-shift', (entries) => {
    for (const entry of entries) paint.cls += (entry as unknown as { value: number }).value
  })
}
