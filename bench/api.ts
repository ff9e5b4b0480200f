import { Agent } from 'node:http'
import { isDeepStrictEqual } from 'node:util'
import { memoryOf, medianOf, ratio, run, send, type Call, type Figures, type Target } from './measure.ts'
import { setUp } from './setup.ts'

/*
 * The lead list and the lead create compared with the floor, interleaved in one run. Figures of one machine mean nothing on
 * another; the ratios do. LEADS, ROUNDS, REQUESTS, WARM_UP and ONLY (list or create) change what is measured.
 */

const today = '2026-11-20'
const leads = Number(process.env['LEADS'] ?? 200_000)
const rounds = Number(process.env['ROUNDS'] ?? 9)
const requests = Number(process.env['REQUESTS'] ?? 800)
const warmUp = Number(process.env['WARM_UP'] ?? 4000)
const connections = 8

const bench = await setUp(leads, today)
const headers = { authorization: `Bearer ${bench.token}` }

const lists = [1, 2, 3, 4].flatMap((product) => [
  `lead_for=${product}&today=${today}`,
  `lead_for=${product}&today=${today}&page=2`,
  `lead_for=${product}&today=${today}&status=3`,
  `lead_for=${product}&today=${today}&fromDate=2025-03-01&toDate=2025-03-31`,
])
const list = (index: number): Call => ({
  method: 'GET',
  path: `/api/admin/users/get-demo-requests?${lists[index % lists.length]}`,
  headers,
})

let created = 0
const create = (): Call => {
  created += 1
  const body = {
    companyName: `Bench ${created}`,
    contactName: 'Anna Aalto',
    phone: '+49 30 1234567',
    email: `bench${created}@company.example`,
    country: 'Germany',
    lead_for: 1 + (created % 4),
    services: null,
    assign_to: 3,
    status: 2,
    lead_date: today,
    tag_ids: [1 + (created % 3)],
  }
  return {
    method: 'POST',
    path: '/api/admin/users/save-demo-requests',
    headers: { ...headers, 'idempotency-key': `bench-key-${created}` },
    body: JSON.stringify(body),
  }
}

try {
  const startedAt = performance.now()
  const panel = await bench.start('panel', 'src/app/server/main.ts', {
    LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
  })
  const startMs = performance.now() - startedAt
  const floor = await bench.start('floor', 'bench/floor.ts')
  const lean = await bench.start('lean floor', 'bench/floor.ts', { LEAN: '1' })
  for (const one of [floor, lean]) await sameReplies(panel, one)
  console.log(
    `${leads.toLocaleString('en')} leads, ${rounds} rounds of ${requests} requests over ${connections} connections, panel and floor by turns; medians of the rounds`,
  )
  if (process.env['ONLY'] !== 'create') await compare('lead list', [panel, floor, lean], list)
  if (process.env['ONLY'] !== 'list') await compare('lead create', [panel, floor], create)
  console.log(
    `\nProcess start to listening on a warm database: ${startMs.toFixed(0)} ms (wanted ≤ 1500). Memory of the panel after this: ${memoryOf(panel.pid).toFixed(0)} MB.`,
  )
} finally {
  await bench.stop()
}

/** Throws unless the floor gives the same replies as the panel: otherwise the comparison is meaningless. */
async function sameReplies(panel: Target, floor: Target): Promise<void> {
  const agent = new Agent({ keepAlive: true })
  for (let index = 0; index < lists.length; index++) {
    const [ours, theirs] = [await send(panel, agent, list(index)), await send(floor, agent, list(index))]
    if (ours.status !== 200 || !isDeepStrictEqual(JSON.parse(ours.body), JSON.parse(theirs.body)))
      throw new Error(
        `The replies differ for ${list(index).path}:\n${ours.body.slice(0, 500)}\n${theirs.body.slice(0, 500)}`,
      )
  }
  const shape = ({ body }: { body: string }): unknown =>
    JSON.parse(
      body.replace(
        /"(lead_id|companyName|email|created_at|updated_at|lead_for|tag_ids)":("[^"]*"|\[[^\]]*\]|\d+)/g,
        '"$1":"*"',
      ),
    )
  const [ours, theirs] = [await send(panel, agent, create()), await send(floor, agent, create())]
  if (!isDeepStrictEqual(shape(ours), shape(theirs)))
    throw new Error(`The replies differ for a create:\n${ours.body}\n${theirs.body}`)
  agent.destroy()
}

/** Compares the first target with each of the others. */
async function compare(
  what: string,
  targets: readonly Target[],
  next: (index: number) => Call,
): Promise<void> {
  const figures = targets.map((): Figures[] => [])
  // All run warm, because the work of a day is measured, not its first minute. Then in turns, starting with another one each time.
  for (const target of targets) await run(target, warmUp, connections, next)
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < targets.length; turn++) {
      const at = (round + turn) % targets.length
      figures[at]!.push(await run(targets[at]!, requests, connections, next))
    }
  }
  const [ours, ...floors] = figures.map(medianOf) as [Figures, ...Figures[]]
  const line = (name: string, of: (one: Figures) => number, digits: number, unit: string) => {
    const figure = (one: Figures) => `${of(one).toFixed(digits).padStart(9)} ${unit.padEnd(4)}`
    console.log(
      `  ${name.padEnd(20)} ${figure(ours)}${floors.map((floor) => `  ${figure(floor)} ${ratio(of(ours), of(floor))}`).join('')}`,
    )
  }
  console.log(
    `\n${what}: ${targets.map(({ name }) => name).join(', ')}; the ratio is that of the panel to each`,
  )
  line('CPU per request', (one) => one.cpuMs * 1000, 0, 'µs')
  line('requests per second', (one) => one.perSecond, 0, '')
  line('p50', (one) => one.p50, 2, 'ms')
  line('p99', (one) => one.p99, 2, 'ms')
}
