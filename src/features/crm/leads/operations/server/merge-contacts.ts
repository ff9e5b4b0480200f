import type { Lead } from '#features/crm/leads/contract.ts'
import {
  besideKnown,
  fillGaps,
  isNoOne,
  isSamePerson,
  primaryOf,
  type Person,
} from '#features/crm/leads/contacts/rules.ts'
import {
  deleteContact,
  findContacts,
  insertContact,
  moveContact,
  updateContact,
} from '#features/crm/leads/contacts/server/contacts.queries.ts'
import type { Db } from '#server/db/db.ts'

/** Columns of a lead with its primary contact. */
interface PrimaryColumns {
  contact_name: string
  contact_role: string
  email: string
  phone: string
}

interface Merged {
  primary: PrimaryColumns
  /** People who are now among the other contacts of the kept lead. */
  added: Person[]
}

/**
 * Returns whether the primary contacts of two leads leave a choice. Those of the same person whose values complement
 * each other don't.
 */
export function isContactChoice(keep: Lead, other: Lead): boolean {
  const [own, given] = [primaryOf(keep), primaryOf(other)]
  if (isNoOne(own) || isNoOne(given)) return false
  return (
    !isSamePerson(own, given) || JSON.stringify(fillGaps(own, given)) !== JSON.stringify(fillGaps(given, own))
  )
}

/**
 * Moves the contacts of the other lead to the kept one, except for people whom it has already, and returns the primary
 * contact of the kept lead: its own, or the other one if `takes` is true. Of two people, the one who isn't primary becomes
 * another contact, so that neither gets the values of the other; an address that both use stays with the primary one.
 */
export async function mergeContacts(db: Db, keep: Lead, other: Lead, takes: boolean): Promise<Merged> {
  const [own, given] = takes ? [primaryOf(other), primaryOf(keep)] : [primaryOf(keep), primaryOf(other)]
  const isOne = isNoOne(own) || isNoOne(given) || isSamePerson(own, given)
  const primary = isOne ? fillGaps(own, given) : own
  const added: Person[] = []
  const known: Person[] = [primary]
  for (const contact of await findContacts(db, keep.lead_id)) {
    const beside = besideKnown(contact, known)
    if (!beside) await deleteContact(db, contact.id)
    else if (beside.email !== contact.email) await updateContact(db, contact.id, { email: beside.email })
    known.push(beside ?? contact)
  }
  const add = async <Some extends Person>(person: Some, write: (beside: Some) => Promise<unknown>) => {
    const beside = besideKnown(person, known)
    if (!beside) return
    await write(beside)
    added.push(beside)
    known.push(beside)
  }
  if (!isOne) await add(given, (beside) => insertContact(db, keep.lead_id, beside))
  for (const contact of await findContacts(db, other.lead_id))
    await add(contact, (beside) => moveContact(db, beside, keep.lead_id))
  const { name: contact_name, role: contact_role, email, phone } = primary
  return { primary: { contact_name, contact_role, email, phone }, added }
}
