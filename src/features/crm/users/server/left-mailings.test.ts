import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { startMailServer } from '#server/mail/mail.testing.ts'

test('a mailing that was stopped reaches no one who was taken off the list, banned, or deleted before it is resumed', async () => {
  const server = await startMailServer()
  const { app, as, db } = await startTestApp({
    env: { SMTP_URL: server.url, PUBLIC_URL: 'https://panel.example.com' },
  })
  const organization = await enterOrganization(db)
  const names = ['Stays', 'Unsubscribes', 'Banned', 'Deleted'] as const
  const ids = Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await enterUser(db, organization, name)] as const)),
  )
  const addressOf = (name: string) => `${name.toLowerCase()}@aalto.example`
  for (const name of names)
    await db
      .updateTable('customer_users')
      .set({ email: addressOf(name), is_subscribed: 1 })
      .where('id', '=', ids[name]!)
      .execute()
  const mail_id = await db.transaction().execute(async (tx) => {
    const id = await app.mail.queue(tx, {
      kind: 'test',
      subject: 'News',
      html: '<p>x</p>',
      text: 'x',
      to: [...names.map(addressOf), 'typed@guest.example'],
      unsubscribable: true,
      sendAfterSeconds: 600,
    })
    await app.mail.control.stop(tx, id)
    return id
  })
  const change = (name: string, values: object) =>
    db.updateTable('customer_users').set(values).where('id', '=', ids[name]!).execute()
  await change('Unsubscribes', { is_subscribed: 0 })
  await change('Banned', { banned_at: new Date().toISOString() })
  await change('Deleted', { deleted_at: new Date().toISOString(), deleted_by: as('super_admin').id })
  await db.transaction().execute((tx) => app.mail.control.resume(tx, mail_id))
  const states = async () =>
    Object.fromEntries(
      (await db.selectFrom('mail_recipients').select(['address', 'state']).execute()).map((row) => [
        row.address,
        row.state,
      ]),
    )
  await expect.poll(states).toEqual({
    'stays@aalto.example': 'sent',
    'typed@guest.example': 'sent',
    'unsubscribes@aalto.example': 'unsubscribed',
    'banned@aalto.example': 'canceled',
    'deleted@aalto.example': 'canceled',
  })
  expect(server.received.map(({ to }) => to[0]).toSorted()).toEqual([
    'stays@aalto.example',
    'typed@guest.example',
  ])
})
