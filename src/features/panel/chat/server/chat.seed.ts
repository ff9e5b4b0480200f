import type { PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const said = [
  ['support', 'Good morning! The laundry in building two is back online.'],
  ['crm', 'Thanks! I’ll let the customer know.'],
  ['editor', 'The post about table linens goes live at noon. Does anyone want to proofread it first?'],
  ['adh', 'I read it. Looks good to me.'],
  ['development_lead', 'Version 14 ships tonight. Please keep some time free for questions tomorrow.'],
  ['qa', 'I found two minor issues and added them to the task.'],
  ['developer', 'Both are fixed.'],
  ['designer', 'The new icons are in the library.'],
  ['csm', 'Who can take #lead 1? They asked for training in German.'],
  ['crm', 'I’ll take it.'],
  ['admin', 'The office is closed on Friday. See the holidays in the calendar.'],
  ['digital_marketing', 'The webinar has 42 registrations so far.'],
] as const

/** Seeds one morning of messages in the staff chat. */
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
            created_at: `${today}T0${7 + Math.floor((index * 7) / 60)}:${String((index * 7) % 60).padStart(2, '0')}:00Z`,
          },
        ]
      : []
  })
  if (values.length) await db.insertInto('chat_messages').values(values).execute()
}
