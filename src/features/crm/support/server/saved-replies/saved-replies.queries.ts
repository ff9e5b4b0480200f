import { sql } from 'kysely'
import type { Viewer } from '#shared/endpoint.ts'
import { columnsOf, selectOf } from '#shared/field.ts'
import { mostFiles } from '#shared/files.ts'
import { truncate } from '#shared/truncate.ts'
import {
  savedRepliesPerPage,
  type FilledReply,
  type SavedReply,
  type SavedReplyFilters,
  type SavedReplyRow,
} from '#features/crm/support/saved-replies.contract.ts'
import { savedReplyFields } from '#features/crm/support/saved-reply.fields.ts'
import { onlyAdminsShare, sharesReplies } from '#features/crm/support/saved-reply.rules.ts'
import { findRequester } from '#features/crm/support/server/replies/reply-email.ts'
import { getTicketRow } from '#features/crm/support/server/support.queries.ts'
import type { App } from '#server/app.ts'
import type { Db } from '#server/db/db.ts'
import { filesOf } from '#server/files/record-files.ts'
import type { Links } from '#server/files/signed-links.ts'
import { textOf } from '#server/html/html-clean.ts'
import { Html } from '#server/html/html.ts'
import { notAllowed } from '#server/http/errors.ts'
import type { SignedIn } from '#server/http/session.ts'
import { fillTemplate } from '#server/mail/templates.ts'
import { matchesSearch } from '#server/record/list.ts'
import { readsOf } from '#server/record/reads.ts'
import { recordKind } from '#server/record/rows.ts'
import { touchRecords } from '#server/record/touch.ts'

const longestWords = 200

/** Replies that everyone can use, and the viewer's own. */
const usableBy = (viewer: Pick<Viewer, 'id'>) => sql`(r.is_shared or r.created_by = ${viewer.id})`

export const savedReplyKind = recordKind({
  type: 'saved_reply',
  table: 'saved_replies',
  name: 'r.name',
  page: '/support/saved-replies?open=$id',
  columns: columnsOf(savedReplyFields),
  files: { file_ids: { role: 'attachment', most: mostFiles } },
  richText: ['content'],
  visibility: { scope: (viewer) => usableBy(viewer) },
  authorize: (_act, row, viewer, patch) => {
    if ((row.is_shared || patch?.['is_shared'] === true) && !sharesReplies(viewer))
      throw notAllowed(onlyAdminsShare)
  },
})

const withWords = <Row extends { content: string }>(row: Row) => ({
  ...row,
  words: truncate(textOf(row.content).replaceAll(/\s+/g, ' ').trim(), longestWords),
})

const savedReplyReads = readsOf<
  Omit<SavedReply, 'words' | 'files' | 'created_by_name' | 'last_used_by_name'>,
  SavedReplyFilters,
  Pick<SavedReply, 'created_by_name' | 'last_used_by_name'>
>({
  kind: savedReplyKind,
  columns: `r.id, ${selectOf(savedReplyFields, 'r').join(', ')}, r.content, r.uses, r.last_used_at, r.updated_at, r.version`,
  details: `(select s.name from staff s where s.id = r.created_by) as created_by_name,
    (select s.name from staff s where s.id = r.last_used_by) as last_used_by_name`,
  conditions: {
    search: (search) => matchesSearch('r.search', search),
    available: (available) =>
      available === 'all' ? undefined : sql`r.is_shared = ${available === 'shared'}`,
    category: (category) => sql`r.category = ${category}`,
  },
  order: () => sql`r.uses desc, r.id desc`,
  perPage: savedRepliesPerPage,
})

/** Returns a page of the saved replies that match the filters, most used first. */
export async function findSavedReplies(
  db: Db,
  filters: SavedReplyFilters,
  viewer: Viewer,
): Promise<{ data: SavedReplyRow[]; total: number; per_page: number }> {
  const page = await savedReplyReads.page(db, filters, viewer)
  return { ...page, data: page.data.map(withWords).map(({ content: _content, ...row }) => row) }
}

/** @throws HttpError 404 */
export async function getSavedReply(db: Db, id: number, viewer: Viewer, links: Links): Promise<SavedReply> {
  const reply = await savedReplyReads.whole(db, id, viewer)
  const files = (await filesOf(db, 'saved_reply', [id], links, 'attachment')).get(id) ?? []
  return { ...withWords(reply), files }
}

/**
 * Returns a saved reply with the values of a ticket. A variable without a value stays in the text.
 * @throws HttpError 404 if the viewer can't see the reply or the ticket
 */
export async function fillSavedReply(
  app: App,
  db: Db,
  { ticket: ticket_id, id }: { ticket: number; id: number },
  viewer: SignedIn,
  links: Links,
): Promise<FilledReply> {
  const reply = await getSavedReply(db, id, viewer, links)
  const content = fillVariables(reply.content, await findVariables(app, db, ticket_id, viewer))
  return { id, content, files: reply.files, status: reply.status }
}

/** Returns the values of a ticket for the variables of a text; those without a value are left out. */
export async function findVariables(app: App, db: Db, ticket_id: number, viewer: SignedIn) {
  const ticket = await getTicketRow(db, ticket_id, viewer)
  const { first_name, product_id } = await findRequester(db, ticket_id)
  const { html: signature } = await app.mail.signature(db, {
    product_id: product_id ?? undefined,
    staff_id: viewer.id,
  })
  const values = {
    first_name,
    full_name: ticket.requester,
    organization: ticket.organization ?? '',
    ticket_number: `#${ticket_id}`,
    ticket_title: ticket.title,
    my_name: viewer.name,
  }
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => value.trim() !== ''))
  return { ...known, signature: new Html(signature) }
}

/** Returns a text with the values of its variables. A variable without a value stays. */
export const fillVariables = (content: string, values: Awaited<ReturnType<typeof findVariables>>): string =>
  fillTemplate({ subject: '', content }, values).html

/** Counts the saved replies that a sent reply was written with. */
export async function countUses(db: Db, ids: readonly number[], viewer: Pick<Viewer, 'id'>): Promise<void> {
  if (ids.length === 0) return
  await touchRecords(
    { db },
    savedReplyKind,
    sql`r.id = any(${[...ids]}::int[]) and r.deleted_at is null and ${usableBy(viewer)}`,
    { uses: sql`r.uses + 1`, last_used_at: sql`now()`, last_used_by: viewer.id },
    { keepsVersion: true },
  )
}
