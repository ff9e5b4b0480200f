import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { expect, test } from 'vitest'

/* The examples in deploy/ name settings, addresses, and figures of the panel, which must exist. */

const root = join(import.meta.dirname, '..')
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const examples = readdirSync(join(root, 'deploy')).map((name) => ({ name, text: read('deploy', name) }))

/** Variables of other programs, and of the examples themselves. */
const foreign = new Set(
  'NODE_ENV NODE_COMPILE_CACHE MALLOC_ARENA_MAX PUBLIC_HOST DATABASE_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD AF_INET AF_INET6 AF_UNIX'.split(
    ' ',
  ),
)

test('every setting in the examples is one that the panel reads', () => {
  const settings = read('src/server/settings/settings.ts')
  const named = examples.flatMap(({ text }) =>
    [...text.matchAll(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g)].map(([variable]) => variable),
  )
  expect(named).toContain('DRAIN_SECONDS')
  expect(
    [...new Set(named)].filter((variable) => !foreign.has(variable) && !settings.includes(`'${variable}'`)),
  ).toEqual([])
})

test('every address of the panel in the examples is served', () => {
  const served = read('src/app/server/health.ts') + read('src/app/server/metrics.ts')
  const named = examples.flatMap(({ text }) => [...text.matchAll(/\/api\/\w+/g)].map(([address]) => address))
  expect(new Set(named)).toEqual(new Set(['/api/health', '/api/ready', '/api/metrics']))
  for (const address of new Set(named)) expect(served).toContain(`'${address}'`)
})

test('every figure in the alerts and the dashboard is one that the panel has', async () => {
  const register = new Registry()
  collectDefaultMetrics({ register })
  const usual = (await register.getMetricsAsJSON()).map(({ name }) => name)
  const own = read('src/app/server/metrics.ts')
  for (const file of ['alerts.yaml', 'grafana.json']) {
    const named =
      read('deploy', file).match(/\b(?:http|db|job|outbox|live|database|nodejs|process)_\w+/g) ?? []
    expect(named.length).toBeGreaterThan(5)
    expect(
      named.filter((name) => !usual.includes(name) && !own.includes(`'${name.replace(/_bucket$/, '')}'`)),
    ).toEqual([])
  }
})
