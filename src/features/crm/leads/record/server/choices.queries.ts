import { CompiledQuery, sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { Viewer } from '#shared/endpoint.ts'
import { fieldAsJson } from '#features/crm/leads/custom-fields/server/custom-fields.queries.ts'
import type { CustomField } from '#features/crm/leads/custom-fields.rules.ts'
import type { LeadOptions } from '#features/crm/leads/contract.ts'
import type { LeadValues } from '#features/crm/leads/record/server/lead-columns.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, type FieldErrors } from '#server/http/errors.ts'

/** Returns the options in lead filters and forms, each list in display order. */
export function findOptions(db: Db, viewer: Viewer): Promise<LeadOptions> {
  return db
    .selectNoFrom((of) => [
      jsonArrayFrom(
        of
          .selectFrom('lead_statuses')
          .select(['id', 'name', 'tone', 'probability', 'is_won', 'for_demo'])
          .orderBy('position'),
      ).as('statuses'),
      jsonArrayFrom(
        of.selectFrom('lead_reject_reasons').select(['id', 'name']).orderBy('position').orderBy('name'),
      ).as('reject_reasons'),
      jsonArrayFrom(of.selectFrom('lead_colors').select(['id', 'name', 'tone']).orderBy('position')).as(
        'colors',
      ),
      sql<string[]>`array(select name from lead_services order by position, name)`.as('services'),
      sql<string[]>`array(select name from lead_sources order by position, name)`.as('sources'),
      sql<string[]>`array(select name from lead_cog_types order by position, name)`.as('cog_types'),
      jsonArrayFrom(of.selectFrom('lead_tags').select(['id', 'name']).orderBy('position').orderBy('name')).as(
        'tags',
      ),
      jsonArrayFrom(
        of
          .selectFrom('staff')
          .select(['id', 'name'])
          .where('banned_at', 'is', null)
          .orderBy('first_name')
          .orderBy('last_name')
          .orderBy('id'),
      ).as('staff'),
      sql<LeadOptions['creators']>`coalesce((select json_agg(json_build_object('id', s.id, 'name', s.name)
          order by s.first_name, s.last_name, s.id)
        from staff s cross join lateral (select from leads l
          where l.created_by = s.id and l.lead_for = any(${viewer.products}) and l.deleted_at is null limit 1) created), '[]')`.as(
        'creators',
      ),
      jsonArrayFrom(
        of
          .selectFrom('products')
          .select(['id', 'slug', 'name', 'status'])
          .where('status', '=', 1)
          .where(sql<boolean>`id = any(${viewer.products})`)
          .orderBy('id'),
      ).as('products'),
      sql<
        CustomField[]
      >`coalesce((select json_agg(${fieldAsJson} order by f.position, f.id) from custom_fields f
        where f.product_id = any(${viewer.products})), '[]')`.as('custom_fields'),
      jsonArrayFrom(
        of
          .selectFrom('lead_detail_labels')
          .select(['product_id', 'label'])
          .where(sql<boolean>`product_id = any(${viewer.products})`)
          .orderBy('product_id')
          .orderBy('label')
          .limit(500),
      ).as('detail_labels'),
      of
        .selectFrom('leads')
        .select('currency')
        .where('currency', 'is not', null)
        .where('deleted_at', 'is', null)
        .where(sql<boolean>`lead_for = any(${viewer.products})`)
        .orderBy('lead_id', 'desc')
        .limit(1)
        .as('last_currency'),
    ])
    .executeTakeFirstOrThrow()
}

/** All valid values of lead fields that are chosen from lists. */
export interface Choices {
  statuses: { id: number; name: string; is_won: boolean }[]
  colors: number[]
  reject_reasons: number[]
  services: string[]
  sources: string[]
  cog_types: string[]
  tags: number[]
  /** Admin users who are not banned. */
  staff: number[]
}

const choices = `select (select json_agg(json_build_object('id', id, 'name', name, 'is_won', is_won)) from lead_statuses) as statuses, array(select id from lead_colors) as colors, array(select id from lead_reject_reasons) as reject_reasons,
  array(select name from lead_services) as services, array(select name from lead_sources) as sources, array(select name from lead_cog_types) as cog_types,
  array(select id from lead_tags) as tags, array(select id from staff where banned_at is null) as staff`

export async function findChoices(db: Db): Promise<Choices> {
  const { rows } = await db.executeQuery<Choices>(CompiledQuery.raw(choices))
  return rows[0]!
}

/** Returns an error message for each field whose value is not in its list. */
export function findUnknown(choices: Choices, values: LeadValues): FieldErrors {
  const errors: FieldErrors = {}
  const check = <T>(field: string, value: T | null | undefined, known: readonly T[], what: string) => {
    if (value !== undefined && value !== null && !known.includes(value))
      errors[field] = [`The ${what}${typeof value === 'string' ? ` “${value}”` : ''} doesn’t exist.`]
  }
  check(
    'status',
    values.status,
    choices.statuses.map(({ id }) => id),
    'status',
  )
  check('color', values.color, choices.colors, 'priority')
  check('reject_reason_id', values.reject_reason_id, choices.reject_reasons, 'reject reason')
  check('services', values.services, choices.services, 'service')
  check('hear_about', values.hear_about, choices.sources, 'source')
  check('assign_to', values.assign_to, choices.staff, 'admin user')
  for (const name of values.cog_types ?? []) check('cog_types', name, choices.cog_types, 'type')
  for (const id of values.tag_ids ?? []) check('tag_ids', id, choices.tags, 'tag')
  return errors
}

/** @throws HttpError 422 with an error message for each field whose value is not in its list. */
export async function refuseUnknown(db: Db, values: LeadValues): Promise<void> {
  const errors = findUnknown(await findChoices(db), values)
  const [field] = Object.keys(errors)
  if (field !== undefined) throw new HttpError(422, `${field}: ${errors[field]![0]}`, { errors })
}
