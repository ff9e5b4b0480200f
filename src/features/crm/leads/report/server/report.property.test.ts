import { expect, test } from 'vitest'
import { startTestApp, type TestApp } from '#app/testing/start.testing.ts'
import { exportTables, totalsOf } from '#app/testing/tables.testing.ts'
import { wallTime } from '#shared/zones.ts'
import type { SalesCohort, SalesReport } from '#features/crm/leads/report/contract.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'
import type { Db } from '#server/db/db.ts'

/* The report against a plain scan of random histories, and each of its numbers against the list that it leads to. */

const path = '/admin/users/sales-report'
const days = { from: '2026-03-02', to: '2026-03-12' }
/** A whole month, which is read from the counts, with days before and after it. */
const month = { from: '2026-02-27', to: '2026-04-02' }
const [won, rejected] = [7, 8]

/** A generator of pseudo-random numbers below `below`, the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

interface Step {
  status: number
  at: number
  person: number | null
  reason: number | null
}
interface History {
  lead_date: string
  product: number
  source: string | null
  person: number | null
  amount: number | null
  currency: string | null
  steps: Step[]
  demos: number[]
  isInTrash: boolean
}

/** Enters leads with random statuses around the beginning and the end of the period, by updates of the table. */
async function enterMany(db: Db, staff: readonly (number | null)[]): Promise<History[]> {
  const random = numbers(11)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)]!
  const start = Date.parse('2026-02-25T00:00:00Z')
  const histories: History[] = []
  for (let index = 0; index < 70; index += 1) {
    let at = start + random(15 * 48) * 1_800_000
    const lead_date = new Date(at).toISOString().slice(0, 10)
    const first: Step = { status: pick([1, 1, 1, 2, won]), at, person: pick(staff), reason: null }
    const [product, source] = [pick([1, 1, 2]), pick([null, 'Trade show', 'Referral'])]
    const currency = pick([null, 'EUR', 'EUR', 'USD'])
    const amount = currency === null ? null : 100 * random(50)
    const id = await enterLead(db, {
      lead_date,
      lead_for: product,
      hear_about: source,
      status: first.status,
      assign_to: first.person,
      amount,
      currency,
      created_at: new Date(at).toISOString(),
    })
    const steps = [first]
    for (let count = random(6); count > 0; count -= 1) {
      at += (1 + random(90)) * 1_800_000
      const status = pick([1, 2, 3, 6, won, rejected].filter((one) => one !== steps.at(-1)!.status))
      const step = {
        status,
        at,
        person: pick(staff),
        reason: status === rejected ? pick([null, 1, 2]) : null,
      }
      steps.push(step)
      await db
        .updateTable('leads')
        .set({
          status,
          status_at: new Date(at).toISOString(),
          assign_to: step.person,
          reject_reason_id: step.reason,
        })
        .where('lead_id', '=', id)
        .execute()
    }
    const demos = Array.from({ length: random(3) }, () => start + random(20 * 48) * 1_800_000)
    for (const demo of demos)
      await db
        .insertInto('lead_demos')
        .values({ lead_id: id, type: 'Demo', final_date: new Date(demo).toISOString(), status: 3 })
        .execute()
    const isInTrash = random(12) === 0
    if (isInTrash)
      await db
        .updateTable('leads')
        .set({ deleted_at: '2026-03-20T00:00:00Z', deleted_by: 1 })
        .where('lead_id', '=', id)
        .execute()
    const person = steps.at(-1)!.person
    histories.push({ lead_date, product, source, person, amount, currency, steps, demos, isInTrash })
  }
  return histories
}

interface Found {
  event: 'reached' | 'contacted' | 'contacted_in_a_day' | 'demo' | 'received' | 'left'
  /** The status that the lead reached, or left. */
  status?: number
  /** How long it had the status that it left. */
  seconds?: number
  day: string
  person: number | null
  reason?: number | null
  history: History
}

/** Everything that happened, read from the histories one by one. */
function scan(histories: readonly History[], zone: string): Found[] {
  const found: Found[] = []
  const dayOf = (at: number) => wallTime(new Date(at), zone).day
  for (const history of histories.filter(({ isInTrash }) => !isInTrash)) {
    const { lead_date, person, steps, demos } = history
    const seen = new Set<number>()
    found.push({ event: 'received', day: lead_date, person, history })
    for (const [index, step] of steps.entries()) {
      const { status, reason } = step
      const of =
        index === 0 ? { day: lead_date, person } : { day: dayOf(step.at), person: step.person, reason }
      if (!seen.has(status)) found.push({ event: 'reached', status, reason: null, ...of, history })
      seen.add(status)
      const before = steps[index - 1]
      if (before)
        found.push({
          event: 'left',
          status: before.status,
          seconds: (step.at - before.at) / 1000,
          ...of,
          history,
        })
      if (index !== 1 || status === rejected) continue
      found.push({ event: 'contacted', ...of, history })
      if (step.at - steps[0]!.at <= 86_400_000) found.push({ event: 'contacted_in_a_day', ...of, history })
    }
    if (demos.length) found.push({ event: 'demo', day: dayOf(Math.min(...demos)), person, history })
  }
  return found
}

const reportOf = async (
  { as }: TestApp,
  query: Record<string, string | number>,
  zone: string,
): Promise<SalesReport> => {
  const reply = await as('admin').get(`${path}?${search(query)}`, { headers: { 'x-time-zone': zone } })
  expect(reply).toMatchObject({ status: 200 })
  return reply['data']
}

const search = (of: object) =>
  new URLSearchParams(
    Object.entries(of).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()

/** The value at a part of sorted ones, interpolated between two. */
function valueAt(part: number, values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const place = part * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]]
  return low === undefined || high === undefined
    ? null
    : Math.round(low + (high - low) * (place - Math.floor(place)))
}

/** Expects that the tables of the export have the totals of the report. */
async function expectSameTables(
  { as }: TestApp,
  report: SalesReport,
  query: string,
  headers: Record<string, string>,
): Promise<void> {
  const tables = await exportTables(as('admin'), `${path}/export`, query, headers)
  for (const name of ['received', 'contacted', 'demos', 'won', 'lost'] as const) {
    const [column, { count }] = [`${name.charAt(0).toUpperCase()}${name.slice(1)}`, report[name]]
    expect([name, totalsOf(tables['days']!, column).sum]).toEqual([name, count])
    expect(tables['summary']!.find((row) => row['Number'] === column)).toMatchObject({ Value: String(count) })
    if (name === 'contacted') continue
    for (const table of ['assignees', 'sources', 'products'])
      expect([table, name, totalsOf(tables[table]!, column)]).toEqual([
        table,
        name,
        { sum: count, all: count },
      ])
  }
  for (const { currency, won: wonIn } of report.currencies) {
    for (const table of ['assignees', 'sources', 'products'])
      expect([table, totalsOf(tables[table]!, `Won (${currency})`)]).toEqual([
        table,
        { sum: wonIn.sum, all: wonIn.sum },
      ])
    expect(tables['amounts']!.find((row) => row['Currency'] === currency)).toMatchObject({
      Won: String(wonIn.sum),
    })
  }
  expect(totalsOf(tables['reasons']!, 'Leads')).toEqual({ sum: report.lost.count, all: report.lost.count })
  expect(
    tables['funnel']!.map((row) => [
      row['Status'],
      Number(row['Reached']),
      row['Time in status, median (seconds)'],
    ]).toSorted(),
  ).toEqual(
    report.statuses
      .map(({ name, reached, median }) => [name, reached, median === null ? '' : String(median)])
      .toSorted(),
  )
  expect(tables['months']).toHaveLength(9 * report.currencies.length)
}

const isIn =
  ({ from, to }: typeof days) =>
  ({ day }: Found) =>
    day >= from && day <= to

test.each([
  ['UTC', days],
  ['Pacific/Kiritimati', days],
  ['Pacific/Kiritimati', month],
  ['America/New_York', month],
] as const)(
  'each number is that of a plain scan, of the list that it leads to, and of the CSV, in %s %j',
  async (zone, period) => {
    const app = await startTestApp()
    const staff = [app.as('crm').id, app.as('csm').id, null]
    const histories = await enterMany(app.db, staff)
    const happened = scan(histories, zone).filter(isIn(period))
    const headers = { 'x-time-zone': zone }
    const all = { fromDate: 'all', toDate: 'all' }
    const during = { event_from: period.from, event_to: period.to }
    let compared = 0
    const expectSame = async (name: string, count: number, found: Found[], filters: object) => {
      const list = await app
        .as('admin')
        .get(`/admin/users/get-demo-requests?${search({ ...all, ...filters })}`, { headers })
      expect([name, count, list['total']]).toEqual([name, found.length, found.length])
      compared += count
    }

    for (const scope of [
      {},
      { lead_for: 1 },
      { source_filter: 'Referral' },
      { source_filter: 'none' },
      { assignee: staff[1]! },
      { assignee: 'none' },
    ] as Record<string, string | number>[]) {
      const { assignee, ...same } = scope
      const by = assignee === undefined ? undefined : assignee === 'none' ? null : Number(assignee)
      const now = by === undefined ? {} : by === null ? { assigned_filter: 'unassigned' } : { crm_id: by }
      const then = by === undefined ? {} : { event_by: by ?? 0 }
      const found = happened.filter(
        ({ person, history }) =>
          (by === undefined || person === by) &&
          (same['lead_for'] === undefined || history.product === same['lead_for']) &&
          (same['source_filter'] === undefined ||
            history.source === (same['source_filter'] === 'none' ? null : same['source_filter'])),
      )
      const of = (event: Found['event'], status?: number) =>
        found.filter((one) => one.event === event && (status === undefined || one.status === status))
      const event = (name: string, status?: number) => ({
        ...same,
        ...then,
        ...during,
        event: name,
        ...(status === undefined ? {} : { event_status: status }),
      })
      const report = await reportOf(app, { ...period, ...scope }, zone)
      await expectSame('received', report.received.count, of('received'), {
        ...same,
        ...now,
        fromDate: period.from,
        toDate: period.to,
      })
      await expectSame('contacted', report.contacted.count, of('contacted'), event('contacted'))
      const fast = of('contacted_in_a_day')
      await expectSame('in a day', report.contacted_in_a_day, fast, event('contacted_in_a_day'))
      await expectSame('demos', report.demos.count, of('demo'), event('demo'))
      await expectSame('won', report.won.count, of('reached', won), event('reached', won))
      await expectSame('lost', report.lost.count, of('reached', rejected), event('reached', rejected))
      for (const { status, reached } of report.statuses)
        await expectSame(`status ${status}`, reached, of('reached', status), event('reached', status))
      for (const { status, median, p90 } of report.statuses) {
        const times = of('left', status).map(({ seconds }) => seconds!)
        expect([status, median, p90]).toEqual([status, valueAt(0.5, times), valueAt(0.9, times)])
      }
      const wonLeads = of('reached', won).filter(({ history }) => history.currency !== null)
      const sumOf = (currency: string) =>
        wonLeads
          .filter(({ history }) => history.currency === currency)
          .reduce((sum, { history }) => sum + history.amount!, 0)
      for (const one of report.currencies) expect(one.won.sum).toBe(sumOf(one.currency))
      for (const part of ['sources', 'people', 'products'] as const)
        for (const name of ['received', 'demos', 'won', 'lost'] as const)
          expect([
            part,
            name,
            (report[part] as { [key in typeof name]: number }[]).reduce((sum, group) => sum + group[name], 0),
          ]).toEqual([part, name, report[name].count])
      expect(report.reasons.reduce((sum, { lost }) => sum + lost, 0)).toBe(report.lost.count)
      await expectSameTables(app, report, search({ ...period, ...scope }), headers)

      const came = of('received').map(({ history }) => history)
      const cohort = (
        await app.as('admin').get(`${path}/cohort?${search({ ...period, ...scope })}`, { headers })
      )['data'] as SalesCohort
      expect(cohort.received).toBe(came.length)
      for (const { status, reached } of cohort.statuses) {
        const got = came.filter(({ steps }) => steps.some((step) => step.status === status))
        const list = await app.as('admin').get(
          `/admin/users/get-demo-requests?${search({
            ...same,
            ...now,
            fromDate: period.from,
            toDate: period.to,
            event: 'reached',
            event_status: status,
          })}`,
          { headers },
        )
        expect(['cohort', status, reached, list['total']]).toEqual(['cohort', status, got.length, got.length])
      }
    }
    expect(compared).toBeGreaterThan(200)

    const report = await reportOf(app, period, zone)
    for (const { id, received, demos, won: wins, lost } of report.people) {
      const own = happened.filter(({ person }) => person === id)
      const count = (event: string, status?: number) =>
        own.filter((one) => one.event === event && one.status === status).length
      expect([id, received, demos, wins, lost]).toEqual([
        id,
        count('received'),
        count('demo'),
        count('reached', won),
        count('reached', rejected),
      ])
    }
    for (const { id, lost } of report.reasons)
      await expectSame(
        `reason ${id}`,
        lost,
        happened.filter(
          ({ event, status, reason }) =>
            event === 'reached' && status === rejected && (reason ?? null) === id,
        ),
        { ...during, event: 'reached', event_status: rejected, event_reason: id ?? 0 },
      )
  },
)
