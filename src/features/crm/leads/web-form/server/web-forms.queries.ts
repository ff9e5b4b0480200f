import { sql } from 'kysely'
import type {
  EntryValues,
  FormField,
  HeldEntry,
  StoredWebForm,
} from '#features/crm/leads/web-form/contract.ts'
import type { Db } from '#server/db/db.ts'
import { awayOf, isAway } from '#server/record/away.ts'

/** A form as it is stored. */
export interface WebForm {
  id: number
  product_id: number
  /** The product’s name. */
  product: string
  slug: string
  is_on: boolean
  title: string
  intro: string
  thanks: string
  button: string
  fields: FormField[]
  consent: string
  consent_since: string | null
  origins: string[]
  source: string | null
  /** The time zone of the person who saved it last. */
  zone: string
  version: number
}

const columns = sql`f.id, f.product_id, p.name as product, f.slug, f.is_on, f.title, f.intro, f.thanks, f.button, f.fields,
  f.consent, f.consent_since, f.origins, f.source, f.zone, f.version from web_forms f join products p on p.id = f.product_id`

export async function findFormBySlug(db: Db, slug: string): Promise<WebForm | undefined> {
  const { rows } = await sql<WebForm>`select ${columns} where f.slug = ${slug}`.execute(db)
  return rows[0]
}

export async function findFormOfProduct(db: Db, product_id: number): Promise<WebForm | undefined> {
  const { rows } = await sql<WebForm>`select ${columns} where f.product_id = ${product_id}`.execute(db)
  return rows[0]
}

/** Returns a form, and lets what is sent through it at the same time wait; undefined if it no longer exists. */
export async function lockForm(db: Db, id: number): Promise<WebForm | undefined> {
  const { rows } = await sql<WebForm>`select ${columns} where f.id = ${id} for update of f`.execute(db)
  return rows[0]
}

/** SQL condition that admin user `s` can get the leads of a product: can sign in, and open them. */
const canGetLeads = (
  product_id: number,
) => sql<boolean>`(s.banned_at is null and s.deleted_at is null and exists (
    select from role_permissions r where r.role_id = s.role_id and r.permission = 'lead_detail')
  and exists (select from staff_products q where q.staff_id = s.id and q.product_id = ${product_id}))`

/** Builds the SQL for the person of a form who is next among those who can get its leads and aren’t away. */
const nextPerson = (
  form_id: number,
  product_id: number,
  now: Date,
) => sql`select p.staff_id from web_form_people p
  join staff s on s.id = p.staff_id
  where p.form_id = ${form_id} and ${canGetLeads(product_id)} and not ${isAway(sql`s.id`, now)}
  order by p.last_turn, p.position limit 1`

/** Returns the person who is next, who then comes after everyone else of the form; null if no one is present. */
export async function takeTurn(db: Db, { id, product_id }: WebForm, now: Date): Promise<number | null> {
  const { rows } = await sql<{ staff_id: number }>`update web_form_people n
    set last_turn = (select max(last_turn) + 1 from web_form_people where form_id = ${id})
    where n.form_id = ${id} and n.staff_id = (${nextPerson(id, product_id, now)}) returning n.staff_id`.execute(
    db,
  )
  return rows[0]?.staff_id ?? null
}

/** The values of a form until it is saved for the first time. */
const firstValues = {
  slug: '',
  is_on: false,
  title: 'Talk to us',
  intro: 'We answer within one working day.',
  thanks: 'Thank you. We’ll answer within one working day.',
  button: 'Send',
  fields: [
    { field: 'contactName', label: 'Your name', required: true },
    { field: 'email', label: 'Work email', required: true },
    { field: 'companyName', label: 'Company', required: true },
    { field: 'phone', label: 'Phone', required: false },
    { field: 'message', label: 'What should we know?', required: false },
  ] satisfies FormField[],
  consent: '',
  consent_since: null,
  origins: [],
  source: null,
  version: 0,
}

/** Returns the settings of a product’s form, with the people and the sources that it can have. */
export async function findStored(
  db: Db,
  product_id: number,
  { publicUrl, now }: { publicUrl: string; now: Date },
): Promise<StoredWebForm> {
  const form = await findFormOfProduct(db, product_id)
  const id = form?.id ?? 0
  const month = new Date(now.getTime() - 30 * 86_400_000).toISOString()
  const { rows } = await sql<
    Pick<StoredWebForm, 'staff_ids' | 'people' | 'next' | 'sources' | 'sent' | 'held'>
  >`select
      array(select staff_id from web_form_people where form_id = ${id} order by position) as staff_ids,
      coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name, 'is_present', ${canGetLeads(product_id)}, 'away', ${awayOf(sql`s.id`, now)}) order by s.name, s.id)
        from staff s where ${canGetLeads(product_id)} or s.id in (select staff_id from web_form_people where form_id = ${id})), '[]') as people,
      (select name from staff where id = (${nextPerson(id, product_id, now)})) as next,
      array(select name from lead_sources order by position, name) as sources,
      (select count(*)::int from web_form_leads where form_id = ${id} and sent_at > ${month}) as sent,
      (select count(*)::int from web_form_entries where form_id = ${id}) as held`.execute(db)
  const {
    id: _,
    product_id: __,
    product: ___,
    zone: ____,
    ...values
  } = form ?? { id, product_id, product: '', zone: '', ...firstValues }
  return {
    ...values,
    ...rows[0]!,
    address: form ? `${publicUrl}/api/public/lead-form/${form.slug}` : null,
  }
}

const mostShown = 100

/** Returns the newest held entries of a product’s form, and how many it has. */
export async function findHeld(db: Db, product_id: number): Promise<{ data: HeldEntry[]; total: number }> {
  const { rows } = await sql<HeldEntry & { total: number }>`select e.id, e.reason, e.values, e.created_at,
      (count(*) over (partition by e.address_hash))::int as same_address, (count(*) over ())::int as total
    from web_form_entries e join web_forms f on f.id = e.form_id where f.product_id = ${product_id}
    order by e.id desc limit ${mostShown}`.execute(db)
  return { data: rows.map(({ total: _, ...entry }) => entry), total: rows[0]?.total ?? 0 }
}

/** A held entry, to be accepted or deleted. */
export interface LockedEntry {
  id: number
  form_id: number
  values: EntryValues
  campaign: string
  consent: string
  consent_since: string | null
  created_at: string
}

export async function lockEntry(db: Db, product_id: number, id: number): Promise<LockedEntry | undefined> {
  const { rows } =
    await sql<LockedEntry>`select e.id, e.form_id, e.values, e.campaign, e.consent, e.consent_since, e.created_at
    from web_form_entries e join web_forms f on f.id = e.form_id
    where e.id = ${id} and f.product_id = ${product_id} for update of e`.execute(db)
  return rows[0]
}
