import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ownAddress } from '#features/admin/mail-settings/contract.ts'
import type { Db } from '#server/db/db.ts'
import { html } from '#server/html/html.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { hashToken } from '#server/http/session.ts'
import { findMailRules, isAllowedDomain } from '#server/mail/rules.ts'

const hours = 48
const title = 'Confirm your address'

async function findOwn(db: Db, staff_id: number) {
  const row = await db
    .selectFrom('own_addresses')
    .select(['address', 'confirmed_at'])
    .where('staff_id', '=', staff_id)
    .executeTakeFirst()
  if (!row) return null
  return { ...row, allowed: isAllowedDomain(row.address, (await findMailRules(db)).own_domains) }
}

const showOwn: Handler<typeof ownAddress.show> = async (_input, { db, viewer }) => ({
  data: await findOwn(db, viewer.id),
  domains: (await findMailRules(db)).own_domains,
})

const setOwn =
  (app: App): Handler<typeof ownAddress.set> =>
  async ({ body: { address } }, { db, viewer, clock, audit, changed }) => {
    const { own_domains } = await findMailRules(db)
    if (!isAllowedDomain(address, own_domains))
      throw invalid(
        'address',
        own_domains.length
          ? `Addresses must end with ${own_domains.map((one) => `@${one}`).join(' or ')}.`
          : 'No domain is allowed yet. Ask an Admin to add yours in the email settings.',
      )
    const now = clock.now().getTime()
    const asked = await db
      .selectFrom('own_addresses')
      .select('expires_at')
      .where('staff_id', '=', viewer.id)
      .forUpdate()
      .executeTakeFirst()
    if (asked?.expires_at && Date.parse(asked.expires_at) > now + hours * 3_600_000 - 60_000)
      throw conflict('A link was just emailed. Wait a minute before you request another one.')
    const token = randomBytes(32).toString('base64url')
    const row = {
      address,
      token_hash: hashToken(token),
      expires_at: new Date(now + hours * 3_600_000).toISOString(),
      confirmed_at: null,
    }
    await db
      .insertInto('own_addresses')
      .values({ staff_id: viewer.id, ...row })
      .onConflict((on) => on.column('staff_id').doUpdateSet(row))
      .execute()
    const link = `${app.settings.publicUrl ?? `http://localhost:${app.settings.port}`}/api/confirm-address/${token}`
    const values = {
      first_name: viewer.name.split(' ')[0]!,
      address,
      link: html`<a href="${link}">${link}</a>`,
    }
    const mail_id = await app.mail.queue(db, {
      kind: 'confirm-address',
      to: [address],
      ...(await app.mail.write(db, 'confirm-address', values, {})),
      record: { type: 'own_address', id: viewer.id },
    })
    audit({ target: 'staff', id: viewer.id, after: { own_address: address } })
    changed('mails', [mail_id])
    return {
      message: `We’ve emailed a link to ${address}. It expires in ${hours} hours.`,
      data: await findOwn(db, viewer.id),
    }
  }

const removeOwn: Handler<typeof ownAddress.remove> = async (_input, { db, viewer, audit }) => {
  const before = await findOwn(db, viewer.id)
  await db.deleteFrom('own_addresses').where('staff_id', '=', viewer.id).execute()
  audit({
    target: 'staff',
    id: viewer.id,
    before: { own_address: before?.address ?? null },
    after: { own_address: null },
  })
  return { message: 'Your emails have the company’s address again.', data: null }
}

async function findAsked(db: Db, token: string, now: Date) {
  const row = await db
    .selectFrom('own_addresses as o')
    .innerJoin('staff as s', 's.id', 'o.staff_id')
    .select(['o.staff_id', 'o.address', 's.name'])
    .where('o.token_hash', '=', hashToken(token))
    .where('o.expires_at', '>', now.toISOString())
    .where('s.banned_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw notFound('This link is no longer valid. Request a new one in your profile.')
  return row
}

const askToConfirm: Handler<typeof ownAddress.ask> = async ({ params }, { db, clock }) => {
  const { address, name } = await findAsked(db, params.token, clock.now())
  return {
    title,
    content: html`<h1>Send from ${address}?</h1>
      <p>Emails that ${name} writes in the panel will come from this address.</p>
      <form method="post"><button>Confirm address</button></form>`,
  }
}

const confirm: Handler<typeof ownAddress.confirm> = async ({ params }, { db, clock, audit, actAs }) => {
  const { staff_id, address } = await findAsked(db, params.token, clock.now())
  const taken = await db
    .updateTable('own_addresses')
    .set({ confirmed_at: clock.now().toISOString(), token_hash: null, expires_at: null })
    .where('staff_id', '=', staff_id)
    .where('token_hash', '=', hashToken(params.token))
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) throw notFound('This link is no longer valid.')
  actAs(staff_id)
  audit({ target: 'staff', id: staff_id, after: { confirmed_address: address } })
  return {
    title,
    content: html`<h1>Address confirmed</h1>
      <p>Your emails now come from <strong>${address}</strong>. You can close this page.</p>`,
  }
}

/**
 * Registers the endpoints for own addresses. Opening the link changes nothing, because email clients and
 * scanners open every link.
 */
export function ownAddressRoutes(app: App): void {
  // The link proves who reads the mailbox, so no one can read it in the outbox.
  app.mail.access.registerReadCheck(
    'own_address',
    () => Promise.resolve(false),
    () => sql`false`,
  )
  implement(app, ownAddress.show, showOwn)
  implement(app, ownAddress.set, setOwn(app))
  implement(app, ownAddress.remove, removeOwn)
  implement(app, ownAddress.ask, askToConfirm)
  implement(app, ownAddress.confirm, confirm)
}
