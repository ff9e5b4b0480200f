import { sql } from 'kysely'
import { addDays, dayText, plainDate, weekday, type PlainDate } from '#shared/dates.ts'
import { hasAddress } from '#features/crm/leads/record/server/lead-address.queries.ts'
import type { EntryValues, webForms } from '#features/crm/leads/web-form/contract.ts'
import { formFields, type FormFieldName } from '#features/crm/leads/web-form/rules.ts'
import { isClosed } from '#features/crm/leads/record/server/lead-conditions.ts'
import { leadKind } from '#features/crm/leads/record/server/leads.queries.ts'
import { splitValues } from '#features/crm/leads/web-form/server/entry.ts'
import { takeTurn, type WebForm } from '#features/crm/leads/web-form/server/web-forms.queries.ts'
import type { WriteContext } from '#server/app.ts'
import { notifyAssigned, type AssigningApp } from '#server/record/assigned.ts'
import { addNotices } from '#server/record/notices.ts'
import { createRecord } from '#server/record/record.ts'
import { toColumns } from '#server/record/values.ts'
import { zoneOf } from '#server/zone-of.ts'

type Writing = Pick<
  WriteContext<typeof webForms.send>,
  'db' | 'audit' | 'changed' | 'afterCommit' | 'viewer' | 'clock'
>

/** The content of an entry. */
export interface Sent {
  values: EntryValues
  campaign: string
  consent: string
  consent_since: string | null
  sent_at: Date
}

/**
 * Makes a lead of what was sent, for the person whose turn it is. If an open lead of the product has the same email
 * address, that lead gets a note instead. The form must be locked, so that two entries of one address don’t become two
 * leads. Returns the lead.
 */
export async function becomeLead(
  app: AssigningApp,
  writing: Writing,
  form: WebForm,
  sent: Sent,
): Promise<number> {
  const { good, bad } = splitValues(sent.values)
  const known = await findOpenLead(writing.db, form.product_id, good.email ?? '')
  const lead_id = known?.lead_id ?? (await createInbound(writing, form, good, sent.sent_at))
  const note = noteOf(
    form,
    sent,
    known ? sent.values : { message: good.message ?? '', ...bad },
    known !== undefined,
  )
  if (note !== '') await addNote(writing, lead_id, note)
  await writing.db
    .insertInto('web_form_leads')
    .values({
      form_id: form.id,
      lead_id,
      consent: sent.consent,
      consent_since: sent.consent_since,
      sent_at: sent.sent_at.toISOString(),
    })
    .execute()
  await notifyAssignee(app, writing, lead_id, known !== undefined)
  writing.changed('web-forms', [form.product_id])
  return lead_id
}

/** Returns the newest open lead of a product with this email address. */
async function findOpenLead(db: Writing['db'], product_id: number, email: string) {
  if (email === '') return undefined
  const { rows } = await sql<{
    lead_id: number
  }>`select l.lead_id from leads l where l.lead_for = ${product_id}
    and l.deleted_at is null and ${hasAddress('l', email)} and not ${sql.raw(isClosed)}
    order by l.lead_id desc limit 1 for update`.execute(db)
  return rows[0]
}

async function createInbound(
  { db, audit, changed, viewer, clock }: Writing,
  form: WebForm,
  { message: _, ...values }: EntryValues,
  sent_at: Date,
): Promise<number> {
  const today = plainDate(sent_at)
  return createRecord(
    { db, audit, changed },
    leadKind,
    toColumns(leadKind, {
      ...values,
      companyName: values.companyName || values.contactName || values.email || form.title,
      lead_for: form.product_id,
      lead_type: 2,
      hear_about: form.source,
      lead_date: today,
      request_date: today,
      followup_date: nextWorkday(today),
      assign_to: await takeTurn(db, form, clock.now()),
      timezone: zoneOf(values)?.zone ?? viewer?.zone ?? form.zone,
    }),
    viewer ? { created_by: viewer.id } : {},
  )
}

/** Returns the next day from Monday to Friday. */
function nextWorkday(day: PlainDate): PlainDate {
  const next = addDays(day, 1)
  return ['Saturday', 'Sunday'].includes(weekday(next)) ? nextWorkday(next) : next
}

function noteOf(form: WebForm, sent: Sent, values: EntryValues, isRepeated: boolean): string {
  const { message = '', ...rest } = values
  const labels = new Map<string, string>(form.fields.map(({ field, label }) => [field, label]))
  const lines = (Object.entries(rest) as [FormFieldName, string][])
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${labels.get(name) ?? formFields[name].label}: ${value}`)
  return [
    isRepeated ? `Sent the web form “${form.title}” again.` : '',
    message,
    lines.join('\n'),
    sent.consent === '' ? '' : `Agreed on ${dayText(plainDate(sent.sent_at))} to: “${sent.consent}”`,
    sent.campaign === '' ? '' : `Campaign: ${sent.campaign}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

async function addNote(
  { db, audit, changed, viewer }: Writing,
  lead_id: number,
  body: string,
): Promise<void> {
  await db
    .insertInto('notes')
    .values({ record_type: 'lead', record_id: lead_id, body, staff_id: viewer?.id ?? null })
    .execute()
  audit({ target: 'lead', id: lead_id, after: { note: body } })
  changed('leads', [lead_id])
}

async function notifyAssignee(
  app: AssigningApp,
  { db, afterCommit, viewer }: Writing,
  id: number,
  isRepeated: boolean,
): Promise<void> {
  const { assign_to, company_name: title } = await db
    .selectFrom('leads')
    .select(['assign_to', 'company_name'])
    .where('lead_id', '=', id)
    .executeTakeFirstOrThrow()
  if (assign_to === null) return
  const record = { id, title }
  if (!isRepeated)
    return notifyAssigned(
      app,
      { db, afterCommit, viewer },
      { assignee_id: assign_to, kind: leadKind, by: 'A web form', records: [record], count: 1 },
    )
  await addNotices(
    app,
    { db, afterCommit },
    {
      kind: 'assigned',
      by: viewer?.id ?? null,
      words: 'Sent the web form again.',
      people: [{ id: assign_to, record: { type: 'lead', ...record, anchor: '' } }],
    },
  )
}
