import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OpenDatabase, openDatabase } from '#server/db/db.ts'
import { seedReference } from '#server/db/seed/reference.ts'
import { createTestDatabase, type TestDatabase } from '#server/db/testing.ts'

let database: TestDatabase
let open: OpenDatabase
beforeAll(async () => {
  let t = performance.now()
  database = await createTestDatabase()
  console.log(performance.now() - t)
  open = openDatabase(database.connection)
})
afterAll(async () => {
  await open.close()
  await database.drop()
})
test('x', async () => {
  const { db } = open
  for (const i of [1, 2, 3, 4, 5]) {
    let t = performance.now()
    const d = await createTestDatabase()
    console.log(performance.now() - t)
    t = performance.now()
    await d.drop()
    console.log('drop', performance.now() - t)
  }
  console.log(
    await db
      .selectFrom('staff')
      .selectAll()
      .execute()
      .then((r) => r[0]),
  )
  console.log(
    await db
      .selectFrom('role_permissions')
      .select(({ fn }) => ['role_id', fn.countAll<number>().as('n')])
      .groupBy('role_id')
      .orderBy('role_id')
      .execute(),
  )
  await seedReference(db, { product1Name: 'Wash' })
  console.log(await db.selectFrom('products').selectAll().execute())
  console.log(
    await db
      .selectFrom('team_members')
      .innerJoin('teams', 'teams.id', 'team_id')
      .innerJoin('staff', 'staff.id', 'staff_id')
      .select(['user_name', 'teams.name'])
      .execute(),
  )
})
