import { sql } from 'kysely'
import { fillPlaceholders } from '#shared/placeholders.ts'
import { truncate } from '#shared/truncate.ts'
import { leadMails, type MailPreview } from '#features/crm/leads/mails/contract.ts'
import type { SignedIn } from '#server/http/session.ts'
import { demandLead, getLead, lockLead, withMerged } from '#features/crm/leads/record/server/leads.queries.ts'
import { demoTemplate, prospectionTemplate, writeMail } from '#features/crm/leads/mails/server/mail-texts.ts'
import { findMailFacts, findQuestions, keepAnswer } from '#features/crm/leads/mails/server/mails.queries.ts'
import { findMailsOf } from '#features/admin/outbox/server/outbox.queries.ts'
import type { Db } from '#server/db/db.ts'
import { invalid } from '#server/http/errors.ts'
import { implement, type App, type WriteContext, type Handler } from '#server/http/implement.ts'

interface Wanted {
  lead_id: number
  lead_name: string
  lead_email: string
  subject?: string | undefined
  message?: string | undefined
  question_ids?: number[] | undefined
}

interface Routing {
  reply_to: string
  product_id: number
}

type Template = typeof demoTemplate

type Writing = Pick<WriteContext<typeof leadMails.prospection>, 'db' | 'viewer' | 'audit' | 'changed'>

const preview = async (
  app: App,
  db: Db,
  wanted: Wanted,
  template: Template,
  viewer: SignedIn,
): Promise<MailPreview & Routing> => {
  const lead = await getLead(db, wanted.lead_id, viewer)
  const { product, email, demo_at } = await findMailFacts(db, lead, viewer.id, app.clock.now())
  const draft = template({
    product,
    company: lead.companyName,
    name: wanted.lead_name,
    sender: viewer.name,
    timezone: lead.timezone,
    demo_at,
  })
  const questions = await questionsOf(db, lead.lead_id, wanted.question_ids ?? [])
  const words = {
    subject: oneLine(fillPlaceholders(wanted.subject ?? draft.subject, wanted.lead_name)),
    message: fillPlaceholders(wanted.message ?? draft.message, wanted.lead_name),
  }
  return {
    ...writeMail(wanted.lead_email, words, {
      questions,
      sender: viewer.name,
      publicUrl: app.settings.publicUrl,
    }),
    reply_to: email,
    product_id: lead.lead_for,
  }
}

const send = async (
  app: App,
  kind: string,
  wanted: Wanted,
  template: Template,
  { db, viewer, audit, changed }: Writing,
) => {
  const { to, subject, html, text, reply_to, product_id } = await preview(app, db, wanted, template, viewer)
  const id = await app.mail.queue(db, {
    kind,
    to: [to],
    subject,
    html,
    text,
    reply_to,
    record: { type: 'lead', id: wanted.lead_id },
    product_id,
    staff_id: viewer.id,
  })
  audit({ target: 'lead', id: wanted.lead_id, after: { mail: subject, mail_to: to } })
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
    data: shown(await preview(app, db, body, demoTemplate, viewer)),
  })

const previewProspectingEmail =
  (app: App): Handler<typeof leadMails.previewProspection> =>
  async ({ body }, { db, viewer }) => ({
    data: shown(await preview(app, db, body, prospectionTemplate, viewer)),
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

export function leadMailRoutes(app: App): void {
  app.mail.registerReadCheck(
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

const oneLine = (text: string) => truncate(text.replaceAll(/\s+/g, ' ').trim(), 200)

const shown = ({ reply_to: _, product_id: _product, ...mail }: MailPreview & Routing): MailPreview => mail
