import type { Viewer } from '#shared/endpoint.ts'
import { organizationReads } from '#features/crm/organizations/server/organizations.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { users } from '#features/crm/users/contract.ts'
import {
  countOthers,
  exportUsers,
  findAssignable,
  findByText,
  findMasters,
  findSameEmail,
  findStaffOfRole,
  findUsers,
  getUser,
  getUserDetail,
} from '#features/crm/users/server/users.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, HttpError, invalid, notFound } from '#server/http/errors.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { usedIn } from '#server/record/option-lists.ts'
import { writeNote } from '#server/record/notes.queries.ts'
import { changeRecord, createRecord, lockRecord, trashRecords } from '#server/record/record.ts'

export type Writing = Pick<
  WriteContext<typeof users.update>,
  'db' | 'viewer' | 'called' | 'audit' | 'changed'
>

const searchedAtOnce = 20

const namesAtOnce = 300

const searchForPalette: Handler<typeof users.search> = async ({ query }, { db, viewer }) => ({
  data: query.q === '' ? [] : await findByText(db, query.q, viewer, searchedAtOnce),
})

const showMaster: Handler<typeof users.master> = async ({ params }, { db, viewer }) => {
  const user = await getUser(db, params.id, viewer)
  if (!user.is_master) throw notFound('This user is not a master user.')
  return { data: { ...user, manages: await countOthers(db, user) } }
}

const showUser: Handler<typeof users.show> = async ({ params }, { db, viewer }) => ({
  data: await getUserDetail(db, params.id, viewer),
})

const listAssignable: Handler<typeof users.assignUser> = async ({ query }, { db, viewer }) => ({
  data: await findAssignable(db, query.product_id === undefined ? viewer.products : [query.product_id]),
})

const listStaffOfRole: Handler<typeof users.adminUsersList> = async ({ params: { x } }, { db }) => ({
  data: await findStaffOfRole(db, x === 'all' ? undefined : Number(x)),
})

const searchUsers: Handler<typeof users.getUsers> = async ({ query }, { db, viewer }) => ({
  data: (await findByText(db, query.search, viewer, namesAtOnce)).map(({ id, name, organization }) => ({
    id,
    name,
    organization,
  })),
})

const createUser: Handler<typeof users.create> = async ({ body }, context) => {
  const { db, viewer } = context
  await demandOrganization(db, body.organization_id, viewer)
  const id = await createRecord(context, customerUserKind, body, { created_by: viewer.id })
  const data = await getUser(db, id, viewer)
  return { message: 'User created.', data, warning: (await findSameEmail(db, data, viewer)) ?? null }
}

/** Changes a user and returns them with the operation. */
const changeUser = async (
  context: Writing,
  id: number,
  values: Record<string, unknown>,
  summary: string,
  stated = {},
) => {
  const { db, viewer } = context
  if (typeof values['organization_id'] === 'number')
    await demandOrganization(db, values['organization_id'], viewer)
  const current = () => getUser(db, id, viewer)
  const { before, after, operation } = await changeRecord(context, customerUserKind, id, values, {
    summary,
    stated,
    current,
  })
  // Manually resubscribing a user means that they want emails again.
  if (before['is_subscribed'] === 0 && after['is_subscribed'] === 1 && after['email'])
    await db.deleteFrom('mail_unsubscribed').where('address', '=', after.email).execute()
  return { data: await current(), operation }
}

const updateUser: Handler<typeof users.update> = async (
  { body: { id, version, base, ...values } },
  context,
) => {
  const done = await changeUser(context, id, values, 'Edited', { version, base })
  const warning =
    values.email === undefined ? undefined : await findSameEmail(context.db, done.data, context.viewer)
  return { message: 'User saved.', ...done, warning: warning ?? null }
}

const updateOrgUser: Handler<typeof users.updateOrgUser> = async ({ body: { id, ...values } }, context) => ({
  success: true as const,
  message: 'User saved.',
  ...(await changeUser(context, id, values, 'Edited')),
})

const assignRole: Handler<typeof users.assignRole> = async (
  { params: { master_user_id }, body: { role } },
  context,
) => {
  const held = await lockRecord(context.db, customerUserKind, master_user_id, context.viewer)
  if (!held.is_master)
    throw conflict(
      'This user isn’t a master user.',
      await getUser(context.db, master_user_id, context.viewer),
    )
  return {
    message: 'Role assigned.',
    ...(await changeUser(context, master_user_id, { role_id: role }, 'Role assigned')),
  }
}

const removeUser: Handler<typeof users.remove> = async ({ params }, context) => {
  const operation = await trashRecords(context, customerUserKind, [params.id])
  return { message: `${operation.summary}.`, operation }
}

const addNote: Handler<typeof users.saveNote> = async ({ body: { note, user } }, context) => {
  const done = await writeNote(context, customerUserKind, user, note)
  return { message: 'Note added.', ...done }
}

/** Registers the endpoints for customer users, whose IDs are separate from admin user IDs. */
export function userRoutes(app: App): void {
  app.records.register(customerUserKind)
  app.optionLists.register('customer_roles', {
    table: 'customer_roles',
    key: 'id',
    fixed: { '3': 'New users start with this role.' },
    used: usedIn('customer_users', 'role_id'),
    usedBy: ['user has', 'users have'],
  })
  implement(app, users.list, ({ query }, { db, viewer }) => findUsers(db, query, viewer))
  implement(app, users.export, exportUsers)
  implement(app, users.search, searchForPalette)
  implement(app, users.masters, ({ query }, { db, viewer }) => findMasters(db, query, viewer))
  implement(app, users.master, showMaster)
  implement(app, users.show, showUser)
  implement(app, users.assignUser, listAssignable)
  implement(app, users.adminUsersList, listStaffOfRole)
  implement(app, users.getUsers, searchUsers)
  implement(app, users.create, createUser)
  implement(app, users.update, updateUser)
  implement(app, users.updateOrgUser, updateOrgUser)
  implement(app, users.assignRole, assignRole)
  implement(app, users.remove, removeUser)
  implement(app, users.saveNote, addNote)
}

/** @throws HttpError 422 if the organization is outside the viewer's scope. */
async function demandOrganization(db: Db, id: number, viewer: Viewer): Promise<void> {
  await organizationReads.whole(db, id, viewer).catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 404
      ? invalid('organization_id', 'This organization doesn’t exist.')
      : error
  })
}
