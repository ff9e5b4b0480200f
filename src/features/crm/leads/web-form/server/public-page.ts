import { webForms } from '#features/crm/leads/web-form/contract.ts'
import { mostPerHour } from '#features/crm/leads/web-form/rules.ts'
import { hashOf, readEntry, stampOf, type Entry } from '#features/crm/leads/web-form/server/entry.ts'
import {
  emptyForm,
  formPage,
  messagePage,
  type Typed,
} from '#features/crm/leads/web-form/server/form-page.ts'
import { becomeLead } from '#features/crm/leads/web-form/server/inbound-leads.ts'
import {
  findFormBySlug,
  lockForm,
  type WebForm,
} from '#features/crm/leads/web-form/server/web-forms.queries.ts'
import { truncate } from '#shared/truncate.ts'
import type { App, Handler, Preparation, WriteContext } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { HttpError, notFound } from '#server/http/errors.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'
import type { HtmlPage } from '#server/http/page.ts'
import { createThrottle } from '#server/http/throttle.ts'

type Query = Readonly<Record<string, unknown>>

const isEmbedded = (query: Query) => query['embed'] !== undefined

/** The parameters of an address that the form keeps: how it is shown, and the campaign. */
const isKept = (name: string) => name === 'embed' || /^utm_[a-z]{1,20}$/.test(name)

/** Returns what the form’s own address keeps of the query. */
const searchOf = (query: Query) =>
  new URLSearchParams(
    Object.entries(query).flatMap(([name, value]): [string, string][] =>
      isKept(name) && typeof value === 'string' ? [[name, truncate(value, 200)]] : [],
    ),
  ).toString()

/** Returns the campaign as words, such as `source spring, medium email`. */
const campaignOf = (query: Query) =>
  truncate(
    Object.entries(query)
      .filter(([name, value]) => name !== 'embed' && isKept(name) && typeof value === 'string')
      .map(([name, value]) => `${name.slice(4)} ${String(value).replaceAll('\0', '').toWellFormed()}`)
      .join(', '),
    600,
  )

/** @throws HttpError 404 for an unknown address, and 410 with a page if the form is off. */
async function findOpenForm(db: Db, slug: string, query: Query): Promise<WebForm> {
  const form = await findFormBySlug(db, slug)
  if (!form) throw notFound('This page doesn’t exist.')
  if (!form.is_on) throw closed(form, query)
  return form
}

const closed = (form: WebForm, query: Query) => {
  const words = 'This form is closed.'
  return new HttpError(410, words, { page: messagePage(form, words, isEmbedded(query)) })
}

/** Returns the page of a form with what was typed, and what is wrong with it. */
const pageOf = (form: WebForm, typed: Typed, stamp: string, query: Query): HtmlPage =>
  formPage(form, typed, { isEmbedded: isEmbedded(query), stamp, search: searchOf(query) })

interface Limits {
  /** Counts every request of an address to a form. */
  request: (form: WebForm, address: string, query: Query) => Promise<void>
  /** Counts what is sent and would be stored. */
  send: (form: WebForm, address: string, query: Query, entry: Entry) => Promise<void>
}

/** Limits how often a network address opens and sends a form; the page says so, with what was typed. */
function limitsOf(app: App): Limits {
  const [requests, sent] = [
    createThrottle(app.pool, 'web-form', 120),
    createThrottle(app.pool, 'web-form-sent', mostPerHour, 3600),
  ]
  const within = async (limit: typeof requests, key: string, page: () => HtmlPage) => {
    if (!app.settings.rateLimits) return
    await limit.consume(key).catch((error: unknown) => {
      if (!(error instanceof HttpError) || error.retryAfter === undefined) throw error
      throw new HttpError(429, 'Too many requests.', { retryAfter: error.retryAfter, page: page() })
    })
  }
  const keyOf = ({ id }: WebForm, address: string) => `${id}:${address}`
  return {
    request: (form, address, query) =>
      within(requests, keyOf(form, address), () =>
        messagePage(form, 'Too many requests. Try again in 15 minutes.', isEmbedded(query)),
      ),
    send: (form, address, query, { typed, stamp }) =>
      within(sent, keyOf(form, address), () => {
        const failure = 'This form was sent too often from your network. Try again in an hour.'
        return pageOf(form, { ...typed, failure }, stamp, query)
      }),
  }
}

const openWithin =
  (limits: Limits): Handler<typeof webForms.open> =>
  async ({ params, query }, { app, db, clock, request }) => {
    const form = await findOpenForm(db, params.slug, query)
    await limits.request(form, request.ip, query)
    return pageOf(form, emptyForm, await stampOf(app, form.slug, clock.now()), query)
  }

type Received = { form: WebForm; entry: Entry; address_hash: string }

/** Reads and checks what was sent before the transaction, in which nothing should wait for another connection. */
const readWithin =
  (limits: Limits): Preparation<typeof webForms.send, Received> =>
  async ({ params, query, body }, { app, db, clock, request }) => {
    const form = await findOpenForm(db, params.slug, query)
    await limits.request(form, request.ip, query)
    const entry = await readEntry(app, form, body, clock.now())
    // A person can correct mistakes; a program that filled in the hidden field isn't told about them.
    const [first] = Object.values(entry.typed.errors)
    if (first !== undefined && entry.reason !== 'hidden_field')
      throw new HttpError(422, first, { page: pageOf(form, entry.typed, entry.stamp, query) })
    await limits.send(form, request.ip, query, entry)
    return { form, entry, address_hash: await hashOf(app, request.ip) }
  }

const receive: Handler<typeof webForms.send, Received> = async ({ query }, context) => {
  const { app, db, clock, prepared } = context
  const form = await lockForm(db, prepared.form.id)
  if (!form?.is_on) throw closed(form ?? prepared.form, query)
  const { values, reason, typed } = prepared.entry
  const agreed = typed.hasAgreed ? prepared.form : { consent: '', consent_since: null }
  const sent = {
    values,
    campaign: campaignOf(query),
    consent: agreed.consent,
    consent_since: agreed.consent_since,
    sent_at: clock.now(),
  }
  if (reason === undefined) await becomeLead(app, context, form, sent)
  else await hold(context, form, { ...sent, reason, address_hash: prepared.address_hash })
  return messagePage(form, form.thanks, isEmbedded(query))
}

type Held = Parameters<typeof becomeLead>[3] & { reason: string; address_hash: string }

async function hold(
  { db, changed }: WriteContext<typeof webForms.send>,
  form: WebForm,
  { sent_at, values, ...held }: Held,
): Promise<void> {
  await db
    .insertInto('web_form_entries')
    .values({
      form_id: form.id,
      ...held,
      values: JSON.stringify(values),
      created_at: sent_at.toISOString(),
    })
    .execute()
  changed('web-forms', [form.product_id])
}

/** Registers the public page of web forms. */
export function publicFormRoutes(app: App): void {
  const limits = limitsOf(app)
  implement(app, webForms.open, openWithin(limits))
  implementPrepared(app, webForms.send, readWithin(limits), receive)
}
