import { sql, type RawBuilder } from 'kysely'
import type { PlainDate } from '#shared/dates.ts'
import type { Viewer } from '#shared/endpoint.ts'
import type { ProgressFilters, ProgressLine, Sum } from '#features/tasks/progress/contract.ts'
import { linesPerPage, mostInChart, workingDays } from '#features/tasks/progress/rules.ts'
import { taskRoles } from '#features/tasks/tasks/rules.ts'
import type { Db } from '#server/db/db.ts'
import { conditionsOf, handledElsewhere, matchesSearch } from '#server/record/list.ts'

interface Days {
  from: PlainDate
  to: PlainDate
}

type Narrowed = Pick<ProgressFilters, 'team_id' | 'user_id' | 'task_id' | 'search' | 'product_id'>

/** Builds the condition for lines that match the days, the viewer's products, and the filters. */
function matching(filters: Narrowed, { from, to }: Days, { products }: Viewer): RawBuilder<unknown> {
  const own = filters.product_id === undefined ? products : [filters.product_id]
  const conditions = conditionsOf<ProgressFilters>(filters, {
    startDate: handledElsewhere,
    endDate: handledElsewhere,
    product_id: handledElsewhere,
    user_id: (id) => sql`r.staff_id = ${id}`,
    task_id: (id) => sql`r.task_id = ${id}`,
    team_id: (id) => sql`r.staff_id in (select m.staff_id from team_members m where m.team_id = ${id})`,
    search: (search) => matchesSearch(sql`search_text(r.title || ' ' || t.title || ' ' || s.name)`, search),
  })
  const days = sql`r.report_date between ${from}::date and ${to}::date and r.product_id = any(${own}::int[])`
  return sql.join([days, ...conditions], sql` and `)
}

const from = sql`from task_reports r join tasks t on t.id = r.task_id join staff s on s.id = r.staff_id`
const sorts = {
  day: 'r.report_date',
  person: `s.name`,
  task: 't.search',
  title: 'lower(r.title)',
  hours: 'r.hours',
} as const
const shown = sql`r.id, r.report_date as day, r.staff_id as person_id, s.name as person, r.task_id, t.title as task, r.title, r.hours, r.product_id`
const order = ({ column, direction }: ProgressFilters) =>
  sql.raw(`${sorts[column]} ${direction}, r.id ${direction}`)

export interface Sums {
  hours: number
  total: number
  by_person: Sum[]
  by_day: Sum[]
  by_task: Sum[]
  by_product: Sum[]
}

/** Returns a page of lines with the sums of all matching lines. */
export async function findProgress(
  db: Db,
  filters: ProgressFilters,
  days: Days,
  viewer: Viewer,
): Promise<{ data: ProgressLine[]; per_page: number } & Sums> {
  const [{ rows }, sums] = await Promise.all([
    sql<ProgressLine>`select ${shown} ${from} where ${matching(filters, days, viewer)} order by ${order(filters)}
      limit ${linesPerPage} offset ${(filters.page - 1) * linesPerPage}`.execute(db),
    findSums(db, filters, days, viewer),
  ])
  return { data: rows, per_page: linesPerPage, ...sums }
}

/**
 * Sums the matching lines for each grouping, using exact decimals. If `byTask` is false, sums by task are
 * left out, because there may be many tasks.
 */
export async function findSums(
  db: Db,
  filters: Narrowed,
  days: Days,
  viewer: Viewer,
  byTask = true,
): Promise<Sums> {
  const sums = (key: RawBuilder<unknown>, name: RawBuilder<unknown>, by: RawBuilder<unknown>) =>
    sql<
      Sum[]
    >`(select coalesce(json_agg(json_build_object('key', g.key, 'name', g.name, 'hours', g.hours) order by ${by}), '[]')
      from (select ${key} as key, ${name} as name, round(sum(l.hours::numeric), 2)::float8 as hours from lines l group by 1, 2) g)`
  const { rows } =
    await sql<Sums>`with lines as materialized (select r.hours, r.report_date, r.staff_id, s.name as person, r.task_id, t.title as task, r.product_id ${from} where ${matching(filters, days, viewer)})
      select count(*) as total, coalesce(round(sum(l.hours::numeric), 2), 0)::float8 as hours,
        ${sums(sql`l.staff_id::text`, sql`l.person`, sql`g.hours desc, g.name`)} as by_person,
        ${sums(sql`l.report_date::text`, sql`l.report_date::text`, sql`g.key`)} as by_day,
        ${byTask ? sums(sql`l.task_id::text`, sql`l.task`, sql`g.hours desc, g.name`) : sql`'[]'::json`} as by_task,
        ${sums(sql`l.product_id::text`, sql`(select p.name from products p where p.id = l.product_id)`, sql`g.key`)} as by_product
      from lines l`.execute(db)
  return rows[0]!
}

interface Chart {
  people: Sum[]
  data: { day: string; key: string; hours: number }[]
}

/**
 * Returns hours by day and person. `key` is the ID of a person charted individually, or 0 for everyone else
 * combined.
 */
export async function findChart(db: Db, filters: Narrowed, days: Days, viewer: Viewer): Promise<Chart> {
  const { rows } = await sql<Chart>`with lines as materialized (
      select r.report_date as day, r.staff_id, s.name as person, sum(r.hours::numeric) as hours ${from}
      where ${matching(filters, days, viewer)} group by 1, 2, 3),
    people as (select staff_id, person, sum(hours) as hours, row_number() over (order by sum(hours) desc, person, staff_id) as place from lines group by 1, 2),
    named as (select staff_id, hours, place, case when place <= ${mostInChart} then staff_id else 0 end as key, case when place <= ${mostInChart} then person else 'Others' end as name from people)
    select
      (select coalesce(json_agg(json_build_object('key', g.key::text, 'name', g.name, 'hours', g.hours) order by g.place), '[]')
        from (select key, name, round(sum(hours), 2)::float8 as hours, min(place) as place from named group by 1, 2) g) as people,
      (select coalesce(json_agg(json_build_object('day', g.day::text, 'key', g.key::text, 'hours', g.hours) order by g.day, g.key), '[]')
        from (select l.day, n.key, round(sum(l.hours), 2)::float8 as hours from lines l join named n using (staff_id) group by 1, 2) g) as data`.execute(
    db,
  )
  return rows[0]!
}

/** Compiles the query that selects the lines for export, in list order. */
export const allLines = (db: Db, filters: ProgressFilters, days: Days, viewer: Viewer) =>
  sql<
    ProgressLine & { product: string }
  >`select ${shown}, p.name as product ${from} join products p on p.id = r.product_id
    where ${matching(filters, days, viewer)} order by ${order(filters)}`.compile(db)

/**
 * Compiles the query that selects the hours of each task for an export. The result is streamed,
 * because a year can include many tasks.
 */
export const allTaskSums = (db: Db, filters: Narrowed, days: Days, viewer: Viewer) =>
  sql<{
    name: string
    hours: number
  }>`select t.title as name, round(sum(r.hours::numeric), 2)::float8 as hours ${from}
    where ${matching(filters, days, viewer)} group by r.task_id, t.title order by 2 desc, 1`.compile(db)

/**
 * Returns the names of the records that the filters refer to; a name is null if the filter is not set or the
 * viewer cannot see the record.
 */
export async function findNames(
  db: Db,
  { team_id, user_id, task_id, product_id }: Narrowed,
  { products }: Viewer,
): Promise<Record<'team' | 'person' | 'task' | 'product', string | null>> {
  const { rows } = await sql<Record<'team' | 'person' | 'task' | 'product', string | null>>`select
    (select name from teams where id = ${team_id ?? null}::int) as team,
    (select name from staff where id = ${user_id ?? null}::int) as person,
    (select title from tasks where id = ${task_id ?? null}::int and product_id = any(${products}::int[])) as task,
    (select name from products where id = ${product_id ?? null}::int) as product`.execute(db)
  return rows[0]!
}

interface Gap {
  person_id: number
  person: string
  days: string[]
  away: string[]
  reminded_today: boolean
}

/**
 * Returns workdays up to today without reported hours, for people who aren't banned, are supposed to report
 * hours, and have access to one of the products.
 */
export async function findGaps(
  db: Db,
  filters: Narrowed,
  days: Days,
  viewer: Viewer,
  today: PlainDate,
): Promise<{ data: Gap[]; working_days: number }> {
  const { rows: free } = await sql<{
    day: string
  }>`select day from holidays where day between ${days.from}::date and ${days.to}::date`.execute(db)
  const to = days.to < today ? days.to : today
  const working = workingDays(days.from, to, new Set(free.map(({ day }) => day)))
  const products = filters.product_id === undefined ? viewer.products : [filters.product_id]
  const { rows } = await sql<Gap>`
    select s.id as person_id, s.name as person,
      array(select d.day::text from unnest(${working}::date[]) d(day)
        where not exists (select from task_reports r where r.staff_id = s.id and r.report_date = d.day)
          and not exists (select from staff_away a where a.staff_id = s.id and (a.day = d.day or a.has_no_end and a.day < d.day))
          and d.day >= s.created_at::date order by 1) as days,
      array(select distinct (a.day + n)::text from staff_away a,
          generate_series(greatest(0, ${days.from}::date - a.day), case when a.has_no_end then ${to}::date - a.day else 0 end) n
        where a.staff_id = s.id and a.day <= ${to}::date order by 1) as away,
      exists (select from progress_reminders p where p.staff_id = s.id and p.day = ${today}::date) as reminded_today
    from staff s
    where s.banned_at is null and ${reportsHours}
      and exists (select from staff_products p where p.staff_id = s.id and p.product_id = any(${products}::int[]))
      and ${filters.user_id === undefined ? sql`true` : sql`s.id = ${filters.user_id}`}
      and ${filters.team_id === undefined ? sql`true` : sql`exists (select from team_members m where m.staff_id = s.id and m.team_id = ${filters.team_id})`}
      and ${filters.search === '' ? sql`true` : matchesSearch(sql`search_text(s.name)`, filters.search)}
    order by s.first_name, s.last_name, s.id limit 500`.execute(db)
  return { data: rows, working_days: working.length }
}

/** Condition on `s` (staff): the person's role reports hours and has permission to do so. */
export const reportsHours = sql<boolean>`s.role_id = any(${[...taskRoles]}::int[])
  and exists (select from role_permissions rp where rp.role_id = s.role_id and rp.permission = 'view_task_tab_report')`

export async function findTeams(
  db: Db,
): Promise<{ id: number; name: string; members: { id: number; name: string }[] }[]> {
  const { rows } = await sql<{
    id: number
    name: string
    members: { id: number; name: string }[]
  }>`select t.id, t.name,
    (select coalesce(json_agg(json_build_object('id', s.id, 'name', s.name) order by s.first_name, s.last_name), '[]')
      from team_members m join staff s on s.id = m.staff_id where m.team_id = t.id) as members from teams t order by t.position, t.name`.execute(
    db,
  )
  return rows
}
