import { invalid } from '#server/http/errors.ts'
import { ParseError, parsePhoneNumberWithError } from 'libphonenumber-js/min'

const whyNot = 'Enter a phone number, such as +1 212 555 0142 ext. 12.'

/** 15 of a number, the prefix of international calls, and an extension. */
const mostDigits = 24

/**
 * Returns why a text can't be a phone number; undefined if it can, or if it is empty. Numbers with a country code are
 * checked by the lengths that the country has; others can be numbers of any country. An extension is part of a number.
 */
export function whyNotPhone(typed: string): string | undefined {
  if (typed === '') return undefined
  try {
    return parsePhoneNumberWithError(typed, { extract: false }).isPossible() ? undefined : whyNot
  } catch (error) {
    if (!(error instanceof ParseError)) throw error
    // Without a country code, this says that it has the form of a number; with one, that the code doesn't exist.
    const isNumber = error.message === 'INVALID_COUNTRY' && !typed.startsWith('+')
    return isNumber && typed.replaceAll(/\D/g, '').length <= mostDigits ? undefined : whyNot
  }
}

/** @throws HttpError 422 for a phone number that can't be one. */
export function demandPhone(typed: string | undefined): void {
  const why = whyNotPhone(typed ?? '')
  if (why) throw invalid('phone', why)
}
