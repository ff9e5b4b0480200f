import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { MailState } from '#shared/mails.ts'
import type { Database, Db } from '#server/db/db.ts'
import { html } from '#server/html/html.ts'
import { hashToken } from '#server/http/session.ts'
import type { App } from '#server/app.ts'
import { linkPlace } from '#server/mail/link-place.ts'

/*
 * Links for setting a password. Each link can be used only once and expires after 48 hours. A banned user's
 * link is never valid.
 */

const hours = 48
/** Hours for which a link from the command line is valid. */
const rescueHours = 1

export async function findInvitation(db: Db, token: string, now: Date) {
  return db
    .selectFrom('staff_invitations as i')
    .innerJoin('staff as s', 's.id', 'i.staff_id')
    .select([
      'i.staff_id',
      'i.kind',
      's.user_name',
      (of) => of.fn<string>('concat_ws', [of.val(' '), 's.first_name', 's.last_name']).as('name'),
    ])
    .where('i.token_hash', '=', hashToken(token))
    .where('i.used_at', 'is', null)
    .where('i.expires_at', '>', now.toISOString())
    .where('s.banned_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Redeems a link and invalidates the admin user's other links; returns undefined if the link is not valid.
 */
export async function redeemInvitation(db: Db, token: string, now: Date) {
  const found = await findInvitation(db, token, now)
  if (!found) return undefined
  // If a link is used twice concurrently, only one of the requests changes the row.
  const taken = await db
    .updateTable('staff_invitations')
    .set({ used_at: now.toISOString() })
    .where('token_hash', '=', hashToken(token))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  if (taken.numUpdatedRows === 0n) return undefined
  await endInvitations(db, found.staff_id, now)
  return found
}

/** Invalidates all of an admin user's links. */
export async function endInvitations(db: Db, staff_id: number, now: Date): Promise<void> {
  await db
    .updateTable('staff_invitations')
    .set({ used_at: now.toISOString() })
    .where('staff_id', '=', staff_id)
    .where('used_at', 'is', null)
    .execute()
}

const expiryFrom = (now: Date, validHours = hours) =>
  new Date(now.getTime() + validHours * 3_600_000).toISOString()

const linkWith = ({ settings }: Pick<App, 'settings'>, token: string) =>
  `${settings.publicUrl ?? `http://localhost:${settings.port}`}/login?invitation=${token}`

/**
 * Creates a link and emails a separate one; earlier links are invalidated. Returns the created link, which is
 * not stored. The emailed link is created when the email is sent (`linkForMail`).
 */
export async function mailInvitation(
  { mail, settings }: Pick<App, 'mail' | 'settings'>,
  db: Transaction<Database>,
  staff_id: number,
  kind: 'invited' | 'forgotten',
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const person = await db
    .selectFrom('staff')
    .select(['email', 'first_name', 'user_name'])
    .where('id', '=', staff_id)
    .executeTakeFirstOrThrow()
  await endInvitations(db, staff_id, now)
  const template = kind === 'invited' ? 'invitation' : 'forgotten-password'
  const values = {
    first_name: person.first_name,
    username: person.user_name,
    link: html`<a href="${linkPlace}">${linkPlace}</a>`,
  }
  const mail_id = await mail.queue(db, {
    kind: template,
    to: [person.email],
    ...(await mail.write(db, template, values, {})),
    record: { type: 'invitation', id: staff_id },
  })
  await db
    .insertInto('staff_invitations')
    .values({
      token_hash: hashToken(token),
      staff_id,
      kind,
      mail_id,
      created_at: now.toISOString(),
      expires_at: expiryFrom(now),
    })
    .execute()
  return linkWith({ settings }, token)
}

/** Returns the last email with a link for an admin user, and until when a link can be used. */
export async function findPasswordLink(db: Db, staff_id: number, now: Date) {
  const { rows } = await sql<{
    address: string
    created_at: string
    state: MailState
    last_error: string | null
    expires_at: string | null
  }>`select r.address, m.created_at, r.state, r.last_error, (select max(o.expires_at) from staff_invitations o
      where o.staff_id = i.staff_id and o.used_at is null and o.expires_at > ${now}) as expires_at
    from staff_invitations i join mails m on m.id = i.mail_id join mail_recipients r on r.mail_id = m.id
    where i.staff_id = ${staff_id} order by i.mail_id desc limit 1`.execute(db)
  return rows[0] ?? null
}

/** Creates a link for an admin user who can't be emailed, to be shown once; earlier links are invalidated. */
export async function createRescueLink(
  app: Pick<App, 'settings'>,
  db: Transaction<Database>,
  staff_id: number,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await endInvitations(db, staff_id, now)
  await db
    .insertInto('staff_invitations')
    .values({
      token_hash: hashToken(token),
      staff_id,
      kind: 'forgotten',
      created_at: now.toISOString(),
      expires_at: expiryFrom(now, rescueHours),
    })
    .execute()
  return linkWith(app, token)
}

/**
 * Creates the link for an email that is being sent; returns undefined if the link has been used or
 * invalidated or has expired.
 */
export async function linkForMail(
  app: Pick<App, 'settings'>,
  db: Transaction<Database>,
  mail_id: number,
  now: Date,
): Promise<string | undefined> {
  const open = await db
    .selectFrom('staff_invitations as i')
    .innerJoin('staff as s', 's.id', 'i.staff_id')
    .select(['i.staff_id', 'i.kind'])
    .where('i.mail_id', '=', mail_id)
    .where('i.used_at', 'is', null)
    .where('i.expires_at', '>', now.toISOString())
    .where('s.banned_at', 'is', null)
    .forUpdate('i')
    .executeTakeFirst()
  if (!open) return undefined
  const token = randomBytes(32).toString('base64url')
  await db
    .insertInto('staff_invitations')
    .values({
      ...open,
      token_hash: hashToken(token),
      created_at: now.toISOString(),
      expires_at: expiryFrom(now),
    })
    .execute()
  return linkWith(app, token)
}
