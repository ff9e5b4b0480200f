import { sql, type RawBuilder } from 'kysely'
import { sessionMinutes } from '#shared/appointments.contract.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, referencesOf, selectOf } from '#shared/field.ts'
import type { Candidate } from '#shared/recipients.ts'
import type { Demo } from '#features/crm/leads/demos/contract.ts'
import {
  findSessionTypes,
  isHostedBy,
  namesOfHosts,
  wholeSession,
  type ScheduleFilters,
} from '#features/crm/leads/demos/server/demos.queries.ts'
import { findMailsOf } from '#features/admin/outbox/server/outbox.queries.ts'
import {
  onboardingsPerPage,
  type Onboarding,
  type OnboardingFilters,
  type OnboardingListReply,
  type OnboardingRow,
  type ScheduledStep,
  type Stage,
  type OnboardingStep,
} from '#features/crm/onboarding/contract.ts'
import { onboardingFields } from '#features/crm/onboarding/fields.ts'
import { onboardingTabs } from '#features/crm/onboarding/rules.ts'
import type { Db } from '#server/db/db.ts'
import { cachedCountRow } from '#server/record/counted.ts'
import { handledElsewhere, matchesSearch } from '#server/record/list.ts'
import { readsOf } from '#server/record/reads.ts'
import type { Parts } from '#server/record/parts.ts'
import { recordKind } from '#server/record/rows.ts'

/** Limits onboardings to the given products, and to organizations that are not in the trash. */
const ofProducts = (
  products: readonly number[],
  alias: 'r' | 'b' = 'r',
) => sql`${sql.ref(`${alias}.product_id`)} = any(${products}::int[])
  and exists (select from organizations g where g.organization_id = ${sql.ref(`${alias}.organization_id`)} and g.deleted_at is null)`

export const onboardingKind = recordKind({
  type: 'onboarding',
  table: 'onboardings',
  name: '(select o.name from organizations o where o.organization_id = r.organization_id)',
  page: '/on-boarding/details/onboarding/$id',
  columns: columnsOf(onboardingFields),
  references: referencesOf(onboardingFields),
  visibility: {
    products: { of: 'array[r.product_id]' },
    scope: ({ products }) => ofProducts(products),
    belongsTo: { organization: (ids) => sql`r.organization_id in (${ids})` },
  },
  openWork: {
    columns: ['assign_to', 'onboarding_by'],
    open: sql`deleted_at is null and status <> 3`,
    product: sql`product_id`,
  },
  people: findPeople,
})

/** Returns the organization’s users, and the contact of the lead that the onboarding began with. */
async function findPeople(db: Db, id: number): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    select u.name as who, u.email::text as address, u.banned_at is not null as banned
    from onboardings b join customer_users u on u.organization_id = b.organization_id and u.deleted_at is null
    where b.id = ${id} order by u.is_master desc, u.id`.execute(db)
  const { rows: contacts } = await sql<Candidate>`
    select l.contact_name as who, nullif(l.email, '') as address
    from onboardings b join leads l on l.lead_id = b.lead_id where b.id = ${id}`.execute(db)
  return [...rows, ...contacts]
}

/** An onboarding's steps, declared as parts of the onboarding so that operations include them. */
export const stepsOf = (id: number): Parts => ({
  table: 'onboarding_steps',
  where: sql`t.onboarding_id = ${id}`,
})

const byAssignee = {
  all: () => undefined,
  mine: ({ id }) => sql`r.assign_to = ${id}`,
  assigned: () => sql`r.assign_to is not null`,
  unassigned: () => sql`r.assign_to is null`,
} satisfies Record<OnboardingFilters['assigned_filter'], (viewer: Viewer) => RawBuilder<unknown> | undefined>

const order = () => sql`r.next_expected_date nulls last, r.id`

type Related = 'steps' | 'all_stages' | 'sessions' | 'session_types' | 'addresses' | 'mails'
const onboardingReads = readsOf<
  OnboardingRow,
  OnboardingFilters,
  Omit<Onboarding, keyof OnboardingRow | Related>
>({
  kind: onboardingKind,
  columns: `r.id, ${selectOf(onboardingFields, 'r').join(', ')}, r.lead_id, l.company_name as company, r.organization_id as org_id, o.name as organization, r.product_id as lead_for, s.name as stage_name,
    case when r.status = 3 then n.stages else n.completed end as done, n.stages, s.usual_days,
    (select min(t.schedule_for) from onboarding_steps t where t.onboarding_id = r.id and not t.completed_status) as schedule_for, o.timezone,
    (select f.name from staff f where f.id = r.assign_to) as assigned_name,
    exists (select from onboarding_steps t where t.onboarding_id = r.id and t.training_session_request_in_followup and not t.completed_status) as training_requested, r.version`,
  details: `l.contact_name as contact, l.email as contact_email, ${selectOf(onboardingFields, 'r', 'detail').join(', ')}, r.created_at`,
  joins: `join organizations o on o.organization_id = r.organization_id join leads l on l.lead_id = r.lead_id join onboarding_stages s on s.id = r.stage
    cross join lateral (select count(*) as stages, count(t.id) as completed from onboarding_stages q
      left join onboarding_steps t on t.onboarding_id = r.id and t.stage = q.id and not t.is_training and t.completed_status where q.product_id = r.product_id) n`,
  scope: ({ lead_for }, { products }) =>
    ofProducts(lead_for === undefined ? products : products.filter((id) => id === lead_for)),
  conditions: (viewer) => ({
    tab: handledElsewhere,
    lead_for: handledElsewhere,
    search: (search) => matchesSearch('r.search', search),
    stage: (id) => sql`r.stage = ${id}`,
    assigned_filter: (whose) => byAssignee[whose](viewer),
  }),
  order,
  perPage: onboardingsPerPage,
})

/** Returns a page of a tab, sorted by next expected date, and the number of onboardings in each tab. */
export async function findOnboardings(
  db: Db,
  { tab, page, ...filters }: OnboardingFilters,
  viewer: Viewer,
): Promise<OnboardingListReply> {
  const found = onboardingReads.matching(filters, viewer)
  const shown = {
    where: sql`${found} and r.status = ${onboardingTabs[tab]}`,
    order: order(),
    limit: sql`limit ${onboardingsPerPage} offset ${(page - 1) * onboardingsPerPage}`,
  }
  const [{ rows }, tabs] = await Promise.all([
    onboardingReads.select(shown, viewer).execute(db),
    cachedCountRow(
      db,
      sql<
        OnboardingListReply['tabs']
      >`select count(*) filter (where r.status = 1) as in_progress, count(*) filter (where r.status = 2) as on_hold,
      count(*) filter (where r.status = 3) as completed from onboardings r where ${found}`.compile(db),
    ),
  ])
  return { data: rows, total: tabs[tab], per_page: onboardingsPerPage, tabs }
}

/** Returns a product's stages, in order. */
export async function findStages(db: Db, product: number): Promise<Stage[]> {
  const { rows } =
    await sql<Stage>`select id, name, usual_days from onboarding_stages where product_id = ${product} order by position, id`.execute(
      db,
    )
  return rows
}

const stepColumns =
  sql.raw(`t.id, t.id as lead_onboaring_stage_id, t.onboarding_id as lead_onboaring_id, t.stage, s.name as stage_name, t.is_training, t.schedule_for, t.schedule_comment,
  t.completed_status, t.completed_at, t.completed_comment, t.add_more, t.next_expected_date, t.assign_to, t.send_meeting_link, t.contact_emails,
  t.send_email_for_set_crendentials, b.organization_id as org_id, t.training_session_request_in_followup, t.onboarding_by, t.add_more_session, t.zoom_recording_link, t.passcode`)

export async function findSteps(db: Db, onboarding_id: number): Promise<OnboardingStep[]> {
  const { rows } =
    await sql<OnboardingStep>`select ${stepColumns} from onboarding_steps t join onboarding_stages s on s.id = t.stage join onboardings b on b.id = t.onboarding_id
    where t.onboarding_id = ${onboarding_id} order by s.position, s.id, t.is_training, t.id`.execute(db)
  return rows
}

/** @throws HttpError 404 */
export async function getOnboarding(db: Db, id: number, viewer: Viewer): Promise<Onboarding> {
  const found = await onboardingReads.whole(db, id, viewer)
  const [steps, all_stages, sessions, session_types, users, mails] = await Promise.all([
    findSteps(db, id),
    findStages(db, found.lead_for),
    findSessions(db, id),
    findSessionTypes(db),
    sql<{
      email: string
    }>`select u.email from customer_users u where u.organization_id = ${found.org_id} and u.deleted_at is null and u.banned_at is null
      and u.email is not null order by u.is_master desc, u.id limit 20`.execute(db),
    findMailsOf(db, 'onboarding', sql`(${id}::int)`),
  ])
  return {
    ...found,
    steps,
    all_stages,
    sessions,
    session_types,
    addresses: users.rows.map(({ email }) => email),
    mails,
  }
}

async function findSessions(db: Db, onboarding_id: number): Promise<Demo[]> {
  const { rows } =
    await sql<Demo>`select ${wholeSession} from lead_demos d where d.onboarding_id = ${onboarding_id} order by coalesce(d.final_date, d.requested_date) desc nulls first, d.id desc`.execute(
      db,
    )
  return rows
}

/** Returns the ID of an onboarding's lead, following merges. */
export async function leadOfOnboarding(db: Db, id: number): Promise<number> {
  const { rows } = await sql<{ lead_id: number }>`with recursive way as (
      select l.lead_id, l.merged_into from onboardings b join leads l on l.lead_id = b.lead_id where b.id = ${id}
      union select l.lead_id, l.merged_into from way w join leads l on l.lead_id = w.merged_into)
    select lead_id from way where merged_into is null limit 1`.execute(db)
  return rows[0]!.lead_id
}

const scheduledAtMost = 1000

/**
 * Returns the stages and sessions between two points in time, sorted by time; sets `truncated` if there are too many.
 */
export async function findSchedule(
  db: Db,
  { from, until }: { from: string; until: string },
  { lead_for, assigned_filter }: ScheduleFilters,
  { id, products }: Viewer,
): Promise<{ data: ScheduledStep[]; truncated: boolean }> {
  const wanted = sql`b.deleted_at is null and ${ofProducts(lead_for === undefined ? products : [lead_for], 'b')}`
  const isMine = (held: RawBuilder<boolean>) =>
    assigned_filter === 'mine' ? sql`and (b.assign_to = ${id} or ${held})` : sql``
  const nameOf = (staff: string) => sql.raw(`(select f.name from staff f where f.id = ${staff})`)
  const assigned = nameOf('b.assign_to')
  const { rows } = await sql<ScheduledStep>`select * from (
      select t.id, 'stage' as kind, b.id as onboarding_id, s.name || case when t.is_training then ': training' else '' end as name, o.name as company, b.product_id as lead_for,
        t.schedule_for as at, ${sql.lit(sessionMinutes)} as minutes, case when t.completed_status then 3 else 2 end as status, t.completed_status as done, o.timezone,
        ${assigned} as assigned_name, ${nameOf('coalesce(t.assign_to, b.assign_to)')} as led_by
      from onboarding_steps t join onboardings b on b.id = t.onboarding_id join onboarding_stages s on s.id = t.stage join organizations o on o.organization_id = b.organization_id
      where t.schedule_for >= ${from} and t.schedule_for < ${until} and ${wanted} ${isMine(sql`t.assign_to = ${id}`)}
      union all
      select d.id, 'session', b.id, d.type, o.name, b.product_id, coalesce(d.final_date, d.requested_date), d.minutes, d.status, d.is_completed, o.timezone,
        ${assigned}, coalesce(${namesOfHosts}, ${assigned})
      from lead_demos d join onboardings b on b.id = d.onboarding_id join organizations o on o.organization_id = b.organization_id
      where coalesce(d.final_date, d.requested_date) >= ${from} and coalesce(d.final_date, d.requested_date) < ${until} and d.status <> 0
        and ${wanted} ${isMine(isHostedBy(id))}
    ) one order by at, kind, id limit ${scheduledAtMost + 1}`.execute(db)
  return { data: rows.slice(0, scheduledAtMost), truncated: rows.length > scheduledAtMost }
}

/** Returns the stage in which a new onboarding starts. */
export const initialStage = (stages: readonly Stage[], stage: number | undefined): Stage | undefined =>
  stage === undefined ? stages[0] : stages.find(({ id }) => id === stage)
