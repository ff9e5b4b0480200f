import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { cast } from '#server/db/seed/cast.ts'
import { Sessions } from '#server/http/session.ts'

const roleIdOf = (user_name: string) => cast.find((one) => one.user_name === user_name)!.role_id

const boundary = 'a-boundary'
const part = (head: string, content: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
/** A write with a JSON body, and one with a file; each as the parts of its body. */
const requests = {
  'a lead': {
    path: '/api/admin/users/save-demo-requests',
    type: 'application/json',
    body: ['{"companyName":"Aalto Linen",', '"lead_for":1}'],
    table: 'leads',
  },
  'a file to import': {
    path: '/api/admin/users/lead-imports',
    type: `multipart/form-data; boundary=${boundary}`,
    body: [
      part('name="lead_for"', '1'),
      `${part('name="file"; filename="list.csv"', 'Company\nAalto Linen\n')}--${boundary}--\r\n`,
    ],
    table: 'lead_imports',
  },
} as const

/** Sends the start of a request's body, and the rest once the caller was found and `meanwhile` is done. */
async function sendSlowly(
  { app, as }: TestApp,
  { path, type, body }: (typeof requests)[keyof typeof requests],
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { port } = new URL(await app.listen())
  const find = vi.spyOn(Sessions.prototype, 'find')
  const sent = httpRequest({
    host: '127.0.0.1',
    port,
    path,
    method: 'POST',
    headers: {
      authorization: `Bearer ${as('crm').token}`,
      'content-type': type,
      'content-length': body.join('').length,
    },
  })
  // A request that stays open would keep the app from closing.
  onTestFinished(() => void sent.destroy())
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(body[0])
  await expect.poll(() => find.mock.settledResults[0]?.type).toBe('fulfilled')
  find.mockRestore()
  await meanwhile()
  sent.end(body[1])
  const [response] = await answered
  response.resume()
  return response.statusCode!
}

const revocations: Record<string, [status: number, (started: TestApp) => Promise<unknown>]> = {
  'their session': [
    401,
    ({ db, as }) =>
      db
        .updateTable('sessions')
        .set({ ended_at: '2026-03-16T10:00:00Z' })
        .where('staff_id', '=', as('crm').id)
        .execute(),
  ],
  'their account': [
    401,
    ({ db, as }) =>
      db
        .updateTable('staff')
        .set({ banned_at: '2026-03-16T10:00:00Z' })
        .where('id', '=', as('crm').id)
        .execute(),
  ],
  'the permission': [
    403,
    ({ db }) =>
      db
        .deleteFrom('role_permissions')
        .where('permission', '=', 'lead_create')
        .where('role_id', '=', roleIdOf('crm'))
        .execute(),
  ],
  'the product': [
    403,
    ({ db, as }) =>
      db
        .deleteFrom('staff_products')
        .where('staff_id', '=', as('crm').id)
        .where('product_id', '=', 1)
        .execute(),
  ],
}

for (const [name, sent] of Object.entries(requests)) {
  const count = async ({ db }: TestApp) => {
    const { rows } = await sql<{
      count: number
    }>`select count(*) as count from ${sql.table(sent.table)}`.execute(db)
    return rows[0]!.count
  }

  test.each(Object.entries(revocations))(
    `${name} whose body arrives after the caller lost %s is refused`,
    async (_what, [status, revoke]) => {
      const started = await startTestApp()
      expect(await sendSlowly(started, sent, () => revoke(started))).toBe(status)
      expect(await count(started)).toBe(0)
    },
  )

  test(`${name} whose body arrives late is saved while the caller is still allowed to`, async () => {
    const started = await startTestApp()
    expect(await sendSlowly(started, sent, async () => {})).toBe(200)
    expect(await count(started)).toBe(1)
  })
}
