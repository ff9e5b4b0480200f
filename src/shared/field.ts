import type { z } from 'zod'

/*
 * A record type declares each field once, in its `fields.ts`. Contract, record kind, history, list, and CSV
 * derive from the declaration.
 */

/** A field's column in the list. */
export interface ListColumn {
  /** Name under which a user's layout of the column is stored; defaults to the field's name. */
  id?: string
  /** ID of the column after which this one is shown, if not in the order of the declaration. */
  after?: string
  /** Name of the column in sort requests; if omitted, the column cannot be sorted. */
  sortBy?: string
  /** Used for numbers and dates. */
  align?: 'right'
  /** Initial width in pixels, until the user resizes the column. */
  width: number
  /** Hidden until the user shows the column. */
  hiddenAtFirst?: true
  /** Whether the column is always shown because it names the row. */
  always?: true
}

/** A table that the IDs in a field can refer to, besides those of lists that the client has. */
export type Referenced =
  | 'article_categories'
  | 'organizations'
  | 'products'
  | 'staff'
  | 'task_types'
  | 'teams'

export interface Field {
  label: string
  /** The table that the field's IDs refer to; history and conflicts have names instead. */
  of?: Referenced
  /**
   * False for everything but a column that users can change: links, files, and what a query computes. A
   * string is the name of the column, if it differs from the field's.
   */
  column?: false | string
  /** Schema of the value in requests. */
  input?: z.ZodType
  /** Schema of the value in replies. */
  reply?: z.ZodType
  /** Schema of the value in replies with a whole record, if rows of lists do not have the field. */
  detail?: z.ZodType
  /** Formats a non-empty value in history, conflicts, list, and CSV. */
  words?: (value: unknown) => string
  /** Returns or names the row's value that list and CSV show instead, such as a person's name for their ID. */
  shownAs?: string | ((row: any) => unknown)
  /** Value in a new record's form; a field without one is not in forms. */
  empty?: string | boolean | readonly unknown[]
  /** Returns the record's value for the form, if the record has it under another name. */
  formValue?: (record: any) => unknown
  /** Present if the list has a column for the field. */
  list?: ListColumn
  /** Present if the CSV has a column for the field; a string is its header, if it differs from the label. */
  csv?: true | string
}
export type Fields = Readonly<Record<string, Field>>

type SchemasOf<F extends Fields, Part extends 'input' | 'reply' | 'detail'> = {
  -readonly [
    Name in keyof F as F[Name] extends Readonly<Record<Part, z.ZodType>> ? Name : never
  ]: F[Name] extends Readonly<Record<Part, infer S>> ? S : never
}

const schemasOf = <F extends Fields, Part extends 'input' | 'reply' | 'detail'>(fields: F, part: Part) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (field[part] ? [[name, field[part]]] : [])),
  ) as SchemasOf<F, Part>

type NamesWith<F extends Fields, Part> = {
  [Name in keyof F]: F[Name] extends { column: false } ? never : F[Name] extends Part ? Name : never
}[keyof F] &
  string
type ColumnOf<F extends Fields> = {
  [Name in keyof F]: F[Name] extends { column: infer Column } ? Column : Name
}[keyof F] &
  string

/** Returns the schemas of the fields that requests can set, for `z.object`. */
export const inputsOf = <F extends Fields>(fields: F) => schemasOf(fields, 'input')

/** Returns the schemas of the fields in replies, for `z.object`. */
export const repliesOf = <F extends Fields>(fields: F) => schemasOf(fields, 'reply')

/** Returns the schemas of the fields that only replies with a whole record have, for `z.object`. */
export const detailsOf = <F extends Fields>(fields: F) => schemasOf(fields, 'detail')

/** Returns the columns that users can change. */
export const columnsOf = <F extends Fields>(fields: F) =>
  Object.entries(fields).flatMap(([name, { column = name }]) =>
    column === false ? [] : [column],
  ) as ColumnOf<F>[]

/** Returns what the fields with IDs refer to, by field, for the record kind. */
export const referencesOf = (fields: Fields): Record<string, Referenced> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { of }]) => (of ? [[name, of]] : [])))

/** Returns the columns whose name differs from the field's, by field, for the record kind. */
export const wireNamesOf = (fields: Fields): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).flatMap(([name, { column }]) => (column ? [[name, column]] : [])))

/**
 * Returns the columns that replies contain for a select from `alias`, such as `t.title`: those of list rows,
 * or those that only a whole record has.
 */
export const selectOf = <F extends Fields, Alias extends string, Part extends 'reply' | 'detail' = 'reply'>(
  fields: F,
  alias: Alias,
  part: Part = 'reply' as Part,
) =>
  Object.entries(fields).flatMap(([name, { column = name, [part as 'reply']: schema }]) =>
    column === false || !schema
      ? []
      : [column === name ? `${alias}.${name}` : `${alias}.${column} as "${name}"`],
  ) as `${Alias}.${NamesWith<F, Record<Part, z.ZodType>>}`[]

/** Returns the text or number that list and CSV show of a row's field. */
export function shownValue(fields: Fields, name: string, row: object): unknown {
  const { shownAs = name, words } = fields[name]!
  const value = typeof shownAs === 'string' ? (row as Record<string, unknown>)[shownAs] : shownAs(row)
  return words && value !== undefined && value !== null && value !== '' ? words(value) : value
}

/** Returns the columns of the CSV by header, for `replyCsv`. */
export const csvOf = (fields: Fields): Record<string, (row: object) => unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { label, csv }]) =>
      csv ? [[csv === true ? label : csv, (row: object) => shownValue(fields, name, row)]] : [],
    ),
  )

/**
 * Returns a function that formats codes using a map or list of names: `byName({ 1: 'Active' })`. A text is a name
 * already.
 */
export const byName =
  (names: Readonly<Record<number | string, string>>) =>
  (value: unknown): string =>
    (Array.isArray(value) ? value : [value])
      .map((one) => names[one as string] ?? (typeof one === 'string' ? one : `#${String(one)}`))
      .join(', ')
