import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { memoryOf, ratio, run, send, type Target } from './measure.ts'
import { setUp } from './setup.ts'
import { openMailServer } from '#server/mail/mail-server.testing.ts'

/*
 * The panel's work besides its lists: the lead list while an email goes to thousands, and its memory while large files arrive.
 * `LEADS` and `MAILS` change the sizes, `ONLY` (`mail` or `files`) what is measured.
 */

const leads = Number(process.env['LEADS'] ?? 200_000)
const mails = Number(process.env['MAILS'] ?? 10_000)
const only = process.env['ONLY']
/** Time in which a sent email can be called off; nothing leaves before. */
const heldMs = 60_000

const bench = await setUp(leads, '2026-11-20', 'super_admin')
const sink = await openMailServer()
const headers = { authorization: `Bearer ${bench.token}` }

try {
  const panel = await bench.start('panel', 'src/app/server/main.ts', {
    LOG_LEVEL: 'warn',
    SMTP_URL: sink.url,
    MAIL_FROM: 'Linen <panel@linen.example>',
  })
  const organization = await fillPeople()
  if (only !== 'files') await besideMail(panel)
  if (only !== 'mail') {
    await uploads(panel, 'documents (PDF)', `/admin/organization/${organization}/documents`, () => [
      pdf(6_250_000),
      pdf(6_250_000),
    ])
    const picture = await noise()
    await uploads(panel, 'pictures (JPEG)', '/admin/media/upload-media/1', () =>
      Array.from({ length: 2 }, () => ({ name: 'noise.jpg', bytes: withTail(picture) })),
    )
  }
} finally {
  await sink.close()
  await bench.stop()
}

async function fillPeople(): Promise<number> {
  const { db } = bench.database
  const { rows } = await sql<{
    id: number
  }>`insert into organizations (name, timezone, state, country, status, domain, created_by)
    values ('Aalto Linen', 'US/Eastern', '', 'Finland', 1, 'aalto.example', 1) returning organization_id as id`.execute(
    db,
  )
  const { id } = rows[0]!
  await sql`insert into organization_products values (${id}, 1)`.execute(db)
  await sql`insert into customer_users (organization_id, first_name, last_name, email, role_id, status, is_subscribed, created_by)
    select ${id}, 'Anna', 'Aalto ' || i, 'user' || i || '@aalto.example', 1, 1, 1, 1 from generate_series(1, ${mails}::int) i`.execute(
    db,
  )
  return id
}

/** Measures the slowest percent of the lead list, alone and while an email leaves. */
async function besideMail(panel: Target): Promise<void> {
  const list = { method: 'GET', path: '/api/admin/users/get-demo-requests', headers }
  const measure = () => run(panel, 400, 2, () => list)
  await run(panel, 1500, 2, () => list)
  const alone = [await measure(), await measure(), await measure()]
  const { rows } = await sql<{ id: number }>`select id from customer_users order by id`.execute(
    bench.database.db,
  )
  const body = JSON.stringify({
    subject: 'News',
    note: 'The presses are faster now.',
    user: rows.map(({ id }) => id),
  })
  const sentAt = performance.now()
  const answer = await send(panel, new Agent(), {
    method: 'POST',
    path: '/api/admin/users/send-email',
    headers,
    body,
  })
  const answeredMs = performance.now() - sentAt
  if (answer.status !== 200) throw new Error(`${answer.status} to the email: ${answer.body.slice(0, 300)}`)
  console.log(
    `\nAn email to ${mails.toLocaleString('en-US')}: answered within ${answeredMs.toFixed(0)} ms (wanted: ≤ 1000)`,
  )
  await wait(heldMs)
  while (sink.received.length === 0) await wait(100)
  const [beganAt, before] = [performance.now(), sink.received.length]
  const beside = [await measure(), await measure(), await measure()]
  const perSecond = ((sink.received.length - before) * 1000) / (performance.now() - beganAt)
  const p99 = (all: typeof alone) => all.map((one) => one.p99).sort((a, b) => a - b)[1]!
  console.log(
    `lead list, p99: ${p99(alone).toFixed(1)} ms alone, ${p99(beside).toFixed(1)} ms while ${perSecond.toFixed(0)} emails per second were sent: ${ratio(p99(beside), p99(alone))} (wanted: ≤ 3 ×)`,
  )
  while (sink.received.length < mails && performance.now() - beganAt < 600_000) await wait(500)
  const ids = new Set(sink.received.map(({ to }) => to[0]))
  console.log(
    `${sink.received.length} emails arrived at ${ids.size} addresses, the last ${((performance.now() - beganAt) / 1000).toFixed(0)} s after the first`,
  )
}

interface Part {
  name: string
  bytes: Buffer
}

/** Measures how much more memory the panel holds while eight requests send a hundred megabytes concurrently. */
async function uploads(panel: Target, what: string, path: string, parts: () => Part[]): Promise<void> {
  const put = async () => {
    const form = new FormData()
    let bytes = 0
    for (const part of parts()) {
      form.append('attachment[]', new Blob([new Uint8Array(part.bytes)]), part.name)
      bytes += part.bytes.length
    }
    const answer = await fetch(`${panel.origin}/api${path}`, { method: 'POST', headers, body: form })
    const text = await answer.text()
    if (answer.status !== 200 || text.includes('"errors":{"'))
      throw new Error(`${answer.status} to an upload: ${text.slice(0, 300)}`)
    return bytes
  }
  // Code that loads with the first file does not count.
  await put()
  await wait(2000)
  const before = memoryOf(panel.pid)
  let most = before
  const timer = setInterval(() => (most = Math.max(most, memoryOf(panel.pid))), 10)
  const beganAt = performance.now()
  const sizes = await Promise.all(Array.from({ length: 8 }, put))
  clearInterval(timer)
  const megabytes = sizes.reduce((sum, one) => sum + one, 0) / 1e6
  console.log(
    `Eight uploads of ${megabytes.toFixed(0)} MB of ${what} in ${((performance.now() - beganAt) / 1000).toFixed(1)} s: ${(most - before).toFixed(0)} MB more memory than the ${before.toFixed(0)} before (wanted: ≤ 60)`,
  )
}

function pdf(size: number): Part {
  return {
    name: 'large.pdf',
    bytes: Buffer.concat([Buffer.from('%PDF-1.4\n'), randomBytes(size), Buffer.from('\n%%EOF\n')]),
  }
}

/** Returns a picture that no encoding can compress. */
async function noise(): Promise<Buffer> {
  const [width, height] = [2800, 2000]
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Returns the same picture as another file, because equal ones are stored once. */
function withTail(picture: Buffer): Buffer {
  return Buffer.concat([picture, randomBytes(16)])
}
