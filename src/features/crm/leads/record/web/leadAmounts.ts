import type { LeadRow } from '#features/crm/leads/contract.ts'
import { amountText, shortAmount } from '#shared/money.ts'

type WithAmount = Pick<LeadRow, 'amount' | 'currency'>

const textOf =
  (format: (amount: number, currency: string) => string) =>
  ({ amount, currency }: WithAmount): string =>
    amount === null || currency === null ? '' : format(amount, currency)

/** Returns the amount of a lead with its currency; an empty string if it has none. */
export const amountOf = textOf(amountText)

/** Returns the amount of a lead for narrow places. */
export const shortAmountOf = textOf(shortAmount)

const periods: Readonly<Record<string, string>> = { monthly: ' a month', yearly: ' a year' }

/** Returns the amount of a lead and how often it is billed: `12,000 EUR a year`. */
export const dealOf = (lead: WithAmount & Pick<LeadRow, 'recurring'>): string => {
  const amount = amountOf(lead)
  return amount && amount + (periods[lead.recurring] ?? '')
}
