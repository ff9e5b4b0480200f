import type { CustomerSheet } from '#features/crm/customer-view/contract.ts'
import { organizationStatuses } from '#features/crm/organizations/fields.ts'
import { organizationTones, trialEndInWords, trialInWords } from '#features/crm/organizations/rules.ts'

/** Returns an organization's status with its tone, and a description of its trial. */
export function statusInWords(organization: NonNullable<CustomerSheet['organization']>) {
  const status = organization.status as keyof typeof organizationStatuses
  return {
    name: organizationStatuses[status],
    tone: organizationTones[status],
    trial: trialInWords(organization, organization.today),
    trialEnd: trialEndInWords(organization, organization.today),
  }
}

/** Returns the length of a call in full minutes, such as `4 min`. */
export const minutesText = (seconds: number): string =>
  seconds < 60 ? 'less than a minute' : `${Math.floor(seconds / 60)} min`
