import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { exportTables, totalsOf } from '#app/testing/tables.testing.ts'
import { wallTime } from '#shared/zones.ts'
import type { SalesReport } from '#features/crm/leads/report/contract.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import { leadActivities, leadActivityNames, type LeadActivity } from '#features/crm/leads/rules.ts'
import type { Db } from '#server/db/db.ts'

/* What people did for leads, against a plain scan, the lists that the numbers lead to, and the CSV. */

const path = '/admin/users/sales-report'
const period = { from: '2026-03-02', to: '2026-03-12' }

/** A generator of pseudo-random numbers below `below`, the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

interface Lead {
  id: number
  product: number
  source: string | null
  person: number | null
  isInTrash: boolean
}
interface Done {
  activities: LeadActivity[]
  at: string
  /** Several for a session with several hosts; none for one without. */
  people: number[]
  lead: number
}

async function enterLeads(db: Db, staff: readonly (number | null)[]): Promise<Lead[]> {
  const leads: Lead[] = []
  for (let index = 0; index < 24; index += 1) {
    const one = {
      product: 1 + (index % 3 === 0 ? 1 : 0),
      source: [null, 'Referral', 'Trade show'][index % 3]!,
      person: staff[index % staff.length]!,
      isInTrash: index % 11 === 5,
    }
    const id = await enterLead(db, {
      lead_for: one.product,
      hear_about: one.source,
      assign_to: one.person,
      ...(one.isInTrash ? { deleted_at: '2026-03-20T00:00:00Z', deleted_by: 1 } : {}),
    })
    leads.push({ id, ...one })
  }
  return leads
}

/** Merges the third lead into the second one, and that into the first. Returns the lead that was kept of each. */
async function merge(db: Db, leads: readonly Lead[]): Promise<(id: number) => number> {
  const [first, second, third] = leads.map(({ id }) => id) as [number, number, number]
  for (const [lead_id, merged_into] of [
    [third, second],
    [second, first],
  ] as const)
    await db
      .updateTable('leads')
      .set({ merged_into, deleted_at: '2026-03-20T00:00:00Z', deleted_by: 1 })
      .where('lead_id', '=', lead_id)
      .execute()
  return (id) => (id === second || id === third ? first : id)
}

async function enterDone(db: Db, leads: readonly Lead[], staff: readonly number[]): Promise<Done[]> {
  const random = numbers(23)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  const done: Done[] = []
  for (let index = 0; index < 240; index += 1) {
    const at = new Date(Date.parse('2026-02-28T00:00:00Z') + random(15 * 48) * 1_800_000).toISOString()
    const [lead, person] = [pick(leads).id, pick(staff)]
    const kind = pick(['call', 'email', 'session', 'note'] as const)
    if (kind === 'call') {
      const outcome = 1 + random(4)
      await db
        .insertInto('lead_calls')
        .values({ lead_id: lead, called_at: at, called_by: person, outcome })
        .execute()
      done.push({
        activities: ['call', outcome === 1 ? 'call_reached' : 'call_missed'],
        at,
        people: [person],
        lead,
      })
    } else if (kind === 'note') {
      // The panel itself writes some notes.
      const staff_id = random(5) === 0 ? null : person
      await db
        .insertInto('notes')
        .values({ record_type: 'lead', record_id: lead, body: 'Called', staff_id, created_at: at })
        .execute()
      if (staff_id !== null) done.push({ activities: ['note'], at, people: [person], lead })
    } else if (kind === 'email') {
      const [called_off_at, takes_replies] = [random(6) === 0 ? at : null, random(6) > 0]
      await sql`insert into mails (kind, subject, html, text, message_id, record_type, record_id, staff_id, takes_replies, called_off_at, stopped_at, created_at)
        values ('message', 'Hi', '<p>x</p>', 'x', ${`<${index}@localhost>`}, 'lead', ${lead}, ${person}, ${takes_replies}, ${called_off_at}, ${called_off_at}, ${at})`.execute(
        db,
      )
      if (called_off_at === null && takes_replies)
        done.push({ activities: ['email'], at, people: [person], lead })
    } else {
      const status = pick([2, 3, 3])
      const { id } = await db
        .insertInto('lead_demos')
        .values({ lead_id: lead, type: 'Demo', final_date: at, status })
        .returning('id')
        .executeTakeFirstOrThrow()
      const people = pick([[], [person], [...staff]])
      for (const staff_id of people)
        await db.insertInto('lead_demo_hosts').values({ demo_id: id, staff_id }).execute()
      if (status === 3) done.push({ activities: ['session'], at, people, lead })
    }
  }
  return done
}

const search = (of: object) =>
  new URLSearchParams(
    Object.entries(of).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

test.each(['UTC', 'Pacific/Kiritimati', 'America/New_York'])(
  'calls, emails, sessions, and notes are those of a plain scan, of the leads that they lead to, and of the CSV, in %s',
  async (zone) => {
    const { as, db } = await startTestApp()
    const staff = [as('crm').id, as('csm').id]
    const leads = await enterLeads(db, [...staff, null])
    const everything = await enterDone(db, leads, staff)
    const keptOf = await merge(db, leads)
    const leadOf = ({ lead }: Done) => leads.find(({ id }) => id === keptOf(lead))!
    const done = everything.filter((one) => {
      const { day } = wallTime(new Date(one.at), zone)
      return day >= period.from && day <= period.to && !leadOf(one).isInTrash
    })
    /** The people who did it: for a session without hosts, the assignee of the lead. */
    const peopleOf = (one: Done): (number | null)[] => (one.people.length ? one.people : [leadOf(one).person])
    const admin = as('admin')
    const headers = { 'x-time-zone': zone }
    const during = { event_from: period.from, event_to: period.to }

    let compared = 0
    for (const scope of [
      {},
      { lead_for: 2 },
      { source_filter: 'Referral' },
      { source_filter: 'none' },
      { assignee: staff[1]! },
      { assignee: 'none' },
    ] as { lead_for?: number; source_filter?: string; assignee?: number | 'none' }[]) {
      const { assignee, ...same } = scope
      const by = assignee === 'none' ? null : assignee
      const inScope = done.filter(
        (one) =>
          (by === undefined || peopleOf(one).includes(by)) &&
          (same.lead_for === undefined || leadOf(one).product === same.lead_for) &&
          (same.source_filter === undefined ||
            leadOf(one).source === (same.source_filter === 'none' ? null : same.source_filter)),
      )
      const query = search({ ...period, ...scope })
      const { activities } = (await admin.get(`${path}?${query}`, { headers }))['data'] as SalesReport
      const expectSame = async (name: LeadActivity, person: number | null | undefined, counted: object) => {
        const found = inScope.filter(
          (one) => one.activities.includes(name) && (person === undefined || peopleOf(one).includes(person)),
        )
        const expected = { count: found.length, leads: new Set(found.map((one) => leadOf(one).id)).size }
        expect([scope, name, person, counted]).toEqual([scope, name, person, expected])
        const list = await admin.get(
          `/admin/users/get-demo-requests?${search({
            fromDate: 'all',
            toDate: 'all',
            ...same,
            ...during,
            event: name,
            ...(person === undefined ? {} : { event_by: person ?? 0 }),
          })}`,
          { headers },
        )
        expect([scope, name, person, list.total]).toEqual([scope, name, person, expected.leads])
        compared += expected.leads
      }
      for (const name of leadActivityNames) {
        await expectSame(name, by, activities.all[name])
        for (const { id, done: own } of activities.people) await expectSame(name, id, own[name])
      }
      const tables = await exportTables(admin, `${path}/export`, query, headers)
      for (const name of leadActivityNames) {
        const { all, sum } = totalsOf(tables['activities']!, leadActivities[name])
        expect([name, all]).toEqual([name, activities.all[name].count])
        // A session of several people counts for each of them.
        if (name !== 'session') expect([name, sum]).toEqual([name, all])
      }
    }
    expect(compared).toBeGreaterThan(300)
  },
)

test('roles 0 and 1 see what everyone did, others only their own; all together is the same', async () => {
  const { as, db } = await startTestApp()
  const [crm, csm] = [as('crm').id, as('csm').id]
  const lead_id = await enterLead(db)
  for (const called_by of [crm, csm, csm])
    await db
      .insertInto('lead_calls')
      .values({ lead_id, called_by, outcome: 1, called_at: '2026-03-10T09:00:00Z' })
      .execute()
  const of = async (who: 'admin' | 'crm') => {
    const { activities } = (await as(who).get(`${path}?${search(period)}`))['data'] as SalesReport
    const { activities: rows } = await exportTables(as(who), `${path}/export`, search(period))
    expect(rows!.map((row) => Number(row['Called']))).toEqual([
      ...activities.people.map(({ done }) => done.call.count),
      activities.all.call.count,
    ])
    return [activities.all.call, activities.people.map(({ id, done }) => [id, done.call.count])]
  }
  expect(await of('admin')).toEqual([
    { count: 3, leads: 1 },
    [
      [csm, 2],
      [crm, 1],
    ],
  ])
  expect(await of('crm')).toEqual([{ count: 3, leads: 1 }, [[crm, 1]]])
})
