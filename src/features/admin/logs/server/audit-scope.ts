import { sql, type RawBuilder } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import type { MailAccess } from '#server/mail/access.ts'
import type { RecordKind } from '#server/record/rows.ts'
import { inScope } from '#server/record/scope.ts'

interface Reader {
  viewer: Viewer
  kinds: readonly RecordKind[]
  mail: MailAccess
}

/**
 * Returns the SQL condition that a viewer can see what an entry of the log, with the columns `type` and `id`, is
 * about: a record in the viewer's scope, or something that belongs to one of the viewer's products or to none. An
 * operation can be seen by those who can see one of its records, or if it has none.
 */
export function seesTarget(
  { kinds: all, ...who }: Reader,
  { type, id }: { type: string; id: string },
): RawBuilder<boolean> {
  const kinds = all.map((kind) =>
    kind.history?.scope ? { ...kind, visibility: { ...kind.visibility, scope: kind.history.scope } } : kind,
  )
  const reader = { ...who, kinds }
  const cases = Object.entries(scopesOf(reader)).map(
    ([name, sees]) => sql`when ${sql.lit(name)} then ${sees}`,
  )
  const changed = sql`(select c.record_type, c.record_id from record_changes c where c.operation_id = t.id
    union all select p.record_type, p.record_id from part_changes p where p.operation_id = t.id) c`
  const ofRecord = inScope(reader.kinds, reader.viewer, { type: 'c.record_type', id: 'c.record_id' })
  const isOperation = sql`(not exists (select from ${changed}) or exists (select from ${changed} where ${ofRecord}))`
  // The outer columns are read first, because the conditions have aliases that the outer query may have, too.
  return sql`(select case t.type ${sql.join(cases, sql` `)}
      else case when t.type like '%-operation' then ${isOperation}
        else ${inScope(reader.kinds, reader.viewer, { type: 't.type', id: 't.id' })} end end
    from (select ${sql.ref(type)} as type, ${sql.ref(id)} as id) t)`
}

/** The conditions for types other than record kinds, over the entry's `t.id`. */
function scopesOf({ viewer, kinds, mail }: Reader): Record<string, RawBuilder<unknown>> {
  const products = sql`any(${viewer.products}::int[])`
  const isProduct = sql`t.id = ${products}`
  const ofRecord = (type: string, from: RawBuilder<unknown>) =>
    sql`exists (select from (select ${sql.lit(type)}::text as type, m.record_id as id from (${from}) m) o2
      where ${inScope(kinds, viewer, { type: 'o2.type', id: 'o2.id' })})`
  return {
    product: isProduct,
    'meta-tags': isProduct,
    mail_senders: isProduct,
    // 0 is the sender of emails that belong to no product.
    sender: sql`(t.id = 0 or ${isProduct})`,
    media: sql`exists (select from media m where m.id = t.id and m.product_id = ${products})`,
    'lead-import': sql`exists (select from lead_imports i where i.id = t.id and (i.mapping->>'lead_for')::int = ${products})`,
    mail: sql`exists (select from mails m where m.id = t.id and ${mail.listed(viewer, kinds)} and ${mail.showsAll(viewer)})`,
    mail_template: sql`exists (select from mail_templates m where m.id = t.id and (m.product_id is null or m.product_id = ${products}))`,
    received_mail: sql`exists (select from received_mails m where m.id = t.id
      and ${inScope(kinds, viewer, { type: 'm.record_type', id: 'm.record_id' })})`,
    reminder: ofRecord('lead', sql`select lead_id as record_id from reminders where id = t.id`),
    organization_reminder: ofRecord(
      'organization',
      sql`select organization_id as record_id from organization_reminders where id = t.id`,
    ),
  }
}
