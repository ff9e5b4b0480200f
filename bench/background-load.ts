import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import sharp from 'sharp'
import { memoryOf, ratio, run, send, type Target } from './measure.ts'
import { setUp } from './setup.ts'
import { openMailServer } from '#server/mail/mail-server.testing.ts'

/*
 * The panel's work besides its lists: the lead list while an email goes to thousands and while a thousand emails a
 * minute arrive, and its memory while large files arrive. `LEADS` and `MAILS` change the sizes, `ONLY` (`mail`,
 * `inbound`, or `files`) what is measured.
 */

const leads = Number(process.env['LEADS'] ?? 200_000)
const mails = Number(process.env['MAILS'] ?? 10_000)
const only = process.env['ONLY']
/** Time in which a sent email can be called off; nothing leaves before. */
const heldMs = 60_000

const inboundSecret = randomBytes(24).toString('hex')
const inboundPerMinute = 1000

const bench = await setUp(leads, '2026-11-20', 'super_admin')
const sink = await openMailServer()
const headers = { authorization: `Bearer ${bench.token}` }
const list = { method: 'GET', path: '/api/admin/users/get-demo-requests', headers }

try {
  const panel = await bench.start('panel', 'src/app/server/main.ts', {
    LOG_LEVEL: 'warn',
    SMTP_URL: sink.url,
    MAIL_FROM: 'Linen <panel@linen.example>',
    INBOUND_SECRET: inboundSecret,
    INBOUND_ADDRESS: 'replies@linen.example',
  })
  const organization = await fillPeople()
  if (only === undefined || only === 'inbound') await besideInbound(panel)
  if (only === undefined || only === 'mail') await besideMail(panel)
  if (only === undefined || only === 'files') {
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

/** Returns the slowest percent of the lead list in the middle one of three rounds, in milliseconds. */
async function p99(panel: Target): Promise<number> {
  const measure = () => run(panel, 400, 2, () => list)
  const rounds = [await measure(), await measure(), await measure()]
  return rounds.map((one) => one.p99).sort((a, b) => a - b)[1]!
}

/** Measures the slowest percent of the lead list, alone and while emails arrive from a mail gateway. */
async function besideInbound(panel: Target): Promise<void> {
  await run(panel, 1500, 2, () => list)
  const alone = await p99(panel)
  let [sent, stored] = [0, 0]
  const over = new AbortController()
  const beganAt = performance.now()
  const deliveries: Promise<void>[] = []
  const failures: Error[] = []
  const deliver = async (number: number) => {
    const answer = await fetch(`${panel.origin}/api/inbound/email`, {
      method: 'POST',
      headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': inboundSecret },
      body: emailOf(number),
    })
    if (answer.status !== 200) throw new Error(`${answer.status} to an email: ${await answer.text()}`)
    stored += 1
  }
  const flood = (async () => {
    while (!over.signal.aborted) {
      // Reported below; the benchmark must end what it started.
      deliveries.push(deliver((sent += 1)).catch((error: Error) => void failures.push(error)))
      await wait(Math.max(0, beganAt + (sent * 60_000) / inboundPerMinute - performance.now()))
    }
  })()
  // Its first emails load the code that reads them.
  await wait(5000)
  const beside = await p99(panel)
  over.abort()
  await flood
  await Promise.all(deliveries)
  if (failures[0]) throw new Error(`${failures.length} emails were not stored`, { cause: failures[0] })
  const perMinute = (stored * 60_000) / (performance.now() - beganAt)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from received_mails`.execute(
    bench.database.db,
  )
  console.log(
    `\nlead list, p99: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms while ${perMinute.toFixed(0)} emails a minute arrived: ${ratio(beside, alone)} (wanted: ≤ 1.5 ×); ${rows[0]!.count} of ${stored} were stored`,
  )
}

/** An email of 20 kB; every fifth has a file of 200 kB. */
function emailOf(number: number): string {
  const text = 'The press stopped again this morning, and the towels are still damp. '.repeat(280)
  const head = `Message-ID: <${number}@client.example>\r\nFrom: Anna <anna${number}@client.example>\r\nTo: support@linen.example\r\nSubject: Press ${number}\r\nMIME-Version: 1.0\r\n`
  if (number % 5 !== 0) return `${head}Content-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n`
  const file = pdf(200_000).bytes.toString('base64').replaceAll(/.{76}/g, '$&\r\n')
  return `${head}Content-Type: multipart/mixed; boundary=part\r\n\r\n--part\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n--part\r\nContent-Type: application/pdf; name=report.pdf\r\nContent-Disposition: attachment; filename=report.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${file}\r\n--part--\r\n`
}

/** Measures the slowest percent of the lead list, alone and while an email leaves. */
async function besideMail(panel: Target): Promise<void> {
  await run(panel, 1500, 2, () => list)
  const alone = await p99(panel)
  const { rows } = await sql<{ id: number }>`select id from customer_users order by id`.execute(
    bench.database.db,
  )
  const body = JSON.stringify({
    subject: 'News',
    note: 'The presses are faster now.',
    user: rows.map(({ id }) => id),
  })
  const idle = memoryOf(panel.pid)
  let most = idle
  const timer = setInterval(() => (most = Math.max(most, memoryOf(panel.pid))), 10)
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
  const beside = await p99(panel)
  const perSecond = ((sink.received.length - before) * 1000) / (performance.now() - beganAt)
  console.log(
    `lead list, p99: ${alone.toFixed(1)} ms alone, ${beside.toFixed(1)} ms while ${perSecond.toFixed(0)} emails per second were sent: ${ratio(beside, alone)} (wanted: ≤ 3 ×)`,
  )
  while (sink.received.length < mails && performance.now() - beganAt < 600_000) await wait(500)
  clearInterval(timer)
  const ids = new Set(sink.received.map(({ to }) => to[0]))
  console.log(
    `${sink.received.length} emails arrived at ${ids.size} addresses, the last ${((performance.now() - beganAt) / 1000).toFixed(0)} s after the first; ${(most - idle).toFixed(0)} MB more memory than the ${idle.toFixed(0)} before (wanted: ≤ 30)`,
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
