import { join } from 'node:path'
import { io, type Socket } from 'socket.io-client'
import { setUp } from './setup.ts'
import { runKills, startPanel, ChatClient, sendSurely } from '#app/testing/chat-run.testing.ts'
import { openRealSession } from '#app/testing/process.testing.ts'

/*
 * The chat under load: how long a message takes to reach all clients, compared with a bare Socket.IO server that only echoes, in the same run;
 * and panels that are killed in the middle of it. Figures of one machine mean nothing on another; the ratio and the counts do.
 * CLIENTS, SECONDS, PER_SECOND, KILLS and ONLY (fan-out or kills) change what is measured.
 */

const number = (name: string, or: number) => Number(process.env[name] ?? or)
const clients = number('CLIENTS', 300)
const seconds = number('SECONDS', 30)
const perSecond = number('PER_SECOND', 20)
const kills = number('KILLS', 5)
const only = process.env['ONLY']

const bench = await setUp(0, '2026-11-20')
const staff = await bench.database.db.selectFrom('staff').select('id').execute()
const tokens = await Promise.all(staff.map(({ id }) => openRealSession(bench.database.db, id)))
const findStored = async () =>
  (await bench.database.db.selectFrom('chat_messages').select('id').orderBy('id').execute()).map(
    ({ id }) => id,
  )

try {
  if (only !== 'kills') {
    const [bare, panel] = [await fanOutBare(), await fanOut()]
    console.log(
      `\n${clients} clients, ${perSecond} messages a second for ${seconds} s; milliseconds from sending to each client`,
    )
    console.log(`${''.padEnd(16)}${'p50'.padStart(9)}${'p99'.padStart(9)}${'lost'.padStart(9)}`)
    for (const [name, { delays, lost }] of [
      ['bare Socket.IO', bare],
      ['panel', panel],
    ] as const)
      console.log(
        `${name.padEnd(16)}${part(delays, 0.5).toFixed(1).padStart(9)}${part(delays, 0.99).toFixed(1).padStart(9)}${String(lost).padStart(9)}`,
      )
    console.log(
      `ratio of the p99s  ${(part(panel.delays, 0.99) / part(bare.delays, 0.99)).toFixed(2)} (wanted ≤ 2)`,
    )
  }
  if (only !== 'fan-out') {
    await bench.database.pool.query('truncate chat_messages, chat_reads')
    const run = await runKills({
      databaseUrl: bench.url,
      dataDirOf: (index) => join(bench.dataDir, `kill-${index}`),
      tokens,
      clients: Math.min(clients, number('KILL_CLIENTS', 40)),
      kills,
      phaseMs: number('PHASE_MS', 3_000),
      perSecond,
      findStored,
    })
    console.log(`\n${kills} kills with SIGKILL under ${perSecond} messages a second`)
    for (const [name, value] of Object.entries(run))
      console.log(`  ${name.padEnd(16)}${String(value).padStart(9)}`)
    if (run.lost || run.doubled || run.differing) process.exitCode = 1
  }
} finally {
  await bench.stop()
}

interface FanOut {
  delays: number[]
  lost: number
}

function settle(): Promise<unknown> {
  return new Promise((done) => setTimeout(done, 3_000))
}

/** Sends at a steady pace, however long a reply takes. */
async function atPace(send: (n: number) => void): Promise<number> {
  const began = performance.now()
  const count = seconds * perSecond
  for (let n = 0; n < count; n += 1) {
    const due = began + (n * 1000) / perSecond
    if (due > performance.now()) await new Promise((done) => setTimeout(done, due - performance.now()))
    send(n)
  }
  return count
}

async function fanOut(): Promise<FanOut> {
  const panel = await startPanel(bench.url, join(bench.dataDir, 'fan-out'))
  const panels = [panel]
  const all = Array.from(
    { length: clients },
    (_, index) => new ChatClient(panels, tokens[index % tokens.length]!, 0),
  )
  try {
    await Promise.all(all.map((client) => client.connect()))
    await Promise.all(Array.from({ length: 20 }, (_, n) => sendSurely(panels, tokens[0]!, `Warm ${n}`, 0)))
    const sentAt = new Map<number, number>()
    const sending: Promise<void>[] = []
    await atPace((n) => {
      const at = performance.now()
      sending.push(
        sendSurely(panels, tokens[n % tokens.length]!, `Message ${n}`, 0).then(
          (id) => void sentAt.set(id, at),
        ),
      )
    })
    await Promise.all(sending)
    await settle()
    const delays: number[] = []
    let lost = 0
    for (const client of all)
      for (const [id, at] of sentAt) {
        const heard = client.heardAt.get(id)
        if (heard === undefined) lost += 1
        else delays.push(heard - at)
      }
    return { delays, lost }
  } finally {
    for (const client of all) client.close()
    await panel.stop()
  }
}

async function fanOutBare(): Promise<FanOut> {
  const { origin } = await bench.start('echo', 'bench/echo.ts')
  const sockets: Socket[] = await Promise.all(
    Array.from(
      { length: clients },
      () =>
        new Promise<Socket>((done) => {
          const socket = io(origin, { transports: ['websocket'], forceNew: true })
          socket.once('connect', () => done(socket))
        }),
    ),
  )
  const delays: number[] = []
  for (const socket of sockets)
    socket.on('message.sent', ({ at }: { at: number }) => delays.push(performance.now() - at))
  const count = await atPace((n) =>
    sockets[n % sockets.length]!.emit('send', {
      at: performance.now(),
      message: `Message ${n}`,
      user: { id: 1, name: 'Anna Aalto' },
    }),
  )
  await settle()
  for (const socket of sockets) socket.disconnect()
  return { delays, lost: count * clients - delays.length }
}

function part(values: readonly number[], share: number): number {
  const sorted = Float64Array.from(values).toSorted()
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
