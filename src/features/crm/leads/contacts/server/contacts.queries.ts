import { sql } from 'kysely'
import type { LeadContact } from '#features/crm/leads/contacts/contract.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { Parts } from '#server/record/parts.ts'

const columns = ['id', 'lead_id', 'name', 'role', 'email', 'phone', 'version'] as const

/** The other contacts of leads, declared as parts of a lead so that operations include them. */
export const partsOfContacts = (...lead_ids: number[]): Parts => ({
  table: 'lead_contacts',
  where: sql`t.lead_id = any(${lead_ids}::int[])`,
})

/** Returns the contacts of a lead besides its primary contact, in the order in which they were added. */
export const findContacts = (db: Db, lead_id: number): Promise<LeadContact[]> =>
  db.selectFrom('lead_contacts').select(columns).where('lead_id', '=', lead_id).orderBy('id').execute()

/** @throws HttpError 404 */
export async function getContact(db: Db, id: number): Promise<LeadContact> {
  const found = await db.selectFrom('lead_contacts').select(columns).where('id', '=', id).executeTakeFirst()
  if (!found) throw notFound('Contact not found.')
  return found
}

/** A contact's writable fields. */
export type ContactValues = Partial<Pick<LeadContact, 'name' | 'role' | 'email' | 'phone'>>

export const insertContact = (db: Db, lead_id: number, values: ContactValues): Promise<LeadContact> =>
  db
    .insertInto('lead_contacts')
    .values({ ...values, lead_id })
    .returning(columns)
    .executeTakeFirstOrThrow()

export const updateContact = (db: Db, id: number, values: ContactValues): Promise<LeadContact> =>
  db
    .updateTable('lead_contacts')
    .set((to) => ({ ...values, version: to('version', '+', 1) }))
    .where('id', '=', id)
    .returning(columns)
    .executeTakeFirstOrThrow()

export async function moveContact(
  db: Db,
  { id, email }: Pick<LeadContact, 'id' | 'email'>,
  lead_id: number,
): Promise<void> {
  await db.updateTable('lead_contacts').set({ lead_id, email }).where('id', '=', id).execute()
}

export async function deleteContact(db: Db, id: number): Promise<void> {
  await db.deleteFrom('lead_contacts').where('id', '=', id).execute()
}
