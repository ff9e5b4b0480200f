import { sql } from 'kysely'
import { addDays, type PlainDate } from '#shared/dates.ts'
import {
  activityTypes,
  delivered,
  disciplineOf,
  onHold,
  type DisciplineName,
} from '#features/tasks/tasks/rules.ts'
import type { Db } from '#server/db/db.ts'

const count = 200
const at = <T>(list: readonly T[], index: number): T =>
  list[((index % list.length) + list.length) % list.length]!

/**
 * Seeds two hundred tasks around a given day, with their activity, hours with some missing days, and issues.
 * Does nothing if any task exists.
 */
export async function seedTasks(db: Db, today: PlainDate): Promise<void> {
  if (await db.selectFrom('tasks').select('id').limit(1).executeTakeFirst()) return
  const people = await db
    .selectFrom('staff')
    .select(['id', 'role_id'])
    .where('role_id', 'in', [0, 1, 7, 8, 9, 10, 11, 12, 13])
    .orderBy('id')
    .execute()
  const withRole = (...roles: number[]) =>
    people.filter(({ role_id }) => roles.includes(role_id)).map(({ id }) => id)
  if (!withRole(9).length || !withRole(13).length || !withRole(10).length) return
  const organizations = await findOrganizations(db)
  const types = (await db.selectFrom('task_types').select('id').orderBy('id').execute()).map(({ id }) => id)
  const tasks = await insertTasks(db, today, {
    developers: withRole(8, 9),
    designers: withRole(13),
    csm: withRole(1, 7, 10),
    types,
  })
  const links = tasks.flatMap(({ id, product_id, index }) => {
    const own = organizations.filter((one) => one.product_id === product_id)
    if (!own.length || index % 5 === 4) return []
    const ids = new Set([
      at(own, index).organization_id,
      ...(index % 7 === 0 ? [at(own, index + 3).organization_id] : []),
    ])
    return [...ids].map((organization_id) => ({ task_id: id, organization_id }))
  })
  if (links.length) await db.insertInto('task_organizations').values(links).execute()

  await db.insertInto('task_activities').values(activityOf(tasks, today)).execute()
  const moves = tasks.filter(({ moved, due_date }) => moved && due_date !== null)
  await db
    .insertInto('task_date_moves')
    .values(
      moves.map(({ id, index, due_date, created_by, created_at }) => ({
        task_id: id,
        type: activityTypes.extendDueDate,
        old_date: addDays(due_date!, -4),
        new_date: due_date!,
        reason: at(reasons, index),
        moved_by: created_by,
        moved_at: created_at,
      })),
    )
    .execute()
  await seedReports(
    db,
    tasks.filter(
      ({ discipline, assigned_to }) =>
        disciplineOf(discipline as DisciplineName).reports !== undefined && assigned_to !== null,
    ),
    today,
  )
  await db
    .insertInto('task_issues')
    .values(
      tasks
        .filter(
          ({ discipline, status }) =>
            disciplineOf(discipline as DisciplineName).issues !== undefined && [4, 5, 6].includes(status),
        )
        .flatMap(({ id, index, status }) =>
          Array.from({ length: (index % 3) + 1 }, (_, which) => ({
            task_id: id,
            task_issue: at(issues, index + which * 3),
            status: status === delivered || which === 0 ? 1 : 0,
            created_by: withRole(12)[0] ?? null,
          })),
        ),
    )
    .execute()
  await db
    .insertInto('holidays')
    .values(holidaysOf(Number(today.slice(0, 4))))
    .onConflict((on) => on.doNothing())
    .execute()
}

type SeededTask = Awaited<ReturnType<typeof insertTasks>>[number]

async function insertTasks(db: Db, today: PlainDate, of: Parameters<typeof taskAt>[2]) {
  const made = Array.from({ length: count }, (_, index) => taskAt(index, today, of))
  const rows = await db
    .insertInto('tasks')
    .values(made.map(({ moved: _moved, ...task }) => task))
    .returning([
      'id',
      'product_id',
      'discipline',
      'status',
      'assigned_to',
      'created_by',
      'created_at',
      'due_date',
    ])
    .execute()
  return rows.map((row, index) => ({ ...row, index, moved: made[index]!.moved }))
}

/** Returns what happened to the tasks before the given day. */
function activityOf(tasks: readonly SeededTask[], today: PlainDate) {
  return tasks.flatMap(({ id, created_by, created_at, assigned_to, status, moved, due_date, index }) => {
    const day = (after: number) =>
      new Date(
        Math.min(Date.parse(created_at) + after * 86_400_000, Date.parse(`${today}T09:00:00Z`)),
      ).toISOString()
    const one = (type: number, after: number, more: object = {}) => ({
      task_id: id,
      type,
      created_by,
      created_at: day(after),
      ...more,
    })
    return [
      one(activityTypes.add, 0, { status: 0 }),
      ...(assigned_to === null ? [] : [one(activityTypes.assign, 1, { assigned_to })]),
      ...(moved ? [one(activityTypes.extendDueDate, 3, { due_date, comment: at(reasons, index) })] : []),
      ...(status === onHold ? [one(activityTypes.onHold, 4, { status, comment: at(holds, index) })] : []),
      ...(status > 1 && status !== onHold ? [one(activityTypes.changeStatus, 4, { status })] : []),
    ]
  })
}

/** Seeds hours for the last four weeks, with some days missing and none on Sundays. */
async function seedReports(
  db: Db,
  tasks: readonly { id: number; product_id: number; assigned_to: number | null }[],
  today: PlainDate,
): Promise<void> {
  const people = [...new Set(tasks.map(({ assigned_to }) => assigned_to!))]
  const reports = people.flatMap((staff_id, person) => {
    const own = tasks.filter(({ assigned_to }) => assigned_to === staff_id)
    return Array.from({ length: 28 }, (_, back) => back).flatMap((back) => {
      const report_date = addDays(today, -back)
      const isFree = [0, 6].includes(new Date(`${report_date}T00:00:00Z`).getUTCDay())
      if (isFree || (back + person * 3) % 6 === 2) return []
      return Array.from({ length: 1 + ((back + person) % 3) }, (_, line) => {
        const { id, product_id } = at(own, back * 2 + line)
        return {
          task_id: id,
          product_id,
          staff_id,
          report_date,
          title: at(works, back + line + person),
          hours: at([2, 3.5, 1.5, 4, 0.5], back + line),
        }
      })
    })
  })
  if (reports.length) await db.insertInto('task_reports').values(reports).execute()
}

/** Returns the existing organizations, each with one of its products. */
const findOrganizations = (db: Db): Promise<{ organization_id: number; product_id: number }[]> =>
  db
    .selectFrom('organization_products')
    .select(['organization_id', 'product_id'])
    .orderBy('organization_id')
    .orderBy('product_id')
    .limit(60)
    .execute()

interface Choices {
  developers: readonly number[]
  designers: readonly number[]
  csm: readonly number[]
  types: readonly number[]
}

function taskAt(index: number, today: PlainDate, { developers, designers, csm, types }: Choices) {
  const isDesign = index % 4 === 3
  const discipline: DisciplineName = isDesign ? 'designer' : 'development'
  const status = at([2, 1, 4, 0, 6, 2, 5, 4, 3, 7, 1, 2, 4], index * 5 + Math.floor(index / 13))
  // Delivered tasks are due in the past; the rest are due around the given day.
  const offset = status === delivered ? -(index % 40) - 1 : ((index * 7) % 45) - 9
  const due = index % 9 === 8 ? null : addDays(today, offset)
  const created = addDays(today, Math.min(offset, 0) - 10 - (index % 20))
  return {
    discipline,
    product_id: isDesign || index % 3 !== 2 ? 1 : (index % 4) + 1,
    title: `${at(isDesign ? designs : works, index)}${index >= 40 ? ` for ${at(places, index)}` : ''}`,
    description: `<p>${at(descriptions, index)}</p>`,
    status,
    priority: at([3, 2, 3, 1, 4, 3, 6, 2, 5, 3], index),
    task_type_id: types.length ? at(types, index) : null,
    assigned_to: status === 0 ? null : isDesign ? at(designers, index) : at(developers, index),
    due_date: due,
    dev_due_date: due === null || isDesign ? null : addDays(due, -3),
    adh_due_date: due === null || isDesign ? null : addDays(due, -1),
    req_due_date: due !== null && index % 4 === 0 ? addDays(due, 5) : null,
    estimate_hours: at([4, 8, 12, 2, 24, null], index),
    is_customer_notified: status === delivered && index % 3 !== 0,
    created_by: at(csm, index),
    created_at: `${created}T${String(8 + (index % 9)).padStart(2, '0')}:15:00Z`,
    updated_at: sql<string>`now()`,
    // As in the activity.
    status_at: status > 1 ? `${addDays(created, 4)}T09:00:00Z` : null,
    moved: due !== null && index % 6 === 1,
  }
}

const holidaysOf = (year: number) =>
  [year, year + 1].flatMap((one) => [
    { day: `${one}-01-01`, name: "New Year's Day" },
    { day: `${one}-07-04`, name: 'Independence Day' },
    { day: `${one}-12-25`, name: 'Christmas Day' },
  ])

const works = [
  'Export inventory counts', 'Scanner drops its connection', 'Two-step sign-in', 'Report by ward', 'Import RFID tags', 'Delivery slips as PDFs', 'Item search is slow',
  'Wash programs per customer', 'Invoice rounding error error error', 'Shift schedule on phones', 'Low-stock alert', 'Merge duplicate items', 'Pickup calendar', 'Barcode labels',
  'Returns audit', 'Department limits', 'Notifications in German', 'Customer portal colors', 'Image backup', 'Load weights',
] // prettier-ignore
const designs = ['Landing page', 'Brochure cover', 'Icons for the portal', 'Trade show banner', 'Newsletter header', 'Onboarding screens', 'Price list', 'Case study layout', 'Label templates', 'Chart colors'] // prettier-ignore
const places = [
  'Halvoren Hospital',
  'Brackwater Hotel',
  'Lindholt Laundry',
  'Solmere Spa',
  'Quillstone Clinic',
  'Tamsel Care Home',
  'Kestrel Bay Resort',
]
const descriptions = [
  'The customer asked for this on their last call. Details are in the ticket.',
  'Only happens at large sites. Start with last Tuesday’s logs.',
  'As agreed with the customer: the list first, then printing.',
  'Small, but it’s blocking the rollout.',
]
const reasons = [
  'Customer sent the data late.',
  'Part of it was bigger than we thought.',
  'Someone was out sick.',
  'It took two rounds of review.',
]
const holds = ['Waiting for the scanner.', 'The customer is on vacation.', 'Depends on the new sign-in.']
const issues = [
  'Total is wrong after removing a line.',
  'Button does nothing on phones.',
  'Dates in the export are off by one day.',
  'Page stays blank when there’s no inventory.',
  'Umlauts are garbled in the PDF.',
  'Filter doesn’t remember its setting.',
]
