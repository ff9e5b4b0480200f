/** Pure rules for the contacts of leads, shared by the server and the browser (docs/product.md#contacts-of-a-lead). */

/** Number of contacts that a lead can have besides its primary contact. */
export const mostContacts = 50

/** A contact of a lead. */
export interface Person {
  name: string
  role: string
  email: string
  phone: string
}

/** Returns the primary contact of a lead. */
export const primaryOf = (lead: {
  contactName: string
  contact_role: string
  email: string
  phone: string
}): Person => ({ name: lead.contactName, role: lead.contact_role, email: lead.email, phone: lead.phone })

/** Returns whether there is no person; a role alone is none. */
export const isNoOne = ({ name, email, phone }: Person): boolean =>
  name === '' && email === '' && phone === ''

/** Returns `Sam Whitlock · Finance · s.whitlock@aalto.example · +1 212 555 0157`, without what isn't known. */
export const contactWords = ({ name, role, email, phone }: Person): string =>
  [name, role, email, phone].filter(Boolean).join(' · ')

/** Returns how a person is called in buttons and messages. */
export const nameOfContact = ({ name, email, phone }: Omit<Person, 'role'>): string => name || email || phone

const isEqual = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const hasAddressOf = (one: Person, other: Person) => one.email !== '' && isEqual(one.email, other.email)

/**
 * Returns whether two people are the same: they have the same address or, if one of them has none, the same name and
 * no other phone number.
 */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.email !== '' && other.email !== '') return hasAddressOf(one, other)
  const isOfOnePhone = one.phone === '' || other.phone === '' || isEqual(one.phone, other.phone)
  return isEqual(one.name, other.name) && isOfOnePhone
}

/** Returns whether one of the known people has this person’s address, or all that is known about them. */
export const isKnownPerson = (person: Person, known: readonly Person[]): boolean =>
  known.some(
    (one) =>
      hasAddressOf(person, one) ||
      (['name', 'email', 'phone'] as const).every(
        (field) => person[field] === '' || isEqual(person[field], one[field]),
      ),
  )

/** Returns a person with the values of another one where they have none. */
export const fillGaps = (one: Person, other: Person): Person => ({
  name: one.name || other.name,
  role: one.role || other.role,
  email: one.email || other.email,
  phone: one.phone || other.phone,
})
