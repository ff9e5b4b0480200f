import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { PgBoss } from 'pg-boss'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { countMails, letTenMinutesPass, untilSent } from '#app/testing/deliveries.testing.ts'
import {
  countActs,
  plan,
  runRetryingFailures,
  runUntilFailure,
  type Counts,
  type Person,
} from '#app/testing/lead-changes.testing.ts'
import {
  isRunning,
  killAll,
  clusterConnection,
  killPanel,
  openDatabaseOf,
  postmasterOf,
  signIn,
  startPanel,
  stopPanel,
  type Panel,
} from '#app/testing/panel.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'
import { fastTempDir } from '#server/db/testing.ts'

/*
 * Faults of the server and its database under load, tested on the panel running as in production; findings:
 * docs/faults.md.
 */

/**
 * Data folder of a stopped panel with the demo data and eight sessions; copying it is faster than creating a
 * new one for each test.
 */
let templateDir: string
const tokens: string[] = []

beforeAll(async () => {
  templateDir = mkdtempSync(join(fastTempDir(), 'panel-faults-'))
  const panel = await startPanel(templateDir)
  for (const name of ['super_admin', 'admin', 'crm', 'digital_marketing'])
    tokens.push(await signIn(panel, name), await signIn(panel, name))
  await stopPanel(panel)
}, 300_000)
afterAll(() => rmSync(templateDir, { recursive: true, force: true }))

/** Returns a copy of the data folder, which is removed when the test ends. */
function copyTemplate(): string {
  const folder = mkdtempSync(join(fastTempDir(), 'panel-faults-'))
  // -a preserves owners and modes.
  execFileSync('cp', ['-a', `${templateDir}/.`, folder])
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

async function start(dataDir: string, options: Parameters<typeof startPanel>[1] = {}): Promise<Panel> {
  const panel = await startPanel(dataDir, options)
  onTestFinished(() => killAll(panel))
  return panel
}

const gather = ({ url }: Panel, name: string, actsOfEach: number) =>
  Promise.all(tokens.map((token, index) => plan(url, token, `${name}-${index}`, actsOfEach)))

async function count(panel: Panel, people: readonly Person[], when: string): Promise<Counts> {
  const { db, close } = openDatabaseOf(panel)
  try {
    const counts = await countActs(db, people)
    console.log(`${when}: ${JSON.stringify(counts)}`)
    return counts
  } finally {
    await close()
  }
}

/** Returns a callback that runs the action once, on its nth call. */
function onNthCall(time: number, action: () => void): () => void {
  let times = 0
  return () => {
    times += 1
    if (times === time) action()
  }
}

/** Number of changes; `CHANGES=1000` sets a higher number. */
const all = Number(process.env['CHANGES'] ?? 400)
const ofEach = all / 8

test('panel and database are killed during hundreds of changes: no acknowledged change is lost, and retries are stored once', async () => {
  const dataDir = copyTemplate()
  const first = await start(dataDir)
  const people = await gather(first, 'killed', ofEach)
  let killed = Promise.resolve()
  await runUntilFailure(
    first.url,
    people,
    onNthCall(all / 2, () => {
      killed = killAll(first)
    }),
  )
  await killed
  const second = await start(dataDir)
  const afterKill = await count(second, people, 'after the kill')
  expect(afterKill).toMatchObject({ lost: 0, doubled: 0, uneven: 0 })
  expect(afterKill.acknowledged).toBeGreaterThanOrEqual(all / 2)
  // If this fails, the kill did not interrupt the work.
  expect(afterKill.indeterminate).toBeGreaterThan(0)

  await runUntilFailure(second.url, people)
  expect(await count(second, people, 'after the repetition')).toEqual({
    acknowledged: all,
    lost: 0,
    indeterminate: 0,
    doubled: 0,
    once: all,
    uneven: 0,
  })
}, 300_000)

/** Number of kills; `KILLS=10` sets a higher number. */
const kills = Number(process.env['KILLS'] ?? 2)

test(
  'the panel is killed under load again and again, every other time with its database, and restarted immediately: it starts, and no acknowledged change is lost',
  async () => {
    const dataDir = copyTemplate()
    let panel = await start(dataDir)
    const people: Person[] = []
    for (let time = 0; time < kills; time++) {
      const killed = panel
      const working = await gather(killed, `time-${time}`, 20)
      people.push(...working)
      let gone = Promise.resolve()
      await runUntilFailure(
        killed.url,
        working,
        onNthCall(60, () => {
          gone = time % 2 ? killAll(killed) : killPanel(killed)
        }),
      )
      panel = await start(dataDir)
      await gone
    }
    const after = await count(panel, people, `after ${kills} kills`)
    expect(after).toMatchObject({ lost: 0, doubled: 0, uneven: 0 })
    expect(after.acknowledged).toBeGreaterThanOrEqual(60 * kills)
  },
  60_000 * kills,
)

test('control: for a panel that drops commits the same count finds lost changes', async () => {
  const dataDir = copyTemplate()
  const honest = await start(dataDir)
  const people = await gather(honest, 'dropped', 20)
  await stopPanel(honest)
  const dropping = await start(dataDir, { preload: join(import.meta.dirname, 'drop-commits.testing.ts') })
  let killed = Promise.resolve()
  await runUntilFailure(
    dropping.url,
    people,
    onNthCall(80, () => {
      killed = killAll(dropping)
    }),
  )
  await killed
  const second = await start(dataDir)
  expect((await count(second, people, 'control, after the kill')).lost).toBeGreaterThan(0)
  await runUntilFailure(second.url, people)
  const repeated = await count(second, people, 'control, after the repetition')
  expect(repeated.lost).toBeGreaterThan(0)
  expect(repeated.once).toBeLessThan(160)
  expect(repeated).toMatchObject({ doubled: 0, uneven: 0 })

  // This check also detects a lead that exists twice, and a version that was incremented without a change.
  const { db, close } = openDatabaseOf(second)
  await sql`insert into leads (company_name, lead_for) select company_name, lead_for from leads where company_name like 'dropped-0 %' limit 1`.execute(
    db,
  )
  await db.updateTable('leads').set({ version: 99 }).where('lead_id', '=', people[0]!.lead_id).execute()
  await close()
  expect(await count(second, people, 'control, made worse')).toMatchObject({ doubled: 1, uneven: 2 })
}, 300_000)

/** The clients give up on the database if no request succeeds for this long. */
const giveUpMs = 60_000

test.each(['SIGKILL', 'SIGINT'] as const)(
  'the database dies by %s under load: the panel keeps running, answers again, and loses nothing',
  async (signal) => {
    const panel = await start(copyTemplate())
    const people = await gather(panel, signal, 30)
    const before = postmasterOf(panel)
    const load = await runRetryingFailures(
      panel.url,
      people,
      giveUpMs,
      onNthCall(80, () => process.kill(before, signal)),
    )
    console.log(
      `${signal} of the database: ${Math.round(load.gapMs)} ms without success, answers ${[...load.statuses].join(', ')}`,
    )
    expect(isRunning(panel.child), panel.words()).toBe(true)
    expect(postmasterOf(panel)).not.toBe(before)
    expect([200, 503]).toEqual(expect.arrayContaining([...load.statuses]))
    expect(load.gapMs).not.toBe(Infinity)
    expect(await count(panel, people, `after ${signal}`)).toEqual({
      acknowledged: 240,
      lost: 0,
      indeterminate: 0,
      doubled: 0,
      once: 240,
      uneven: 0,
    })
  },
  300_000,
)

test('control: for a panel that does not return, the same load says so', async () => {
  const panel = await start(copyTemplate())
  const people = await gather(panel, 'gone', 10)
  const load = await runRetryingFailures(
    panel.url,
    people,
    500,
    onNthCall(20, () => void killPanel(panel)),
  )
  expect(load.gapMs).toBe(Infinity)
  expect(load.statuses).toContain(undefined)
  expect(isRunning(panel.child)).toBe(false)
}, 300_000)

test('the panel is killed while it sends ten emails: each arrives once, except for the one in progress, which is sent again with its Message-ID', async () => {
  const server = await startMailServer()
  const dataDir = copyTemplate()
  const first = await start(dataDir, { env: { SMTP_URL: server.url } })
  const addresses = Array.from({ length: 10 }, (_, index) => `lead${index}@hotel.example`)
  // The SMTP server accepts this email, but the panel is killed before it gets the response.
  const underWay = addresses[3]!
  server.unanswered.add(underWay)
  const { lead_id } = await plan(first.url, tokens[0]!, 'mails', 0)
  for (const lead_email of addresses) await sendMail(first, { lead_id, lead_name: 'Aalto', lead_email })
  await expect
    .poll(() => server.received.some(({ to }) => to[0] === underWay), { timeout: 40_000 })
    .toBe(true)
  await killPanel(first)
  const before = countMails(server.received, addresses)
  expect(before.missing).toBeGreaterThan(0)

  const aged = await letTenMinutesPass(first)
  const second = await start(dataDir, { env: { SMTP_URL: server.url } })
  await expect.poll(() => countMails(server.received, addresses).missing, { timeout: 40_000 }).toBe(0)
  await expect.poll(() => countMails(server.received, addresses).twice.length, { timeout: 40_000 }).toBe(1)
  await untilSent(second, addresses.length)
  const after = countMails(server.received, addresses)
  console.log(
    `emails when the panel was killed: ${JSON.stringify({ ...before, indeterminate: aged })}, after the restart: ${JSON.stringify(after)}`,
  )
  expect(aged).toBe(1)
  expect(after).toEqual({ arrived: 11, missing: 0, twice: [underWay], messageIds: 10 })
}, 300_000)

/** Number of recipients; `MAILS=10000` sets a higher number. */
const mails = Number(process.env['MAILS'] ?? 150)

test(
  `the panel is killed during an email to ${mails}: each recipient gets it once, except for the two in progress`,
  async () => {
    const server = await startMailServer()
    const dataDir = copyTemplate()
    const waiting = await start(dataDir)
    const addresses = Array.from({ length: mails }, (_, index) => `guest${index}@hotel.example`)
    // The panel sends over two connections, and both stop at one of these emails, so it is killed before the end.
    const underWay = [Math.floor(mails / 2), Math.floor(mails / 2) + 1].map((index) => addresses[index]!)
    for (const address of underWay) server.unanswered.add(address)
    const outbox = openDatabaseOf(waiting)
    await sql`with mail as (insert into mails (kind, subject, html, text, message_id, bulk) values ('test', 'News', '<p>x</p>', 'x', '<news@localhost>', true) returning id)
    insert into mail_recipients (mail_id, address) select id, unnest(${addresses}::text[]) from mail`.execute(
      outbox.db,
    )
    await outbox.close()
    await stopPanel(waiting)

    const first = await start(dataDir, { env: { SMTP_URL: server.url } })
    await expect.poll(() => server.unanswered.size, { timeout: 40_000 + mails * 20, interval: 5 }).toBe(0)
    await killPanel(first)
    const before = countMails(server.received, addresses)
    expect(before.missing).toBeGreaterThan(0)

    const aged = await letTenMinutesPass(first)
    const second = await start(dataDir, { env: { SMTP_URL: server.url } })
    await untilSent(second, addresses.length)
    const after = countMails(server.received, addresses)
    console.log(
      `a bulk email when the panel was killed: ${JSON.stringify(before)}, under way ${aged}, after the restart: ${JSON.stringify(after)}`,
    )
    expect(aged).toBe(2)
    expect(after).toMatchObject({ missing: 0, messageIds: 1, twice: underWay })
  },
  300_000 + mails * 40,
)

const send = ({ url }: Panel, path: string, key: string, body: object) =>
  fetch(`${url}/api/admin/users/${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Authorization: `Bearer ${tokens[0]}`,
      'Idempotency-Key': key,
    },
    body: JSON.stringify(body),
  })

test('panel and database are killed while leads are won: each is won completely or not at all, and retries win it once', async () => {
  const dataDir = copyTemplate()
  const first = await start(dataDir)
  const before = openDatabaseOf(first)
  const { rows } = await sql<{
    lead_id: number
  }>`insert into leads (company_name, contact_name, email, lead_for)
    select 'Won ' || n, 'Ida', 'ida' || n || '@won.example', 1 from generate_series(1, 80) n returning lead_id`.execute(
    before.db,
  )
  await before.close()
  const acknowledged = new Set<number>()
  let killed: Promise<void> | undefined
  /** Wins the leads, eight at a time, until a request gets no response. */
  const winAll = async (panel: Panel, ids: number[]) => {
    const left = [...ids]
    const one = async () => {
      for (let id = left.pop(); id !== undefined; id = left.pop()) {
        const answer = await send(panel, 'lead-create-organization', `win-lead-${id}`, { lead_id: id }).catch(
          () => undefined,
        )
        if (answer?.status === 200) acknowledged.add(id)
        else if (answer === undefined) return
        if (acknowledged.size >= 30) killed ??= killAll(panel)
      }
    }
    await Promise.all(Array.from({ length: 8 }, one))
  }
  await winAll(
    first,
    rows.map(({ lead_id }) => lead_id),
  )
  await killed

  const second = await start(dataDir)
  const { db, close } = openDatabaseOf(second)
  const look = async () => {
    const found = await sql<{
      lead_id: number
      won: boolean
      parts: number
    }>`select l.lead_id, l.organization_id is not null as won,
        (l.status = (select id from lead_statuses where is_won))::int
        + (select count(*) from organizations o where o.name = l.company_name)::int
        + (select count(*) from onboardings b where b.lead_id = l.lead_id and b.organization_id = l.organization_id)::int
        + (select count(*) from customer_users u where u.email = l.email and u.organization_id = l.organization_id)::int as parts
      from leads l where l.company_name like 'Won %'`.execute(db)
    const won = found.rows.filter((row) => row.won)
    return {
      won: won.length,
      halves: found.rows.filter((row) => row.parts !== (row.won ? 4 : 0)).length,
      lost: [...acknowledged].filter((id) => !won.some(({ lead_id }) => lead_id === id)).length,
    }
  }
  const after = await look()
  console.log(
    `won when the panel was killed: ${JSON.stringify({ acknowledged: acknowledged.size, ...after })}`,
  )
  expect(after).toMatchObject({ halves: 0, lost: 0 })
  // If this fails, the kill did not interrupt the work.
  expect(after.won).toBeLessThan(80)
  await winAll(
    second,
    rows.map(({ lead_id }) => lead_id).filter((id) => !acknowledged.has(id)),
  )
  expect([acknowledged.size, await look()]).toEqual([80, { won: 80, halves: 0, lost: 0 }])
  await close()
}, 300_000)

test('panel and database are killed during a change of three thousand organizations: after the restart it is finished, each changed once', async () => {
  const dataDir = copyTemplate()
  const first = await start(dataDir)
  const watching = openDatabaseOf(first)
  await sql`with made as (insert into organizations (name, status) select 'Bulk ' || n, 1 from generate_series(1, 3000) n returning organization_id)
    insert into organization_products (organization_id, product_id) select organization_id, 1 from made`.execute(
    watching.db,
  )
  const look = async ({ db }: Pick<typeof watching, 'db'>) =>
    (
      await sql<{
        changed: number
        audited: number
        named: number
      }>`with those as (select organization_id, status from organizations where name like 'Bulk %')
      select (select count(*)::int from those where status = 3) as changed, count(a.id)::int as audited, count(distinct a.target_id)::int as named
      from audit_log a where a.target_type = 'organization' and a.target_id in (select organization_id from those)`.execute(
        db,
      )
    ).rows[0]!
  let isKilled = false
  await watching.db
    .transaction()
    .execute(async (tx) => {
      // The last batch waits for this lock until everything is killed.
      await sql`select from organizations where name = 'Bulk 3000' for update`.execute(tx)
      const answer = await send(first, 'change-organization-status/matching', 'bulk-change', {
        filters: { search: 'bulk ' },
        status: 3,
        expected: 3000,
      })
      expect(answer.status).toBe(200)
      await expect.poll(async () => (await look(watching)).changed, { interval: 1 }).toBeGreaterThan(0)
      await killAll(first)
      isKilled = true
    })
    .catch((error: unknown) => {
      if (!isKilled) throw error
    })
  await watching.close().catch(() => {})

  const second = await start(dataDir)
  expect(await restartKilledJobs(second)).toBe(1)
  const { db, close } = openDatabaseOf(second)
  await expect
    .poll(() => look({ db }), { timeout: 300_000, interval: 100 })
    .toEqual({ changed: 3000, audited: 3000, named: 3000 })
  await close()
}, 420_000)

test('panel and database are killed during an upload: the first sweep removes the partial file, and acknowledged files stay', async () => {
  const dataDir = copyTemplate()
  const folder = join(dataDir, 'files')
  const first = await start(dataDir)
  const before = readdirSync(folder)
  const form = new FormData()
  form.append('file', new Blob(['two presses']), 'whole.txt')
  const whole = await fetch(`${first.url}/api/files/stage`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens[0]}` },
    body: form,
  })
  expect(whole.status).toBe(200)
  const { id } = ((await whole.json()) as { data: { id: number } }).data
  const kept = readdirSync(folder).filter((name) => !before.includes(name))
  expect(kept).toHaveLength(1)

  const { hostname, port, host } = new URL(first.url)
  const socket = connect(Number(port), hostname).on('error', () => {})
  const head = '--x\r\nContent-Disposition: form-data; name="file"; filename="half.txt"\r\n\r\n'
  socket.write(
    `POST /api/files/stage HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${tokens[0]}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n${head}${'x'.repeat(3_000_000)}`,
  )
  const halves = () =>
    readdirSync(folder).filter(
      (name) => name.endsWith('.part') && statSync(join(folder, name)).size > 1_000_000,
    )
  await expect.poll(halves, { interval: 5 }).toHaveLength(1)
  await killAll(first)
  socket.destroy()
  // Control: without the sweep, the file would remain.
  const left = halves()
  expect(left).toHaveLength(1)
  const hoursAgo = new Date(Date.now() - 7_200_000)
  for (const name of [...left, ...kept]) utimesSync(join(folder, name), hoursAgo, hoursAgo)

  const second = await start(dataDir)
  await expect.poll(halves).toEqual([])
  expect(readdirSync(folder).toSorted()).toEqual([...before, ...kept].toSorted())
  const { db, close } = openDatabaseOf(second)
  const { rows } = await sql<{
    id: number
    stored_name: string
  }>`select id, stored_name from files where name in ('whole.txt', 'half.txt')`.execute(db)
  await close()
  expect(rows).toEqual([{ id, stored_name: kept[0] }])
  expect(readFileSync(join(folder, kept[0]!), 'utf8')).toBe('two presses')
}, 300_000)

/**
 * Lets the minute pass after which the queue looks for jobs without heartbeats; returns the number of jobs
 * that a killed process has left.
 */
async function restartKilledJobs(panel: Panel): Promise<number> {
  const { db, close } = openDatabaseOf(panel)
  const { numAffectedRows } =
    await sql`update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute'
      where state = 'active' and started_on < pg_postmaster_start_time()`.execute(db)
  await close()
  const boss = new PgBoss({
    ...clusterConnection(panel),
    max: 1,
    migrate: false,
    schedule: false,
    supervise: false,
    monitorIntervalSeconds: 1,
  })
  await boss.start()
  await boss.supervise()
  await boss.stop({ graceful: false })
  return Number(numAffectedRows)
}

async function sendMail({ url }: Panel, mail: object): Promise<void> {
  const answer = await fetch(`${url}/api/admin/users/send-prospection-mail`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${tokens[0]}` },
    body: JSON.stringify(mail),
  })
  expect(answer.status, await answer.text()).toBe(200)
}
