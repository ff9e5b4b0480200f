import { findBlock } from '#features/crm/emails/server/blocked-senders.ts'
import { sql } from 'kysely'
import { truncate } from '#shared/truncate.ts'
import { inboundEmail } from '#features/crm/emails/contract.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import { createLead } from '#features/crm/leads/record/server/leads.queries.ts'
import { findBannedAddresses } from '#features/crm/organizations/server/organizations.queries.ts'
import { invalid } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implementPrepared } from '#server/http/implement.ts'
import { acceptEmail, type FiledEmail, type Receiving } from '#server/inbound/inbox.ts'
import { parseEmail } from '#server/inbound/parse-email.ts'

/** Creates a lead of an email that was in Unsorted, for the product that the user chose. */
function createLeadOf({ viewer, ...receiving }: Receiving, email: FiledEmail): Promise<number> {
  const { from_name, from_address, subject, product_id } = email
  const domain = from_address.slice(from_address.lastIndexOf('@') + 1)
  return createLead(
    { ...receiving, viewer: viewer! },
    {
      companyName: truncate(domain || from_name || subject, 200),
      lead_for: product_id!,
      contactName: from_name,
      email: from_address,
    },
  )
}

/** Lets emails arrive on leads, organizations, users, and onboardings. */
function receiveEmailsOnRecords({ inbox }: App): void {
  inbox.registerPlace('lead', { assignee: 'r.assign_to', create: createLeadOf })
  inbox.registerPlace('organization', { assignee: 'r.assign_to' })
  inbox.registerPlace('onboarding', { assignee: 'coalesce(r.assign_to, r.onboarding_by)' })
  inbox.registerPlace('customer_user', {
    assignee: '(select o.assign_to from organizations o where o.organization_id = r.organization_id)',
  })
  inbox.registerSender(async (db, address) => {
    const { rows } = await sql<{ id: number }>`select l.lead_id as id from leads l
      where ${hasAddress('l', address)} and l.deleted_at is null order by l.lead_id desc limit 2`.execute(db)
    // If several leads have the address, a person decides.
    return rows.length === 1 ? { type: 'lead', id: rows[0]!.id } : undefined
  })
  inbox.findBlock = findBlock
  inbox.isBanned = async (db, address) => (await findBannedAddresses(db, [address])).length > 0
}

export function inboundEmailRoutes(app: App): void {
  receiveEmailsOnRecords(app)
  app.http.addContentTypeParser('message/rfc822', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  implementPrepared(
    app,
    inboundEmail.receive,
    ({ body }) => {
      if (!(body instanceof Uint8Array) || body.byteLength === 0)
        throw invalid('body', 'Send a raw email with Content-Type: message/rfc822.')
      return parseEmail(body)
    },
    async (_input, context) => {
      const { id, isNew, state } = await acceptEmail(app, context, context.prepared)
      return { message: isNew ? 'Received.' : 'Already received.', id, state }
    },
  )
}
