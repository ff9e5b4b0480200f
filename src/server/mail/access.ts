import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { Db } from '#server/db/db.ts'
import type { MailRecord } from '#server/mail/unsubscribe.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

/** Whether a viewer can read an email's record, and the same rule as SQL on the email `m`, for lists. */
interface Right {
  mayRead: ((db: Db, id: number, viewer: Viewer) => boolean | Promise<boolean>) | undefined
  inLists: ((viewer: Viewer) => RawBuilder<unknown>) | undefined
}

/** Decides who sees emails and their recipients: the readers of the record that an email is about. */
export class MailAccess {
  readonly #rights = new Map<string, Right>()

  /**
   * Returns the SQL condition for the recipients `x` of a mailing `m` that a viewer can see; set by the feature that
   * knows the customers' users. All other emails belong to a record, which decides who sees their recipients.
   */
  seesRecipient: (viewer: Viewer) => RawBuilder<boolean> = () => sql`true`

  /** Returns the SQL condition for the recipients `x` of an email `m` that a viewer can see. */
  shownRecipients(viewer: Viewer): RawBuilder<boolean> {
    return sql`(coalesce(m.record_type, 'notification') <> 'notification' or ${this.seesRecipient(viewer)})`
  }

  /** Returns the SQL condition for the emails `m` that have a recipient whom a viewer can see. */
  reachesShown(viewer: Viewer): RawBuilder<boolean> {
    return sql`exists (select from mail_recipients x where x.mail_id = m.id and ${this.shownRecipients(viewer)})`
  }

  /** Returns the SQL condition for the emails `m` of which a viewer sees all recipients, and so can steer them. */
  showsAll(viewer: Viewer): RawBuilder<boolean> {
    return sql`not exists (select from mail_recipients x where x.mail_id = m.id and not ${this.shownRecipients(viewer)})`
  }

  /** Returns who can read the emails of a record type without a registered check; set by the record kit. */
  defaultReader: (type: string) => Right['mayRead'] | undefined = () => undefined

  /**
   * Registers who can read the emails of a record type; by default, those who can see the record. `inLists` is the
   * same rule as SQL on the email `m`; by default, access depends on the email's product.
   */
  registerReadCheck(
    recordType: string,
    mayRead: Right['mayRead'] | undefined,
    inLists?: Right['inLists'],
  ): void {
    this.#rights.set(recordType, { mayRead, inLists })
  }

  /** Returns whether a viewer can read a record's emails. */
  async isReadable(db: Db, { type, id }: MailRecord, viewer: Viewer): Promise<boolean> {
    const mayRead = this.#rights.get(type)?.mayRead ?? this.defaultReader(type)
    return (await mayRead?.(db, id, viewer)) ?? false
  }

  /**
   * Returns the SQL condition for the emails `m` that a viewer with role 0 or 1 sees in lists: those of the
   * viewer's products whose record exists for the viewer, and mailings to anyone whom the viewer can see.
   */
  listed(viewer: Viewer, kinds: readonly RecordKind[]): RawBuilder<unknown> {
    const ofProduct = sql`(m.product_id is null or m.product_id = any(${viewer.products}))
      and ${inScope(kinds, viewer, { type: 'm.record_type', id: 'm.record_id' })}
      and (m.record_type is not null or ${this.reachesShown(viewer)})`
    const byType = [...this.#rights].flatMap(([type, { inLists }]) =>
      inLists ? [sql`when ${type} then ${inLists(viewer)}`] : [],
    )
    return byType.length
      ? sql`(case m.record_type ${sql.join(byType, sql` `)} else ${ofProduct} end)`
      : sql`(${ofProduct})`
  }
}
