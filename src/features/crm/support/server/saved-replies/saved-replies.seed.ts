import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'

const hello = '<p>Hi {{first_name}},</p>'
const bye = '<p>{{signature}}</p>'
/** Name, shortcut, category, status after sending, uses, and text. */
const shared = [
  [
    'Count towels manually',
    'count',
    2,
    3,
    46,
    '<p>Until this is fixed, <strong>Count → Manual</strong> will keep your totals right.</p><p>I’ll write to you on {{ticket_number}} as soon as the fix reaches {{organization}}.</p>',
  ],
  [
    'Where to find the device profile',
    'profile',
    2,
    3,
    31,
    '<p>Open <strong>Settings → Devices</strong> on the handheld and tell me the number next to <strong>RFID profile</strong>.</p>',
  ],
  [
    'Recount after an import',
    'recount',
    2,
    4,
    24,
    '<p>Your import is complete. To recount, open <strong>Counts → Recount</strong>.</p>',
  ],
  [
    'Add users',
    'users',
    1,
    3,
    22,
    '<p>Happy to. Please send me the name, email address, and role of each person.</p>',
  ],
  [
    'Known problem, fix on its way',
    'known',
    null,
    null,
    8,
    '<p>We know about this one, and a fix is being tested.</p>',
  ],
  [
    'Close without an answer',
    'close',
    null,
    5,
    4,
    '<p>I haven’t heard from you in 14 days, so I’ll close this ticket. Just reply if you still need us.</p>',
  ],
] as const
const own = [
  [
    'Night shift training',
    'night',
    null,
    3,
    18,
    '<p>We can offer Thursday at 21:00 or Monday at 21:30. Which one suits you?</p>',
  ],
  [
    'Corrected invoice',
    'invoice',
    null,
    3,
    9,
    '<p>I’ve asked accounting for a corrected invoice. You’ll have it this week.</p>',
  ],
] as const

/** Seeds saved replies that everyone can use, and two of the support agent's own. */
export async function seedSavedReplies(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('saved_replies').select('id').executeTakeFirst()) return
  const people = await db
    .selectFrom('staff')
    .select(['id', 'user_name'])
    .where('user_name', 'in', ['admin', 'support'])
    .execute()
  const idOf = (name: string) => people.find(({ user_name }) => user_name === name)?.id
  const [admin, agent] = [idOf('admin'), idOf('support')]
  if (admin === undefined || agent === undefined) return
  const rowOf = ([name, shortcut, category, status, uses, text]: (typeof shared | typeof own)[number]) => ({
    name,
    shortcut,
    category,
    status,
    uses,
    content: `${hello}${text}${bye}`,
    last_used_at: `${addDays(today, -(uses % 5) - 1)}T09:00:00Z`,
    last_used_by: agent,
  })
  await db
    .insertInto('saved_replies')
    .values([
      ...shared.map((one) => ({ ...rowOf(one), is_shared: true, created_by: admin })),
      ...own.map((one) => ({ ...rowOf(one), created_by: agent })),
    ])
    .execute()
}
