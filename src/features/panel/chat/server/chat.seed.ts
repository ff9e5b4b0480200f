import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const said = [
  ['support', 'Good morning. The laundry in hall two is back on line.'],
  ['crm', 'Thank you! I tell the customer.'],
  ['editor', 'The post about table linen goes out at noon. Does anybody want to read it first?'],
  ['adh', 'I read it, fine from my side.'],
  [
    'development_lead',
    'Version 14 is delivered tonight, please keep the calendar free for questions tomorrow.',
  ],
  ['qa', 'I found two small things and put them on the task.'],
  ['developer', 'Both are mended.'],
  ['designer', 'New icons are in the library.'],
  ['csm', 'Who takes #lead 1? They asked for a training in German.'],
  ['crm', 'I do.'],
  ['admin', 'The office is closed on Friday, see the holidays in the calendar.'],
  ['digital_marketing', 'The webinar has 42 registrations so far.'],
] as const

/** Seeds a morning in the chat of the staff. */
export async function seedChat(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('chat_messages').select('id').executeTakeFirst()) return
  const staff = await db.selectFrom('staff').select(['id', 'user_name']).execute()
  const values = said.flatMap(([user, message], index) => {
    const person = staff.find(({ user_name }) => user_name === user)
    return person
      ? [
          {
            staff_id: person.id,
            message,
            created_at: `${today}T0${7 + Math.floor(index / 6)}:${String((index * 7) % 60).padStart(2, '0')}:00Z`,
          },
        ]
      : []
  })
  if (values.length) await db.insertInto('chat_messages').values(values).execute()
}
