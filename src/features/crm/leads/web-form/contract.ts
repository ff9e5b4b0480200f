import { z } from 'zod'
import { Away } from '#shared/away.contract.ts'
import { adminsOnly, endpoint } from '#shared/endpoint.ts'
import { emptyIsNull, instant, messageReply, recordId, requiredText, text } from '#shared/schemas.ts'
import {
  formFieldNames,
  heldReasons,
  originOf,
  type FormFieldName,
} from '#features/crm/leads/web-form/rules.ts'

const mostPeople = 50
const mostOrigins = 20

const FormField = z.object({
  field: z.enum(formFieldNames, 'Choose one of the fields.'),
  label: requiredText(100),
  required: z.boolean(),
})
export type FormField = z.output<typeof FormField>

const whyNotFields = (fields: readonly FormField[]): string | undefined =>
  new Set(fields.map(({ field }) => field)).size < fields.length
    ? 'Add each field only once.'
    : fields.some(({ field, required }) => field === 'email' && required)
      ? undefined
      : 'Add the email field as a required one: without an address, no one can answer.'

const origin = text(300).transform((typed, context) => {
  const found = originOf(typed)
  if (found !== undefined) return found
  context.addIssue('Enter websites such as www.example.com, without a path.')
  return z.NEVER
})

const slug = text(60).refine(
  (value) => value === '' || /^[a-z0-9-]{3,60}$/.test(value),
  'Use 3 to 60 lowercase letters, digits, and hyphens.',
)

/** The settings of a web form. */
export const WebFormInput = z.object({
  is_on: z.boolean(),
  /** The last part of its address; a random one if it is empty. */
  slug,
  title: requiredText(200),
  intro: text(2000),
  thanks: requiredText(1000),
  button: requiredText(40),
  fields: z.array(FormField).superRefine((fields, context) => {
    const why = whyNotFields(fields)
    if (why !== undefined) context.addIssue(why)
  }),
  /** What visitors agree to; empty if they aren’t asked. */
  consent: text(2000),
  /** The websites that can show the form in a frame. */
  origins: z.array(origin).max(mostOrigins, `Enter at most ${mostOrigins} websites.`),
  /** The people who get the leads in turn, in this order. Without any, leads are unassigned. */
  staff_ids: z.array(recordId).max(mostPeople, `Choose at most ${mostPeople} people.`),
  /** The source that leads get. */
  source: emptyIsNull(requiredText(80)),
})
export type WebFormInput = z.output<typeof WebFormInput>

const version = z.number().int().min(0)

const StoredWebForm = WebFormInput.extend({
  /** 0 until the form is saved for the first time. */
  version,
  origins: z.array(z.string()),
  slug: z.string(),
  /** Since when the consent has had its text. */
  consent_since: instant.nullable(),
  /** The address of the page; null until the form is saved. */
  address: z.string().nullable(),
  /** Admin users who can open the leads, and those in the form who can’t at present. */
  people: z.array(
    z.object({
      id: z.number().int(),
      name: z.string(),
      /** Whether they can open the leads; others are skipped. */
      is_present: z.boolean(),
      /** Set if they are away, and so are skipped. */
      away: Away.nullable(),
    }),
  ),
  /** Who gets the next lead; null if no one is present. */
  next: z.string().nullable(),
  sources: z.array(z.string()),
  /** How often the form was sent in the last 30 days, without what is held. */
  sent: z.number().int(),
  held: z.number().int(),
})
export type StoredWebForm = z.output<typeof StoredWebForm>

const HeldEntry = z.object({
  id: z.number().int(),
  reason: z.enum(Object.keys(heldReasons) as (keyof typeof heldReasons)[]),
  values: z.partialRecord(z.enum(formFieldNames), z.string()),
  /** How many of the held entries came from the same network address. */
  same_address: z.number().int(),
  created_at: instant,
})
export type HeldEntry = z.output<typeof HeldEntry>
export type EntryValues = Partial<Record<FormFieldName, string>>

const ofProduct = z.object({ product_id: recordId })
const ofEntry = z.object({ product_id: recordId, id: recordId })
const product = ['params.product_id'] as const
const path = '/admin/settings/web-forms/{product_id}'

/** The part of an address that says which page it is, and any other parameters, such as the campaign. */
const PageQuery = z.looseObject({ embed: z.string().optional() })
const ofPage = z.object({ slug: z.string().max(100) })
const publicPath = '/public/lead-form/{slug}'
const maxBytes = 100_000

export const webForms = {
  show: endpoint({
    method: 'GET',
    path,
    shows: ['web-forms'],
    summary: 'Get the web form of a product; one that isn’t saved yet has version 0.',
    access: adminsOnly,
    product,
    params: ofProduct,
    response: z.object({ data: StoredWebForm }),
  }),
  save: endpoint({
    method: 'POST',
    path,
    summary:
      'Save the web form of a product. Returns 409 with the current one if the version is out of date.',
    act: 'Changed a web form',
    access: adminsOnly,
    product,
    params: ofProduct,
    body: WebFormInput.extend({ version }),
    response: messageReply.extend({ data: StoredWebForm }),
  }),
  preview: endpoint({
    method: 'POST',
    path: `${path}/preview`,
    reads: true,
    summary: 'Get the page of a web form that need not be saved, as HTML in JSON.',
    access: adminsOnly,
    product,
    params: ofProduct,
    body: WebFormInput.pick({
      title: true,
      intro: true,
      button: true,
      fields: true,
      consent: true,
    }).extend({ is_embedded: z.boolean() }),
    response: z.object({ page: z.string() }),
  }),
  held: endpoint({
    method: 'GET',
    path: `${path}/held`,
    shows: ['web-forms'],
    summary: 'List the newest 100 entries of a web form that are held as spam.',
    access: adminsOnly,
    product,
    params: ofProduct,
    response: z.object({ data: z.array(HeldEntry), total: z.number().int() }),
  }),
  accept: endpoint({
    method: 'POST',
    path: `${path}/held/{id}/accept`,
    summary: 'Make a lead of an entry that is held as spam.',
    act: 'Accepted an entry of the web form',
    access: adminsOnly,
    product,
    params: ofEntry,
    response: messageReply.extend({ lead_id: z.number().int() }),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${path}/held/{id}`,
    summary: 'Delete an entry that is held as spam.',
    act: 'Deleted an entry of the web form',
    access: adminsOnly,
    product,
    params: ofEntry,
    response: messageReply,
  }),
  open: endpoint({
    method: 'GET',
    path: publicPath,
    summary: 'Get the page of a web form, as HTML. Other parameters than `embed` can name the campaign.',
    calledBy: 'websites',
    access: 'public',
    answers: 'html',
    params: ofPage,
    query: PageQuery,
    maxBytes,
  }),
  send: endpoint({
    method: 'POST',
    path: publicPath,
    summary:
      'Send a web form, which creates a lead or adds a note to an open one. Returns HTML; 422 with texts at the fields.',
    act: 'Sent through the web form',
    calledBy: 'websites',
    access: 'public',
    answers: 'html',
    params: ofPage,
    query: PageQuery,
    /** The fields of the form; the page says what is wrong with them. */
    body: z.record(z.string(), z.unknown()),
    maxBytes,
  }),
}
