import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const errands = [
  'Call about next week’s delivery',
  'Resend the price list',
  'Check the scanner at the front desk',
  'Follow up on the signed contract',
  'Prepare the training room',
  'Update the contact for the hospital',
  'Order labels for building two',
  'Proofread the new post before it goes live',
  'Confirm the number of beds',
  'Book a room for the demo',
] as const

/** Seeds quick tasks for the sample admin users: some due, some overdue, some done. */
export async function seedQuickTasks(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('quick_tasks').select('id').executeTakeFirst()) return
  const staff = (
    await db.selectFrom('staff').select('id').where('banned_at', 'is', null).orderBy('id').execute()
  ).map(({ id }) => id)
  const leads = (
    await db
      .selectFrom('leads')
      .select('lead_id')
      .where('deleted_at', 'is', null)
      .orderBy('lead_id')
      .limit(40)
      .execute()
  ).map(({ lead_id }) => lead_id)
  const at = <T>(all: readonly T[], index: number) => all[index % all.length]!
  const values = staff.flatMap((person, index) =>
    [0, 1, 2].map((n) => {
      const turn = index * 3 + n
      const done = turn % 4 === 3
      const lead = leads.length && turn % 3 === 0 ? at(leads, turn) : null
      return {
        title: at(errands, turn),
        type: (turn % 5) + 1,
        status: done ? 1 : 0,
        due_date: turn % 7 === 6 ? null : addDays(today, (turn % 9) - 3),
        priority: at([3, 2, 1, 4, 3], turn),
        person,
        created_by: at(staff, index + 1 + n),
        entity: lead === null ? null : 'lead',
        entity_id: lead,
        completed_at: done ? `${addDays(today, -1)}T09:00:00Z` : null,
        completed_by: done ? person : null,
      }
    }),
  )
  if (values.length) await db.insertInto('quick_tasks').values(values).execute()
}
