import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const rules = (days: number, notice: string, more = '') =>
  `<h2>Delivery</h2><p>We deliver within ${days} business days of an order. Bags are counted when they go out and when they come back in.</p>` +
  `<h2>Notice</h2><p>Either party can terminate the contract with ${notice} notice.</p>${more}` +
  '<h2>Data</h2><p>We keep only the data we need to deliver and invoice.</p>'

/** Seeds three versions of the terms, the last one scheduled; does nothing if any version exists. */
export async function seedTerms(db: Db, today: PlainDate): Promise<void> {
  const admin = await db.selectFrom('staff').select('id').where('user_name', '=', 'admin').executeTakeFirst()
  if (!admin) return
  const versions = [
    { value: rules(5, 'three months’'), day: -400 },
    { value: rules(3, 'three months’', '<h2>Losses</h2><p>Lost items are replaced at cost.</p>'), day: -60 },
    {
      value: rules(3, 'six weeks’', '<h2>Losses</h2><p>Lost items are replaced at half their cost.</p>'),
      day: 30,
    },
  ]
  await db
    .insertInto('terms')
    .values(
      versions.map(({ value, day }, index) => ({
        id: index + 1,
        value,
        effective_on: addDays(today, day),
        created_by: admin.id,
        created_at: `${addDays(today, Math.min(day, 0) - 10)}T10:00:00Z`,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
