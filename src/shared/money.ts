/* Amounts of money: numbers with at most two decimals, each with a currency. */

/** Returns a number with separators, and decimals only if it has any: `12,000` or `12,000.50`. */
export const numberText = (amount: number): string =>
  amount.toLocaleString('en-US', { minimumFractionDigits: Number.isInteger(amount) ? 0 : 2 })

/** Returns an amount with its currency: `12,000 EUR`. */
export const amountText = (amount: number, currency: string): string => `${numberText(amount)} ${currency}`

const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** Returns a number for narrow places: `12k`. */
export const shortNumber = (amount: number): string => compact.format(amount).replace('K', 'k')

/** Returns an amount for narrow places: `12k EUR`. */
export const shortAmount = (amount: number, currency: string): string => `${shortNumber(amount)} ${currency}`
