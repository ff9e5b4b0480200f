import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { plainDay } from '#shared/schemas.ts'
import { periodId, Trend, type Days } from '#shared/trend.ts'
import { onTrial } from '#features/crm/organizations/rules.ts'

const count = z.number().int()

export const OrganizationNumbers = z.object({
  /** Organizations on trial: now, before the period, and at the end of each of its parts. */
  on_trial: Trend,
  /** Organizations whose trial ends within seven days. */
  ends_soon: count,
  /** Mondays of the current week and of the eight weeks after it. */
  weeks: z.array(z.string()),
  /** Organizations whose trial ends in each of the weeks. */
  ending: z.array(count),
})
export type OrganizationNumbers = z.output<typeof OrganizationNumbers>

/** Filters of the lists that have exactly the organizations of a number. */
export const organizationsCounted = {
  on_trial: { status: onTrial },
  ends_soon: { filter: 'ends_soon' },
  ending: ({ from, to }: Days) => ({ status: onTrial, trial_from: from, trial_to: to }) as const,
} as const

export const organizationNumbers = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/organization-numbers',
    shows: ['organization'],
    summary:
      'Count organizations on trial, also at the start of a period, those whose trial ends within 7 days, and trials ending by week.',
    access: 'all_organization_list',
    query: z.object({ today: plainDay.optional(), period: periodId }),
    response: OrganizationNumbers,
  }),
}
