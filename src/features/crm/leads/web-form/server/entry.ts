import type { z } from 'zod'
import { leadFields } from '#features/crm/leads/fields.ts'
import type { EntryValues, FormField } from '#features/crm/leads/web-form/contract.ts'
import { formFields, type FormFieldName, type heldReasons } from '#features/crm/leads/web-form/rules.ts'
import { requiredError, text } from '#shared/schemas.ts'
import { truncate } from '#shared/truncate.ts'
import {
  consentField,
  hiddenField,
  stampField,
  type Typed,
} from '#features/crm/leads/web-form/server/form-page.ts'
import type { App } from '#server/app.ts'

const schemas: Record<FormFieldName, z.ZodType<string>> = {
  contactName: leadFields.contactName.input,
  email: leadFields.email.input,
  companyName: text(formFields.companyName.max),
  phone: leadFields.phone.input,
  country: leadFields.country.input,
  company_url: leadFields.company_url.input,
  message: text(formFields.message.max),
}

const secondsAtLeast = 3
const secondsAtMost = 7 * 86_400

/** An entry of a visitor, as it was typed and as it can be stored. */
export interface Entry {
  typed: Typed
  values: EntryValues
  /** Why it is held as spam. */
  reason: keyof typeof heldReasons | undefined
  /** The stamp to send again with a correction. */
  stamp: string
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Returns texts as PostgreSQL can store them, whatever a program sent. */
const storableText = (typed: string, max: number) =>
  truncate(typed.replaceAll('\0', '').toWellFormed().trim(), max)

/** Returns a value as it is stored, or what is wrong with it. */
function readValue(name: FormFieldName, typed: string): { value: string } | { error: string } {
  const parsed = schemas[name].safeParse(typed)
  return parsed.success ? { value: parsed.data } : { error: parsed.error.issues[0]!.message }
}

/** Returns the values of an entry that a lead can have, and the others, which its note has. */
export function splitValues(values: EntryValues): { good: EntryValues; bad: EntryValues } {
  const [good, bad]: [EntryValues, EntryValues] = [{}, {}]
  for (const [name, typed] of Object.entries(values) as [FormFieldName, string][]) {
    const read = readValue(name, typed)
    if ('value' in read) good[name] = read.value
    else bad[name] = typed
  }
  return { good, bad }
}

/** Reads what a visitor sent, and decides whether it is spam. */
export async function readEntry(
  app: Pick<App, 'mail'>,
  form: { slug: string; fields: readonly FormField[]; consent: string },
  body: Readonly<Record<string, unknown>>,
  now: Date,
): Promise<Entry> {
  const typed: Typed = { values: {}, hasAgreed: stringOf(body[consentField]) !== '', errors: {} }
  const values: EntryValues = {}
  const isTrapped = stringOf(body[hiddenField]) !== ''
  for (const { field, required } of form.fields) {
    const entered = stringOf(body[field])
    typed.values[field] = entered
    const read = readValue(field, entered)
    if ('error' in read) typed.errors[field] = read.error
    else if (required && read.value === '') typed.errors[field] = requiredError
    values[field] = 'error' in read ? storableText(entered, formFields[field].max) : read.value
  }
  if (form.consent !== '' && !typed.hasAgreed) typed.errors.consent = 'Check this box to send the form.'
  const stamp = stringOf(body[stampField])
  const seconds = await secondsSince(app, form.slug, stamp, now)
  const late = seconds === undefined ? 'no_time' : seconds < secondsAtLeast ? 'too_fast' : undefined
  return {
    typed,
    values,
    reason: isTrapped ? 'hidden_field' : late,
    stamp: seconds === undefined ? await stampOf(app, form.slug, now) : stamp,
  }
}

const purposeOf = (slug: string) => `web-form:${slug}`
const secondsOf = (now: Date) => Math.floor(now.getTime() / 1000)

/** Returns a signed text that says when a form was opened. */
export const stampOf = ({ mail }: Pick<App, 'mail'>, slug: string, now: Date): Promise<string> =>
  mail.tokens.make(purposeOf(slug), secondsOf(now))

/** Returns how long ago a form was opened; undefined if we didn’t sign it, or if it is too long ago. */
async function secondsSince(
  { mail }: Pick<App, 'mail'>,
  slug: string,
  stamp: string,
  now: Date,
): Promise<number | undefined> {
  const opened = await mail.tokens.read(purposeOf(slug), stamp)
  const seconds = opened === undefined ? undefined : secondsOf(now) - opened
  return seconds !== undefined && seconds <= secondsAtMost ? seconds : undefined
}

/** Returns a hash that tells network addresses apart; without the key in the database, no address can be found by it. */
export const hashOf = ({ mail }: Pick<App, 'mail'>, address: string): Promise<string> =>
  mail.tokens.make(`web-form-address:${address}`, 0)
