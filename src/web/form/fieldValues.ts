import type { Fields } from '#shared/field.ts'

type Widened<Empty> = Empty extends string ? string : Empty extends boolean ? boolean : Empty

/** Values of a form with the fields that declare an empty value. */
export type FieldValues<F extends Fields> = {
  -readonly [Name in keyof F as F[Name] extends { empty: unknown } ? Name : never]: F[Name] extends {
    empty: infer Empty
  }
    ? Widened<Empty>
    : never
}

/**
 * Returns the values of a form's fields: those of the record, or empty ones. Numbers become text, and flags
 * (0 and 1) become booleans.
 */
export const fieldValues = <F extends Fields>(fields: F, record: object = {}) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { empty, formValue }]) => {
      if (empty === undefined) return []
      const value = (formValue ? formValue(record) : (record as Record<string, unknown>)[name]) ?? empty
      if (typeof empty === 'boolean') return [[name, Boolean(value)]]
      return [[name, typeof value === 'number' ? String(value) : value]]
    }),
  ) as FieldValues<F>
