import { sql, type Transaction } from 'kysely'
import type { Template, TemplateRow, Version } from '#features/admin/mail-settings/templates.contract.ts'
import { kindOfTemplate, templateNames, type TemplateName } from '#shared/mail-templates.ts'
import type { Database, Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { TemplateText } from '#server/mail/templates.ts'

export interface Which {
  kind: TemplateName
  product_id: number | null
  /** Of a template of the composer. */
  id: number | null
}

interface Stored {
  id: number
  kind: TemplateName
  product_id: number | null
  name: string
  version: number
}

const mostVersions = 200

/** Returns the templates of a product, or of all products, in the order of their kinds. */
export async function findTemplates(db: Db, product_id: number | null): Promise<TemplateRow[]> {
  const { rows } =
    await sql<Stored>`select distinct on (kind, name) id, kind, product_id, name, version from mail_templates
    where removed_at is null and (product_id is null or product_id = ${product_id})
    order by kind, name, product_id nulls last`.execute(db)
  return templateNames.flatMap((kind): TemplateRow[] => {
    const { name, group, byProduct } = kindOfTemplate(kind)
    if (kind === 'composer') return rows.filter((one) => one.kind === kind).map((one) => ({ ...one, group }))
    const own = rows.find((one) => one.kind === kind && (byProduct || one.product_id === null))
    const none = { id: null, product_id: null, version: 0 }
    return [{ ...none, ...own, kind, name, group }]
  })
}

/** Returns the stored template; undefined if its kind still has the text of the program for this product. */
export const findStored = (db: Db, { kind, product_id, id }: Which): Promise<Stored | undefined> =>
  db
    .selectFrom('mail_templates')
    .select(['id', 'product_id', 'name', 'version'])
    .select(sql<TemplateName>`kind`.as('kind'))
    .where('kind', '=', kind)
    .where('removed_at', 'is', null)
    .where(
      kind === 'composer'
        ? sql<boolean>`id = ${id}`
        : sql<boolean>`product_id is not distinct from ${product_id}`,
    )
    .executeTakeFirst()

/** Returns one version of a template; 0 is the text of the program. */
export async function getVersion(db: Db, which: Which, version: number): Promise<TemplateText> {
  if (version === 0) {
    const { subject, content } = kindOfTemplate(which.kind)
    return { subject, content }
  }
  const stored = await findStored(db, which)
  const found =
    stored &&
    (await db
      .selectFrom('mail_template_versions')
      .select(['subject', 'content'])
      .where('template_id', '=', stored.id)
      .where('version', '=', version)
      .executeTakeFirst())
  if (!found) throw notFound('Version not found.')
  return found
}

/** Returns a template with its versions. Without its own text, a product has that of all products. */
export async function getTemplate(db: Db, which: Which): Promise<Template> {
  const { kind, product_id, id } = which
  const stored = await findStored(db, which)
  if (!stored && kind === 'composer' && id !== null) throw notFound('Template not found.')
  const shared =
    !stored && product_id !== null ? await findStored(db, { ...which, product_id: null }) : undefined
  const inUse = stored ?? shared
  const text = await getVersion(
    db,
    { ...which, product_id: inUse ? inUse.product_id : product_id },
    inUse?.version ?? 0,
  )
  const versions = stored
    ? await db
        .selectFrom('mail_template_versions as v')
        .leftJoin('staff as s', 's.id', 'v.created_by')
        .select(['v.version', 'v.note', 's.name as who', 'v.created_at'])
        .where('template_id', '=', stored.id)
        .orderBy('v.version', 'desc')
        .limit(mostVersions)
        .execute()
    : []
  const shipped: Version = { version: 0, note: 'Text of the program', who: null, created_at: null }
  return {
    id: stored?.id ?? null,
    kind,
    product_id,
    name: stored?.name || kindOfTemplate(kind).name,
    // A product without its own text starts with version 1.
    version: stored?.version ?? 0,
    ...text,
    versions: kind === 'composer' ? versions : [...versions, shipped],
  }
}

/**
 * Locks the templates of a kind and returns the stored one, so that two saves become two versions.
 */
export async function lockStored(db: Transaction<Database>, which: Which): Promise<Stored | undefined> {
  await sql`select pg_advisory_xact_lock(hashtext('mail-template'), hashtext(${which.kind}))`.execute(db)
  return findStored(db, which)
}

interface NewVersion extends TemplateText {
  name: string
  note: string
  staff_id: number
  now: string
}

/** Adds a version and returns the template's ID. */
export async function addVersion(
  db: Transaction<Database>,
  which: Which,
  stored: Stored | undefined,
  { name, note, subject, content, staff_id, now }: NewVersion,
): Promise<number> {
  const version = (stored?.version ?? 0) + 1
  const own = { name: which.kind === 'composer' ? name : '', version, updated_at: now }
  const { id } = stored
    ? await db
        .updateTable('mail_templates')
        .set(own)
        .where('id', '=', stored.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await db
        .insertInto('mail_templates')
        .values({ kind: which.kind, product_id: which.product_id, ...own })
        .returning('id')
        .executeTakeFirstOrThrow()
  await db
    .insertInto('mail_template_versions')
    .values({ template_id: id, version, subject, content, note, created_by: staff_id, created_at: now })
    .execute()
  return id
}
