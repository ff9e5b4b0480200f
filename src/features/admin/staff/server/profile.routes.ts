import { isAdminRole } from '#shared/access.ts'
import type { ParsedInput } from '#shared/endpoint.ts'
import { staff } from '#features/admin/staff/contract.ts'
import { findProfile, findStaff } from '#features/admin/staff/server/list.queries.ts'
import { profileMessages } from '#features/admin/staff/input.contract.ts'
import { endInvitations } from '#features/admin/staff/server/invitations.queries.ts'
import {
  assertEmailIsFree,
  assertUserName,
  authorizeChange,
  demandOwnProducts,
  staffKind,
} from '#features/admin/staff/server/staff-record.queries.ts'
import { conflict, invalid, notAllowed, notFound } from '#server/http/errors.ts'
import type { App, Handler, WriteContext } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { endSessions } from '#server/http/session.ts'
import { changeLocked, lockRecord } from '#server/record/record.ts'
import type { Row, UndoWriting } from '#server/record/rows.ts'
import { isSame } from '#server/record/values.ts'

const listStaff: Handler<typeof staff.list> = async ({ query }, { app, db, viewer, clock }) => {
  if (query.id !== undefined) {
    const profile = await findProfile(db, query.id)
    if (!profile) throw notFound('Admin user not found.')
    return { data: profile }
  }
  const products = query.products === undefined ? undefined : [query.products].flat()
  return findStaff(db, {
    search: query.search,
    role_id: query.role_id,
    team_id: query.team_id,
    products,
    state: query.state,
    page: query.page ?? 1,
    viewer,
    now: clock.now(),
    idleSince: app.sessions.idleSince(),
  })
}

/**
 * Registers admin users as records, and the endpoints that list them and change their profiles, roles, products,
 * and teams.
 */
export function profileRoutes(app: App): void {
  app.records.register({
    ...staffKind,
    undo: {
      after: async (writing, id, { from, to }) => {
        if (typeof to['email'] === 'string') await assertEmailIsFree(writing.db, to['email'], id)
        await applyEffects(app, writing, id, from, to)
      },
    },
  })
  implement(app, staff.list, listStaff)
  implement(app, staff.update, (input, context) => updateProfile(app, input, context))
}

async function updateProfile(
  app: App,
  { body: { id, version, base, ...sent } }: ParsedInput<typeof staff.update>,
  context: WriteContext<typeof staff.update>,
) {
  const { db, viewer } = context
  demandOwnProducts(viewer, sent.product_ids)
  if ((sent.product_ids ?? sent.team_ids) && !isAdminRole(viewer.role_id))
    throw notAllowed('Only Super Admins and Admins can assign products and teams.')
  const before = await lockRecord(db, staffKind, id, viewer)
  const products = before.product_ids
  const hidden = products.filter((product) => !viewer.products.includes(product))
  // The form shows only the viewer's own products; the user keeps the others.
  const withHidden = (values: Row): Row =>
    Array.isArray(values['product_ids'])
      ? { ...values, product_ids: [...(values['product_ids'] as number[]), ...hidden] }
      : values
  assertUserName(sent.user_name, before.user_name)
  await assertEmailIsFree(db, sent.email, id)
  const { after, operation } = await changeLocked(
    context,
    staffKind,
    before,
    withHidden(changesIn(sent, base)),
    {
      stated: { version, base: base && withHidden(base) },
      current: () =>
        Promise.resolve({ ...before, product_ids: products.filter((one) => !hidden.includes(one)) }),
      amend: (row, changes) => {
        authorizeChange(row, viewer, changes)
        return undefined
      },
    },
  ).catch((error: { constraint?: string }) => {
    if (error.constraint === 'staff_user_name_key')
      throw invalid('user_name', 'This username is already taken.')
    if (error.constraint === 'staff_email_key') throw invalid('email', 'This email is already in use.')
    if (error.constraint === 'keep_a_super_admin')
      throw conflict('You can’t change the role of the last Super Admin.')
    throw error
  })
  const fields = Object.keys(after).filter((field) => !isSame(after[field], before[field]))
  const pick = (row: Row): Row => Object.fromEntries(fields.map((field) => [field, row[field]]))
  await applyEffects(app, context, id, pick(before), pick(after))
  return { message: profileMessages.updated, data: (await findProfile(db, id))!, operation }
}

/** Returns the values that the user changed; the form sends all of them. */
const changesIn = (sent: Row, base: Row | undefined): Row =>
  base
    ? Object.fromEntries(Object.entries(sent).filter(([field, value]) => !isSame(value, base[field])))
    : sent

/** Ends what a changed profile invalidates; `from` and `to` contain the changed fields only. */
async function applyEffects(
  app: App,
  { db, afterCommit }: Pick<UndoWriting, 'db' | 'afterCommit'>,
  id: number,
  from: Row,
  to: Row,
): Promise<void> {
  const now = app.clock.now()
  // Invalidate the links that were sent to the old address.
  if ('email' in to && String(to['email']).toLowerCase() !== String(from['email']).toLowerCase())
    await endInvitations(db, id, now)
  // The user's open tabs show their name and depend on their products.
  if (Object.keys(to).length) afterCommit(() => app.live.rightsChanged([id]))
  if (!('role_id' in to)) return
  // A new role requires a new sign-in (docs/product.md#session).
  const ended = await endSessions(db, id, now)
  afterCommit(() => app.live.sessionsEnded(ended))
}
