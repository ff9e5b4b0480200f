import { sql, type Transaction } from 'kysely'
import { isAddress } from '#shared/recipients.ts'
import type { Database } from '#server/db/db.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { Jobs } from '#server/jobs/jobs.ts'
import { isStale, schedule, type Due } from '#server/mail/schedule.ts'
import type { ContinuableWriting } from '#server/record/rows.ts'

type OnCancel = (writing: ContinuableWriting, mail_id: number) => Promise<void>
type Startable = Due & { unsubscribable: boolean }

/** What users do with an email in the outbox: cancel, stop, resume, retry, and correct an address. */
export class MailControl {
  readonly #jobs: Jobs
  readonly #onCancel = new Map<string, OnCancel[]>()

  constructor(jobs: Jobs) {
    this.#jobs = jobs
  }

  /**
   * Registers a handler that runs in the same transaction when an email of a record type is canceled, after those that
   * were registered before.
   */
  onCancel(recordType: string, handler: OnCancel): void {
    this.#onCancel.set(recordType, [...(this.#onCancel.get(recordType) ?? []), handler])
  }

  /**
   * Cancels an email before it is sent to anyone.
   * @throws HttpError 409 once sending to the first recipient has begun.
   */
  async callOff(writing: ContinuableWriting, id: number): Promise<void> {
    const { db } = writing
    const canceled = await db
      .updateTable('mails')
      .set({ stopped_at: sql<string>`now()`, called_off_at: sql<string>`now()` })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .returning('record_type')
      .executeTakeFirst()
    const stopped = await db
      .updateTable('mail_recipients')
      .set({ state: 'canceled' })
      .where('mail_id', '=', id)
      .where('state', 'in', ['held', 'waiting', 'stopped', 'canceled'])
      .where('attempts', '=', 0)
      .executeTakeFirst()
    const { count } = await db
      .selectFrom('mail_recipients')
      .select((of) => of.fn.countAll<number>().as('count'))
      .where('mail_id', '=', id)
      .executeTakeFirstOrThrow()
    if (stopped.numUpdatedRows < BigInt(count))
      throw conflict('This email was already sent or is being sent now.')
    const handlers = (canceled && this.#onCancel.get(canceled.record_type ?? '')) ?? []
    for (const handler of handlers) await handler(writing, id)
  }

  /**
   * Stops an email for the recipients who have not received it yet, until it is resumed; returns their
   * number.
   */
  async stop(db: Transaction<Database>, id: number): Promise<number> {
    await db
      .updateTable('mails')
      .set({ stopped_at: sql<string>`coalesce(stopped_at, now())` })
      .where('id', '=', id)
      .execute()
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({ state: 'stopped' })
      .where('mail_id', '=', id)
      .where('state', 'in', ['held', 'waiting'])
      .executeTakeFirst()
    return Number(numUpdatedRows)
  }

  /**
   * Resumes a stopped email, except for recipients who have since unsubscribed.
   * @throws HttpError 409 for a canceled email.
   */
  async resume(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id)
    const { numAffectedRows = 0n } = await sql`
      update mail_recipients r set state = 'waiting', attempts = 0, next_try_at = now(), last_error = null, last_error_at = null
      where r.mail_id = ${id} and r.state = 'stopped'
        and not (${mail.unsubscribable} and exists (select from mail_unsubscribed u where u.address = r.address))`.execute(
      db,
    )
    await schedule(this.#jobs, db, mail)
    return Number(numAffectedRows)
  }

  /**
   * Immediately retries the recipients for whom delivery failed and, unless the email is bulk, those whose
   * delivery is held or waiting; returns the number of retried recipients.
   * @param failed if given, only these addresses are retried, for which delivery failed
   * @throws HttpError 409 for a canceled email.
   */
  async retry(db: Transaction<Database>, id: number, failed?: readonly string[]): Promise<number> {
    const mail = await this.#start(db, id, false)
    // A person who retries wants these addresses to be tried again.
    await sql`delete from bounced_addresses b using mail_recipients r
      where r.mail_id = ${id} and r.state = 'failed' and b.address = r.address
        and ${failed ? sql`r.address = any(${failed}::text[])` : sql`true`}`.execute(db)
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({ state: 'waiting', attempts: 0, next_try_at: sql<string>`now()` })
      .where('mail_id', '=', id)
      .where('state', 'in', mail.bulk || failed ? ['failed'] : ['failed', 'held', 'waiting'])
      .$if(failed !== undefined, (of) => of.where('address', 'in', [...failed!]))
      .executeTakeFirst()
    // Only the retried recipients continue; stopped ones remain stopped until the email is resumed.
    if (numUpdatedRows > 0n)
      await db.updateTable('mails').set({ stopped_at: null }).where('id', '=', id).execute()
    if (numUpdatedRows > 0n || mail.bulk) await schedule(this.#jobs, db, mail)
    return Number(numUpdatedRows)
  }

  /** Sends an email to the recipients for whom it has waited since before there was an SMTP server. */
  async release(db: Transaction<Database>, id: number): Promise<number> {
    const mail = await this.#start(db, id, false)
    const { numAffectedRows = 0n } =
      await sql`update mail_recipients r set state = 'waiting', next_try_at = now()
      where r.mail_id = ${id} and ${isStale}`.execute(db)
    if (numAffectedRows > 0n) await schedule(this.#jobs, db, mail)
    return Number(numAffectedRows)
  }

  /**
   * Replaces the address of a recipient to whom delivery failed, and sends the email to the new address.
   * @throws HttpError 422 for an address that can't receive this email; 409 for any other recipient
   */
  async correctAddress(
    db: Transaction<Database>,
    id: number,
    { from, to }: { from: string; to: string },
  ): Promise<void> {
    if (!isAddress(to)) throw invalid('new_address', 'This isn’t a valid email address.')
    const mail = await this.#start(db, id, false)
    const taken = await sql`select from mail_recipients where mail_id = ${id} and address = ${to}
      union all select from mail_unsubscribed where address = ${to} and ${mail.unsubscribable}`.execute(db)
    if (taken.rows.length)
      throw invalid('new_address', 'This address already gets this email, or has unsubscribed.')
    const { numUpdatedRows } = await db
      .updateTable('mail_recipients')
      .set({
        address: to.toLowerCase(),
        ...(mail.bulk
          ? {}
          : {
              search: sql<string>`left(search_text(${to.toLowerCase()} || ' ' || coalesce(name, '')), 640)`,
            }),
        state: 'waiting',
        attempts: 0,
        next_try_at: sql<string>`now()`,
        last_error: null,
        last_error_at: null,
      })
      .where('mail_id', '=', id)
      .where('address', '=', from)
      .where((is) =>
        is.or([is('state', '=', 'failed'), is.and([is('state', '=', 'waiting'), is('attempts', '>', 0)])]),
      )
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw conflict('This email was already sent or is being sent now.')
    await db.updateTable('mails').set({ stopped_at: null }).where('id', '=', id).execute()
    await schedule(this.#jobs, db, mail)
  }

  /** Starts a new chain of batches; any older chain then ends on its own. */
  async #start(db: Transaction<Database>, id: number, resumes = true): Promise<Startable> {
    const mail = await db
      .updateTable('mails')
      .set({ run: sql<number>`run + 1`, ...(resumes ? { stopped_at: null } : {}) })
      .where('id', '=', id)
      .where('called_off_at', 'is', null)
      .returning(['id', 'bulk', 'run', 'unsubscribable'])
      .executeTakeFirst()
    if (!mail) throw conflict('This email was canceled.')
    return mail
  }
}
