import type { Kysely } from 'kysely'
import { roles, type Permission, type RoleId } from '#shared/access.ts'
import { roleSettings, type RoleGrants } from '#features/admin/settings/roles.contract.ts'
import type { Database } from '#server/db/tables.ts'
import { conflict } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

export function rolesRoutes(app: App): void {
  implement(app, roleSettings.list, async (_input, { db }) => ({ data: await findGrants(db) }))

  implement(app, roleSettings.change, async ({ body }, { db, audit, changed, afterCommit }) => {
    const role = body.role_id as RoleId
    if (role === 0 && body.revoke.length) throw conflict('You can’t remove permissions from Super Admin.')
    // Serializes edits to the same role, so that each audit row contains only one user's changes.
    await db.selectFrom('roles').select('id').where('id', '=', role).forUpdate().executeTakeFirstOrThrow()
    const [before] = await findGrants(db, role)
    await grant(
      db,
      role,
      body.grant.filter((name) => !body.revoke.includes(name)),
    )
    await revoke(db, role, body.revoke)
    const [after] = await findGrants(db, role)
    audit({
      target: 'role',
      id: role,
      before: { permissions: before!.permissions },
      after: { permissions: after!.permissions },
    })
    changed('roles', [role])
    const people = await db.selectFrom('staff').select('id').where('role_id', '=', role).execute()
    afterCommit(() => app.live.rightsChanged(people.map(({ id }) => id)))
    return { message: `Permissions updated for ${roles[role].name}.`, data: after! }
  })
}

async function findGrants(db: Kysely<Database>, role?: RoleId): Promise<RoleGrants[]> {
  let wanted = db.selectFrom('roles')
  if (role !== undefined) wanted = wanted.where('roles.id', '=', role)
  const rows = await wanted.select(['id', 'name']).orderBy('id').execute()
  const people = await db
    .selectFrom('staff')
    .select(['id', 'name', 'role_id'])
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
  const grants = await db
    .selectFrom('role_permissions as g')
    .innerJoin('permissions as p', 'p.name', 'g.permission')
    .select(['g.role_id', 'g.permission'])
    .orderBy('p.position')
    .execute()
  return rows.map((row) => {
    const members = people.filter((one) => one.role_id === row.id).map(({ id, name }) => ({ id, name }))
    return {
      ...row,
      people: members.length,
      members,
      permissions: grants.filter((one) => one.role_id === row.id).map((one) => one.permission),
    }
  })
}

async function grant(db: Kysely<Database>, role_id: RoleId, names: readonly Permission[]): Promise<void> {
  if (!names.length) return
  await db
    .insertInto('role_permissions')
    .values(names.map((permission) => ({ role_id, permission })))
    .onConflict((held) => held.doNothing())
    .execute()
}

async function revoke(db: Kysely<Database>, role_id: RoleId, names: readonly Permission[]): Promise<void> {
  if (names.length)
    await db
      .deleteFrom('role_permissions')
      .where('role_id', '=', role_id)
      .where('permission', 'in', names)
      .execute()
}
