import { organizationOfLead } from '#features/crm/leads/organization/contract.ts'
import { lockLead } from '#features/crm/leads/record/server/leads.queries.ts'
import { conflict } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'

const columns = ['organization_id', 'name', 'status', 'product_id', 'timezone', 'state', 'country', 'lead_id', 'created_at'] as const

export function leadOrganizationRoutes(app: App): void {
  implement(app, organizationOfLead.create, async ({ body }, { db, viewer, record, changed }) => {
    // Two people who make one of the same lead wait for each other here.
    const lead = await lockLead(db, body.lead_id, viewer)
    const existing = await db.selectFrom('organizations').select(columns).where('lead_id', '=', lead.lead_id).executeTakeFirst()
    if (existing) throw conflict(`This lead has the organization ${existing.name} already.`, existing)
    const data = await db
      .insertInto('organizations')
      .values({
        name: body.name ?? lead.companyName,
        timezone: body.timezone ?? lead.timezone,
        country: body.country ?? lead.country,
        state: body.state,
        status: body.status,
        product_id: lead.lead_for,
        lead_id: lead.lead_id,
        created_by: viewer.id,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
    record({ target: 'lead', id: lead.lead_id, before: { organization: null }, after: { organization: data.name } })
    record({ target: 'organization', id: data.organization_id, after: data })
    changed('leads', [lead.lead_id])
    changed('organizations', [data.organization_id])
    return { message: `The organization ${data.name} is created.`, data }
  })
}
