import type { z } from 'zod'
import type { Field, Fields } from '#shared/field.ts'
import { inputKinds, type InputKind } from '#shared/schemas.ts'

/* Properties of a field for its form, from its declaration and its schema. */

/**
 * Returns the declared fields with the schemas of a request's values. They are taken from the request,
 * because the built declarations have none, so that lists don't load them.
 */
export function withInputs(fields: Fields, schema: z.ZodType): Fields {
  const values = partsOf(schema).find(({ _zod: { def } }) => def.type === 'object') as z.ZodObject | undefined
  if (!values) throw new Error('The schema of a form must be that of an object.')
  return Object.fromEntries(
    Object.entries(fields).map(([name, { input: _, ...field }]) => {
      const input = values.shape[name] as z.ZodType | undefined
      return [name, input ? { ...field, input } : field]
    }),
  )
}

/** Returns a schema and the schemas that it is made of, such as that of a date which may also be empty. */
function partsOf(schema: z.core.$ZodType): z.core.$ZodType[] {
  const {
    _zod: { def },
  } = schema as z.core.$ZodTypes
  if (def.type === 'pipe') return [schema, ...partsOf(def.out), ...partsOf(def.in)]
  return 'innerType' in def ? [schema, ...partsOf(def.innerType)] : [schema]
}

/** Returns what the field offers for entering its value; undefined for a text or a choice. */
export const kindOf = ({ input }: Field): InputKind | undefined =>
  input && partsOf(input).flatMap((part) => inputKinds.get(part)?.kind ?? [])[0]

/** Returns the maximum length of the field's text; undefined if it has none. */
export function maxLengthOf({ input }: Field): number | undefined {
  const checks = input ? partsOf(input).flatMap(({ _zod: { def } }) => def.checks ?? []) : []
  const lengths = checks.flatMap(({ _zod: { def } }) =>
    def.check === 'max_length' ? (def as z.core.$ZodCheckMaxLengthDef).maximum : [],
  )
  return lengths.length > 0 ? Math.min(...lengths) : undefined
}

/** Returns whether the field must be filled in: it is empty in a new record, and may not stay so. */
export const isRequired = ({ empty, input }: Field): boolean =>
  empty === '' && input !== undefined && !input.safeParse('').success

const isUncleanHtml = (data: unknown) => typeof data === 'object' && data !== null && 'unclean' in data

/** Returns the first error of each field, by the field's name. */
export const fieldErrors = (fields: Fields, values: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const issue = fields[name]?.input?.safeParse(value).error?.issues[0]
      return issue ? [[[name, ...issue.path].join('.'), issue.message]] : []
    }),
  )

/**
 * Returns the values as requests contain them: the numbers, flags, lists, and nulls that the schemas make of
 * texts. Texts stay as they were typed, because the server cleans them.
 */
export const sentOf = (fields: Fields, values: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const data = fields[name]?.input?.safeParse(value).data
      const isText = data === undefined || typeof data === 'string' || isUncleanHtml(data)
      return [name, isText ? value : data]
    }),
  )
