import type { Sameness } from '#features/crm/leads/duplicates/contract.ts'

/** What two leads have in common. */
export const sameWords = {
  email: 'Same email address',
  phone: 'Same phone number',
  companyName: 'Same company name',
  similarName: 'Similar company name',
  domain: 'Same domain',
} as const satisfies Record<Sameness, string>
