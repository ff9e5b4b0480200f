import { readFileSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { loadAreas, type Sizes } from './areas-load.ts'
import { memoryOf, medianOf, ratio, run, send, type Call, type Figures, type Target } from './measure.ts'
import { setUp, type Bench } from './setup.ts'

/*
 * The list of every area as it grows, compared with a floor that sends the same statements (areas-floor.ts). SCALE shrinks the large
 * sizes (0.1: a tenth), GROW names those that grow (`GROW=tickets,users`; the others stay small), ONLY selects the views to measure (by a part of their names), ROUNDS and REQUESTS change how often.
 */

const today = '2026-11-20'
const scale = Number(process.env['SCALE'] ?? 1)
const only = process.env['ONLY'] ?? ''
const grown = process.env['GROW']?.split(',')
const rounds = Number(process.env['ROUNDS'] ?? 5)
const requests = Number(process.env['REQUESTS'] ?? 300)
const repeats = 15

const small: Sizes = {
  leads: 10_000,
  organizations: 1000,
  users: 10_000,
  tickets: 10_000,
  logs: 10_000,
  chat: 10_000,
  articles: 1000,
  comments: 5000,
  faqs: 100,
  tasks: 10_000,
  activities: 100_000,
  quickTasks: 10_000,
  reports: 10_000,
}
const everyLarge: Sizes = {
  leads: 1_000_000 * scale,
  organizations: 100_000 * scale,
  users: 1_000_000 * scale,
  tickets: 200_000 * scale,
  logs: 5_000_000 * scale,
  chat: 1_000_000 * scale,
  articles: 100_000 * scale,
  comments: 500_000 * scale,
  faqs: 2000,
  tasks: 200_000 * scale,
  activities: 2_000_000 * scale,
  quickTasks: 200_000 * scale,
  reports: 1_000_000 * scale,
}
const large: Sizes = {
  ...everyLarge,
  ...Object.fromEntries(Object.entries(small).filter(([area]) => grown && !grown.includes(area))),
}

interface View {
  name: string
  path: string
  body?: object
  /** `list`: the CPU is measured against the floor, and the time may grow at most four times; `ms`: the time is bounded. */
  /** `write`: the CPU of a write, at most one and a half times that of the floor. */
  wanted: 'list' | 'write' | { ms: number }
}

const search: View['wanted'] = { ms: 100 }
const allLeads = `/admin/users/get-demo-requests?fromDate=all&toDate=all&today=${today}&count=capped`
const views: readonly View[] = [
  { name: 'organizations', path: '/admin/users/all-organizations-data', wanted: 'list' },
  {
    name: 'organizations: status',
    path: '/admin/users/all-organizations-data?status=1&product=1',
    wanted: 'list',
  },
  {
    name: 'organizations: three letters',
    path: '/admin/users/all-organizations-data?search=lin',
    wanted: search,
  },
  {
    name: 'onboardings',
    path: `/admin/users/get-demo-leads?tab=in_progress&lead_for=1&fromDate=all&toDate=all&today=${today}`,
    wanted: 'list',
  },
  {
    name: 'onboardings: three letters',
    path: `/admin/users/get-demo-leads?tab=in_progress&lead_for=1&fromDate=all&toDate=all&today=${today}&search=lin`,
    wanted: search,
  },
  {
    name: 'leads: report of a year',
    path: `/admin/users/sales-report?from=2025-11-21&to=${today}`,
    wanted: { ms: 400 },
  },
  { name: 'leads: no tags', path: `${allLeads}&field_filter=tag_ids:empty`, wanted: search },
  {
    name: 'leads: an amount without a source',
    path: `${allLeads}&field_filter[]=amount:filled&field_filter[]=hear_about:empty`,
    wanted: search,
  },
  { name: 'users', path: '/admin/users', wanted: 'list' },
  { name: 'users: of a product', path: '/admin/users?product=1&status=1', wanted: 'list' },
  { name: 'users: part of a phone number', path: '/admin/users?search=7919', wanted: search },
  { name: 'users: three letters', path: '/admin/users?search=lin', wanted: search },
  { name: 'audit log', path: '/admin/users/admin-log', wanted: { ms: 50 } },
  { name: 'audit log: a person', path: '/admin/users/admin-log?staff_id=4', wanted: { ms: 50 } },
  { name: 'audit log: a record', path: '/admin/users/admin-log?area=lead&record=1234', wanted: { ms: 50 } },
  { name: 'sign-ins', path: '/admin/users/log', wanted: { ms: 50 } },
  { name: 'sign-ins: a person', path: '/admin/users/log?staff_id=4', wanted: { ms: 50 } },
  { name: 'tickets', path: '/admin/support/ticket', wanted: 'list' },
  { name: 'tickets: status', path: '/admin/support/ticket?status=1', wanted: 'list' },
  { name: 'tickets: three letters', path: '/admin/support/ticket?search=lin&count=capped', wanted: search },
  { name: 'tickets: queues', path: '/admin/support/queues', wanted: { ms: 15 } },
  {
    name: 'tickets: report of a year',
    path: `/admin/support/report?from=2025-11-21&to=${today}`,
    wanted: { ms: 300 },
  },
  {
    name: 'tickets: reply',
    path: '/admin/support/sendReply/1',
    body: { message: 'Please try the second tray.' },
    wanted: 'write',
  },
  { name: 'bell: tickets', path: '/admin/support/unread-tickets-count', wanted: { ms: 10 } },
  { name: 'bell: tasks', path: '/admin/support/unnotified-task-count', wanted: { ms: 10 } },
  { name: 'chat', path: '/admin/messages', wanted: 'list' },
  { name: 'chat: send', path: '/admin/messages', body: { message: 'Who takes the demo?' }, wanted: 'write' },
  { name: 'posts', path: '/admin/posts?product_id=1', wanted: 'list' },
  { name: 'posts: three letters', path: '/admin/posts?product_id=1&search=lin', wanted: search },
  { name: 'comments', path: '/admin/comments', wanted: 'list' },
  { name: 'comments: three letters', path: '/admin/comments?search=lau', wanted: search },
  { name: 'case studies', path: '/admin/case-study?product_id=1', wanted: 'list' },
  { name: 'case studies: three letters', path: '/admin/case-study?product_id=1&search=lin', wanted: search },
  { name: 'FAQs', path: '/admin/faqs', wanted: 'list' },
  { name: 'FAQs: three letters', path: '/admin/faqs?search=par', wanted: search },
  { name: 'development tasks', path: '/common/task', body: { product_id: 1 }, wanted: 'list' },
  {
    name: 'development tasks: status',
    path: '/common/task',
    body: { product_id: 1, status: 4 },
    wanted: 'list',
  },
  {
    name: 'development tasks: three letters',
    path: '/common/task',
    body: { product_id: 1, search: 'lin' },
    wanted: search,
  },
  {
    name: 'calendar: a month of 5,000 tasks',
    path: '/common/task',
    body: {
      product_id: 1,
      from: '2026-11-01',
      to: '2026-11-30',
      column: 'priority',
      direction: 'asc',
      per_page: 1000,
    },
    wanted: { ms: 100 },
  },
  { name: 'quick tasks: mine', path: '/common/quick-task', wanted: 'list' },
  {
    name: 'numbers: leads',
    path: `/admin/users/lead-numbers?lead_for=1&period=quarter&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'numbers: tickets',
    path: `/admin/support/ticket-numbers?period=quarter&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'numbers: organizations',
    path: `/admin/users/organization-numbers?period=quarter&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'numbers: development tasks',
    path: `/common/task/numbers?product_id=1&period=quarter&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'numbers: workload',
    path: `/common/task/workload?product_id=1&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'numbers: posts',
    path: `/admin/post-numbers?product_id=1&period=quarter&today=${today}`,
    wanted: { ms: 100 },
  },
  {
    name: 'progress report: a month',
    path: '/common/task/get-all-taskprogress?product_id=1&startDate=2026-11-01&endDate=2026-11-30',
    wanted: { ms: 100 },
  },
  {
    name: 'progress gaps: a month',
    path: '/common/task/progress-gaps?product_id=1&startDate=2026-11-01&endDate=2026-11-30',
    wanted: { ms: 100 },
  },
].filter(({ name }) => name.includes(only)) as View[]

/** Moves a FAQ from the first of 2,000 places to the last, and back. */
async function faqMoves(bench: Bench, panel: Target): Promise<void> {
  const times: number[] = []
  for (let turn = 0; turn < 12; turn++) {
    const body = JSON.stringify({ order_number: turn % 2 ? 1 : 2000 })
    const sentAt = performance.now()
    const answer = await send(panel, agent, {
      method: 'POST',
      path: '/api/admin/faqs/faq-1/move',
      headers: { authorization: `Bearer ${bench.token}` },
      body,
    })
    if (answer.status !== 200) throw new Error(`${answer.status} to a move: ${answer.body.slice(0, 300)}`)
    times.push(performance.now() - sentAt)
  }
  console.log(
    `\nA FAQ from first to last of 2,000 and back: ${times.sort((a, b) => a - b)[6]!.toFixed(1)} ms a request (wanted: ≤ 50 in the database)`,
  )
}

/** Measures how much more memory the panel holds while it streams the report of a year. */
async function yearOfProgress(bench: Bench, panel: Target): Promise<void> {
  const before = memoryOf(panel.pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memoryOf(panel.pid))), 20)
  const sentAt = performance.now()
  const path = '/api/common/task/get-all-taskprogress/export?startDate=2025-11-21&endDate=2026-11-20'
  const { status, body } = await send(panel, agent, {
    method: 'GET',
    path,
    headers: { authorization: `Bearer ${bench.token}` },
  })
  clearInterval(timer)
  if (status !== 200) throw new Error(`${status} to the export: ${body.slice(0, 300)}`)
  console.log(
    `The progress report of a year, ${(body.length / 1e6).toFixed(1)} MB in ${((performance.now() - sentAt) / 1000).toFixed(1)} s: ${(most - before).toFixed(0)} MB more memory (wanted: ≤ 30)`,
  )
}

interface Measured {
  alone: number[]
  cpu?: { panel: Figures; floor: Figures }
}
const table = new Map<string, Measured>(views.map(({ name }) => [name, { alone: [] }]))
const agent = new Agent({ keepAlive: true })

for (const sizes of [small, large]) {
  const startedAt = performance.now()
  const bench = await setUp(0, today, 'super_admin')
  try {
    await loadAreas(bench.database.db, sizes, today)
    console.log(`${JSON.stringify(sizes)} made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
    const statements = await capture(bench)
    const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
    for (const view of views) table.get(view.name)!.alone.push(await alone(panel, callOf(bench, view)))
    if (sizes === large) {
      await againstFloor(bench, panel, statements)
      await faqMoves(bench, panel)
      await yearOfProgress(bench, panel)
    }
  } finally {
    await bench.stop()
  }
}

console.log(`\n${''.padEnd(36)}${'small'.padStart(9)}${'large'.padStart(9)}     growth    CPU, panel / floor`)
for (const { name, wanted } of views) {
  const {
    alone: [before, after],
    cpu,
  } = table.get(name)! as Measured & { alone: [number, number] }
  const isRatio = wanted === 'list' || wanted === 'write'
  const holds = isRatio ? after <= 4 * before : after <= wanted.ms
  const figures = cpu
    ? `${(cpu.panel.cpuMs * 1000).toFixed(0)} / ${(cpu.floor.cpuMs * 1000).toFixed(0)} µs = ${ratio(cpu.panel.cpuMs, cpu.floor.cpuMs)}`
    : ''
  console.log(
    `${name.padEnd(36)}${before.toFixed(1).padStart(6)} ms${after.toFixed(1).padStart(6)} ms ${ratio(after, before).padStart(10)}    ${figures}   ${holds ? '' : 'DOES NOT HOLD'} ${isRatio ? `≤ 4 ×, CPU ≤ ${wanted === 'list' ? 1.25 : 1.5} ×` : `≤ ${wanted.ms} ms`}`,
  )
}

function callOf(bench: Bench, { path, body }: View): Call {
  const headers = { authorization: `Bearer ${bench.token}` }
  return body
    ? { method: 'POST', path: `/api${path}`, headers, body: JSON.stringify(body) }
    : { method: 'GET', path: `/api${path}`, headers }
}

/** Returns the median time of a request in milliseconds, with nothing else running. */
async function alone(panel: Target, call: Call): Promise<number> {
  const times: number[] = []
  for (let index = -6; index < repeats; index++) {
    const sentAt = performance.now()
    const { status, body } = await send(panel, agent, call)
    if (status !== 200) throw new Error(`${status} to ${call.path}: ${body.slice(0, 300)}`)
    if (index >= 0) times.push(performance.now() - sentAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(repeats / 2)]!
}

/** Records the statements that the panel sends for each view, once it is warm. */
async function capture(bench: Bench): Promise<Record<string, unknown[]>> {
  const file = join(bench.dataDir, 'statements.jsonl')
  const panel = await bench.start('recorder', 'src/app/server/main.ts', {
    LOG_LEVEL: 'warn',
    CAPTURE: file,
    NODE_OPTIONS: '--import ./bench/areas-capture.ts',
  })
  const statements: Record<string, unknown[]> = {}
  for (const view of views) {
    const call = callOf(bench, view)
    await send(panel, agent, call)
    writeFileSync(file, '')
    const { status, body } = await send(panel, agent, call)
    if (status !== 200) throw new Error(`${status} to ${call.path}: ${body.slice(0, 300)}`)
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { text: string })
    // The job queues poll in between.
    statements[keyOf(view)] = lines.filter(({ text }) => !text.includes('pgboss'))
  }
  process.kill(panel.pid, 'SIGTERM')
  return statements
}

/** Returns the key of a view. The floor sees only the path; views with the same path differ by a fragment that the panel never sees. */
function keyOf({ path, body }: View): string {
  return `/api${path}${body ? `#${JSON.stringify(body)}` : ''}`
}

async function againstFloor(
  bench: Bench,
  panel: Target,
  statements: Record<string, unknown[]>,
): Promise<void> {
  const file = join(bench.dataDir, 'statements.json')
  writeFileSync(file, JSON.stringify(statements))
  const floor = await bench.start('floor', 'bench/areas-floor.ts', { STATEMENTS: file })
  for (const view of views.filter(({ wanted }) => wanted === 'list' || wanted === 'write')) {
    const call = callOf(bench, view)
    const plain: Call = { ...call, path: encodeURI(keyOf(view)).replaceAll('#', '%23') }
    const [ours, theirs]: [Figures[], Figures[]] = [[], []]
    for (const [target, one] of [
      [panel, call],
      [floor, plain],
    ] as const)
      await run(target, requests, 4, () => one)
    for (let round = 0; round < rounds; round++) {
      ours.push(await run(panel, requests, 4, () => call))
      theirs.push(await run(floor, requests, 4, () => plain))
    }
    table.get(view.name)!.cpu = { panel: medianOf(ours), floor: medianOf(theirs) }
  }
}
