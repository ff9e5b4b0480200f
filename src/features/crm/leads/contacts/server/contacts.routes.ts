import type { Lead } from '#features/crm/leads/contract.ts'
import { leadContacts, type LeadContact } from '#features/crm/leads/contacts/contract.ts'
import {
  contactWords,
  isNoOne,
  mostContacts,
  nameOfContact,
  primaryOf,
} from '#features/crm/leads/contacts/rules.ts'
import {
  deleteContact,
  findContacts,
  getContact,
  insertContact,
  partsOfContacts,
  updateContact,
  type ContactValues,
} from '#features/crm/leads/contacts/server/contacts.queries.ts'
import {
  changeLead,
  demandLead,
  leadKind,
  lockLead,
} from '#features/crm/leads/record/server/leads.queries.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { HttpError, invalid } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { demandPhone } from '#server/phone-number.ts'
import { asOperation } from '#server/record/as-operation.ts'
import type { Stated } from '#server/record/record.ts'
import { findConflicts } from '#server/record/values.ts'

type Writing = Pick<WriteContext<typeof leadContacts.add>, 'db' | 'viewer' | 'called' | 'audit' | 'changed'>

const addContact: Handler<typeof leadContacts.add> = async ({ body: { lead_id, ...values } }, context) => {
  const lead = await lockLead(context.db, lead_id, context.viewer)
  await refuseInvalid(context, lead, values)
  const others = await findContacts(context.db, lead_id)
  if (others.length >= mostContacts)
    throw invalid('name', `A lead can have up to ${mostContacts} contacts besides its primary contact.`)
  const { result: data, operation } = await asContactOperation(context, lead_id, 'Contact added', () =>
    insertContact(context.db, lead_id, values),
  )
  context.audit({ target: 'lead', id: lead_id, after: audited(data) })
  context.changed('leads', [lead_id])
  return { message: 'Contact added.', data, operation }
}

const changeContact: Handler<typeof leadContacts.change> = async (
  { params: { id }, body: { version, base, ...values } },
  context,
) => {
  const { lead, contact: before } = await lockContact(context, id)
  refuseClash(before, values, { version, base })
  const changes = changesOf(before, values)
  await refuseInvalid(context, lead, changes, id)
  const { result: data, operation } = await asContactOperation(context, lead.lead_id, 'Contact changed', () =>
    Object.keys(changes).length > 0 ? updateContact(context.db, id, changes) : Promise.resolve(before),
  )
  if (operation) {
    context.audit({ target: 'lead', id: lead.lead_id, before: audited(before), after: audited(data) })
    context.changed('leads', [lead.lead_id])
  }
  return { message: 'Contact saved.', data, operation }
}

const makePrimary: Handler<typeof leadContacts.makePrimary> = async ({ params: { id } }, context) => {
  const { db } = context
  const { lead, contact } = await lockContact(context, id)
  const { lead_id } = lead
  const { operation } = await asContactOperation(context, lead_id, 'Primary contact changed', async () => {
    const { name: contactName, role: contact_role, email, phone } = contact
    await changeLead(context, lead_id, { contactName, contact_role, email, phone }, { within: null })
    const former = primaryOf(lead)
    if (isNoOne(former)) await deleteContact(db, id)
    else await updateContact(db, id, former)
  })
  context.changed('leads', [lead_id])
  return {
    message: `${nameOfContact(contact)} is now the primary contact.`,
    data: await findContacts(db, lead_id),
    operation,
  }
}

const removeContact: Handler<typeof leadContacts.remove> = async ({ params: { id } }, context) => {
  const { lead, contact } = await lockContact(context, id)
  const { operation } = await asContactOperation(context, lead.lead_id, 'Contact removed', () =>
    deleteContact(context.db, id),
  )
  context.audit({ target: 'lead', id: lead.lead_id, before: audited(contact) })
  context.changed('leads', [lead.lead_id])
  return { message: `${nameOfContact(contact)} removed.`, data: { id }, operation }
}

export function leadContactRoutes(app: App): void {
  implement(app, leadContacts.ofLead, async ({ query: { lead_id } }, { db, viewer }) => {
    await demandLead(db, lead_id, viewer)
    return { data: await findContacts(db, lead_id) }
  })
  implement(app, leadContacts.add, addContact)
  implement(app, leadContacts.change, changeContact)
  implement(app, leadContacts.makePrimary, makePrimary)
  implement(app, leadContacts.remove, removeContact)
}

/**
 * Returns a contact and its lead, which is locked to serialize changes to its contacts.
 * @throws HttpError 404
 */
async function lockContact(
  { db, viewer }: Writing,
  id: number,
): Promise<{ lead: Lead; contact: LeadContact }> {
  const lead = await lockLead(db, (await getContact(db, id)).lead_id, viewer)
  return { lead, contact: await getContact(db, id) }
}

/**
 * An undo brings back an earlier version, so values are compared even if the version is the one that was seen.
 * @throws HttpError 409 if someone else changed the same field.
 */
function refuseClash(before: LeadContact, values: ContactValues, { version, base }: Stated): void {
  if (version === undefined) return
  const clashes = findConflicts({ ...before }, values, base)
  if (base ? clashes.length === 0 : version === before.version) return
  throw new HttpError(409, 'Someone else changed this contact after you opened it.', {
    current: before,
    clashes,
  })
}

const changesOf = (before: LeadContact, values: ContactValues): ContactValues =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([field, value]) => value !== undefined && value !== before[field as keyof ContactValues],
    ),
  )

/** @throws HttpError 422 for a phone number that can't be one, and for the address of another contact of the lead. */
async function refuseInvalid(
  { db }: Writing,
  lead: Lead,
  { email = '', phone }: ContactValues,
  id?: number,
): Promise<void> {
  demandPhone(phone)
  if (email === '') return
  const others = (await findContacts(db, lead.lead_id)).filter((one) => one.id !== id)
  const known = [primaryOf(lead), ...others].find((one) => one.email.toLowerCase() === email.toLowerCase())
  if (known) throw invalid('email', `${nameOfContact(known)} already has this email address.`)
}

/** Changes a lead's contacts as an operation that can be undone. */
const asContactOperation = <Result>(
  context: Writing,
  lead_id: number,
  summary: string,
  work: () => Promise<Result>,
) => asOperation(context, leadKind, lead_id, { summary, parts: [partsOfContacts(lead_id)] }, work)

/** Returns what the history says about a contact. */
const audited = (contact: LeadContact) => ({ contact: contactWords(contact) })
