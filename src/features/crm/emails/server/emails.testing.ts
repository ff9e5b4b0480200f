import type { TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { enterOrganization, enterUser } from '#features/crm/organizations/server/organizations.testing.ts'
import { enterTicket } from '#features/crm/support/server/support.testing.ts'
import { addressWith, makeReplyToken } from '#server/inbound/reply-tokens.ts'

export const secret = 'a-secret-of-thirty-two-characters'
export const inboundAddress = 'replies@linen.example'
export const inboundEnv = {
  INBOUND_SECRET: secret,
  INBOUND_ADDRESS: inboundAddress,
  INBOUND_AUTHSERV_ID: 'mx.linen.example',
  MAIL_FROM: 'Linen <hello@linen.example>',
}

/** Delivers a raw email as a mail gateway does. */
export const deliver = async ({ app }: Pick<TestApp, 'app'>, raw: string | Buffer, sent = secret) => {
  const response = await app.http.inject({
    method: 'POST',
    url: '/api/inbound/email',
    headers: { 'content-type': 'message/rfc822', 'x-inbound-secret': sent },
    payload: raw,
  })
  return {
    status: response.statusCode,
    ...(response.json() as { message: string; id: number; state: string }),
  }
}

/** A lead, an organization with an active and a banned user, and a ticket; each was emailed once. */
export async function enterWorld(started: TestApp) {
  const { app, db, as } = started
  const lead = await enterLead(db, {
    company_name: 'Tamsel Hotel',
    contact_name: 'Zoë Yıldız',
    email: 'zoe@tamsel.example',
    assign_to: as('crm').id,
  })
  const organization = await enterOrganization(db, { name: 'Aalto' })
  const user = await enterUser(db, organization, 'Ada', { email: 'ada@aalto.example' })
  await enterUser(db, organization, 'Ben', { email: 'ben@aalto.example', banned_at: '2026-03-01T00:00:00Z' })
  const ticket = await enterTicket(db, {
    title: 'The scanner stopped',
    organization_id: organization,
    customer_user_id: user,
  })
  const send = async (type: string, id: number, to: string, staff_id: number) => {
    const mail_id = await db.transaction().execute(async (tx) => {
      const queued = await app.mail.queue(tx, {
        kind: 'record',
        to: [to],
        subject: 'Your offer',
        html: '<p>Our offer</p>',
        text: 'Our offer',
        record: { type, id },
        staff_id,
      })
      await tx
        .updateTable('mail_recipients')
        .set({ state: 'sent', sent_at: new Date().toISOString() })
        .where('mail_id', '=', queued)
        .execute()
      return queued
    })
    const { message_id } = await db
      .selectFrom('mails')
      .select('message_id')
      .where('id', '=', mail_id)
      .executeTakeFirstOrThrow()
    const token = await makeReplyToken(db, mail_id, to)
    return { mail_id, message_id, reply_to: addressWith(inboundAddress, token) }
  }
  return {
    lead,
    organization,
    user,
    ticket: ticket.id,
    toLead: await send('lead', lead, 'zoe@tamsel.example', as('crm').id),
    toUser: await send('customer_user', user, 'ada@aalto.example', as('crm').id),
    toOrganization: await send('organization', organization, 'ada@aalto.example', as('crm').id),
    onTicket: await send('ticket', ticket.id, 'ada@aalto.example', as('support').id),
  }
}
export type World = Awaited<ReturnType<typeof enterWorld>>
