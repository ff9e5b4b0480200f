import { Agent } from 'node:http'
import { sql } from 'kysely'
import { loadAreas } from './areas-load.ts'
import { send, type Target } from './measure.ts'
import { setUp, type Bench } from './setup.ts'

/*
 * `node bench/dashboard.ts`: the request for the numbers of the whole dashboard, with a million leads, 200,000 tickets, and
 * 200,000 tasks, for all periods and for one product and all; with nothing written in between, and after a write to a lead, a
 * ticket, and a task. Then each area alone. SCALE shrinks the sizes (0.2: a fifth).
 */

const today = '2026-11-20'
const scale = Number(process.env['SCALE'] ?? 1)
const repeats = Number(process.env['REPEATS'] ?? 15)
const wantedMs = 100

const agent = new Agent({ keepAlive: true })
const bench = await setUp(1_000_000 * scale, today, 'super_admin')
try {
  await load(bench)
  const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
  for (const product of ['product_id=1&', ''])
    for (const period of ['7', '30', '90', 'quarter']) {
      const path = `/admin/dashboard/numbers?${product}today=${today}&period=${period}`
      const [same, written] = [await medianOf(panel, path), await medianOf(panel, path, write)]
      console.log(
        `${(product ? 'one product' : 'all products').padEnd(14)} ${period.padEnd(8)} ${same.toFixed(1).padStart(6)} ms, after a write ${written.toFixed(1).padStart(6)} ms  ${written <= wantedMs ? '' : 'DOES NOT HOLD '}(wanted: ≤ ${wantedMs})`,
      )
    }
  for (const path of [
    `/admin/users/lead-numbers?lead_for=1&period=quarter&today=${today}`,
    `/admin/support/ticket-numbers?period=quarter&today=${today}`,
    `/admin/users/organization-numbers?period=quarter&today=${today}`,
    `/common/task/numbers?product_id=1&period=quarter&today=${today}`,
    `/common/task/workload?product_id=1&today=${today}`,
    `/admin/post-numbers?product_id=1&period=quarter&today=${today}`,
  ])
    console.log(
      `${path.split('?')[0]!.padEnd(36)} ${(await medianOf(panel, path)).toFixed(1).padStart(6)} ms, after a write ${(await medianOf(panel, path, write)).toFixed(1).padStart(6)} ms`,
    )
} finally {
  await bench.stop()
}

/** Loads all areas, with events spread over time as in use. */
async function load({ database: { db } }: Bench): Promise<void> {
  await loadAreas(
    db,
    {
      organizations: 20_000 * scale,
      users: 100_000 * scale,
      tickets: 200_000 * scale,
      logs: 100_000 * scale,
      chat: 1000,
      articles: 10_000 * scale,
      comments: 50_000 * scale,
      faqs: 100,
      tasks: 200_000 * scale,
      activities: 200_000 * scale,
      quickTasks: 20_000 * scale,
      reports: 200_000 * scale,
    },
    today,
  )
  await db.transaction().execute(async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx)
    await sql`update leads set status_at = lead_date + interval '20 days 9 hours'
      where status in (select id from lead_statuses where is_won) or status = 8`.execute(trx)
    // Without triggers, which would compute the clocks of a ticket again for each of its messages.
    await sql`alter table ticket_messages disable trigger user`.execute(trx)
    await sql`update tasks set created_at = ${today}::timestamptz - (id % 1096) * interval '1 day',
      status_at = case when id % 2 = 0 then ${today}::timestamptz - (id % 1090) * interval '1 day' end`.execute(
      trx,
    )
    await sql`update ticket_messages m set created_at = t.created_at + (m.id % 90) * interval '17 minutes'
      from tickets t where t.id = m.ticket_id`.execute(trx)
    await sql`alter table ticket_messages enable trigger user`.execute(trx)
    await sql`update tickets t set first_answer_at = m.at from (
        select ticket_id, min(created_at) as at from ticket_messages where sent_by_admin group by 1
      ) m where m.ticket_id = t.id`.execute(trx)
  })
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`vacuum analyze`.execute(connection)
  })
}

async function write(): Promise<void> {
  const { db } = bench.database
  await sql`update leads set color = 1 - color % 2 where lead_id = (select min(lead_id) from leads)`.execute(
    db,
  )
  await sql`update tickets set priority = priority where id = 1`.execute(db)
  await sql`update tasks set priority = priority where id = (select min(id) from tasks)`.execute(db)
}

/** Returns the median time of a request in milliseconds, with nothing else running. */
async function medianOf(panel: Target, path: string, before?: () => Promise<void>): Promise<number> {
  const times: number[] = []
  for (let index = -3; index < repeats; index++) {
    await before?.()
    const sentAt = performance.now()
    const { status, body } = await send(panel, agent, {
      method: 'GET',
      path: `/api${path}`,
      headers: { authorization: `Bearer ${bench.token}` },
    })
    if (status !== 200) throw new Error(`${status} to ${path}: ${body.slice(0, 300)}`)
    if (index >= 0) times.push(performance.now() - sentAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(repeats / 2)]!
}
