import { sql, type Transaction } from 'kysely'
import { recordTypes } from '#shared/records.ts'
import type { App } from '#server/app.ts'
import type { Database } from '#server/db/db.ts'
import { html } from '#server/html/html.ts'
import type { SignedIn } from '#server/http/session.ts'
import { addNotices } from '#server/record/notices.ts'
import { pageOf } from '#server/record/readers.ts'
import type { RecordKind } from '#server/record/rows.ts'

export type AssigningApp = Pick<App, 'live' | 'mail' | 'settings'>

export interface Assigning {
  db: Transaction<Database>
  /** Undefined if no admin user caused it. */
  viewer: Pick<SignedIn, 'id' | 'name'> | undefined
  afterCommit: (action: () => void) => void
}

interface Assigned {
  assignee_id: number
  kind: RecordKind
  /** What assigned it, such as “A rule”; by default, the viewer did. */
  by?: string | undefined
  /** What of the record is assigned, such as “the session”, if not the record itself. */
  part?: string | undefined
  /** The first records, of which the email names up to ten. */
  records: readonly { id: number; title: string }[]
  /** How many records there are. */
  count: number
}

/** Record type of the emails about assignments, whose record is the assignee. */
export const assignmentMail = 'assignment'
/** Most records that an email names. */
export const mostNamed = 10

/**
 * Notifies the assignee of records that they can open, once however many there are; and by email, if they chose that.
 * Users aren't notified of records that they assign to themselves, or if they muted the first one.
 */
export async function notifyAssigned(
  app: AssigningApp,
  { db, viewer, afterCommit }: Assigning,
  assigned: Assigned,
): Promise<void> {
  const { assignee_id, kind, part, records, count } = assigned
  const [first] = records
  if (!first) return
  const { one } = recordTypes[kind.type]
  const more = count - 1
  const others = more === 0 ? '' : more === 1 ? ' and 1 other' : ` and ${written(more)} others`
  const listening = await addNotices(
    app,
    { db, afterCommit },
    {
      kind: 'assigned',
      by: viewer?.id ?? null,
      words: `${nameOf(viewer, assigned)} assigned ${part === undefined ? '' : `${part} of `}this ${one}${others} to you.`,
      people: [{ id: assignee_id, record: { type: kind.type, ...first, anchor: '' } }],
    },
  )
  if (listening.length > 0) await mailAssigned(app, { db, viewer }, assigned)
}

const nameOf = (viewer: Assigning['viewer'], { by }: Assigned) => by ?? viewer?.name ?? 'Someone'
const written = (count: number) => count.toLocaleString('en-US')

async function mailAssigned(
  app: AssigningApp,
  { db, viewer }: Pick<Assigning, 'db' | 'viewer'>,
  assigned: Assigned,
): Promise<void> {
  const { assignee_id, kind, by, part, records, count } = assigned
  const { rows } = await sql<{ email: string }>`select s.email from assignment_emails a
    join staff s on s.id = a.staff_id
    where s.id = ${assignee_id} and s.banned_at is null and s.deleted_at is null`.execute(db)
  if (!rows[0]) return
  const { one, many } = recordTypes[kind.type]
  const named = records.slice(0, mostNamed).map(({ id, title }) => {
    const path = pageOf(kind, id)
    const { publicUrl } = app.settings
    return publicUrl === undefined || path === undefined
      ? html`<li>${title}</li>`
      : html`<li><a href="${publicUrl}${path}">${title}</a></li>`
  })
  const rest = count - named.length
  const links = html`<ul>
      ${named}
    </ul>
    ${rest > 0 ? [html`<p>and ${written(rest)} more</p>`] : []}`
  const who = nameOf(viewer, assigned)
  const whole = count === 1 ? `the ${one} “${records[0]!.title}”` : `${written(count)} ${many}`
  const what = part === undefined ? whole : `${part} of ${whole}`
  const about = viewer && by === undefined ? { staff_id: viewer.id } : {}
  await app.mail.queue(db, {
    kind: 'assigned',
    to: [rows[0].email],
    ...(await app.mail.write(db, 'assigned', { who, what, links }, about)),
    ...about,
    record: { type: assignmentMail, id: assignee_id },
  })
}
