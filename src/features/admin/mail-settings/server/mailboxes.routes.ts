import { sql } from 'kysely'
import {
  mailboxes,
  type MailboxInput,
  type MailboxRow,
} from '#features/admin/mail-settings/mailboxes.contract.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { encryptMailboxSecret, type MailboxSecret } from '#server/inbound/mailbox-secrets.ts'
import { refusalReason } from '#server/public-fetch.ts'

async function findMailboxes({ settings }: App, db: Db, id?: number): Promise<MailboxRow[]> {
  const { rows } = await sql<Omit<MailboxRow, 'secret_from'> & { is_stored: boolean }>`
    select m.id, m.address::text as address, m.host, m.port, m.username, m.folder, m.sign_in, m.token_url, m.client_id,
      m.unknown_becomes, m.is_on, m.state, m.error, m.state_at, m.last_received_at, m.version, m.secret is not null as is_stored,
      (select count(*)::int from received_mails r where r.mailbox_id = m.id and r.received_at > now() - interval '24 hours') as received_today
    from mailboxes m where ${id === undefined ? sql`true` : sql`m.id = ${id}`} order by m.address`.execute(db)
  return rows.map(({ is_stored, ...row }) => ({
    ...row,
    secret_from: settings.mailboxPasswords.has(row.id) ? 'environment' : is_stored ? 'database' : null,
  }))
}

const listMailboxes =
  (app: App): Handler<typeof mailboxes.list> =>
  async (_input, { db }) => ({
    data: await findMailboxes(app, db),
    can_store: app.settings.secretsKey !== undefined,
    inbound_address: app.settings.inboundAddress ?? null,
  })

/** Returns the columns of a mailbox without its secrets. */
const columnsOf = ({ password: _p, client_secret: _c, refresh_token: _r, ...columns }: MailboxInput) =>
  columns

/**
 * Returns the secret that was entered; undefined if the stored one is kept.
 * @throws HttpError 422
 */
function secretIn(app: App, input: MailboxInput): MailboxSecret | undefined {
  const { sign_in, password, token_url, client_id, client_secret, refresh_token } = input
  if (sign_in === 'oauth2') {
    const refused = refusalReason(token_url, app.outside)
    if (refused !== undefined) throw invalid('token_url', refused)
    if (client_id === '') throw invalid('client_id', 'This field is required.')
    if ((client_secret === '') !== (refresh_token === ''))
      throw invalid(client_secret === '' ? 'client_secret' : 'refresh_token', 'Enter both, or neither.')
  }
  const entered = sign_in === 'oauth2' ? client_secret !== '' : password !== ''
  if (!entered) return undefined
  if (app.settings.secretsKey === undefined)
    throw invalid(
      sign_in === 'oauth2' ? 'client_secret' : 'password',
      'Passwords can’t be stored, because SECRETS_KEY isn’t set. Set it, or set the password in the environment.',
    )
  return sign_in === 'oauth2' ? { client_secret, refresh_token } : { password }
}

async function keepSecret(app: App, db: Db, id: number, secret: MailboxSecret | undefined): Promise<void> {
  if (secret === undefined) return
  await db
    .updateTable('mailboxes')
    .set({ secret: encryptMailboxSecret(app.settings.secretsKey!, id, secret) })
    .where('id', '=', id)
    .execute()
}

const taken = (error: { constraint?: string }): never => {
  throw error.constraint === 'mailboxes_address_key'
    ? invalid('address', 'This mailbox was already added.')
    : (error as Error)
}

const createMailbox =
  (app: App): Handler<typeof mailboxes.create> =>
  async ({ body }, { db, viewer, audit, changed, afterCommit }) => {
    const secret = secretIn(app, body)
    const { id } = await db
      .insertInto('mailboxes')
      .values({ ...columnsOf(body), created_by: viewer.id })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(taken)
    await keepSecret(app, db, id, secret)
    audit({ target: 'mailbox', id, after: columnsOf(body) })
    changed('settings', [])
    afterCommit(() => app.mailboxes.wake())
    return { message: 'Mailbox added.', data: (await findMailboxes(app, db, id))[0]! }
  }

const changeMailbox =
  (app: App): Handler<typeof mailboxes.change> =>
  async ({ params: { id }, body: { version, ...body } }, { db, audit, changed, afterCommit }) => {
    const before = await db
      .selectFrom('mailboxes')
      .selectAll()
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!before) throw notFound('This mailbox doesn’t exist.')
    if (before.version !== version)
      throw conflict('Someone else has changed this mailbox.', (await findMailboxes(app, db, id))[0])
    const secret = secretIn(app, body)
    const isOther = (name: 'host' | 'address' | 'username' | 'folder' | 'sign_in' | 'token_url') =>
      before[name] !== body[name]
    // A stored password must not be sent to another server than the one it was entered for.
    const losesSecret =
      secret === undefined && (isOther('host') || isOther('sign_in') || isOther('token_url'))
    const isOtherFolder = isOther('host') || isOther('username') || isOther('folder')
    await db
      .updateTable('mailboxes')
      .set({
        ...columnsOf(body),
        version: version + 1,
        updated_at: sql<string>`now()`,
        state: 'waiting',
        error: '',
        ...(losesSecret ? { secret: null } : {}),
        ...(isOtherFolder ? { uid_validity: null, last_uid: 0 } : {}),
        ...(body.is_on ? {} : { read_by: null, read_until: null }),
      })
      .where('id', '=', id)
      .execute()
      .catch(taken)
    await keepSecret(app, db, id, secret)
    const { secret: _, ...shown } = before
    audit({ target: 'mailbox', id, before: shown, after: { ...shown, ...columnsOf(body) } })
    changed('settings', [])
    afterCommit(() => app.mailboxes.wake())
    return { message: 'Mailbox saved.', data: (await findMailboxes(app, db, id))[0]! }
  }

const removeMailbox =
  (app: App): Handler<typeof mailboxes.remove> =>
  async ({ params: { id } }, { db, audit, changed, afterCommit }) => {
    const gone = await db
      .deleteFrom('mailboxes')
      .where('id', '=', id)
      .returning(['address', 'host'])
      .executeTakeFirst()
    if (!gone) throw notFound('This mailbox doesn’t exist.')
    audit({ target: 'mailbox', id, before: gone })
    changed('settings', [])
    afterCommit(() => app.mailboxes.wake())
    return { message: 'Mailbox removed.' }
  }

export function mailboxRoutes(app: App): void {
  implement(app, mailboxes.list, listMailboxes(app))
  implement(app, mailboxes.create, createMailbox(app))
  implement(app, mailboxes.change, changeMailbox(app))
  implement(app, mailboxes.remove, removeMailbox(app))
}
