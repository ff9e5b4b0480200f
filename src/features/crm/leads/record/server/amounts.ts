import type { Lead } from '#features/crm/leads/contract.ts'
import { paymentsInFirstYear } from '#features/crm/leads/rules.ts'
import { invalid } from '#server/http/errors.ts'

type Amount = Pick<Lead, 'amount' | 'currency'>

/**
 * Returns what else changes with an amount: a lead whose amount is cleared has no currency either.
 * @throws HttpError 422 for an amount without a currency, and a currency without an amount.
 */
export function completeAmount(before: Amount, changes: Partial<Amount>): Partial<Amount> {
  const { amount, currency } = { ...before, ...changes }
  if (amount !== null && currency === null) throw invalid('currency', 'Choose the currency of the amount.')
  if (amount !== null || currency === null) return {}
  if (before.amount !== null && changes.currency === undefined) return { currency: null }
  throw invalid('amount', 'Enter the amount, or remove the currency.')
}

/** SQL for the amount of the lead `l` in the first year, so that one-time and recurring amounts can be added. */
export const firstYearAmount = `l.amount * case l.recurring when 'monthly' then ${paymentsInFirstYear.monthly} else 1 end`
