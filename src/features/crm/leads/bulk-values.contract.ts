import type { z } from 'zod'
import { leadInputs } from '#features/crm/leads/input.contract.ts'

/** Fields of many leads, of which some are set to the same value; null clears one. An amount has a currency. */
export const BulkValues = leadInputs
  .pick({
    amount: true,
    currency: true,
    recurring: true,
    expected_close: true,
    lead_date: true,
    request_date: true,
    services: true,
    hear_about: true,
    country: true,
  })
  .partial()
  .refine((values) => Object.keys(values).length > 0, 'Choose a field.')
  .refine(({ amount, currency }) => (amount ?? null) === null || (currency ?? null) !== null, {
    path: ['currency'],
    error: 'Choose the currency of the amount.',
  })
  .refine(({ amount, currency }) => (currency ?? null) === null || (amount ?? null) !== null, {
    path: ['amount'],
    error: 'Enter the amount, or remove the currency.',
  })
export type BulkValues = z.output<typeof BulkValues>
