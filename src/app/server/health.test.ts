import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { readinessOf } from '#app/server/health.ts'

const well = { database: 'ok', migrations: 'ok', disk: 'ok', mail: 'off', jobs: 'ok' } as const

test('the readiness names the state of each part, to anyone', async () => {
  const { as } = await startTestApp()
  expect(JSON.parse((await as(undefined).get('/health')).text)).toEqual({ status: 'ok', version: '0.1.0' })
  const reply = await as(undefined).send('GET', '/ready')
  expect(JSON.parse(reply.text)).toEqual({
    ...well,
    status: 'ready',
    version: '0.1.0',
    jobs: expect.stringMatching(/ok|stopped/),
    reasons: [],
  })
})

test('a process whose database lacks a migration is not ready; one whose database is newer is', async () => {
  const { as, db } = await startTestApp()
  const ready = async () => JSON.parse((await as(undefined).send('GET', '/ready')).text) as object
  await sql`insert into schema_migrations (name, checksum) values ('9999_of_the_next_version', '')`.execute(
    db,
  )
  expect(await ready()).toMatchObject({ status: 'ready', migrations: 'newer' })
  await sql`delete from schema_migrations where name like '0169%'`.execute(db)
  expect(await ready()).toMatchObject({
    status: 'unavailable',
    migrations: 'pending',
    reasons: ['The database has pending migrations.'],
  })
})

test('a process that is stopping still answers, but asks for no more requests', async () => {
  const { app, as } = await startTestApp()
  app.drain()
  expect(JSON.parse((await as(undefined).send('GET', '/ready')).text)).toMatchObject({
    status: 'draining',
    reasons: ['The panel is stopping.'],
  })
  expect(await as('crm').get('/admin/users/lead-reminders')).toMatchObject({ status: 200 })
})

test('a process that is stopping closes each connection after its next answer, so that none is cut with a request', async () => {
  const { app } = await startTestApp()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.http.server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const socketOf = async (path: string) => {
    const [answer] = (await once(get({ agent, port, path }), 'response')) as [IncomingMessage]
    const { socket } = answer
    await text(answer)
    return socket
  }
  const first = await socketOf('/api/health')
  expect(await socketOf('/api/health')).toBe(first)
  app.drain()
  expect(await socketOf('/api/config')).toBe(first)
  const next = await socketOf('/api/none')
  expect(next).not.toBe(first)
  expect(await socketOf('/')).not.toBe(next)
})

test.each([
  ['draining', {}, 'draining', ['The panel is stopping.']],
  [
    'running',
    { database: 'unreachable', migrations: 'unknown' },
    'unavailable',
    ['The database can’t be reached.'],
  ],
  ['running', { disk: 'full' }, 'unavailable', ['DATA_DIR has less than 200 MB of free space.']],
  ['running', { mail: 'failing', jobs: 'stopped', disk: 'unknown' }, 'ready', []],
] as const)('%s with %j is %s', (phase, parts, status, reasons) => {
  expect(readinessOf(phase, { ...well, ...parts }, '1')).toMatchObject({ status, reasons })
})
