import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { asList, code, currencyCode, oneOf, requiredText, wholeNumber } from '#shared/schemas.ts'
import { billings, demoStates, leadTypes } from '#features/crm/leads/rules.ts'

/*
 * Filters of the lead list by fields with a choice: `status_any=1,2` has leads with any of the values, and
 * `status_not=1,2` leads with none of them, such as those without a value.
 */

export const idOrZero = wholeNumber(0, 2_147_483_647)

const several = <S extends z.ZodType>(one: S) => z.array(one).min(1).max(50).optional()
/** Up to 50 numbers, sent as a single value, repeated, with `[]`, or comma-separated (docs/spec-gaps.md G49). */
const numbersOf = <S extends z.ZodType>(one: S) =>
  z.preprocess(
    (value) =>
      value === undefined
        ? undefined
        : (Array.isArray(value) ? value : [value]).flatMap((part) =>
            typeof part === 'string' ? part.split(',') : [part],
          ),
    several(one),
  )
/** Up to 50 texts; each can have commas. */
const textsOf = <S extends z.ZodType>(one: S) => z.preprocess(asList, several(one))

export const idList = numbersOf(idOrZero)
const names = textsOf(requiredText(80))
const keysOf = (codes: object) => numbersOf(oneOf(...Object.keys(codes).map(Number)))

type AnyOrNone<Name extends string, S> = { readonly [Key in `${Name}_any` | `${Name}_not`]: S }

/** Declares the two filters of a field: `name_any` and `name_not`. */
const anyOrNone = <const Name extends string, S extends z.ZodType>(name: Name, values: S) =>
  ({ [`${name}_any`]: values, [`${name}_not`]: values }) as AnyOrNone<Name, S>

/** Stands for leads without a value in filters by name, as 0 does in those by ID. */
export const noName = 'none'

export const choiceFilters = {
  ...anyOrNone('status', numbersOf(code)),
  ...anyOrNone('color', numbersOf(code)),
  /** By ID; 0 stands for none. */
  ...anyOrNone('assignee', idList),
  ...anyOrNone('reject_reason', idList),
  /** Who created the lead; 0: no admin user did. */
  ...anyOrNone('creator', idList),
  /** By name; `none` stands for none. */
  ...anyOrNone('source', names),
  ...anyOrNone('service', names),
  ...anyOrNone('demo', keysOf(demoStates)),
  ...anyOrNone('type', keysOf(leadTypes)),
  ...anyOrNone('currency', textsOf(currencyCode)),
  ...anyOrNone(
    'billing',
    textsOf(z.enum(Object.keys(billings) as (keyof typeof billings)[], 'Choose once, monthly, or yearly.')),
  ),
  /** Names of countries, ignoring case, and of time zones. */
  ...anyOrNone('country', names),
  ...anyOrNone('timezone', names),
}
export type ChoiceFilter = keyof typeof choiceFilters
/** The fields with a choice, as the names of their filters begin. */
export type ChoiceField = ChoiceFilter extends `${infer Name}_${'any' | 'not'}` ? Name : never

export const leadFilterValues = {
  show: endpoint({
    method: 'GET',
    path: '/admin/users/lead-filter-values',
    shows: ['leads'],
    summary:
      'List the countries and the time zones of the leads of the caller’s products, for the lead filters: up to 1,000 of each.',
    access: 'lead_list',
    response: z.object({
      /** A country with different capital letters is listed once. */
      countries: z.array(z.string()),
      timezones: z.array(z.string()),
    }),
  }),
}
