import { sql, type RawBuilder } from 'kysely'
import { articleKindNames } from '#shared/article-kinds.ts'
import type { RecordType } from '#shared/records.ts'
import type { Db } from '#server/db/db.ts'

/*
 * One record of each type that belongs to a product, along with related rows. Where possible, records of
 * different types have the same ID, so that a test can put this ID into any field of a request. All names,
 * texts, and addresses in these records contain the same mark.
 */

export interface Planted {
  id: number
  product: number
  mark: string
  slug: string
  /** The admin user who wrote all the records, and the admin user they are addressed to. */
  by: number
  to: number
}

/** Returns the ID of the planted record of a type; types that share a table have consecutive IDs. */
export const plantedId = ({ id }: Pick<Planted, 'id'>, type: string): number => {
  if (type === 'designer_task') return id + 1
  return id + 1 + articleKindNames.indexOf(type as (typeof articleKindNames)[number])
}

/** Tables whose planted rows a write may move to the trash. */
export const plantedTables = {
  leads: 'lead_id',
  organizations: 'organization_id',
  customer_users: 'id',
  onboardings: 'id',
  tickets: 'id',
  tasks: 'id',
  articles: 'id',
  article_categories: 'id',
  post_comments: 'id',
  customer_contracts: 'id',
  quick_tasks: 'id',
  notifications: 'id',
} as const

/** Types whose planted records have notes, emails, operations, and log rows. */
const plantedTypes = [
  'lead',
  'organization',
  'customer_user',
  'onboarding',
  'ticket',
  'task',
  'designer_task',
  'post',
  'category',
  'comment',
  'contract',
  'notification',
  ...articleKindNames,
] as const satisfies readonly RecordType[]

export async function plant(db: Db, planted: Planted): Promise<void> {
  const run = (query: RawBuilder<unknown>) => query.execute(db)
  await plantCustomers(run, planted)
  await plantTasks(run, planted)
  await plantArticles(run, planted)
  await plantAround(run, planted)
  await plantMailings(run, planted)
  for (const [index, type] of plantedTypes.entries()) await plantOf(run, planted, type, planted.id + index)
}

type Run = (query: RawBuilder<unknown>) => Promise<unknown>

async function plantCustomers(run: Run, { id, product, mark, by, to }: Planted): Promise<void> {
  const mail = `${mark.toLowerCase()}@${mark.toLowerCase()}.example`
  await run(sql`insert into organizations (organization_id, name, domain, video_label, assign_to, status, trial_end_date) overriding system value
    values (${id}, ${`${mark} organization`}, ${`${mark.toLowerCase()}.example`}, ${mark}, ${to}, 1, '2026-03-18')`)
  await run(sql`insert into organization_products values (${id}, ${product})`)
  await run(sql`insert into leads (lead_id, company_name, contact_name, email, phone, country, lead_for, lead_date, organization_id, assign_to, answer, additional_info, company_url, followup_date, request_date, demo_status)
    overriding system value values (${id}, ${`${mark} lead`}, ${mark}, ${mail}, '030 4444', ${mark}, ${product}, '2026-03-10', ${id}, ${to}, ${mark}, ${mark}, ${`https://${mark.toLowerCase()}.example`}, '2026-03-16', '2026-03-16', 1)`)
  await run(sql`insert into lead_demos (id, lead_id, type, received_date, final_comment, schedule_comment) overriding system value
    values (${id}, ${id}, 'Demo', '2026-03-16', ${mark}, ${mark})`)
  await run(sql`insert into lead_calls (id, lead_id, called_by, outcome, note) overriding system value
    values (${id}, ${id}, ${by}, 1, ${mark})`)
  await run(sql`insert into lead_contacts (id, lead_id, name, role, email, phone) overriding system value
    values (${id}, ${id}, ${mark}, ${mark}, ${`second-${mail}`}, '030 4445')`)
  await run(sql`insert into lead_prospection_answers (lead_id, question_id, answer, staff_id)
    select ${id}, min(id), ${mark}, ${by}::int from prospection_questions`)
  await run(sql`insert into customer_users (id, organization_id, first_name, last_name, email, phone, is_master) overriding system value
    values (${id}, ${id}, ${mark}, ${mark}, ${mail}, '030 4444', true)`)
  await run(
    sql`insert into onboarding_stages (id, name, product_id) overriding system value values (${id}, ${`Stage ${id}`}, ${product})`,
  )
  await run(sql`insert into onboardings (id, organization_id, lead_id, product_id, stage, stage_since, next_expected_date, assign_to) overriding system value
    values (${id}, ${id}, ${id}, ${product}, ${id}, '2026-03-10', '2026-03-16', ${to})`)
  await run(sql`insert into onboarding_steps (id, onboarding_id, stage, schedule_for, schedule_comment, send_meeting_link) overriding system value
    values (${id}, ${id}, ${id}, '2026-03-16T12:00:00Z', ${mark}, ${`https://${mark.toLowerCase()}.example`})`)
  await run(sql`insert into tickets (id, title, organization_id, customer_user_id, sender_name, sender_email, list_card_title, list_id) overriding system value
    select ${id}, ${`${mark} ticket`}, ${id}, ${id}, ${mark}, ${mail}, ${mark}, min(id) from board_lists`)
  await run(sql`insert into ticket_messages (id, ticket_id, sent_by_admin, customer_user_id, message) overriding system value
    values (${id}, ${id}, false, ${id}, ${`<p>${mark} message</p>`})`)
  await run(sql`update tickets set unread_message_id = ${id} where id = ${id}`)
  await run(sql`insert into ticket_comments (id, ticket_id, support_comment, created_by, lead_id, organization_id) overriding system value
    values (${id}, ${id}, ${mark}, ${by}, ${id}, ${id})`)
  await run(sql`insert into customer_contracts (id, title, content, organization_id, created_by) overriding system value
    values (${id}, ${`${mark} contract`}, ${mark}, ${id}, ${by})`)
}

async function plantTasks(run: Run, planted: Planted): Promise<void> {
  const { id, product, mark, by, to } = planted
  for (const [type, discipline] of [
    ['task', 'development'],
    ['designer_task', 'designer'],
  ] as const) {
    const task = plantedId(planted, type)
    await run(sql`insert into tasks (id, discipline, product_id, title, description, assigned_to, created_by, due_date, ticket_id) overriding system value
      values (${task}, ${discipline}, ${product}, ${`${mark} task`}, ${mark}, ${to}, ${by}, '2026-03-16', ${id})`)
    await run(sql`insert into task_organizations (task_id, organization_id) values (${task}, ${id})`)
    await run(sql`insert into task_issues (id, task_id, task_issue, created_by) overriding system value
      values (${task}, ${task}, ${mark}, ${by})`)
    await run(
      sql`insert into task_activities (task_id, type, comment, created_by) values (${task}, 1, ${mark}, ${by})`,
    )
    await run(sql`insert into task_date_moves (task_id, type, old_date, new_date, reason, moved_by)
      values (${task}, 5, '2026-03-15', '2026-03-16', ${mark}, ${by})`)
  }
  await run(sql`insert into task_reports (id, task_id, staff_id, product_id, report_date, title, hours) overriding system value
    values (${id}, ${id}, ${by}, ${product}, '2026-03-16', ${mark}, 2)`)
}

async function plantArticles(run: Run, planted: Planted): Promise<void> {
  const { id, product, mark, slug, by } = planted
  const mail = `${mark.toLowerCase()}@${mark.toLowerCase()}.example`
  await run(sql`insert into article_categories (id, kind, product_id, title, slug, description) overriding system value
    values (${id}, 'post', ${product}, ${`${mark} category`}, ${slug}, ${mark})`)
  for (const kind of ['post', ...articleKindNames])
    await run(sql`insert into articles (id, kind, product_id, title, slug, body, short_description, author_id, category) overriding system value
      values (${plantedId(planted, kind)}, ${kind}, ${product}, ${`${mark} ${kind}`}, ${slug}, ${mark}, ${mark}, ${by}, ${kind === 'post' ? id : null})`)
  await run(sql`insert into post_comments (id, post_id, sender_name, sender_email, body) overriding system value
    values (${id}, ${id}, ${mark}, ${mail}, ${mark})`)
  await run(sql`insert into files (id, stored_name, name, kind, mime, bytes, sha256, uploaded_by, width, height) overriding system value
    values (${id}, ${`${String(id).padStart(40, '0')}.png`}, ${`${mark}.png`}, 'image', 'image/png', 10, ${Buffer.alloc(32, id % 256)}, ${by}, 10, 10)`)
  await run(
    sql`insert into media (id, product_id, file_id, alt) overriding system value values (${id}, ${product}, ${id}, ${mark})`,
  )
}

/** Inserts rows that are about a record: links, reminders, imports, and settings. */
async function plantAround(run: Run, { id, product, mark, by, to }: Planted): Promise<void> {
  await run(sql`insert into quick_tasks (id, title, text, person, created_by, entity, entity_id, due_date) overriding system value
    values (${id}, ${`${mark} quick task`}, ${mark}, ${by}, ${by}, 'lead', ${id}, '2026-03-16')`)
  await run(sql`insert into reminders (lead_id, staff_id, due_on) values (${id}, ${to}, '2026-03-16')`)
  await run(sql`insert into organization_reminders (id, organization_id, staff_id, due_on, days_before, onboarding_id) overriding system value
    values (${id}, ${id}, ${to}, '2026-03-18', 3, ${id})`)
  await run(sql`insert into mail_senders (staff_id, product_id, user_id) values (${to}, ${product}, ${id})`)
  await run(sql`insert into lead_imports (id, staff_id, file_name, headers, mapping, row_count) overriding system value
    values (${id}, ${by}, ${`${mark}.csv`}, '["company"]', ${JSON.stringify({ lead_for: product, lead_type: 1, columns: ['companyName'] })}, 1)`)
  await run(sql`insert into lead_import_rows (import_id, line, cells, outcome, reason, lead_id)
    values (${id}, 2, ${JSON.stringify([mark])}, 'error', ${mark}, ${id})`)
  await run(sql`update products set widget_url = ${`https://${mark.toLowerCase()}.example/widget`},
    credentials_url = ${`https://${mark.toLowerCase()}.example/sign-in`},
    posts_url = ${`https://${mark.toLowerCase()}.example/posts`} where id = ${product}`)
  await run(sql`insert into audit_log (staff_id, endpoint, target_type, target_id, changes, address, request_id, act)
    values (${by}, 'POST /admin/settings', 'product', ${product}, ${JSON.stringify({ widget_url: ['', mark] })}, '127.0.0.1', 'x', 'Changed')`)
}

/** Inserts mailings to the planted user: a draft, with a stranger, among all subscribers, and without a notification. */
async function plantMailings(run: Run, { id, mark, by }: Planted): Promise<void> {
  const own = `${mark.toLowerCase()}@${mark.toLowerCase()}.example`
  const mailings = [
    { subject: 'News for two', emails: [own, 'stranger@inn.example'], to: [own, 'stranger@inn.example'] },
    { subject: `${mark} news for all`, emails: [], to: [own] },
  ]
  const mail = async (mail_id: number, subject: string, record_id: number | null, to: readonly string[]) => {
    await run(sql`insert into mails (id, kind, subject, html, text, message_id, record_type, record_id, staff_id) overriding system value
      values (${mail_id}, 'notification', ${subject}, '<p>News</p>', 'News', ${`<${mail_id}@x>`}, ${record_id && 'notification'}, ${record_id}, ${by})`)
    for (const address of to)
      await run(sql`insert into mail_recipients (mail_id, address, name, state, last_error, last_error_at)
        values (${mail_id}, ${address}, ${address}, 'failed', ${`No mailbox ${address}`}, now())`)
  }
  await run(sql`insert into notifications (id, subject, message, emails, created_by) overriding system value
    values (${id}, ${`${mark} news`}, '<p>News</p>', ${[own]}::text[], ${by})`)
  for (const [index, { subject, emails, to }] of mailings.entries()) {
    await mail(id + 61 + index, subject, id + 1 + index, to)
    await run(sql`insert into notifications (id, subject, message, status, emails, mail_id, sent_to, sent_at, sent_by, created_by) overriding system value
      values (${id + 1 + index}, ${subject}, '<p>News</p>', 1, ${emails}::text[], ${id + 61 + index}, ${to.length}, now(), ${by}, ${by})`)
  }
  await mail(id + 70, `${mark} mailing`, null, [own])
  await mail(id + 71, 'Mailing to two', null, [own, 'stranger@inn.example'])
}

/** Inserts a note, a log row, an operation, an email, a notice, and a file for a record. */
async function plantOf(run: Run, planted: Planted, type: RecordType, id: number): Promise<void> {
  const { mark, by, to } = planted
  const record = plantedId(planted, type)
  await run(
    sql`insert into notes (record_type, record_id, body, staff_id) values (${type}, ${record}, ${mark}, ${by})`,
  )
  await run(sql`insert into audit_log (staff_id, endpoint, target_type, target_id, changes, address, request_id, act)
    values (${by}, 'POST /admin/tags', ${type}, ${record}, ${JSON.stringify({ name: [mark, `${mark} 2`] })}, '127.0.0.1', 'x', 'Changed')`)
  await run(sql`insert into operations (id, record_type, kind, staff_id, summary, needs, changed) overriding system value
    values (${id}, ${type}, 'status', ${by}, ${`${mark} ${type}`}, '', 1)`)
  await run(sql`insert into record_changes (operation_id, record_type, record_id, before, after, version_before, version_after)
    values (${id}, ${type}, ${record}, '{}', ${JSON.stringify({ name: mark })}, 1, 2)`)
  await run(sql`insert into mails (id, kind, subject, html, text, message_id, record_type, record_id, staff_id) overriding system value
    values (${id}, 'letter', ${`${mark} ${type}`}, ${`<p>${mark}</p>`}, ${mark}, ${`<${id}-${type}@x>`}, ${type}, ${record}, ${by})`)
  await run(sql`insert into mail_recipients (mail_id, address, name, state)
    values (${id}, ${`${mark.toLowerCase()}@${mark.toLowerCase()}.example`}, ${mark}, 'held')`)
  await run(sql`insert into notices (kind, staff_id, by_staff_id, record_type, record_id, title, words)
    values ('mention', ${to}, ${by}, ${type}, ${record}, ${`${mark} ${type}`}, ${mark})`)
  await run(sql`insert into file_links (file_id, record_type, record_id, role, created_by)
    values (${planted.id}, ${type}, ${record}, 'attachment', ${by})`)
}
