import { z } from 'zod'
import '#shared/input-errors.ts'
import { firstYear, isPlainDate, lastYear } from '#shared/dates.ts'
import { trimmed, withoutInvisible } from '#shared/invisible.ts'
import { currencies } from '#shared/currencies.ts'
import { addressPattern } from '#shared/recipients.ts'
import { completeUrl } from '#shared/urls.ts'

/*
 * Schemas that contracts are built from. Each defines its own error messages, because they are shown next to
 * the field.
 */

/** Memoizes a schema factory: building schemas is the most expensive part of page startup, and the same ones are needed repeatedly. */
function memoizeSchema<Arguments extends readonly (number | string | undefined)[], S>(
  make: (...by: Arguments) => S,
): (...by: Arguments) => S {
  const made = new Map<string, S>()
  return (...by) => {
    const key = JSON.stringify(by)
    let schema = made.get(key)
    if (!schema) made.set(key, (schema = make(...by)))
    return schema
  }
}

/** Kind of input for a value, if a text field is not enough. */
export type InputKind = 'day' | 'email' | 'files' | 'richText' | 'url'
/** The kinds of the schemas below, from which forms choose their inputs. */
export const inputKinds = z.registry<{ kind: InputKind }>()

const whyNotStorable = (text: string) =>
  text.includes('\u0000')
    ? 'Remove the NUL character.'
    : text.isWellFormed()
      ? undefined
      : 'Remove the invalid (incomplete) character.'

/** Restricts a string to what PostgreSQL stores unchanged: no U+0000 and no lone surrogates. */
export const storable = <S extends z.ZodType<string>>(schema: S) => schema.check(isStorable())
const isStorable = memoizeSchema(() =>
  z.refine<string>((text) => !whyNotStorable(text), { error: ({ input }) => whyNotStorable(String(input)) }),
)

/** Texts of at most this many characters are names, titles, and the like: a single line. */
export const longestLine = 300

const checkedText = (max: number, lineBreaks?: z.core.$ZodCheck<string>) =>
  z
    .string('This must be text.')
    .check(
      z.overwrite(trimmed),
      z.maxLength(max, `Use ${max} characters or fewer.`),
      isStorable(),
      ...(lineBreaks ? [lineBreaks] : []),
    )

const toSpaces = z.overwrite<string>((text) => text.replaceAll(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' '))

/**
 * A text: trimmed, without U+0000, and at most `max` characters long. In a text of a single line, line breaks
 * become spaces.
 */
export const text = memoizeSchema((max: number) =>
  checkedText(max, max <= longestLine ? toSpaces : undefined),
)

/** A line of an email's header, in which a line break is an error. */
export const headerLine = memoizeSchema((max: number) =>
  checkedText(
    max,
    z.refine((text) => !/[\r\n]/.test(text), 'This field can’t contain line breaks.'),
  ),
)

/**
 * Rich text as received. It can't be saved by mistake, because only `cleanHtml` (server/html/html-clean.ts) turns
 * it into a string.
 */
export interface UncleanHtml {
  readonly unclean: string
}

/** Rich text of at most `max` characters, including tags; see shared/html-allowed.ts. */
export const richText = memoizeSchema((max: number) =>
  storable(
    z
      .string('This must be text.')
      .max(max, `Use ${max.toLocaleString('en')} characters or fewer, including formatting.`),
  )
    .transform((unclean): UncleanHtml => ({ unclean }))
    .register(inputKinds, { kind: 'richText' }),
)

/** Says that an empty field must be filled in. */
export const requiredError = 'This field is required.'

/** A string that must not be blank. */
export const requiredText = memoizeSchema((max: number) => text(max).min(1, requiredError))

export const subjectLine = headerLine(200).min(1, requiredError)

/** A line that never contains an invisible character: a phone number or a user name. */
export const lineWithoutInvisible = memoizeSchema((max: number) =>
  text(max).check(z.overwrite(withoutInvisible)),
)

/** An email address, or an empty string if the field is optional. */
export const emailOrEmpty = lineWithoutInvisible(254)
  .refine((value) => value === '' || email().safeParse(value).success, 'Enter a valid email address.')
  .register(inputKinds, { kind: 'email' })
const email = memoizeSchema(() => z.email())

/** The address of a sender or a recipient, in lowercase. */
export const mailAddress = z
  .string()
  .overwrite(withoutInvisible)
  .trim()
  .toLowerCase()
  .max(254)
  .regex(addressPattern, 'Enter a valid email address.')

const whyNotUrl = 'Enter a URL that starts with http:// or https://.'

/**
 * An http or https URL, or an empty string; `https://` is added if there is no scheme. `javascript:` and the
 * like are rejected.
 */
export const webAddressOrEmpty = text(2000)
  .transform(completeUrl)
  .refine((value) => value === '' || isWebAddress(value), whyNotUrl)
  .register(inputKinds, { kind: 'url' })

/** Like `webAddressOrEmpty`, but must not be empty. */
export const webAddress = requiredText(2000)
  .transform(completeUrl)
  .refine(isWebAddress, whyNotUrl)
  .register(inputKinds, { kind: 'url' })

/** Returns whether a string is an absolute http or https URL. */
export function isWebAddress(value: string): boolean {
  // URL alone accepts `http:example.com`, and drops spaces and line breaks.
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) && new URL(value).hostname.includes('.')
}

/** A valid calendar day in the format `YYYY-MM-DD`, from 1900 through 2199. */
export const plainDay = z
  .string('Enter a date.')
  .refine(isPlainDate, `Enter a date (YYYY-MM-DD) between ${firstYear} and ${lastYear}.`)
  .register(inputKinds, { kind: 'day' })

/**
 * A whole number, also accepted as a string, because URLs and forms can send only strings.
 * Not `z.coerce`: it also converts '', null, true, and ['7'] to numbers, so an empty value would become status 0.
 */
export const wholeNumber = memoizeSchema((min: number, max: number, tooLarge?: string, tooSmall?: string) =>
  numberOrDigits.pipe(
    z
      .int('Enter a whole number.')
      .check(
        z.gte(min, tooSmall ?? `Enter ${min} or more.`),
        z.lte(max, tooLarge ?? `Enter ${max} or less.`),
      ),
  ),
)
// A select without a choice is an empty string, or NaN if the form has converted it.
const whyNotWhole = ({ input }: { input?: unknown }) =>
  input === undefined || input === null || input === '' || Number.isNaN(input)
    ? requiredError
    : 'Enter a whole number.'
const numberOrDigits = z
  .union([z.number(), z.string().regex(/^(0|-?[1-9]\d{0,14})$/, { error: whyNotWhole })], {
    error: whyNotWhole,
  })
  .transform(Number)

/** The code of a currency, such as `EUR`. */
export const currencyCode = z
  .string('This must be text.')
  .overwrite((value) => value.trim().toUpperCase())
  .refine((value) => currencies.includes(value), 'Enter the three letters of a currency, such as EUR.')

/** One of the given numbers. */
export const oneOf = <const Value extends number>(...values: Value[]) =>
  wholeNumber(Math.min(...values), Math.max(...values)).pipe(z.literal(values))

/** 0 or 1, also accepted as a boolean. */
export const flag = z.preprocess(
  (value) => (value === true || value === 'true' ? 1 : value === false || value === 'false' ? 0 : value),
  oneOf(0, 1),
)

/** A boolean, also accepted in the format in which HTML forms send it. */
export const yesNo = z.preprocess(
  (value) =>
    value === 1 || value === '1' || value === 'true'
      ? true
      : value === 0 || value === '0' || value === 'false' || value === ''
        ? false
        : value,
  z.boolean('Choose yes or no.'),
)

/** A record ID, at most PostgreSQL's largest integer. IDs are chosen, not typed, so 0 means that none is. */
export const recordId = wholeNumber(1, 2_147_483_647, 'This number is too large.', requiredError)

/** A small code, such as a role, from 0 to `max`. */
export const codeUpTo = (max: number, tooLarge?: string) => wholeNumber(0, max, tooLarge)

/** A small code, such as a status, starting at 0. */
export const code = codeUpTo(32_767)

/** A timestamp in ISO 8601 format, in UTC. */
export const instant = z.iso.datetime()

/** A timestamp with an offset or Z, converted to UTC; years outside the supported range are rejected. */
export const moment = z.iso
  .datetime({ offset: true, error: 'Enter a date and time in ISO 8601 format with a UTC offset.' })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => value >= '1970' && value < '2200', 'Enter a date between 1970 and 2199.')

/** An optional value; forms send an empty string when there is none (B §5). */
export const emptyIsAbsent = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' || value === null ? undefined : value), schema.optional()).optional()

/** A value or null; an empty string means null. */
export const emptyIsNull = <S extends z.ZodType>(schema: S) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable())

/** Normalizes form values to a list: forms send a single value without one. */
export const asList = (value: unknown) => (value === undefined || Array.isArray(value) ? value : [value])

/** A response that contains only a message, as many writes return. */
export const messageReply = z.object({ message: z.string() })
