import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { exportTables, totalsOf } from '#app/testing/tables.testing.ts'
import { wallTime } from '#shared/zones.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { enter, enterMany, numbers } from '#features/crm/support/server/report/report.testing.ts'
import type { Db } from '#server/db/db.ts'

/* Replies and ratings by person against a plain scan of messages, the lists that they lead to, and the CSV. */

const path = '/admin/support/report'
const period = { from: '2026-03-02', to: '2026-03-12' }

interface Message {
  id: number
  ticket_id: number
  staff_id: number
  created_at: string
  opened_at: string
  is_undone: boolean
  rated_at: string | null
  is_good: boolean | null
}

/** Reads what admin users wrote on tickets that a report can count. */
const readMessages = async (db: Db): Promise<Message[]> =>
  (
    await sql<Message>`select m.id, m.ticket_id, m.staff_id, m.created_at, t.created_at as opened_at,
      a.called_off_at is not null as is_undone, r.rated_at, r.is_good
    from ticket_messages m join tickets t on t.id = m.ticket_id left join mails a on a.id = m.mail_id
      left join ticket_ratings r on r.message_id = m.id
    where m.sent_by_admin and t.deleted_at is null`.execute(db)
  ).rows

/** Undoes every seventh reply, and rates most of the others, also twice per ticket, around the ends of the period. */
async function undoAndRate(db: Db): Promise<void> {
  const random = numbers(5)
  for (const { id, created_at } of await readMessages(db)) {
    if (id % 7 === 0)
      await sql`with mail as (insert into mails (kind, subject, html, text, message_id, called_off_at, stopped_at)
          values ('test', 'Hi', '<p>x</p>', 'x', ${`<${id}@localhost>`}, now(), now()) returning id)
        update ticket_messages set mail_id = (select id from mail) where id = ${id}`.execute(db)
    if (id % 4 === 0) continue
    const rated_at = new Date(Date.parse(created_at) + random(96) * 1_800_000).toISOString()
    await db
      .insertInto('ticket_ratings')
      .values({ message_id: id, asked_at: created_at, rated_at, is_good: random(3) > 0, comment: '' })
      .execute()
  }
}

test.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns'])(
  'replies and ratings of each person are those of a plain scan, of their tickets, and of the CSV, in %s',
  async (zone) => {
    const { as, db } = await startTestApp()
    const organizations = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' })]
    const staff = [as('support').id, as('csm').id]
    await enterMany(db, staff, organizations)
    // Two people answer one ticket, one of them several times; the desk's own first message is no reply.
    const at = '2026-03-05T09:00:00Z'
    await enter(db, {
      created_at: at,
      answers: [
        [at, staff[0]!],
        ['2026-03-05T10:00:00Z', staff[0]!],
        ['2026-03-06T10:00:00Z', staff[1]!],
        ['2026-03-07T10:00:00Z', staff[1]!],
      ],
    })
    await undoAndRate(db)
    const isWithin = (instant: string) => {
      const { day } = wallTime(new Date(instant), zone)
      return day >= period.from && day <= period.to
    }
    const said = (await readMessages(db)).filter(({ is_undone }) => !is_undone)
    const replies = said.filter(
      ({ created_at, opened_at }) => Date.parse(created_at) > Date.parse(opened_at) && isWithin(created_at),
    )
    const rated = said.filter(({ rated_at }) => rated_at !== null && isWithin(rated_at))
    const lastRated = [...Map.groupBy(rated, ({ ticket_id }) => ticket_id).values()].map(
      (of) => of.toSorted((one, other) => Date.parse(other.rated_at!) - Date.parse(one.rated_at!))[0]!,
    )
    const ticketsOf = (messages: readonly Message[]) =>
      new Set(messages.map(({ ticket_id }) => ticket_id)).size

    const headers = { 'x-time-zone': zone }
    const admin = as('admin')
    const query = new URLSearchParams(period).toString()
    const report = (await admin.get(`${path}?${query}`, { headers }))['data'] as SupportReport
    const opened = async (event: string, by?: number) =>
      (
        await admin.get(
          `/admin/support/ticket?event=${event}&event_from=${period.from}&event_to=${period.to}${by === undefined ? '' : `&event_by=${by}`}`,
          { headers },
        )
      ).total as number

    const people = report.people.filter(({ id }) => id !== null)
    expect(people.map(({ id }) => id).toSorted()).toEqual(staff.toSorted())
    for (const { id, replies: counted, good, bad } of people) {
      const own = replies.filter(({ staff_id }) => staff_id === id)
      const ratings = lastRated.filter(({ staff_id }) => staff_id === id)
      expect(own.length).toBeGreaterThan(5)
      expect(ratings.length).toBeGreaterThan(2)
      expect([id, counted]).toEqual([id, { count: own.length, tickets: ticketsOf(own) }])
      expect([id, good + bad, good]).toEqual([
        id,
        ratings.length,
        ratings.filter(({ is_good }) => is_good).length,
      ])
      expect([counted.tickets, good, bad]).toEqual([
        await opened('replied', id!),
        await opened('rated_good', id!),
        await opened('rated_bad', id!),
      ])
    }
    expect(report.replies).toEqual({ count: replies.length, tickets: ticketsOf(replies) })
    expect(report.replies.tickets).toBe(await opened('replied'))
    expect(report.ratings.good + report.ratings.bad).toBe(lastRated.length)

    const tables = await exportTables(admin, `${path}/export`, query, headers)
    const expected = {
      Answered: report.answered.count,
      Solved: report.solved.count,
      Replies: report.replies.count,
      'Rated good': report.ratings.good,
      'Rated bad': report.ratings.bad,
    }
    for (const [column, all] of Object.entries(expected))
      expect([column, totalsOf(tables['people']!, column)]).toEqual([column, { sum: all, all }])
    for (const [column, all] of [
      ['Good', report.ratings.good],
      ['Bad', report.ratings.bad],
    ] as const)
      expect(totalsOf(tables['satisfaction-by-organization']!, column)).toEqual({ sum: all, all })
  },
)
