import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { webForms, type StoredWebForm, type WebFormInput } from '#features/crm/leads/web-form/contract.ts'
import { daysHeld } from '#features/crm/leads/web-form/rules.ts'
import { emptyForm, formPage } from '#features/crm/leads/web-form/server/form-page.ts'
import { becomeLead } from '#features/crm/leads/web-form/server/inbound-leads.ts'
import { publicFormRoutes } from '#features/crm/leads/web-form/server/public-page.ts'
import {
  findHeld,
  findStored,
  lockEntry,
  lockForm,
} from '#features/crm/leads/web-form/server/web-forms.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { renderPage } from '#server/http/page.ts'

const everyNight = '47 3 * * *'

const storedIn = ({ app, db, clock }: { app: App; db: Db; clock: App['clock'] }, product_id: number) =>
  findStored(db, product_id, { publicUrl: app.addresses.publicUrl, now: clock.now() })

const show: Handler<typeof webForms.show> = async ({ params }, context) => ({
  data: await storedIn(context, params.product_id),
})

/** @throws HttpError 422 for people who can’t get leads and a source that doesn’t exist, unless the form has them. */
function demandChoices({ staff_ids, source }: WebFormInput, { people, sources }: StoredWebForm): void {
  const known = new Set(people.map(({ id }) => id))
  if (!staff_ids.every((id) => known.has(id)))
    throw invalid('staff_ids', 'Choose admin users who can open leads of this product.')
  if (source !== null && !sources.includes(source)) throw invalid('source', 'Choose an existing source.')
}

const letters = 'abcdefghijkmnpqrstuvwxyz23456789'
const randomSlug = () => Array.from({ length: 16 }, () => letters[randomInt(letters.length)]).join('')

/** Writes a form, and returns its ID. */
async function writeForm(
  { db, clock, viewer }: Pick<WriteContext<typeof webForms.save>, 'db' | 'clock' | 'viewer'>,
  product_id: number,
  { staff_ids: _, slug, ...values }: WebFormInput,
  before: StoredWebForm,
): Promise<number> {
  const isSame = values.consent === before.consent
  const row = {
    ...values,
    slug: slug === '' ? randomSlug() : slug,
    fields: JSON.stringify(values.fields),
    consent_since: values.consent === '' ? null : isSame ? before.consent_since : clock.now().toISOString(),
    version: before.version + 1,
    ...(viewer.zone ? { zone: viewer.zone } : {}),
  }
  const { id } = await db
    .insertInto('web_forms')
    .values({ product_id, ...row })
    .onConflict((on) => on.column('product_id').doUpdateSet(row))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Writes the people of a form in their order. Those who stay keep their turns. */
async function writePeople(db: Db, form_id: number, staff_ids: readonly number[]): Promise<void> {
  await sql`delete from web_form_people where form_id = ${form_id} and staff_id <> all(${staff_ids}::int[])`.execute(
    db,
  )
  await sql`insert into web_form_people (form_id, staff_id, position)
    select ${form_id}, staff_id, position from unnest(${staff_ids}::int[]) with ordinality as p(staff_id, position)
    on conflict (form_id, staff_id) do update set position = excluded.position`.execute(db)
}

const inHistory = ({
  people: _,
  next: __,
  sources: ___,
  sent: ____,
  held: _____,
  version: ______,
  ...settings
}: StoredWebForm) => settings

const save: Handler<typeof webForms.save> = async (
  { params: { product_id }, body: { version, ...values } },
  context,
) => {
  const { db, audit, changed } = context
  await sql`select pg_advisory_xact_lock(hashtext('web-form'), ${product_id})`.execute(db)
  const before = await storedIn(context, product_id)
  if (before.version !== version)
    throw conflict('Someone else changed this web form. Reload the page to see it.', before)
  demandChoices(values, before)
  const id = await writeForm(context, product_id, values, before)
  await writePeople(db, id, [...new Set(values.staff_ids)])
  const data = await storedIn(context, product_id)
  audit({
    target: 'settings',
    id: 1,
    before: { web_form: { product_id, ...inHistory(before) } },
    after: { web_form: { product_id, ...inHistory(data) } },
  })
  changed('web-forms', [product_id])
  return { message: 'Web form saved.', data }
}

const preview: Handler<typeof webForms.preview> = async (
  { params, body: { is_embedded, ...form } },
  { db },
) => {
  const { name } = await db
    .selectFrom('products')
    .select('name')
    .where('id', '=', params.product_id)
    .executeTakeFirstOrThrow()
  const options = { isEmbedded: is_embedded, stamp: '', search: '' }
  return { page: renderPage(formPage({ ...form, product: name, origins: [] }, emptyForm, options)) }
}

const held: Handler<typeof webForms.held> = ({ params }, { db }) => findHeld(db, params.product_id)

/** @throws HttpError 404 if it was accepted or deleted already. */
async function takeEntry(
  { db, changed }: Pick<WriteContext<typeof webForms.accept>, 'db' | 'changed'>,
  { product_id, id }: { product_id: number; id: number },
) {
  const entry = await lockEntry(db, product_id, id)
  if (!entry) throw notFound('This entry was already accepted or deleted.')
  await db.deleteFrom('web_form_entries').where('id', '=', id).execute()
  changed('web-forms', [product_id])
  return entry
}

const accept: Handler<typeof webForms.accept> = async ({ params }, context) => {
  const { form_id, created_at, ...entry } = await takeEntry(context, params)
  const form = await lockForm(context.db, form_id)
  const sent = { ...entry, sent_at: new Date(created_at) }
  return { message: 'Lead created.', lead_id: await becomeLead(context.app, context, form!, sent) }
}

const remove: Handler<typeof webForms.remove> = async ({ params }, context) => {
  await takeEntry(context, params)
  context.audit({ target: 'settings', id: 1, before: { held_entry: params.id }, after: { held_entry: null } })
  return { message: 'Entry deleted.' }
}

/** Deletes entries that were held for too long. */
export async function dropOldEntries(app: Pick<App, 'db' | 'clock'>): Promise<void> {
  await app.db
    .deleteFrom('web_form_entries')
    .where('created_at', '<', new Date(app.clock.now().getTime() - daysHeld * 86_400_000).toISOString())
    .execute()
}

/** Registers the settings of web forms, the entries that are held as spam, and the public page. */
export function webFormRoutes(app: App): void {
  app.live.setProductsOf('web-forms', (ids) => Promise.resolve(ids.map((id) => ({ id, product: id }))))
  app.jobs.every('web-form-entries', everyNight, () => dropOldEntries(app))
  implement(app, webForms.show, show)
  implement(app, webForms.save, save)
  implement(app, webForms.preview, preview)
  implement(app, webForms.held, held)
  implement(app, webForms.accept, accept)
  implement(app, webForms.remove, remove)
  publicFormRoutes(app)
}
