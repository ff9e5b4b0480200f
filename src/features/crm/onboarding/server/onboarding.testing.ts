import type { TestApp } from '#app/testing/start.testing.ts'
import { enterLead } from '#features/crm/leads/record/server/leads.testing.ts'

/** Wins a lead and returns the new onboarding, for tests. */
export async function winLead(
  { as, db }: TestApp,
  values: object = {},
): Promise<{ id: number; lead_id: number; org_id: number }> {
  const lead_id = await enterLead(db, {
    contact_name: 'Aino Aalto',
    email: `aino-${Math.random().toString(36).slice(2)}@aalto.example`,
    ...values,
  })
  const { data } = await as('super_admin').post('/admin/users/lead-create-organization', { lead_id })
  return { id: data.onboarding_id, lead_id, org_id: data.organization_id }
}
