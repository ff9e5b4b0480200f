import { expect, test } from 'vitest'
import { client, startTestApp } from '#app/testing/start.testing.ts'
import { addressesOf, counts, eventually, queue, startMailServer } from '#server/mail/mail.testing.ts'
import { findUnsubscribed, Unsubscribing } from '#server/mail/unsubscribe.ts'

test('an unsubscribe is reported, and emails waiting for the address are stopped, also when one is resumed later', async () => {
  const server = await startMailServer()
  const started = await startTestApp({
    env: { SMTP_URL: server.url, PUBLIC_URL: 'https://panel.example.com' },
  })
  const { app, db } = started
  const told: unknown[] = []
  app.mail.unsubscribing.onUnsubscribe(async (_db, address, record) => {
    told.push([address, record])
    return []
  })
  const record = { type: 'blog', id: 7 }
  await queue(started, [{ address: 'zoe@one.example', name: '<Zoë>' }], {
    unsubscribable: true,
    record,
    subject: 'For {{name}}',
    html: '<body><p>{{name}}</p></body>',
  })
  await eventually(() => expect(server.received).toHaveLength(1))
  const raw = server.received[0]!.raw.replaceAll(/=\r?\n/g, '')
  expect(raw).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  const path = /^List-Unsubscribe: <https:\/\/panel\.example\.com\/api(\/unsubscribe\/[\w.-]+)>\r?$/m.exec(
    server.received[0]!.raw,
  )![1]!
  expect(raw).toContain('&lt;Zo=C3=AB&gt;')
  expect(raw).not.toContain('{{name}}')

  const nobody = client(app, '')
  const later = await queue(started, ['zoe@one.example', 'anne@one.example'], {
    unsubscribable: true,
    sendAfterSeconds: 600,
  })
  const important = await queue(started, ['zoe@one.example'], { sendAfterSeconds: 600 })
  // The link is opened from an email client on another site, and opening it changes nothing.
  const asked = await nobody.get(path, { headers: { 'sec-fetch-site': 'cross-site' } })
  expect([asked.status, asked.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(asked.text).toContain('zoe@one.example')
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set())
  const form = { headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' } }
  for (let times = 0; times < 2; times += 1)
    expect((await nobody.post(path, 'List-Unsubscribe=One-Click', form)).status).toBe(200)
  expect(await findUnsubscribed(db, ['Zoe@one.example', 'b@one.example', null])).toEqual(
    new Set(['zoe@one.example']),
  )
  expect(told[0]).toEqual(['zoe@one.example', record])
  expect(await counts(started, later)).toMatchObject({ held: 1, stopped: 0, unsubscribed: 1 })
  expect(await counts(started, important)).toMatchObject({ held: 1, stopped: 0, unsubscribed: 0 })
  await db.transaction().execute((tx) => app.mail.control.stop(tx, later))
  expect(await db.transaction().execute((tx) => app.mail.control.resume(tx, later))).toBe(1)
  await eventually(() =>
    expect(addressesOf(server.received)).toEqual(['anne@one.example', 'zoe@one.example']),
  )

  const forged = path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const wrong of [forged, '/unsubscribe/x', '/unsubscribe/1.'])
    expect([wrong, (await nobody.get(wrong)).status, (await nobody.post(wrong, '', form)).status]).toEqual([
      wrong,
      404,
      404,
    ])
})

test('an unsubscribe that fails is answered with a page and changes nothing; one that succeeds is audited once', async () => {
  const started = await startTestApp()
  const { app, db } = started
  let fails = true
  app.mail.unsubscribing.onUnsubscribe(() => (fails ? Promise.reject(new Error('no')) : Promise.resolve([])))
  await queue(started, ['zoe@one.example'], { unsubscribable: true, sendAfterSeconds: 600 })
  const { id } = await db.selectFrom('mail_recipients').select('id').executeTakeFirstOrThrow()
  const path = `/unsubscribe/${await new Unsubscribing(db).tokenFor(id)}`
  const audited = () =>
    db
      .selectFrom('audit_log')
      .select(['staff_id', 'act', 'target_type', 'changes'])
      .where('endpoint', '=', 'POST /unsubscribe/{token}')
      .execute()
  const send = (to: string) =>
    client(app, '').post(to, 'List-Unsubscribe=One-Click', {
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'null' },
    })

  const [failed, wrong] = [await send(path), await send('/unsubscribe/x')]
  for (const reply of [failed, wrong]) {
    expect(reply.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(reply.headers['content-security-policy']).toContain("form-action 'self'")
  }
  expect([failed.status, wrong.status]).toEqual([500, 404])
  expect(failed.text).toContain('Something went wrong on our end.')
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set())
  expect(await audited()).toEqual([])

  fails = false
  expect((await send(path)).status).toBe(200)
  expect(await findUnsubscribed(db, ['zoe@one.example'])).toEqual(new Set(['zoe@one.example']))
  expect(await audited()).toEqual([
    {
      staff_id: null,
      act: 'Unsubscribed',
      target_type: 'mail',
      changes: { unsubscribed: [null, 'zoe@one.example'] },
    },
  ])
})
