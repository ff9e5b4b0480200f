import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'

/* A text that is longer than its place ends before a character that does not fit, and nothing is refused. */

const secret = 'a-secret-of-thirty-two-characters'
/** A text whose last character but one begins at the last place before a limit. */
const across = (limit: number) => `${'a'.repeat(limit - 1)}😀b`

async function start() {
  const started = await startTestApp({ env: { INBOUND_SECRET: secret } })
  const bring = (values: object) =>
    started.as(undefined).post(
      '/inbound/ticket',
      {
        message_id: '<p1@cust.example>',
        from: 'Ana Kunde <ana@cust.example>',
        subject: 'Help',
        text: 'hello',
        ...values,
      },
      { headers: { 'x-inbound-secret': secret } },
    )
  return { ...started, bring }
}

test('an email whose subject has an emoji across the limit opens a ticket with the emoji left out', async () => {
  const { as, bring } = await start()
  const { status, id } = (await bring({ subject: across(300) })) as { status: number; id?: number }
  expect(status).toBe(200)
  expect(await as('support').get(`/admin/support/ticket/${id}`)).toMatchObject({
    data: { title: 'a'.repeat(299) },
  })
})

test('a sender’s name with an emoji across the limit is stored without half a character', async () => {
  const { db, bring } = await start()
  expect(await bring({ from: `${across(200)} <ana@cust.example>` })).toMatchObject({ status: 200 })
  const { rows } = await db
    .selectFrom('received_mails')
    .select('from_name')
    .execute()
    .then((all) => ({ rows: all.map(({ from_name }) => from_name) }))
  expect(rows).toEqual(['a'.repeat(199)])
})

test('replies by email, by staff, and by the requester are stored completely, whatever is in their 1,000th place', async () => {
  const { as, db, bring } = await start()
  const { id } = (await bring({})) as { id?: number }
  const text = across(1000)
  expect(
    await bring({
      message_id: '<p2@cust.example>',
      in_reply_to: '<p1@cust.example>',
      text,
      subject: 'Re: Help',
    }),
  ).toMatchObject({ status: 200, id })
  expect(
    await as('support').post(`/admin/support/sendReply/${id}`, { message: `<p>${text}</p>` }),
  ).toMatchObject({
    status: 200,
  })
  const own = await enterTicket(db, { staff_id: as('adh').id })
  expect(
    await as('adh').post(`/admin/support/requests/${own.id}/reply`, { message: `<p>${text}</p>` }),
  ).toMatchObject({ status: 200 })
  const stored = await db.selectFrom('ticket_messages').select('message').execute()
  expect(stored.filter(({ message }) => message.includes(text))).toHaveLength(3)
})

test('a lead whose contact has an emoji across the limit of a user’s name is won', async () => {
  const { as, db } = await start()
  const lead_id = await enterLead(db, {
    company_name: 'Long Hotel',
    contact_name: across(100),
    email: 'ana@cust.example',
  })
  expect(
    await as('crm').post('/admin/users/lead-create-organization', { lead_id, name: 'Long Hotel' }),
  ).toMatchObject({
    status: 200,
  })
  expect(await db.selectFrom('customer_users').select('first_name').executeTakeFirst()).toMatchObject({
    first_name: 'a'.repeat(99),
  })
})
