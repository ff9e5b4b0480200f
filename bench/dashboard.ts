import { Agent } from 'node:http'
import { sql } from 'kysely'
import { compactCounts } from '#features/crm/leads/record/server/lead-counts.ts'
import { compactProductSets } from '#features/crm/organizations/server/product-sets.queries.ts'
import { compactOpenTickets } from '#features/crm/support/server/open-ticket-counts.ts'
import { compactOpenTasks } from '#features/tasks/tasks/server/workload.queries.ts'
import { loadAreas } from './areas-load.ts'
import { cpuOf, send, type Target } from './measure.ts'
import { setUp, type Bench } from './setup.ts'

/*
 * `node bench/dashboard.ts` (`npm run bench:dashboard`): the reads of the dashboard, with a million leads, 200,000 tickets, and
 * 200,000 tasks, as a Super Admin and a support agent: the requests that the page sends, and each of their reads alone, with
 * nothing written in between, and after a write to a lead, a ticket, and a task. Then the numbers for all periods and products,
 * and those of each area. SCALE shrinks the sizes (0.2: a fifth); BENCH_DATA keeps the database for the next run.
 */

const today = '2026-11-20'
const scale = Number(process.env['SCALE'] ?? 1)
const repeats = Number(process.env['REPEATS'] ?? 15)
const wantedMs = 100
const users = ['super_admin', 'support']

const agent = new Agent({ keepAlive: true })
const bench = await setUp(1_000_000 * scale, today, users[0])
try {
  if (!bench.isLoaded) {
    await load(bench)
    bench.markLoaded()
  }
  const panel = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
  for (const user of users) await measureAs(panel, user)
} finally {
  await bench.stop()
}

interface Read {
  path: string
  query?: string
  body?: object
}

/** The reads of the page, by request: first those of the cards above, then the other cards, and the counts of the header. */
function requestsOf(id: number): Read[][] {
  return [
    [
      { path: '/admin/dashboard/cards', query: 'dashboard=all' },
      { path: '/admin/dashboard/numbers', query: `product_id=1&today=${today}&period=30` },
      { path: '/admin/users/lead-reminders' },
      { path: '/admin/support/unread-tickets-count' },
      { path: '/admin/notices', query: 'unread=1' },
      { path: '/admin/users/demo-schedule', query: `from=${today}&to=2026-11-26&timezone=UTC` },
      { path: '/common/quick-task', query: `status=0&filters=${encodeURIComponent(`{"person":${id}}`)}` },
      ...['/common/task', '/common/designertask'].map((path) => ({
        path,
        body: {
          assigned_to: id,
          status: [0, 1, 2, 3, 5, 6, 7],
          column: 'due_date',
          direction: 'asc',
          per_page: 20,
        },
      })),
      { path: '/admin/comments', query: 'state=0' },
      { path: '/admin/organization/reminders' },
      {
        path: '/admin/contract_list',
        query: 'finished=0&due_to=2026-12-20&column=due_date&direction=asc',
      },
    ],
    [
      { path: '/admin/users/demo-schedule', query: `from=${today}&to=2026-12-03&lead_for=1&timezone=UTC` },
      { path: '/common/task/progress-gaps', query: 'startDate=2026-11-13&endDate=2026-11-19' },
      { path: '/admin/articles/shown-in-admin', query: 'product_id=1' },
      { path: '/admin/dashboard' },
    ],
    [
      { path: '/admin/support/unnotified-task-count' },
      { path: '/admin/notices/unread' },
      { path: '/admin/messages/unread' },
    ],
  ]
}

async function measureAs(panel: Target, user: string): Promise<void> {
  const { id } = await bench.database.db
    .selectFrom('staff')
    .select('id')
    .where('user_name', '=', user)
    .executeTakeFirstOrThrow()
  const token = await bench.tokenOf(user)
  const measure = async (name: string, reads: readonly Read[], wanted?: number) => {
    const [same, written] = [await medianOf(panel, token, reads), await medianOf(panel, token, reads, write)]
    const cpuBefore = await cpuOfAll(panel)
    for (let index = 0; index < repeats; index++) await read(panel, token, reads)
    const cpu = ((await cpuOfAll(panel)) - cpuBefore) / repeats
    const verdict =
      wanted === undefined ? '' : `  ${written <= wanted ? '' : 'DOES NOT HOLD '}(wanted: ≤ ${wanted})`
    console.log(
      `${user.padEnd(12)} ${name.padEnd(64)} ${same.toFixed(1).padStart(6)} ms, after a write ${written.toFixed(1).padStart(6)} ms, CPU ${cpu.toFixed(0).padStart(3)} ms${verdict}`,
    )
  }
  const all = requestsOf(id)
  const allowed: Read[][] = []
  for (const reads of all) {
    const replies = await statusesOf(panel, token, reads)
    allowed.push(reads.filter((_, index) => replies[index] === 200))
  }
  for (const [index, reads] of allowed.entries())
    await measure(`request ${index + 1}, ${reads.length} reads`, reads, wantedMs)
  for (const read of allowed.flat()) await measure(`  ${read.path}`, [read])
  for (const product of ['product_id=1&', ''])
    for (const period of ['7', '30', '90', 'quarter'])
      await measure(
        `numbers, ${product ? 'one product' : 'all products'}, ${period}`,
        [{ path: '/admin/dashboard/numbers', query: `${product}today=${today}&period=${period}` }],
        wantedMs,
      )
  for (const read of [
    { path: '/admin/users/lead-numbers', query: `lead_for=1&period=quarter&today=${today}` },
    { path: '/admin/support/ticket-numbers', query: `period=quarter&today=${today}` },
    { path: '/admin/users/organization-numbers', query: `period=quarter&today=${today}` },
    { path: '/common/task/numbers', query: `product_id=1&period=quarter&today=${today}` },
    { path: '/common/task/workload', query: `product_id=1&today=${today}` },
    { path: '/admin/post-numbers', query: `product_id=1&period=quarter&today=${today}` },
  ])
    if ((await statusesOf(panel, token, [read]))[0] === 200) await measure(`  ${read.path}, quarter`, [read])
}

/** Loads all areas, with events spread over time as in use. */
async function load({ database: { db } }: Bench): Promise<void> {
  await loadAreas(
    db,
    {
      leads: 0,
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
    await sql`update organizations set created_at = ${today}::timestamptz - (organization_id % 1096) * interval '1 day'`.execute(
      trx,
    )
    await sql`update tasks set created_at = ${today}::timestamptz - (id % 1096) * interval '1 day',
      status_at = case when id % 2 = 0 then ${today}::timestamptz - (id % 1090) * interval '1 day' end`.execute(
      trx,
    )
    // What waits for someone is a month old at most. Without this, each person would have tens of thousands of reminders.
    const month = sql`${today}::date - 30`
    await sql`insert into reminders (staff_id, lead_id, due_on, done_at)
      select l.assign_to, l.lead_id, l.followup_date, case when l.followup_date < ${month} then now() end
      from leads l join staff s on s.id = l.assign_to
      where l.followup_date <= current_date and l.deleted_at is null and l.status <> 8 and s.banned_at is null`.execute(
      trx,
    )
    await sql`update tasks set is_customer_notified = true where status = 4 and created_at < ${month}`.execute(
      trx,
    )
    await sql`update tickets set unread_message_id = null where created_at < ${month}`.execute(trx)
    await sql`update tickets set assignee_id = 1 + id % 14 where id % 15 > 0`.execute(trx)
    await sql`delete from ticket_unread x using tickets t where t.id = x.ticket_id and t.created_at < ${month}`.execute(
      trx,
    )
  })
  // As every night.
  await compactCounts(db)
  await compactOpenTickets(db)
  await compactOpenTasks(db)
  await compactProductSets(db)
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

async function read(panel: Target, token: string, reads: readonly Read[]) {
  const { status, body } = await send(panel, agent, {
    method: 'POST',
    path: '/api/admin/reads',
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ reads }),
  })
  if (status !== 200) throw new Error(`${status}: ${body.slice(0, 300)}`)
  return body
}

/** Returns the CPU time of the panel and of the database's connections, in milliseconds, which other work barely changes. */
async function cpuOfAll({ pid }: Target): Promise<number> {
  const { rows } = await sql<{
    pid: number
  }>`select pid from pg_stat_activity where backend_type = 'client backend'`.execute(bench.database.db)
  return [pid, ...rows.map((row) => row.pid)].reduce((sum, one) => sum + cpuOf(one), 0)
}

async function statusesOf(panel: Target, token: string, reads: readonly Read[]): Promise<number[]> {
  const { replies } = JSON.parse(await read(panel, token, reads)) as { replies: { status: number }[] }
  return replies.map(({ status }) => status)
}

/** Returns the median time of a request in milliseconds, with nothing else running. */
async function medianOf(
  panel: Target,
  token: string,
  reads: readonly Read[],
  before?: () => Promise<void>,
): Promise<number> {
  const times: number[] = []
  for (let index = -3; index < repeats; index++) {
    await before?.()
    const sentAt = performance.now()
    await read(panel, token, reads)
    if (index >= 0) times.push(performance.now() - sentAt)
  }
  return times.sort((a, b) => a - b)[Math.floor(repeats / 2)]!
}
