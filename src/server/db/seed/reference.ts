import { sql, type Transaction } from 'kysely'
import { defaultGrants, type Permission, permissions, type RoleId, roleIds, roles } from '#shared/access.ts'
import type { Database, Db } from '#server/db/db.ts'
import type { Settings } from '#server/settings/settings.ts'
import {
  leadColors,
  leadCogTypes,
  leadServices,
  leadSources,
  leadRejectReasons,
  leadStatuses,
  leadTags,
  onboardingStages,
  products,
  taskTypes,
  teams,
} from '#server/db/seed/words.ts'

/** Advisory lock, so that two processes that start together seed one after the other. */
const seedLock = 7_261_003

/**
 * Writes the data that the panel cannot work without. Runs on every start and does not overwrite users'
 * changes.
 */
export async function seedReference(db: Db, settings: Pick<Settings, 'product1Name'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${seedLock})`.execute(tx)
    await seedRoles(tx)
    await seedProducts(tx, settings.product1Name)
    await seedWords(tx)
  })
}

async function seedRoles(tx: Transaction<Database>): Promise<void> {
  const knownRoles = new Set((await tx.selectFrom('roles').select('id').execute()).map(({ id }) => id))
  await tx
    .insertInto('roles')
    .values(roleIds.map((id) => ({ id, name: roles[id].name })))
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((update) => ({ name: update.ref('excluded.name') })),
    )
    .execute()

  const knownPermissions = new Set(
    (await tx.selectFrom('permissions').select('name').execute()).map(({ name }) => name),
  )
  await tx.deleteFrom('permissions').where('name', 'not in', permissions).execute()
  await tx
    .insertInto('permissions')
    .values(permissions.map((name, position) => ({ name, position })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((update) => ({ position: update.ref('excluded.position') })),
    )
    .execute()

  // A revoked permission stays revoked. Only roles and permissions that are new to the database get grants,
  // except that Super Admin always gets all of its grants.
  const isNew = (role: RoleId, permission: Permission) =>
    role === 0 || !knownRoles.has(role) || !knownPermissions.has(permission)
  const grants = roleIds.flatMap((role) =>
    defaultGrants[role]
      .filter((permission) => isNew(role, permission))
      .map((permission) => ({ role_id: role, permission })),
  )
  await tx
    .insertInto('role_permissions')
    .values(grants)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

async function seedProducts(tx: Transaction<Database>, product1Name: string): Promise<void> {
  await tx
    .insertInto('products')
    .values(products)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
  // A product name that no one has edited is updated from the settings.
  await tx
    .updateTable('products')
    .set({ name: product1Name, seeded_name: product1Name })
    .where('id', '=', 1)
    .where((where) =>
      where.or([
        where('seeded_name', 'is', null),
        where.and([where('seeded_name', '<>', product1Name), where('name', '=', where.ref('seeded_name'))]),
      ]),
    )
    .execute()
}

async function seedWords(tx: Transaction<Database>): Promise<void> {
  const inOrder = <T>(rows: readonly T[]) => rows.map((row, position) => ({ ...row, position }))
  for (const [table, rows] of [
    ['lead_statuses', leadStatuses],
    ['lead_colors', leadColors],
    ['lead_reject_reasons', leadRejectReasons],
  ] as const) {
    if (await tx.selectFrom(table).select('id').limit(1).executeTakeFirst()) continue
    await tx.insertInto(table).values(inOrder(rows)).execute()
    // The next entry gets an ID after these.
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), (select max(id) from ${sql.table(table)}))`.execute(
      tx,
    )
  }

  const lists = {
    teams,
    task_types: taskTypes,
    lead_services: leadServices,
    lead_sources: leadSources,
    lead_cog_types: leadCogTypes,
    lead_tags: leadTags,
  }
  for (const [table, names] of Object.entries(lists) as [keyof typeof lists, string[]][]) {
    // Adding missing entries one by one would bring back entries that users have deleted or renamed.
    const isEmpty = (await tx.selectFrom(table).select('name').limit(1).execute()).length === 0
    if (isEmpty)
      await tx
        .insertInto(table)
        .values(names.map((name) => ({ name })))
        .execute()
  }

  if (!(await tx.selectFrom('onboarding_stages').select('id').limit(1).executeTakeFirst()))
    await tx
      .insertInto('onboarding_stages')
      .values(
        products.flatMap(({ id }) =>
          inOrder(onboardingStages).map((stage) => ({ ...stage, product_id: id })),
        ),
      )
      .execute()
}
