import { can } from '#shared/access.ts'
import type { NewTicket } from '#features/crm/support/new-ticket.contract.ts'
import { ticketRequester } from '#features/crm/support/requester.contract.ts'
import { changeTicket, type Writing } from '#features/crm/support/server/changes.ts'
import { findUser } from '#features/crm/support/server/emails.ts'
import { lockUnmerged } from '#features/crm/support/server/merge/lock-unmerged.ts'
import {
  demandNotBanned,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { findCallers } from '#features/crm/support/server/callers.queries.ts'
import { findByText } from '#features/crm/users/server/users.queries.ts'
import { nameOfCustomer, noteRequester } from '#features/crm/support/server/requester-names.ts'
import { conflict, invalid, notAllowed } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { isVisible } from '#server/record/record.ts'

type Reading = Pick<Writing, 'db' | 'viewer'>
type Customer = Pick<NewTicket, 'org_id' | 'user_id' | 'sender_name' | 'sender_phone' | 'sender_email'>

interface Asked {
  organization_id: number | null
  /** Columns of the ticket. */
  requester: {
    customer_user_id: number | null
    staff_id: number | null
    sender_name: string
    sender_phone: string
    sender_email: string | null
  }
  /** Whether the address belongs to a user of another organization, who isn't linked. */
  isOfOther?: boolean
}

/** Follows the message if the address of someone is that of a user who isn't linked. */
export const isOfOtherWords =
  ' This address belongs to a user of another organization, so it isn’t linked to them.'

/** The columns of a ticket for its requester, if no one is. */
const nobody = {
  customer_user_id: null,
  staff_id: null,
  sender_name: '',
  sender_phone: '',
  sender_email: null,
}

/** @throws HttpError 422 on the field if the organization doesn't exist for the viewer. */
export async function demandOrganization({ db, viewer }: Reading, id: number, field: string): Promise<void> {
  if (!(await isVisible(db, organizationKind, id, viewer)))
    throw invalid(field, 'This organization doesn’t exist.')
}

/**
 * Determines the requester of a new ticket.
 * @throws HttpError 403 if the viewer doesn't have permission to file it for a customer, 422 if the IDs do
 * not match, or if someone without an account has neither a name nor an address, or a banned one.
 */
export async function resolveRequester({ db, viewer }: Reading, asked: Customer): Promise<Asked> {
  const { org_id = 0, user_id = 0, sender_name, sender_phone, sender_email } = asked
  if (org_id !== 0) await demandOrganization({ db, viewer }, org_id, 'org_id')
  const isCaller = [sender_name, sender_phone, sender_email].some((text) => text !== '')
  if (user_id === 0 && !isCaller)
    return { organization_id: org_id || null, requester: { ...nobody, staff_id: viewer.id } }
  if (!can(viewer, 'all_tickets_view')) throw notAllowed('You can only create requests for yourself.')
  return resolveCustomer({ db, viewer }, asked)
}

/**
 * Determines the requester among customers: a user, or someone without an account. Someone with the address of a user
 * whom the viewer can see is that user, unless the ticket is of another organization.
 * @throws HttpError 422 if the user doesn't exist in the organization, or if someone without an account has neither
 * a name nor an address, or a banned one.
 */
async function resolveCustomer(
  { db, viewer }: Reading,
  { org_id = 0, user_id = 0, sender_name, sender_phone, sender_email }: Customer,
): Promise<Asked> {
  if (user_id === 0) {
    if (sender_name === '' && sender_email === '') throw invalid('sender_name', 'This field is required.')
    await demandNotBanned(db, { sender_email: sender_email === '' ? [] : [sender_email] })
    const caller = { sender_name, sender_phone, sender_email: sender_email || null }
    const known = await findVisibleUser({ db, viewer }, sender_email)
    if (!known || (org_id !== 0 && known.organization_id !== org_id))
      return {
        organization_id: org_id || null,
        requester: { ...nobody, ...caller },
        isOfOther: known !== undefined,
      }
    return {
      organization_id: known.organization_id,
      requester: { ...nobody, ...caller, customer_user_id: known.id },
    }
  }
  const user = (await isVisible(db, customerUserKind, user_id, viewer))
    ? await db
        .selectFrom('customer_users')
        .select('organization_id')
        .where('id', '=', user_id)
        .executeTakeFirst()
    : undefined
  if (!user || (org_id !== 0 && user.organization_id !== org_id))
    throw invalid('user_id', 'This user doesn’t exist in this organization.')
  return {
    organization_id: user.organization_id,
    requester: { ...nobody, customer_user_id: user_id },
  }
}

/** Returns the user with an email address, if the viewer can see them. */
async function findVisibleUser({ db, viewer }: Reading, email: string) {
  const user = email === '' ? undefined : await findUser(db, email)
  return user && (await isVisible(db, customerUserKind, user.id, viewer)) ? user : undefined
}

/**
 * Makes someone else the requester of a ticket, or corrects who they are. Who wrote its messages stays. The
 * organization that was set for a requester without an account decides whether an address is linked to a user.
 */
const changeRequester: Handler<typeof ticketRequester.change> = async (
  { params: { ticket: id }, body: { version, base, ...sent } },
  context,
) => {
  const { app, db, viewer } = context
  const held = await lockUnmerged(db, id, viewer)
  if (held.staff_id !== null)
    throw conflict('This is an admin user’s own request. Its requester can’t be changed.')
  const isSet = !sent.user_id && held.customer_user_id === null
  const asked = await resolveCustomer(context, {
    ...sent,
    org_id: (isSet ? held.organization_id : null) ?? 0,
  })
  const { staff_id: _none, ...requester } = asked.requester
  await demandUserNotBanned(context, requester.customer_user_id)
  const name = await nameOfCustomer(db, requester)
  await noteRequester(context, id, { from: held, to: requester })
  const values = { ...requester, organization_id: asked.organization_id ?? held.organization_id }
  const why = asked.isOfOther ? isOfOtherWords : ''
  const message = `Requester changed to ${name}.${why}`
  return changeTicket(app, context, id, values, message, `Requester changed to ${name}`, { version, base })
}

/** @throws HttpError 422 if the user is banned. */
async function demandUserNotBanned({ db }: Reading, id: number | null): Promise<void> {
  const banned = await db
    .selectFrom('customer_users')
    .select('id')
    .where('id', '=', id)
    .where('banned_at', 'is not', null)
    .executeTakeFirst()
  if (banned) throw invalid('user_id', 'This user is banned and can’t receive email. Choose someone else.')
}

const searchRequesters: Handler<typeof ticketRequester.search> = async ({ query: { q } }, { db, viewer }) => {
  const [users, callers] = await Promise.all([
    findByText(db, q, viewer, searchedAtOnce),
    q.trim() === '' ? [] : findCallers(db, q, viewer),
  ])
  return { data: users.map(({ phone: _, ...user }) => user), callers }
}
const searchedAtOnce = 20

export function requesterRoutes(app: App): void {
  implement(app, ticketRequester.search, searchRequesters)
  implement(app, ticketRequester.change, changeRequester)
}
