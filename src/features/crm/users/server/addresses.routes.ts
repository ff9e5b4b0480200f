import { users } from '#features/crm/users/contract.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import { addAddress, removeAddress } from '#features/crm/users/server/user-addresses.queries.ts'
import { conflict, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { lockRecord } from '#server/record/record.ts'

const addOther: Handler<typeof users.addAddress> = async ({ params: { id }, body: { address } }, context) => {
  await lockRecord(context.db, customerUserKind, id, context.viewer)
  if (!(await addAddress(context, { user_id: id, address })))
    throw conflict(`${address} is the address of a user already.`)
  return { message: `${address} added.` }
}

const removeOther: Handler<typeof users.removeAddress> = async (
  { params: { id }, body: { address } },
  context,
) => {
  await lockRecord(context.db, customerUserKind, id, context.viewer)
  if (!(await removeAddress(context, { user_id: id, address })))
    throw notFound('The user doesn’t have this address anymore.')
  return { message: `${address} removed.` }
}

export function userAddressRoutes(app: App): void {
  implement(app, users.addAddress, addOther)
  implement(app, users.removeAddress, removeOther)
}
