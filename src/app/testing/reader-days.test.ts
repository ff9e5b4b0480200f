import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { enterTask } from '#features/tasks/tasks/server/tasks.testing.ts'

// In Auckland, it is already 04:54 on the 26th.
const at = '2026-11-25T15:54:00Z'

test('a day in a filter is the day of the reader, in every list that compares it with an instant', async () => {
  const started = await startTestApp()
  const { as, db } = started
  await enterTask(db, { title: 'Fold' })
  await enterTicket(db)
  await db.transaction().execute((tx) =>
    started.app.mail.queue(tx, {
      kind: 'test',
      subject: 'Hi',
      html: '<p>x</p>',
      text: 'x',
      to: ['a@b.example'],
    }),
  )
  await sql`insert into audit_log (at, endpoint, address, request_id) values (${at}, 'POST /one', '', '')`.execute(
    db,
  )
  for (const table of ['tasks', 'tickets', 'mails'])
    await sql`update ${sql.table(table)} set created_at = ${at}`.execute(db)
  const lists: Record<string, (from: string, to: string) => string> = {
    'development tasks': (from, to) => `/common/task?created_from=${from}&created_to=${to}`,
    tickets: (from, to) => `/admin/support/ticket?created_from=${from}&created_to=${to}`,
    outbox: (from, to) => `/admin/outbox?from=${from}&to=${to}`,
    log: (from, to) => `/admin/users/admin-log?from=${from}&to=${to}`,
  }
  const found = async (name: string, day: string, zone?: string) => {
    const headers: Record<string, string> = zone === undefined ? {} : { 'x-time-zone': zone }
    const method = name === 'development tasks' ? 'POST' : 'GET'
    const reply = await as('super_admin').send(method, lists[name]!(day, day), undefined, { headers })
    expect([name, reply.status]).toEqual([name, 200])
    return (reply['data'] as unknown[]).length
  }
  for (const name of Object.keys(lists)) {
    const [before, day, after] = ['2026-11-24', '2026-11-25', '2026-11-26'] as const
    expect([name, await found(name, after, 'Pacific/Auckland')]).toEqual([name, 1])
    expect([name, await found(name, day, 'Pacific/Auckland')]).toEqual([name, 0])
    // In UTC, and for a browser that names no zone or an unknown one, it is the 25th.
    for (const zone of ['UTC', undefined, 'Mars/Olympus', 'x'.repeat(1000)]) {
      expect([name, zone, await found(name, day, zone)]).toEqual([name, zone, 1])
      expect([name, zone, await found(name, after, zone)]).toEqual([name, zone, 0])
      expect([name, zone, await found(name, before, zone)]).toEqual([name, zone, 0])
    }
  }
})
