import { z } from 'zod'
import '#shared/input-errors.ts'
import { firstYear, isPlainDate, lastYear } from '#shared/dates.ts'

/*
 * Shapes that contracts are made of. Each words its own errors, because they are shown next to the field.
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

const whyNotStorable = (text: string) =>
  text.includes('\u0000')
    ? 'Remove the NUL character.'
    : text.isWellFormed()
      ? undefined
      : 'Remove the invalid (incomplete) character.'

/** Restricts a text to what PostgreSQL stores as it is: no U+0000, and no lone surrogates. */
export const storable = <S extends z.ZodType<string>>(schema: S) => schema.check(isStorable())
const isStorable = memoizeSchema(() =>
  z.refine<string>((text) => !whyNotStorable(text), { error: ({ input }) => whyNotStorable(String(input)) }),
)

/** A line or a paragraph of text: trimmed, without U+0000, at most `max` characters. */
export const text = memoizeSchema((max: number) =>
  z
    .string('This must be text.')
    .check(z.trim(), z.maxLength(max, `Use ${max} characters or fewer.`), isStorable()),
)

/** Rich text as it was sent. It cannot be saved by mistake: `cleanHtml` (server/html-clean.ts) turns it into a text. */
export interface UncleanHtml {
  readonly unclean: string
}

/** Formatted text, at most `max` characters with its tags; see shared/html-allowed.ts. */
export const richText = memoizeSchema((max: number) =>
  storable(
    z
      .string('This must be text.')
      .max(max, `Use ${max.toLocaleString('en')} characters or fewer, including formatting.`),
  ).transform((unclean): UncleanHtml => ({ unclean })),
)

/** A text that must not be blank. */
export const requiredText = memoizeSchema((max: number) => text(max).min(1, 'This field is required.'))

/** An email address, or an empty text for an optional field. */
export const emailOrEmpty = text(254).refine(
  (value) => value === '' || email().safeParse(value).success,
  'Enter a valid email address.',
)
const email = memoizeSchema(() => z.email())

/** An http or https URL, or an empty string. `javascript:` and the like are rejected. */
export const webAddressOrEmpty = text(2000).refine(
  (value) => value === '' || isWebAddress(value),
  'Enter a web address that starts with http:// or https://.',
)

/** Returns whether a text is an absolute http or https address. */
export function isWebAddress(value: string): boolean {
  // URL alone accepts `http:example.com`, and drops blanks and line breaks.
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) && new URL(value).hostname.includes('.')
}

/** An existing calendar day, `YYYY-MM-DD`, of the years 1900 to 2199. */
export const plainDay = z
  .string('Enter a date.')
  .refine(isPlainDate, `Enter a date (YYYY-MM-DD) between ${firstYear} and ${lastYear}.`)

/**
 * A whole number, also accepted as a string, because URLs and forms can send only strings.
 * Not `z.coerce`: it also converts '', null, true, and ['7'] to numbers, so an empty value would become status 0.
 */
export const wholeNumber = memoizeSchema((min: number, max: number, tooLarge?: string) =>
  numberOrDigits.pipe(
    z
      .int('Enter a whole number.')
      .check(z.gte(min, `Enter ${min} or more.`), z.lte(max, tooLarge ?? `Enter ${max} or less.`)),
  ),
)
const numberOrDigits = z
  .union(
    [z.number(), z.string().regex(/^(0|-?[1-9]\d{0,14})$/, 'Enter a whole number.')],
    'Enter a whole number.',
  )
  .transform(Number)

/** One of the given numbers. */
export const oneOf = <const Value extends number>(...values: Value[]) =>
  wholeNumber(Math.min(...values), Math.max(...values)).pipe(z.literal(values))

/** The id of a record, at most PostgreSQL's largest integer. */
export const recordId = wholeNumber(1, 2_147_483_647, 'This number is too large.')

/** A small code such as a role, from 0 to `max`. */
export const codeUpTo = (max: number, tooLarge?: string) => wholeNumber(0, max, tooLarge)

/** A small code such as a status, from 0. */
export const code = codeUpTo(32_767)

/** An instant as ISO 8601 in UTC. */
export const instant = z.iso.datetime()

/** Just a message: the response to many writes. */
export const messageReply = z.object({ message: z.string() })
