import { searchText } from '#shared/search-text.ts'

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

const wordsOf = (name: string) =>
  searchText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)

/** Returns whether two names can be those of one person: `N. Lindqvist` and `Nora Lindqvist`, or one is not known. */
function isOneName(one: string, other: string): boolean {
  const [short, long] = [wordsOf(one), wordsOf(other)].toSorted((a, b) => a.length - b.length)
  return short!.every((word) =>
    long!.some((same) => (word.length === 1 || same.length === 1 ? word[0] === same[0] : word === same)),
  )
}

/**
 * Returns whether two people are the same: they have the same address and names that can be those of one person or, if
 * one of them has no address, the same name and no other phone number. Two people can share an address, like `info@`.
 */
export function isSamePerson(one: Person, other: Person): boolean {
  if (one.email !== '' && other.email !== '')
    return hasAddressOf(one, other) && isOneName(one.name, other.name)
  const isOfOnePhone = one.phone === '' || other.phone === '' || isEqual(one.phone, other.phone)
  return isEqual(one.name, other.name) && isOfOnePhone
}

/** Returns whether one of the known people has this person’s address and name, or all that is known about them. */
const isKnownPerson = (person: Person, known: readonly Person[]): boolean =>
  known.some(
    (one) =>
      (hasAddressOf(person, one) && isOneName(person.name, one.name)) ||
      (['name', 'email', 'phone'] as const).every(
        (field) => person[field] === '' || isEqual(person[field], one[field]),
      ),
  )

/**
 * Returns a person as a contact beside known ones: without an address that one of them uses. Undefined if they are one
 * of them.
 */
export function besideKnown<Some extends Person>(person: Some, known: readonly Person[]): Some | undefined {
  if (isKnownPerson(person, known)) return undefined
  const beside = known.some((one) => hasAddressOf(person, one)) ? { ...person, email: '' } : person
  return isKnownPerson(beside, known) ? undefined : beside
}

/** Returns a person with the values of another one where they have none. */
export const fillGaps = (one: Person, other: Person): Person => ({
  name: one.name || other.name,
  role: one.role || other.role,
  email: one.email || other.email,
  phone: one.phone || other.phone,
})
