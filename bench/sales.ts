import { Agent } from 'node:http'
import { sql } from 'kysely'
import { send, type Target } from './measure.ts'
import { setUp, type Bench } from './setup.ts'

/*
 * `node bench/sales.ts` (`npm run bench:sales`): the most frequent reads of a sales team, with a tenth of the leads and with
 * all of them. Medians of a request alone. LEADS is the number of leads, a million if it is missing.
 */

const today = '2026-11-20'
const leads = Number(process.env['LEADS'] ?? 1_000_000)
const repeats = 15
const agent = new Agent({ keepAlive: true })
const all = `lead_for=1&today=${today}&fromDate=all&toDate=all`
/** As the panel's page requests it: `lead-summary` has the exact number beyond the cap (docs/decisions/034). */
const page = `get-demo-requests?${all}&count=capped`

/** The reads by name: the path with its query, and the most milliseconds that it may take. */
const readsOf = (field: number, ids: readonly number[]): Record<string, [path: string, mostMs: number]> => ({
  'list, three filters and a custom field': [
    `${page}&status=3&color=2&assigned_filter=assigned&custom_filter[]=${field}:in:10..200`,
    100,
  ],
  'list, three letters': [`${page}&search=lin`, 100],
  'list, a company': [`${page}&search=aalto+hotels`, 100],
  'list, a part of a phone number': [`${page}&search=0001234`, 100],
  board: [`lead-board?${all}`, 150],
  'board of the month': [`lead-board?lead_for=1&today=${today}`, 150],
  'count and sums': [`lead-summary?${all}`, 150],
  'count and sums, three letters': [`lead-summary?${all}&search=lin`, 150],
  'further columns of a page': [
    `lead-columns?ids=${ids.join(',')}&fields=timezone,created_at,last_activity,other_contacts,details`,
    100,
  ],
  'duplicates by phone number': [
    `lead-duplicates?lead_for=1&phone=${encodeURIComponent('+49 30 0001234')}`,
    100,
  ],
})

const times = new Map<string, number[]>()
for (const size of [leads / 10, leads]) await measureAt(size)
for (const [name, [small, large]] of times) {
  const most = readsOf(0, [1])[name]![1]
  console.log(
    `${name.padEnd(40)} ${small!.toFixed(1).padStart(8)} ms ${large!.toFixed(1).padStart(8)} ms  ${large! <= most ? 'holds' : 'DOES NOT HOLD'}: ≤ ${most} ms`,
  )
}

async function measureAt(size: number): Promise<void> {
  const bench = await setUp(size, today)
  try {
    const field = await addValues(bench)
    const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
    const { rows } = await sql<{
      id: number
    }>`select lead_id as id from leads where lead_for = 1 order by lead_id desc limit 20`.execute(
      bench.database.db,
    )
    for (const [name, [path]] of Object.entries(
      readsOf(
        field,
        rows.map(({ id }) => id),
      ),
    )) {
      const ms = await medianOf(panel, bench, path)
      times.set(name, [...(times.get(name) ?? []), ms])
    }
  } finally {
    await bench.stop()
  }
}

/** Adds a custom field of the first product, which half of its leads have; returns its ID. */
async function addValues({ database: { db } }: Bench): Promise<number> {
  const { id } = await db
    .insertInto('custom_fields')
    .values({ product_id: 1, name: 'Number of sites', type: 'number', position: 1 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`update leads set custom_values = jsonb_build_object(${String(id)}::text, lead_id % 500)
      where lead_for = 1 and lead_id % 8 = 0`.execute(connection)
    await sql`vacuum analyze leads`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
  return id
}

async function medianOf(panel: Target, { token }: Bench, path: string): Promise<number> {
  const found: number[] = []
  for (let index = -3; index < repeats; index++) {
    const sentAt = performance.now()
    const { status, body } = await send(panel, agent, {
      method: 'GET',
      path: `/api/admin/users/${path}`,
      headers: { authorization: `Bearer ${token}` },
    })
    if (status !== 200) throw new Error(`${status} to ${path}: ${body.slice(0, 300)}`)
    if (index >= 0) found.push(performance.now() - sentAt)
  }
  return found.sort((one, other) => one - other)[Math.floor(repeats / 2)]!
}
