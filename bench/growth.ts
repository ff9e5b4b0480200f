import { Agent } from 'node:http'
import { memoryOf, medianOf, ratio, run, send, type Call, type Target } from './measure.ts'
import { setUp, type Bench } from './setup.ts'

/*
 * The lead list as it grows: 10,000, 200,000 and 1,000,000 leads over three years, each view measured alone, medians. At the largest
 * size, eight connections query panel and floor in turns. SIZES changes the sizes.
 */

const today = '2026-11-20'
const sizes = (process.env['SIZES'] ?? '10000,200000,1000000').split(',').map(Number)
const repeats = Number(process.env['REPEATS'] ?? 21)
const perPage = 20
const mostGrowth = 4
const mostMs = 100

interface View {
  name: string
  query: string
  last?: true
  wanted: 'growth' | 'alone'
}

const month = `lead_for=1&today=${today}`
const ever = 'fromDate=all&toDate=all'
const views: readonly View[] = [
  { name: 'default page (current month)', query: month, wanted: 'growth' },
  {
    name: 'status and date',
    query: `${month}&status=3&fromDate=2026-03-01&toDate=2026-03-31`,
    wanted: 'growth',
  },
  { name: 'last page of the month', query: month, last: true, wanted: 'growth' },
  { name: 'three letters, this month', query: `${month}&search=lin`, wanted: 'alone' },
  { name: 'three letters, all time', query: `${month}&${ever}&search=lin`, wanted: 'alone' },
  { name: 'all time, first page', query: `${month}&${ever}`, wanted: 'alone' },
  { name: 'all time, last page', query: `${month}&${ever}`, last: true, wanted: 'alone' },
  { name: 'all products and time, first page', query: `today=${today}&${ever}`, wanted: 'alone' },
  { name: 'all products and time, last page', query: `today=${today}&${ever}`, last: true, wanted: 'alone' },
]

const agent = new Agent({ keepAlive: true })
const table = new Map<string, number[]>()
for (const size of sizes) {
  const bench = await setUp(size, today)
  try {
    const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
    for (const view of views)
      table.set(view.name, [...(table.get(view.name) ?? []), await measure(panel, bench, view)])
    if (size === sizes.at(-1)) await underLoad(panel, bench)
  } finally {
    await bench.stop()
  }
}

console.log(`\nMilliseconds of a request alone, median of ${repeats}\n`)
console.log(
  `${''.padEnd(36)}${sizes.map((size) => size.toLocaleString('en').padStart(11)).join('')}      growth`,
)
for (const { name, wanted } of views) {
  const times = table.get(name)!
  const [first, last] = [times[0]!, times.at(-1)!]
  const holds = wanted === 'growth' ? last <= mostGrowth * first : last <= mostMs
  console.log(
    `${name.padEnd(36)}${times.map((ms) => ms.toFixed(1).padStart(11)).join('')}  ${ratio(last, first).padStart(10)}  ${holds ? 'holds' : 'DOES NOT HOLD'}: ${wanted === 'growth' ? `≤ ${mostGrowth} ×` : `≤ ${mostMs} ms`}`,
  )
}

function call(bench: Bench, query: string): Call {
  return {
    method: 'GET',
    path: `/api/admin/users/get-demo-requests?${query}`,
    headers: { authorization: `Bearer ${bench.token}` },
  }
}

async function ask(
  panel: Target,
  bench: Bench,
  query: string,
): Promise<{ total: number; rows: number; ms: number }> {
  const sentAt = performance.now()
  const { status, body } = await send(panel, agent, call(bench, query))
  const ms = performance.now() - sentAt
  if (status !== 200) throw new Error(`${status} to ${query}: ${body.slice(0, 300)}`)
  const { total, data } = JSON.parse(body) as { total: number; data: { leads: unknown[] } }
  return { total, rows: data.leads.length, ms }
}

async function measure(panel: Target, bench: Bench, { query, last }: View): Promise<number> {
  const { total } = await ask(panel, bench, query)
  const pages = Math.ceil(total / perPage)
  const asked = last ? `${query}&page=${pages}` : query
  const times: number[] = []
  for (let index = -5; index < repeats; index++) {
    const answer = await ask(panel, bench, asked)
    if (
      answer.total !== total ||
      answer.rows !== (last ? total - (pages - 1) * perPage : Math.min(perPage, total))
    )
      throw new Error(`${asked} answered ${JSON.stringify(answer)} of ${total}`)
    if (index >= 0) times.push(answer.ms)
  }
  return times.sort((a, b) => a - b)[Math.floor(repeats / 2)]!
}

/** Measures everyday views with eight concurrent requests, compared with the floor, and the memory that the panel needs for it. */
async function underLoad(panel: Target, bench: Bench): Promise<void> {
  const floor = await bench.start('floor', 'bench/floor.ts')
  const next = (index: number): Call =>
    call(bench, `lead_for=${1 + (index % 4)}&today=${today}${['', '&page=2', '&status=3'][index % 3]}`)
  for (const target of [panel, floor]) await run(target, 1500, 8, next)
  const [ours, theirs] = [[], []] as Awaited<ReturnType<typeof run>>[][]
  for (let round = 0; round < 5; round++) {
    ours!.push(await run(panel, 800, 8, next))
    theirs!.push(await run(floor, 800, 8, next))
  }
  const [panelFigures, floorFigures] = [medianOf(ours!), medianOf(theirs!)]
  console.log(
    `${sizes.at(-1)!.toLocaleString('en')} leads, eight connections: p50 ${panelFigures.p50.toFixed(1)} / ${floorFigures.p50.toFixed(1)} ms, p99 ${panelFigures.p99.toFixed(1)} / ${floorFigures.p99.toFixed(1)} ms = ${ratio(panelFigures.p99, floorFigures.p99)} (wanted ≤ 3 ×), memory of the panel ${memoryOf(panel.pid).toFixed(0)} MB (wanted ≤ 200)`,
  )
}
