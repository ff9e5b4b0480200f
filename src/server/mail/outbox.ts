import { randomBytes } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { TemplateName } from '#shared/mail-templates.ts'
import { isRepliedType } from '#shared/records.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Html } from '#server/html/html.ts'
import type { SignedIn } from '#server/http/session.ts'
import { MailAccess } from '#server/mail/access.ts'
import { BulkDelivery } from '#server/mail/bulk.ts'
import { MailControl } from '#server/mail/control.ts'
import { Delivery, type MailOptions } from '#server/mail/delivery.ts'
import { framed, unsubscribePlace } from '#server/mail/frame.ts'
import { checkHead, recipientsOf, type Mail, type Written } from '#server/mail/mail.ts'
import {
  bulkQueue,
  resumeUnfinished,
  schedule,
  singleQueue,
  type Batch,
  type Single,
} from '#server/mail/schedule.ts'
import { findSender } from '#server/mail/senders.ts'
import { signatureHtml, writeTemplate, type TemplateValues } from '#server/mail/templates.ts'
import { textPart } from '#server/mail/text-part.ts'
import { hostOf, senderOf } from '#server/mail/transport.ts'
import { LinkTokens } from '#server/mail/link-tokens.ts'
import { Unsubscribing } from '#server/mail/unsubscribe.ts'

/** An email with more recipients than this is a bulk email. */
const mostOfSingle = 20

type Facts = Readonly<Record<string, string | Html>>
type FactsOf = (db: Db, id: number, viewer: SignedIn) => Promise<Facts>

/**
 * Emails to send. An email is a row written in the same transaction as the change it reports, and a job enqueued in
 * that transaction delivers it (delivery.ts, bulk.ts). It can be held while sending can be undone, and can be
 * stopped (control.ts).
 */
export class Outbox {
  readonly access = new MailAccess()
  readonly control: MailControl
  readonly delivery: Delivery
  readonly tokens: LinkTokens
  readonly unsubscribing: Unsubscribing
  readonly #options: MailOptions
  readonly #bulk: BulkDelivery
  readonly #facts = new Map<TemplateName, FactsOf>()

  constructor(options: MailOptions) {
    this.#options = options
    const { db, jobs } = options
    this.control = new MailControl(jobs)
    this.tokens = new LinkTokens(db)
    this.unsubscribing = new Unsubscribing(db, this.tokens)
    this.delivery = new Delivery(options, this.unsubscribing)
    this.#bulk = new BulkDelivery(options, this.delivery)
    // Without an SMTP server, leave the jobs to a process that has one.
    jobs.on(singleQueue, this.isOn ? ({ mail_id }: Single) => this.delivery.deliver(mail_id) : undefined)
    jobs.on(bulkQueue, this.isOn ? (batch: Batch) => this.#bulk.deliverBatch(batch) : undefined)
    jobs.onStart(async () => {
      if (this.isOn) await resumeUnfinished(db, jobs)
    })
  }

  /** Whether emails are sent; without an SMTP server, they wait. */
  get isOn(): boolean {
    return this.#options.settings.smtpUrl !== undefined
  }

  /** Host of the SMTP server, without its credentials; null if there is none. */
  get host(): string | null {
    const { smtpUrl } = this.#options.settings
    return smtpUrl === undefined ? null : new URL(smtpUrl).hostname
  }

  /** Registers how the values of a template's variables are found for a record, for previews. */
  registerFacts(kinds: readonly TemplateName[], facts: FactsOf): void {
    for (const kind of kinds) this.#facts.set(kind, facts)
  }

  /** Returns the values of a template's variables for a record that the viewer can see. */
  async factsOf(db: Db, kind: TemplateName, id: number, viewer: SignedIn): Promise<Facts> {
    return (await this.#facts.get(kind)?.(db, id, viewer)) ?? {}
  }

  /**
   * Adds an email to the outbox in the transaction of the change that it reports; returns its ID.
   * @throws HttpError 422 for an invalid address, or for a header with more than one line.
   */
  async queue(db: Transaction<Database>, mail: Mail): Promise<number> {
    const {
      to,
      cc,
      record,
      references,
      attachments = [],
      sendAfterSeconds = 0,
      reply_token = randomBytes(12).toString('hex'),
      toStaff = false,
      ...said
    } = mail
    checkHead(mail)
    const recipients = recipientsOf(mail)
    const { sender, ...words } = await this.#write(db, mail)
    const bulk = recipients.size > mostOfSingle
    const { id } = await db
      .insertInto('mails')
      .values({
        ...said,
        ...words,
        reply_token,
        bulk,
        is_open: cc !== undefined,
        takes_replies: isRepliedType(record?.type) && !toStaff,
        sender_name: sender.name,
        sender_address: sender.address,
        record_type: record?.type ?? null,
        record_id: record?.id ?? null,
        references: references?.join(' ') ?? null,
        message_id: `<${reply_token}-${randomBytes(8).toString('hex')}@${hostOf(this.#options.settings.publicUrl)}>`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await this.attach(db, id, attachments)
    await sql`
      insert into mail_recipients (mail_id, address, name, search, is_cc, state, next_try_at)
      select ${id}, address, name, ${bulk ? sql`''` : searchOfRecipient}, is_cc, ${sendAfterSeconds > 0 ? 'held' : 'waiting'}, now() + make_interval(secs => ${sendAfterSeconds})
      from unnest(${[...recipients.keys()]}::text[], ${[...recipients.values()].map(({ name }) => name)}::text[],
        ${[...recipients.values()].map(({ is_cc }) => is_cc)}::boolean[]) as one (address, name, is_cc)`.execute(
      db,
    )
    await schedule(this.#options.jobs, db, { id, bulk, run: 0 }, sendAfterSeconds)
    return id
  }

  /** Returns an email of a kind from its template, without the frame of its sender. */
  async write<Kind extends TemplateName>(
    db: Db,
    kind: Kind,
    values: TemplateValues<Kind>,
    about: Pick<Mail, 'product_id' | 'staff_id'>,
  ): Promise<Pick<Mail, 'subject' | 'html' | 'text'>> {
    return writeTemplate(db, this.#options.settings, kind, values, about)
  }

  /** Returns the signature of an admin user's emails. */
  async signature(
    db: Db,
    about: Pick<Mail, 'product_id' | 'staff_id'>,
  ): Promise<{ html: string; text: string }> {
    const { signature } = await findSender(db, this.#options.settings, about)
    const html = signatureHtml(signature).text
    return { html, text: textPart(html) }
  }

  /** Returns what recipients see of the sender of an email: in its From header, above its text, and below it. */
  async senderOf(
    db: Db,
    about: Pick<Mail, 'product_id' | 'staff_id'>,
  ): Promise<{ from: string; heading: string; signature: string }> {
    const sender = await findSender(db, this.#options.settings, about)
    const { heading, signature } = sender
    return { from: senderOf(this.#options.settings, sender), heading, signature }
  }

  /** Returns an email with its sender exactly as it would be sent, except that the unsubscribe link is inert. */
  async preview(
    db: Db,
    mail: Written,
  ): Promise<{ from: string; subject: string; html: string; text: string }> {
    const { sender, ...words } = await this.#write(db, mail)
    return {
      from: senderOf(this.#options.settings, sender),
      subject: words.subject,
      html: words.html.replaceAll(unsubscribePlace, '#'),
      text: words.text,
    }
  }

  async #write(db: Db, { subject, html, text, ...about }: Written) {
    const { settings } = this.#options
    const sender = await findSender(db, settings, about)
    const unsubscribable = about.unsubscribable === true && settings.publicUrl !== undefined
    return { sender, ...framed({ subject, html, text }, { ...sender, unsubscribable }) }
  }

  /** Adds stored files to an email that was queued in the same transaction. */
  async attach(
    db: Transaction<Database>,
    mail_id: number,
    files: NonNullable<Mail['attachments']>,
  ): Promise<void> {
    if (!files.length) return
    const rows = files.map(({ name, mime, stored, content_id = null }, position) => ({
      mail_id,
      position,
      name,
      mime,
      stored,
      content_id,
    }))
    await db.insertInto('mail_attachments').values(rows).execute()
  }

  /** Sends an email only to its author, without linking it to a record. */
  async sendTest(
    db: Transaction<Database>,
    viewer: Pick<Viewer, 'id'>,
    { to, ...mail }: Mail,
  ): Promise<number> {
    const { email, first_name } = await db
      .selectFrom('staff')
      .select(['email', 'first_name'])
      .where('id', '=', viewer.id)
      .executeTakeFirstOrThrow()
    const hasNames = to.some((one) => typeof one !== 'string' && one.name !== undefined)
    const said = {
      ...mail,
      kind: `${mail.kind}-test`,
      subject: `[Test] ${mail.subject}`,
      staff_id: viewer.id,
    }
    return this.queue(db, {
      ...said,
      to: [hasNames ? { address: email, name: first_name } : email],
      record: undefined,
      reply_token: undefined,
      sendAfterSeconds: 0,
      unsubscribable: false,
    })
  }

  /** Lets emails in flight finish, but does not start any more emails from a batch. */
  drain(): void {
    this.#bulk.drain()
  }

  close(): void {
    this.drain()
    this.delivery.close()
  }
}

/** SQL for the words by which a recipient is found. */
const searchOfRecipient = sql`left(search_text(address::text || ' ' || coalesce(name, '')), 640)`
