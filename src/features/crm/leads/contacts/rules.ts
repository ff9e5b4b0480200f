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
