import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

const setName = (app: TestApp, name: string) =>
  app.as('admin').post('/admin/mail-settings/senders', {
    product_id: null,
    name,
    address: '',
    color: '#7c3aed',
    signature: 'Best wishes,\n{{my_name}}',
    footer: '',
    version: 0,
  })

async function reply({ as, db }: TestApp, ticket: number) {
  expect(
    (await as('support').post(`/admin/support/sendReply/${ticket}`, { message: '<p>Soon.</p>' })).status,
  ).toBe(200)
  return db.selectFrom('mails').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()
}

const senderOf = async ({ as }: TestApp, ticket: number, who = 'support') =>
  (await as(who).get(`/admin/support/ticket/${ticket}`))['sender']

test('a reply to a customer without a known product is not headed by the panel’s name, and the ticket says so', async () => {
  const app = await startTestApp()
  const { id } = await enterTicket(app.db, { sender_email: 'jana@resort.example' })
  const { name } = await app.db
    .selectFrom('staff')
    .select('name')
    .where('id', '=', app.as('support').id)
    .executeTakeFirstOrThrow()
  expect(await senderOf(app, id)).toEqual({
    from: expect.stringMatching(new RegExp(`^"${name}" <.+>$`)),
    has_product: false,
    heading: '',
    signature: `Kind regards,\n${name}`,
  })
  expect((await reply(app, id)).html).not.toContain('Admin Panel')
  expect((await setName(app, 'Linen Works')).status).toBe(200)
  expect(await senderOf(app, id)).toMatchObject({
    has_product: false,
    heading: 'Linen Works',
    signature: `Best wishes,\n${name}`,
  })
  expect((await reply(app, id)).html).toContain('>Linen Works<')
})

test('a reply to a customer of one product is headed by the product; of several, it is not', async () => {
  const app = await startTestApp()
  const ofProducts = async (products: number[]) => {
    const organization_id = await enterOrganization(app.db, { name: `Of ${products.length}` }, products)
    const customer_user_id = await enterUser(app.db, organization_id, `Zoe${products.length}`)
    return (await enterTicket(app.db, { organization_id, customer_user_id })).id
  }
  const [one, several] = [await ofProducts([1]), await ofProducts([1, 2])]
  const { name } = await app.db
    .selectFrom('products')
    .select('name')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  expect(await senderOf(app, one)).toMatchObject({ has_product: true, heading: name })
  expect((await reply(app, one)).html).toContain(`>${name}<`)
  expect(await senderOf(app, several)).toMatchObject({ has_product: false, heading: '' })
})

test('requesters, who can’t reply, are not shown the sender of replies', async () => {
  const app = await startTestApp()
  const { as, db } = app
  await db.insertInto('role_permissions').values({ role_id: 3, permission: 'support_view' }).execute()
  const { id } = await enterTicket(db, { staff_id: as('editor').id })
  expect(await senderOf(app, id, 'editor')).toBeNull()
})
