import { sql } from 'kysely'
import type { z } from 'zod'
import { fillPlaceholders } from '#shared/placeholders.ts'
import { leadMails, type MailPreview } from '#features/crm/leads/mails/contract.ts'
import type { SignedIn } from '#server/http/session.ts'
import { demandLead, getLead, lockLead, withMerged } from '#features/crm/leads/record/server/leads.queries.ts'
import {
  bodyOf,
  demoTemplate,
  prospectionTemplate,
  withQuestions,
} from '#features/crm/leads/mails/server/mail-texts.ts'
import { timesOf } from '#features/crm/leads/demos/server/invitations.queries.ts'
import { findMailFacts, findQuestions, keepAnswer } from '#features/crm/leads/mails/server/mails.queries.ts'
import { sendRecordMail } from '#features/crm/record-mails/server/record-mails.queries.ts'
import { findMailsOf } from '#features/admin/outbox/server/outbox.queries.ts'
import type { NewRecordMail } from '#shared/record-mail.contract.ts'
import { truncate } from '#shared/truncate.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import type { App, WriteContext, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'

interface Wanted {
  lead_id: number
  lead_name: string
  lead_email: string
  subject?: string | undefined
  message?: string | undefined
  question_ids?: number[] | undefined
  email?: z.output<typeof NewRecordMail> | undefined
}

type Template = typeof demoTemplate

type Writing = Pick<
  WriteContext<typeof leadMails.prospection>,
  'db' | 'viewer' | 'audit' | 'changed' | 'onRollback'
>

/** Writes the email, without the frame of its sender. */
const write = async (app: App, db: Db, wanted: Wanted, template: Template, viewer: SignedIn) => {
  const lead = await getLead(db, wanted.lead_id, viewer)
  const { email, demo_at } = await findMailFacts(db, lead, viewer.id, app.clock.now())
  const about = { product_id: lead.lead_for, staff_id: viewer.id }
  const [kind, values] = template({
    company: lead.companyName,
    name: wanted.lead_name,
    timezone: lead.timezone,
    demo_at,
  })
  const draft = await app.mail.write(db, kind, values, about)
  const named = (text: string) => fillPlaceholders(text, wanted.lead_name)
  const message = named(wanted.message ?? draft.text)
  const body =
    wanted.message === undefined
      ? { html: draft.html, text: draft.text }
      : bodyOf(message, app.settings.publicUrl)
  const questions = await questionsOf(db, lead.lead_id, wanted.question_ids ?? [])
  return {
    mail: {
      ...about,
      ...withQuestions(body, questions, await app.mail.signature(db, about)),
      subject: truncate(named(wanted.subject ?? draft.subject), 200),
    },
    to: wanted.lead_email,
    message,
    content: body.html,
    reply_to: email,
  }
}

const preview = async (
  app: App,
  db: Db,
  wanted: Wanted,
  template: Template,
  viewer: SignedIn,
): Promise<MailPreview> => {
  const { mail, to, message, content } = await write(app, db, wanted, template, viewer)
  return { to, message, content, ...(await app.mail.preview(db, mail)) }
}

const send = async (app: App, kind: string, wanted: Wanted, template: Template, context: Writing) => {
  const { db, viewer, audit, changed } = context
  if (wanted.email)
    return sendRecordMail(
      app,
      { ...context, files: {} },
      { type: 'lead', id: wanted.lead_id, kind },
      wanted.email,
    )
  const { mail, to, reply_to } = await write(app, db, wanted, template, viewer)
  const id = await app.mail.queue(db, {
    kind,
    to: [to],
    ...mail,
    reply_to,
    record: { type: 'lead', id: wanted.lead_id },
  })
  audit({ target: 'lead', id: wanted.lead_id, after: { mail: mail.subject, mail_to: to } })
  changed('mails', [id])
  const [data] = await findMailsOf(db, 'lead', withMerged(wanted.lead_id))
  return {
    message: app.mail.isOn
      ? 'Your email is on its way.'
      : 'Your email is in the outbox. It will be sent once email is set up.',
    data: data!,
  }
}

const listMails =
  (app: App): Handler<typeof leadMails.ofLead> =>
  async ({ query }, { db, viewer }) => {
    await demandLead(db, query.lead_id, viewer)
    return { data: await findMailsOf(db, 'lead', withMerged(query.lead_id)), is_on: app.mail.isOn }
  }

const sendDemoEmail =
  (app: App): Handler<typeof leadMails.scheduleDemo> =>
  ({ body }, context) =>
    send(app, 'schedule-demo', body, demoTemplate, context)

const sendProspectingEmail =
  (app: App): Handler<typeof leadMails.prospection> =>
  ({ body }, context) =>
    send(app, 'prospection', body, prospectionTemplate, context)

const previewDemoEmail =
  (app: App): Handler<typeof leadMails.previewScheduleDemo> =>
  async ({ body }, { db, viewer }) => ({
    data: await preview(app, db, body, demoTemplate, viewer),
  })

const previewProspectingEmail =
  (app: App): Handler<typeof leadMails.previewProspection> =>
  async ({ body }, { db, viewer }) => ({
    data: await preview(app, db, body, prospectionTemplate, viewer),
  })

const listQuestions: Handler<typeof leadMails.questions> = async ({ query }, { db, viewer }) => {
  await demandLead(db, query.lead_id, viewer)
  return { data: await findQuestions(db, query.lead_id) }
}

const answerQuestions: Handler<typeof leadMails.answerQuestions> = async (
  { body },
  { db, viewer, audit, changed },
) => {
  await lockLead(db, body.lead_id, viewer)
  const before = await findQuestions(db, body.lead_id)
  for (const [index, { question_id, answer }] of body.answers.entries()) {
    const known = before.find(({ id }) => id === question_id)
    if (!known) throw invalid(`answers.${index}.question_id`, 'This question doesn’t exist.')
    if (known.answer !== answer) await keepAnswer(db, body.lead_id, question_id, answer, viewer.id)
  }
  const data = await findQuestions(db, body.lead_id)
  const answers = (questions: typeof data) =>
    Object.fromEntries(questions.map(({ name, answer }) => [name, answer]))
  audit({ target: 'lead', id: body.lead_id, before: answers(before), after: answers(data) })
  changed('leads', [body.lead_id])
  return { message: 'Answers saved.', data }
}

/** Returns the values of the templates of a lead's emails. */
const factsOfLead =
  (app: App) =>
  async (db: Db, id: number, viewer: SignedIn): Promise<Record<string, string>> => {
    const lead = await getLead(db, id, viewer)
    const at = new Date(app.clock.now().getTime() + 7 * 86_400_000).toISOString()
    const [, values] = demoTemplate({
      company: lead.companyName,
      name: lead.contactName,
      timezone: lead.timezone,
      demo_at: at,
    })
    return {
      ...values,
      time: timesOf(at, lead.timezone),
      ...('day' in values ? { day: values.day } : {}),
      session: 'Demo',
    } as Record<string, string>
  }

export function leadMailRoutes(app: App): void {
  app.mail.registerFacts(['prospection', 'schedule-demo', 'confirm-demo', 'composer'], factsOfLead(app))
  app.mail.access.registerReadCheck(
    'lead',
    undefined,
    // Emails to a lead that no longer exists stay in the outbox.
    ({ products }) =>
      sql`not exists (select from leads l where l.lead_id = m.record_id and l.lead_for <> all(${products}))`,
  )
  implement(app, leadMails.ofLead, listMails(app))
  implement(app, leadMails.scheduleDemo, sendDemoEmail(app))
  implement(app, leadMails.prospection, sendProspectingEmail(app))
  implement(app, leadMails.previewScheduleDemo, previewDemoEmail(app))
  implement(app, leadMails.previewProspection, previewProspectingEmail(app))
  implement(app, leadMails.questions, listQuestions)
  implement(app, leadMails.answerQuestions, answerQuestions)
}

/** @throws HttpError 422 for an unknown question. */
async function questionsOf(db: Db, lead_id: number, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return []
  const known = await findQuestions(db, lead_id)
  const wanted = [...new Set(ids)]
  if (wanted.some((id) => !known.some((question) => question.id === id)))
    throw invalid('question_ids', 'This question doesn’t exist.')
  return known.filter(({ id }) => wanted.includes(id)).map(({ name }) => name)
}
