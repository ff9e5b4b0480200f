import { setUp } from './setup.ts'

/*
 * `node bench/forgotten.ts`: how long a request for a password link takes for a known and for an unknown name. The requests alternate,
 * one at a time, in random order within each pair. The area is the probability that a request for a known name takes longer.
 */

const pairs = 200
const warmUp = 20

const bench = await setUp(0, new Date().toISOString().slice(0, 10))
try {
  const { origin } = await bench.start('panel', 'src/app/server/main.ts', { LOG_LEVEL: 'warn' })
  const took = { known: [] as number[], unknown: [] as number[] }
  for (let pair = -warmUp; pair < pairs; pair += 1) {
    const names = ['known', 'unknown'] as const
    for (const name of Math.random() < 0.5 ? names : names.toReversed()) {
      const ms = await ask(origin, name === 'known' ? 'crm' : 'someone')
      if (pair >= 0) took[name].push(ms)
      // The job that the request started must not slow down the next one.
      await new Promise((done) => setTimeout(done, 30))
    }
  }
  const [known, unknown] = [median(took.known), median(took.unknown)]
  const longer = took.known.flatMap((one) => took.unknown.map((other) => Math.sign(one - other) / 2 + 0.5))
  const area = longer.reduce((sum, one) => sum + one, 0) / longer.length
  console.log(
    `forgotten password  known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms, ratio ${(known / unknown).toFixed(3)}   (wanted: 0.9 to 1.1)   area ${area.toFixed(2)}`,
  )
} finally {
  await bench.stop()
}

async function ask(origin: string, username: string): Promise<number> {
  const start = performance.now()
  const reply = await fetch(`${origin}/api/auth/forgot-password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username }),
  })
  await reply.text()
  if (reply.status !== 200) throw new Error(`The server answered ${reply.status}.`)
  return performance.now() - start
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2
}
