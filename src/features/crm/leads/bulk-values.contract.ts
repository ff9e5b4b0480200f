import type { z } from 'zod'
import { leadInputs } from '#features/crm/leads/input.contract.ts'

/** Fields that are set for many leads, besides those with a separate action. */
export const bulkFields = [
  'amount',
  'recurring',
  'expected_close',
  'lead_date',
  'request_date',
  'services',
  'hear_about',
  'country',
] as const
export type BulkField = (typeof bulkFields)[number]

/**
 * Fields of many leads, of which some are set to the same value; null clears one. An amount has a currency. Custom fields
 * are those of one product, which all the leads have.
 */
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
    custom_values: true,
  })
  .partial()
  .refine(
    ({ custom_values, ...values }) =>
      Object.keys(values).length > 0 || Object.keys(custom_values ?? {}).length > 0,
    'Choose a field.',
  )
  .refine(({ amount, currency }) => (amount ?? null) === null || (currency ?? null) !== null, {
    path: ['currency'],
    error: 'Choose the currency of the amount.',
  })
  .refine(({ amount, currency }) => (currency ?? null) === null || (amount ?? null) !== null, {
    path: ['amount'],
    error: 'Enter the amount, or remove the currency.',
  })
export type BulkValues = z.output<typeof BulkValues>
