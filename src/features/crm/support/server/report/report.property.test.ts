import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { exportTables } from '#app/testing/tables.testing.ts'
import { weekday, weekdays } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { enterOrganization } from '#features/crm/organizations/server/organizations.testing.ts'
import type { SupportReport } from '#features/crm/support/report.contract.ts'
import { enter, enterMany, numbers } from '#features/crm/support/server/report/report.testing.ts'
import type { Db } from '#server/db/db.ts'

/* The report against a plain scan of messages and changes of status, and its hours against the lists that they lead to. */

const path = '/admin/support/report'
const period = { from: '2026-03-02', to: '2026-03-12' }
const settled = [4, 5]

interface Event {
  at: string
  category: number
  organization_id: number | null
  person: number | null
  seconds: number | null
}

interface History {
  id: number
  created_at: string
  category: number
  organization_id: number | null
  answers: { at: string; by: number }[]
  changes: { at: string; from: number; to: number; by: number | null }[]
}

/** Reads the tickets that a report can count, with their answers that were not undone, all in order of time. */
async function readHistories(db: Db): Promise<History[]> {
  const { rows } = await sql<History>`select t.id, t.created_at, t.category, t.organization_id,
      coalesce((select json_agg(json_build_object('at', m.created_at, 'by', m.staff_id) order by m.created_at, m.id)
        from ticket_messages m left join mails a on a.id = m.mail_id
        where m.ticket_id = t.id and m.sent_by_admin and a.called_off_at is null), '[]') as answers,
      coalesce((select json_agg(json_build_object('at', c.changed_at, 'from', c.from_status, 'to', c.to_status, 'by', c.assignee_id)
        order by c.changed_at, c.id) from ticket_status_changes c where c.ticket_id = t.id), '[]') as changes
    from tickets t where t.deleted_at is null and t.merged_into is null and t.spam_reason is null`.execute(db)
  return rows
}

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000
const isSettled = (status: number) => settled.includes(status)

/** Returns the seconds until a solution, by going through the changes before it. */
function secondsUntil({ created_at, changes }: History, index: number): number {
  const before = changes.slice(0, index)
  const reopened = before.findLastIndex(({ from, to }) => isSettled(from) && !isSettled(to))
  const start = reopened < 0 ? created_at : before[reopened]!.at
  return before.slice(Math.max(0, reopened)).reduce(
    (seconds, { at, to }, offset) => {
      const next = changes[Math.max(0, reopened) + offset + 1]!
      return to === 3 ? seconds - secondsBetween(at, next.at) : seconds
    },
    secondsBetween(start, changes[index]!.at),
  )
}

/** Returns the events that a report counts, in the days of a time zone. */
function eventsOf(histories: readonly History[], isWithin: (at: string) => boolean) {
  const found: Record<'received' | 'answered' | 'solved' | 'reopened', Event[]> = {
    received: [],
    answered: [],
    solved: [],
    reopened: [],
  }
  for (const history of histories) {
    const { created_at, category, organization_id, answers, changes } = history
    const of = { category, organization_id }
    if (isWithin(created_at)) found.received.push({ ...of, at: created_at, person: null, seconds: null })
    const answer = answers.find(({ at }) => Date.parse(at) > Date.parse(created_at))
    if (answer && isWithin(answer.at))
      found.answered.push({
        ...of,
        at: answer.at,
        person: answer.by,
        seconds: secondsBetween(created_at, answer.at),
      })
    const last = (wanted: boolean) =>
      changes.findLastIndex(
        ({ at, from, to }) => isWithin(at) && isSettled(to) === wanted && isSettled(from) !== wanted,
      )
    const [solved, reopened] = [last(true), last(false)]
    const event = (index: number, seconds: number | null) => ({
      ...of,
      at: changes[index]!.at,
      person: changes[index]!.by,
      seconds,
    })
    if (solved >= 0) found.solved.push(event(solved, secondsUntil(history, solved)))
    if (reopened >= 0) found.reopened.push(event(reopened, null))
  }
  return found
}

/** Returns the value below which a share of the numbers are, with the line between the two that are next to it. */
function percentile(numbers: readonly number[], share: number): number | null {
  const sorted = numbers.toSorted((one, two) => one - two)
  if (sorted.length === 0) return null
  const place = share * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!]
  return Math.round(low + (high - low) * (place - Math.floor(place)))
}
const median = (events: readonly Event[]) =>
  percentile(
    events.map(({ seconds }) => seconds!),
    0.5,
  )

test.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Australia/Lord_Howe'])(
  'the report equals a plain scan of what happened, in %s',
  async (zone) => {
    const { as, db } = await startTestApp()
    const organizations = [await enterOrganization(db), await enterOrganization(db, { name: 'Other' })]
    const staff = [as('support').id, as('csm').id]
    await enterMany(db, staff, organizations)
    await enterLate(db, staff)
    const isWithin = (at: string) => {
      const { day } = wallTime(new Date(at), zone)
      return day >= period.from && day <= period.to
    }
    const events = eventsOf(await readHistories(db), isWithin)
    const headers = { 'x-time-zone': zone }
    const admin = as('admin')
    const query = new URLSearchParams(period).toString()
    const report = (await admin.get(`${path}?${query}`, { headers }))['data'] as SupportReport

    for (const found of Object.values(events)) expect(found.length).toBeGreaterThan(5)
    for (const [name, found] of Object.entries(events) as [keyof typeof events, Event[]][]) {
      expect([name, report[name].count]).toEqual([name, found.length])
      for (const { day, ...numbers } of report.days)
        expect([day, name, numbers[name]]).toEqual([
          day,
          name,
          found.filter(({ at }) => wallTime(new Date(at), zone).day === day).length,
        ])
      for (const group of report.categories)
        expect([group.id, name, group[name]]).toEqual([
          group.id,
          name,
          found.filter(({ category }) => category === group.id).length,
        ])
      for (const group of report.organizations)
        expect([group.id, name, group[name]]).toEqual([
          group.id,
          name,
          found.filter(({ organization_id }) => organization_id === group.id).length,
        ])
    }
    for (const [duration, found] of [
      [report.first_response, events.answered],
      [report.resolution, events.solved],
    ] as const) {
      const seconds = found.map((event) => event.seconds!)
      expect(duration).toMatchObject({ median: percentile(seconds, 0.5), p90: percentile(seconds, 0.9) })
    }
    for (const { id, first_response } of report.categories)
      expect([id, first_response]).toEqual([
        id,
        median(events.answered.filter(({ category }) => category === id)),
      ])
    for (const { id, first_response } of report.organizations)
      expect([id, first_response]).toEqual([
        id,
        median(events.answered.filter(({ organization_id }) => organization_id === id)),
      ])
    for (const { id, answered, solved, first_response } of report.people) {
      const own = events.answered.filter(({ person }) => person === id)
      expect([id, answered, solved, first_response]).toEqual([
        id,
        own.length,
        events.solved.filter(({ person }) => person === id).length,
        median(own),
      ])
    }
    expect(report.people.flatMap(({ id }) => id ?? []).toSorted()).toEqual(staff.toSorted())
    for (const column of ['answered', 'solved'] as const)
      expect([column, report.people.reduce((sum, one) => sum + one[column], 0)]).toEqual([
        column,
        report[column].count,
      ])
  },
)

test.each(['UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Australia/Lord_Howe'])(
  'each hour of the report opens its tickets, and the CSV has the same ones, in %s',
  async (zone) => {
    const { as, db } = await startTestApp()
    await enterMany(db, [as('support').id], [await enterOrganization(db)])
    const headers = { 'x-time-zone': zone }
    const admin = as('admin')
    const query = new URLSearchParams(period).toString()
    const { received, hours, days } = (await admin.get(`${path}?${query}`, { headers }))[
      'data'
    ] as SupportReport
    const received_at = (await readHistories(db))
      .map(({ created_at }) => wallTime(new Date(created_at), zone))
      .filter(({ day }) => day >= period.from && day <= period.to)
    expect(received_at.length).toBeGreaterThan(10)
    for (const [index, day] of [...weekdays.slice(1), weekdays[0]].entries())
      for (const [first, last] of [
        [0, 6],
        [7, 12],
        [13, 13],
        [14, 19],
        [20, 23],
      ] as const) {
        const cell = hours.filter((one) => one.weekday === index + 1 && one.hour >= first && one.hour <= last)
        const count = cell.reduce((sum, one) => sum + one.received, 0)
        const link = `created_from=${period.from}&created_to=${period.to}&created_weekday=${index + 1}&created_hour_from=${first}&created_hour_to=${last}`
        const list = await admin.get(`/admin/support/ticket?${link}`, { headers })
        expect([day, first, list.total]).toEqual([day, first, count])
        expect([day, first, count]).toEqual([
          day,
          first,
          received_at.filter(
            (one) =>
              weekday(one.day) === day &&
              Number(one.time.slice(0, 2)) >= first &&
              Number(one.time.slice(0, 2)) <= last,
          ).length,
        ])
      }
    const tables = await exportTables(admin, `${path}/export`, query, headers)
    expect(tables['days']).toEqual(
      days.map(({ day, received: count, answered, solved, reopened }) => ({
        Date: day,
        Received: String(count),
        Answered: String(answered),
        Solved: String(solved),
        Reopened: String(reopened),
      })),
    )
    expect(tables['hours']).toEqual(
      hours.map(({ weekday: of, hour, received: count }) => ({
        Weekday: weekdays[of % 7],
        Hour: String(hour),
        Received: String(count),
      })),
    )
    expect(hours.reduce((sum, hour) => sum + hour.received, 0)).toBe(received.count)
  },
)

test.each(['created_weekday=0', 'created_weekday=8', 'created_hour_from=24', 'created_hour_to=-1'])(
  '%s is refused at its field',
  async (query) => {
    const { as } = await startTestApp()
    const reply = await as('support').get(`/admin/support/ticket?${query}`)
    expect([reply.status, Object.keys(reply['errors'] as object)]).toEqual([422, [query.split('=')[0]]])
  },
)

/** Enters tickets whose changes of status are written in another order than they happened, and some that don't count. */
async function enterLate(db: Db, staff: readonly number[]): Promise<void> {
  const random = numbers(3)
  for (let index = 0; index < 12; index += 1) {
    const at = (hours: number) =>
      new Date(Date.parse('2026-03-03T00:00:00Z') + (index * 17 + hours) * 3_600_000).toISOString()
    const person = staff[random(staff.length)]!
    const id = await enter(db, {
      created_at: at(0),
      answers: [
        [at(20), staff[0]!],
        [at(5), person],
      ],
      changes: [
        [at(30), 0, 4],
        [at(8), 4, 3],
        [at(2), 0, 5],
        [at(6), 5, 4],
        [at(12), 3, 0],
      ],
      assignee_id: person,
    })
    const hidden = [{ spam_reason: 'Marked by hand' }, { deleted_at: at(40), deleted_by: person }, {}, {}][
      index % 4
    ]!
    if (Object.keys(hidden).length) await db.updateTable('tickets').set(hidden).where('id', '=', id).execute()
  }
}
