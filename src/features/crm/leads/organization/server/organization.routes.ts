import { isPublicDomain } from '#shared/email-providers.ts'
import { findSetting } from '#features/admin/settings/server/panel-settings.queries.ts'
import { addDays, plainDate } from '#shared/dates.ts'
import { wallTime } from '#shared/zones.ts'
import { truncate } from '#shared/truncate.ts'
import type { Lead } from '#features/crm/leads/contract.ts'
import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { changeLead, getLead, lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import {
  findStages,
  initialStage,
  onboardingKind,
} from '#features/crm/onboarding/server/onboarding.queries.ts'
import { onTrial, trialEnd } from '#features/crm/organizations/rules.ts'
import {
  findLikely,
  findUserByEmail,
  organizationReads,
  organizationKind,
} from '#features/crm/organizations/server/organizations.queries.ts'
import { customerUserKind } from '#features/crm/users/server/customer-user.queries.ts'
import type { Db } from '#server/db/db.ts'
import { conflict, invalid } from '#server/http/errors.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import type { RecordChange } from '#server/record/operations.ts'
import { changeLocked, createRecord, storeOperation, lockRecord } from '#server/record/record.ts'
import type { RecordKind, Row } from '#server/record/rows.ts'

type Writing = Pick<
  WriteContext<typeof organizationOfLead.create>,
  'db' | 'viewer' | 'called' | 'audit' | 'changed'
>

type Kept = RecordChange & { of: RecordKind['type'] }

const previewWin: Handler<typeof organizationOfLead.preview> = async ({ query }, { app, db, viewer }) => {
  const lead = await getLead(db, query.lead_id, viewer)
  const user = contactOf(lead)
  const [stages, likely, taken, won] = await Promise.all([
    findStages(db, lead.lead_for),
    findLikely(db, lead.companyName, domainOf(lead), viewer),
    user?.email ? findUserByEmail(db, user.email, viewer) : undefined,
    findWon(db),
  ])
  return {
    data: {
      name: lead.companyName,
      status: onTrial,
      trial_end_date: await endOfTrial(app, db, lead.timezone),
      timezone: lead.timezone,
      state: '',
      country: lead.country,
      user: user ?? null,
      user_of: taken?.organization ?? null,
      stages: stages.map(({ id, name }) => ({ id, name })),
      assign_to: lead.assign_to,
      lead_status: won?.name ?? null,
      likely,
    },
  }
}

const winLead: Handler<typeof organizationOfLead.create> = async ({ body }, context) => {
  const { app, db, viewer, changed } = context
  // Serializes requests from users who win the same lead concurrently.
  await lockLead(db, body.lead_id, viewer)
  // Read again: the locked row doesn't include what other users linked to the lead while this request
  // waited.
  const lead = await getLead(db, body.lead_id, viewer)
  if (lead.organization_id !== null)
    throw conflict(`This lead already has an organization: ${lead.organization_name}.`, {
      ...(await organizationReads.whole(db, lead.organization_id, viewer)),
      lead_id: lead.lead_id,
    })
  const kept: Kept[] = []
  const status = body.status ?? onTrial
  const timezone = body.timezone ?? lead.timezone
  let id = body.organization_id
  if (id === undefined) {
    const values = {
      name: body.name ?? lead.companyName,
      timezone,
      country: body.country ?? lead.country,
      state: body.state ?? '',
      status,
      trial_end_date:
        status === onTrial ? (body.trial_end_date ?? (await endOfTrial(app, db, timezone))) : null,
      domain: domainOf(lead),
      assign_to: lead.assign_to,
      product_ids: [lead.lead_for],
    }
    id = await createRecord(context, organizationKind, values, { created_by: viewer.id })
    kept.push(created('organization', id, values))
  } else kept.push(...(await joinProduct(context, id, lead.lead_for)))
  kept.push(...(await enterUser(context, id, lead, body.user)))
  const onboarding_id =
    body.onboarding === null
      ? null
      : await beginOnboarding(app, context, id, lead, body.onboarding ?? {}, kept)

  const won = await findWon(db)
  const data = await organizationReads.whole(db, id, viewer)
  kept.push(await linkLead(context, lead, data, won?.id))
  changed('organization', [id])
  const isNew = body.organization_id === undefined
  const operation = await storeOperation(
    context,
    {
      type: isNew ? 'organization' : 'onboarding',
      kind: 'win',
      summary: isNew ? `Won ${lead.companyName}` : `Linked ${lead.companyName} to ${data.name}`,
      needs: 'lead_create_organization',
    },
    kept,
  )
  const message = isNew ? `Organization ${data.name} created.` : `Lead linked to ${data.name}.`
  const { name, trial_end_date, product_ids, state, country, created_at } = data
  return {
    message,
    data: {
      organization_id: id,
      name,
      status: data.status,
      trial_end_date,
      product_ids,
      timezone: data.timezone,
      state,
      country,
      created_at,
      lead_id: lead.lead_id,
      onboarding_id,
    },
    operation,
  }
}

const endOfTrial = async (app: App, db: Db, timezone: string) =>
  trialEnd(
    wallTime(app.clock.now(), timezone).day,
    await findSetting(db, 'trial_days', app.settings.trialDays),
  )

async function beginOnboarding(
  app: App,
  context: Writing,
  organization_id: number,
  lead: Lead,
  wanted: { stage?: number | undefined; assign_to?: number | null | undefined },
  kept: Kept[],
): Promise<number | null> {
  const stage = initialStage(await findStages(context.db, lead.lead_for), wanted.stage)
  if (!stage) {
    if (wanted.stage === undefined) return null
    throw invalid('onboarding.stage', 'This product doesn’t have this stage. Choose another one.')
  }
  const today = plainDate(app.clock.now())
  const assign_to = wanted.assign_to === undefined ? lead.assign_to : wanted.assign_to
  const values = {
    stage: stage.id,
    stage_since: today,
    next_expected_date: addDays(today, stage.usual_days),
    assign_to,
  }
  const { lead_id, lead_for: product_id } = lead
  const own = { organization_id, lead_id, product_id, created_by: context.viewer.id }
  const id = await createRecord(context, onboardingKind, values, own)
  kept.push(created('onboarding', id, values))
  return id
}

export function leadOrganizationRoutes(app: App): void {
  implement(app, organizationOfLead.preview, previewWin)
  implement(app, organizationOfLead.create, winLead)
}

const created = (of: Kept['of'], id: number, after: Row): Kept => ({
  of,
  id,
  before: null,
  after,
  version_before: 0,
})

/** Returns the status that a lead changes to when it is won. */
const findWon = (db: Db) =>
  db.selectFrom('lead_statuses').select(['id', 'name']).where('is_won', '=', true).executeTakeFirst()

/** Links a lead to its organization and sets it to Won. */
async function linkLead(
  context: Writing,
  { lead_id }: Lead,
  { organization_id, name }: { organization_id: number; name: string },
  won: number | undefined,
): Promise<Kept> {
  // The history shows the organization's name instead of its ID.
  const named = (values: object | undefined, organization: string | null) => {
    const { organization_id: _, ...rest } = values as Row
    return { ...rest, organization }
  }
  const { before, after } = await changeLead(
    {
      ...context,
      audit: (change) =>
        context.audit({
          ...change,
          before: named(change.before, null),
          after: named(change.after, name),
        }),
    },
    lead_id,
    { organization_id, ...(won === undefined ? {} : { status: won }) },
    { within: null },
  )
  const valuesIn = ({ status, organization_id: linked, reject_msg, reject_reason_id }: Row) => ({
    status,
    organization_id: linked,
    reject_msg,
    reject_reason_id,
  })
  return {
    of: 'lead',
    id: lead_id,
    before: valuesIn(before),
    after: valuesIn(after),
    version_before: before.version,
  }
}

/** Adds the lead's product to an existing organization. */
async function joinProduct(context: Writing, id: number, product: number): Promise<Kept[]> {
  const held = await lockRecord(context.db, organizationKind, id, context.viewer)
  const before = held.product_ids
  if (before.includes(product)) return []
  const product_ids = [...before, product].toSorted((a, b) => a - b)
  await changeLocked(context, organizationKind, held, { product_ids }, { within: null })
  const version_before = held.version
  return [{ of: 'organization', id, before: { product_ids: before }, after: { product_ids }, version_before }]
}

interface User {
  first_name: string
  last_name: string
  email: string
  phone: string
}

/** Returns a lead's contact as the first user of its organization. */
function contactOf({ contactName, email, phone }: Lead): User | undefined {
  const [first_name = '', ...rest] = contactName.split(/\s+/).filter(Boolean)
  return first_name === ''
    ? undefined
    : {
        first_name: truncate(first_name, 100),
        last_name: truncate(rest.join(' '), 100),
        email,
        phone: truncate(phone, 100),
      }
}

/**
 * Creates the first user: the one in the request, or else the lead's contact, unless the email address is
 * already in use.
 */
async function enterUser(
  context: Writing,
  organization_id: number,
  lead: Lead,
  sent: User | null | undefined,
): Promise<Kept[]> {
  if (sent === null) return []
  const user = sent ?? contactOf(lead)
  if (!user) return []
  const taken = user.email === '' ? undefined : await findUserByEmail(context.db, user.email, context.viewer)
  if (taken && sent)
    throw invalid('user.email', `A user at ${taken.organization} already has this email address.`)
  if (taken) return []
  const isFirst = !(await context.db
    .selectFrom('customer_users')
    .select('id')
    .where('organization_id', '=', organization_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst())
  const values = {
    ...user,
    email: user.email === '' ? null : user.email,
    organization_id,
    is_master: isFirst,
    role_id: isFirst ? 1 : 3,
  }
  const id = await createRecord(context, customerUserKind, values, { created_by: context.viewer.id })
  return [created('customer_user', id, values)]
}

/**
 * Returns a company's domain, taken from its website or, without one, from its email address unless the
 * domain belongs to a public provider.
 */
function domainOf({ company_url, email }: Lead): string {
  const host = URL.canParse(company_url)
    ? new URL(company_url).hostname.toLowerCase().replace(/^www\./, '')
    : ''
  const ofMail = email.split('@')[1]?.toLowerCase() ?? ''
  return host || (isPublicDomain(ofMail) ? '' : ofMail)
}
