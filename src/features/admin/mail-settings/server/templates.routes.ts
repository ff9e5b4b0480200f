import { sql } from 'kysely'
import { mailTemplates, type Template } from '#features/admin/mail-settings/templates.contract.ts'
import {
  addVersion,
  findTemplates,
  getTemplate,
  getVersion,
  lockStored,
  type Which,
} from '#features/admin/mail-settings/server/templates.queries.ts'
import { kindOfTemplate, type TemplateName } from '#shared/mail-templates.ts'
import { templateErrors } from '#shared/template-variables.ts'
import type { UncleanHtml } from '#shared/schemas.ts'
import { truncate } from '#shared/truncate.ts'
import type { Db } from '#server/db/db.ts'
import { Html, html } from '#server/html/html.ts'
import { cleanHtml, forOutside } from '#server/html/html-clean.ts'
import { conflict, HttpError, notFound } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { SignedIn } from '#server/http/session.ts'
import { linkPlace } from '#server/mail/link-place.ts'
import { fillTemplate, senderValues } from '#server/mail/templates.ts'
import { textPart } from '#server/mail/text-part.ts'
import { matchesSearch } from '#server/record/list.ts'
import { findOnlyProduct, idOf, scopeOf } from '#server/record/rows.ts'

const whichOf = ({
  kind,
  product_id,
  id,
}: {
  kind: TemplateName
  product_id?: number | null | undefined
  id?: number | null | undefined
}): Which => ({
  kind,
  product_id: product_id ?? null,
  id: id ?? null,
})

/** @throws HttpError 422 that names unknown, misplaced, and missing variables */
function checkText(kind: TemplateName, subject: string, unclean: UncleanHtml) {
  // Images need a session, and an email client has none.
  const content = forOutside(cleanHtml(unclean, 'content'))
  const errors = Object.entries(templateErrors(kind, { subject, content }))
  if (textPart(content) === '') errors.push(['content', 'This field is required.'])
  if (errors.length)
    throw new HttpError(422, errors[0]![1], {
      errors: Object.fromEntries(errors.map(([field, text]) => [field, [text]])),
    })
  return { subject, content }
}

const listTemplates: Handler<typeof mailTemplates.list> = async ({ query }, { db }) => ({
  data: await findTemplates(db, query.product_id ?? null),
})

const showTemplate: Handler<typeof mailTemplates.show> = async ({ query }, { db, viewer }) => {
  const data = await getTemplate(db, whichOf(query))
  demandProduct(data, viewer)
  return { data }
}

const showVersion: Handler<typeof mailTemplates.version> = async ({ query }, { db, viewer }) => {
  demandProduct(await getTemplate(db, whichOf(query)), viewer)
  return { data: await getVersion(db, whichOf(query), query.version) }
}

type Saving = Pick<WriteContext<typeof mailTemplates.save>, 'db' | 'viewer' | 'audit' | 'clock' | 'changed'>

/** @throws HttpError 409 if someone else saved a version since */
async function save(
  { db, viewer, audit, clock, changed }: Saving,
  which: Which,
  base: number,
  text: { subject: string; content: string; name: string; note: string },
): Promise<Template> {
  const stored = await lockStored(db, which)
  if (stored) demandProduct(stored, viewer)
  if (which.id !== null && !stored) throw notFound('Template not found.')
  if ((stored?.version ?? 0) !== base)
    throw conflict(
      'Someone else saved this template. Reload it to see their text.',
      await getTemplate(db, which),
    )
  const product_id = stored ? stored.product_id : which.product_id
  const own = { ...which, product_id: kindOfTemplate(which.kind).byProduct ? product_id : null }
  const id = await addVersion(db, own, stored, {
    ...text,
    staff_id: viewer.id,
    now: clock.now().toISOString(),
  })
  const data = await getTemplate(db, which.kind === 'composer' ? { ...own, id } : own)
  audit({
    target: 'mail_template',
    id,
    before: { version: stored?.version ?? 0 },
    after: { template: data.name, version: data.version, subject: data.subject },
  })
  changed('settings', [1])
  return data
}

const saveTemplate: Handler<typeof mailTemplates.save> = async ({ body }, context) => {
  const which = whichOf(body)
  if (which.kind === 'composer' && body.name === '')
    throw new HttpError(422, 'This field is required.', { errors: { name: ['This field is required.'] } })
  if (which.kind === 'composer') {
    const taken =
      await sql`select from mail_templates where kind = 'composer' and removed_at is null and lower(name) = lower(${body.name})
      and product_id is not distinct from ${which.product_id} and id is distinct from ${which.id}`.execute(
        context.db,
      )
    if (taken.rows.length)
      throw new HttpError(422, 'Another template has this name.', {
        errors: { name: ['Another template has this name.'] },
      })
  }
  const text = checkText(which.kind, body.subject, body.content)
  const data = await save(context, which, body.version, { ...text, name: body.name, note: '' })
  return { message: `Version ${data.version} saved. New emails use it.`, data }
}

const restoreTemplate: Handler<typeof mailTemplates.restore> = async ({ body }, context) => {
  const which = whichOf(body)
  const text = await getVersion(context.db, which, body.restored)
  const note = body.restored === 0 ? 'Restored the text of the program' : `Restored version ${body.restored}`
  const { name } = await getTemplate(context.db, which)
  const data = await save(context, which, body.version, { ...text, name, note })
  return { message: `${note} as version ${data.version}.`, data }
}

const removeTemplate: Handler<typeof mailTemplates.remove> = async (
  { body: { id } },
  { db, viewer, clock, audit, changed },
) => {
  const stored = await lockStored(db, { kind: 'composer', product_id: null, id })
  if (!stored) throw notFound('Template not found.')
  demandProduct(stored, viewer)
  await db
    .updateTable('mail_templates')
    .set({ removed_at: clock.now().toISOString() })
    .where('id', '=', id)
    .execute()
  audit({ target: 'mail_template', id, before: { template: stored.name }, after: { template: null } })
  changed('settings', [1])
  return { message: 'Template removed.' }
}

/** @throws HttpError 403 for a template of another product */
function demandProduct({ product_id }: { product_id: number | null }, { products }: SignedIn): void {
  if (product_id !== null && !products.includes(product_id))
    throw new HttpError(403, 'This product isn’t assigned to you.')
}

/** Returns records that a kind of email can be about, newest first. */
async function findRecords(
  app: App,
  db: Db,
  viewer: SignedIn,
  kind: TemplateName,
  { search = '', id, product_id }: { search?: string; id?: number; product_id?: number | null },
) {
  const { record } = kindOfTemplate(kind)
  if (record === 'own account') return [{ id: viewer.id, name: viewer.name }]
  const recordKind = app.records.get(record)
  const products = recordKind.visibility?.products
  const own = sql.ref(`r.${idOf(recordKind)}`)
  const { rows } = await sql<{ id: number; name: string }>`
    select ${own} as id, coalesce(${sql.raw(recordKind.name)}, '')::text as name from ${sql.table(recordKind.table)} r
    where r.deleted_at is null and ${scopeOf(recordKind, viewer)}
      and ${matchesSearch(sql`search_text(${sql.raw(recordKind.name)})`, search)}
      and ${id === undefined ? sql`true` : sql`${own} = ${id}`}
      and ${product_id && products ? sql`${product_id} = any(${sql.raw(products.of)})` : sql`true`}
    order by ${own} desc limit 20`.execute(db)
  return rows
}

const ownFacts = async (db: Db, viewer: SignedIn) => {
  const person = await db
    .selectFrom('staff')
    .select(['first_name', 'user_name'])
    .where('id', '=', viewer.id)
    .executeTakeFirstOrThrow()
  return {
    first_name: person.first_name,
    username: person.user_name,
    link: html`<a href="#">${linkPlace}</a>`,
    title: 'Aalto Linen',
    text: 'Can you have a look?',
    days: '16 Nov 2026, 17 Nov 2026',
    who: viewer.name,
    what: '2 leads',
    links: html`<ul>
      <li><a href="#">Aalto Linen</a></li>
      <li><a href="#">Birch Laundry</a></li>
    </ul>`,
  }
}

interface Shown {
  kind: TemplateName
  product_id: number | null
  subject: string
  content: UncleanHtml
  record_id?: number | undefined
}

/** Writes a template for a record; without any record, variables show what they stand for. */
async function writeFor(
  app: App,
  db: Db,
  viewer: SignedIn,
  { kind, product_id, record_id, ...words }: Shown,
) {
  const text = checkText(kind, words.subject, words.content)
  const [record] = await findRecords(app, db, viewer, kind, {
    ...(record_id === undefined ? { product_id } : { id: record_id }),
  })
  if (!record && record_id !== undefined) throw notFound('Record not found.')
  const { variables, group, record: type } = kindOfTemplate(kind)
  const own =
    record && type !== 'own account' ? await findOnlyProduct(db, app.records.get(type), record.id) : undefined
  const about = {
    product_id: product_id ?? own,
    staff_id: type === 'own account' ? undefined : viewer.id,
  }
  const labels = Object.fromEntries(Object.entries(variables).map(([name, { label }]) => [name, label]))
  const facts = !record
    ? {}
    : type === 'own account'
      ? await ownFacts(db, viewer)
      : await app.mail.factsOf(db, kind, record.id, viewer)
  const sender = await senderValues(db, app.settings, about)
  const values: Record<string, string | Html> = {
    ...labels,
    ...sender,
    ...(type === 'own account' ? { my_name: viewer.name } : {}),
    ...facts,
  }
  const mail = { ...fillTemplate(text, values), ...about, unsubscribable: group === 'Mailings' }
  const shown = Object.keys(variables).map((name) => {
    const value = values[name] ?? ''
    return [name, truncate(value instanceof Html ? textPart(value.text) : value, 200)]
  })
  return { mail, record: record ?? null, values: Object.fromEntries(shown) as Record<string, string> }
}

const previewTemplate: Handler<typeof mailTemplates.preview> = async ({ body }, { app, db, viewer }) => {
  const { mail, record, values } = await writeFor(app, db, viewer, body)
  return { data: { ...(await app.mail.preview(db, mail)), record, values } }
}

const sendTest: Handler<typeof mailTemplates.test> = async (
  { body },
  { app, db, viewer, audit, changed },
) => {
  const { mail } = await writeFor(app, db, viewer, body)
  const id = await app.mail.sendTest(db, viewer, { kind: body.kind, to: ['you@example.com'], ...mail })
  audit({ target: 'mail', id, after: { mail: mail.subject } })
  changed('mails', [id])
  return { message: 'Sending a test email to you.' }
}

export function templateRoutes(app: App): void {
  implement(app, mailTemplates.list, listTemplates)
  implement(app, mailTemplates.show, showTemplate)
  implement(app, mailTemplates.version, showVersion)
  implement(app, mailTemplates.save, saveTemplate)
  implement(app, mailTemplates.restore, restoreTemplate)
  implement(app, mailTemplates.remove, removeTemplate)
  implement(app, mailTemplates.records, async ({ query: { kind, search } }, { db, viewer }) => ({
    data: await findRecords(app, db, viewer, kind, { search }),
  }))
  implement(app, mailTemplates.preview, previewTemplate)
  implement(app, mailTemplates.test, sendTest)
}
