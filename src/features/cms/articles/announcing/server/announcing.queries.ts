import { sql, type Selectable, type Transaction } from 'kysely'
import type { LiveName } from '#shared/records.ts'
import { articleKindNames, articleKindRow } from '#shared/article-kinds.ts'
import { postLink } from '#shared/html-allowed.ts'
import { can } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'
import { isWebAddress } from '#shared/schemas.ts'
import { chooseFor, countSubscribed } from '#features/crm/notifications/server/notifications.queries.ts'
import { periodText } from '#features/cms/articles/event.rules.ts'
import type { Shown } from '#features/cms/articles/announcing/contract.ts'
import type { Clock } from '#server/clock.ts'
import type { Database, Db } from '#server/db/db.ts'
import { Html, html } from '#server/html/html.ts'
import { forOutside, linkTo } from '#server/html/html-clean.ts'
import { conflict } from '#server/http/errors.ts'
import { findMailRules } from '#server/mail/rules.ts'
import type { App } from '#server/app.ts'
import { touchRecords } from '#server/record/touch.ts'

const mostShown = 6

/** Returns the users of a product's customers who are subscribed and not banned. */
export const subscribersOf = async (db: Db, product_id: number) =>
  (await chooseFor(db, [], { products: [product_id] })).to

/** Returns the number of users that `subscribersOf` would return, counted by the database. */
export const countSubscribers = (db: Db, product_id: number) =>
  countSubscribed(db, { products: [product_id] })

interface Announcing {
  db: Transaction<Database>
  viewer: Viewer
  clock: Clock
  changed: (type: LiveName, ids: readonly number[]) => void
}

/**
 * Sends an article's email when the article is first published, if it is set to send one; at most once per
 * article. Returns the number of recipients; undefined if nothing is sent.
 * @throws HttpError 409 if that number differs from `expected`.
 */
export async function announce(
  { mail, addresses }: Pick<App, 'mail' | 'addresses'>,
  { db, viewer, clock, changed }: Announcing,
  type: string,
  id: number,
  expected: number | undefined,
): Promise<number | undefined> {
  const article = await db
    .selectFrom('articles')
    .select(announced)
    .where('id', '=', id)
    .where('published', '=', 1)
    .where('send_email', '=', 1)
    .where('announced_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!article) return undefined
  const { product_id } = article
  const to = await subscribersOf(db, product_id)
  if (expected !== undefined && expected !== to.length)
    throw conflict(`The number of recipients is now ${to.length}. Review it and publish again.`, {
      total: to.length,
    })
  const about = { product_id, staff_id: viewer.id }
  const values = await announcementValues(db, addresses.publicUrl, article)
  const mail_id = to.length
    ? await mail.queue(db, {
        kind: 'announcement',
        to,
        ...(await mail.write(db, 'announcement', values, about)),
        ...about,
        record: { type, id },
        unsubscribable: true,
        sendAfterSeconds: (await findMailRules(db)).undo_mailing_seconds,
        attachments: await pdfOf(db, type, id),
      })
    : null
  const set = { announced_at: clock.now().toISOString(), mail_id }
  await touchRecords({ db }, { table: 'articles' }, id, set, { keepsVersion: true })
  if (mail_id !== null) changed('mails', [mail_id])
  return to.length
}

const announced = [
  'title',
  'short_description',
  'body',
  'product_id',
  'starts',
  'ends',
  'zone',
  'place',
] as const
type Announced = Pick<Selectable<Database['articles']>, (typeof announced)[number]>

async function announcementValues(db: Db, publicUrl: string, article: Announced) {
  const { title, short_description, place } = article
  const facts = [periodText(article), place].filter(Boolean)
  return {
    title,
    facts: html`${facts.map((fact) => html`<p>${linked(fact)}</p>`)}`,
    excerpt: short_description === '' ? '' : html`<p><strong>${short_description}</strong></p>`,
    body: new Html(await withPublicLinks(db, article, publicUrl)),
  }
}

/** Returns the values of an article's email, for previews of its template. */
export async function factsOfArticle(db: Db, publicUrl: string, id: number) {
  const article = await db
    .selectFrom('articles')
    .select(announced)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return announcementValues(db, publicUrl, article)
}

/** Beginning of a link to a page of a post, or to a list of posts, on any host. */
const postPage = /<a href="(https?:\/\/[^"/]+)\/posts(?:\/([\w-]*)[^"]*)?"/g

/**
 * Returns an article's text for readers without a session. A link to a post leads to the post's public page;
 * it becomes plain text if the post isn't published, or if its product has no public URL for posts.
 * @param panel URL of the panel; links to posts used to be saved as the URLs of the panel's own pages
 */
async function withPublicLinks(
  db: Db,
  { body, product_id }: { body: string; product_id: number },
  panel: string,
): Promise<string> {
  const ids = [...body.matchAll(postLink)].map(([, id]) => Number(id))
  const slugs = [...body.matchAll(postPage)].flatMap(([, origin, slug = '']) =>
    origin === panel ? [slug] : [],
  )
  if (ids.length === 0 && slugs.length === 0) return forOutside(body)
  const { rows } = await sql<{ id: number; slugs: string[]; url: string }>`
    select a.id, array_append(array(select r.slug from slug_redirects r where r.kind = 'post' and r.record_id = a.id), a.slug) as slugs,
      rtrim(p.posts_url, '/') || '/' || a.slug as url
    from articles a join products p on p.id = a.product_id
    where a.kind = 'post' and a.published = 1 and a.deleted_at is null and p.posts_url <> ''
      and (a.id = any(${ids}::int[]) or a.slug = any(${slugs}::text[])
        or a.id in (select r.record_id from slug_redirects r where r.kind = 'post' and r.slug = any(${slugs}::text[])))
    order by a.product_id = ${product_id}`.execute(db)
  const byId = new Map(rows.map(({ id, url }) => [id, url]))
  // Slugs are unique within a product only; a post of the article's own product comes last and wins.
  const bySlug = new Map(rows.flatMap((row) => row.slugs.map((slug) => [slug, row.url])))
  return forOutside(
    body.replaceAll(postPage, (link, origin, slug: string) =>
      origin === panel ? linkTo(bySlug.get(slug)) : link,
    ),
    (id) => byId.get(id),
  )
}

/** Returns text as HTML; if the text is a URL, returns it as a link. */
const linked = (text: string): Html =>
  isWebAddress(text) ? html`<a href="${text}">${text}</a>` : html`${text}`

/**
 * Returns the article's PDF, which is attached to the email because reading it in the panel requires a
 * session.
 */
const pdfOf = (db: Db, type: string, id: number) =>
  db
    .selectFrom('file_links as l')
    .innerJoin('files as f', 'f.id', 'l.file_id')
    .select(['f.name', 'f.mime', 'f.stored_name as stored'])
    .where('l.record_type', '=', type)
    .where('l.record_id', '=', id)
    .where('l.role', '=', 'pdf')
    .where('l.deleted_at', 'is', null)
    .execute()

/**
 * Cancels the email for an article that is no longer published, for all recipients to whom it has not been
 * sent yet. Returns how many those are, and how many have received it or are receiving it now.
 */
export async function cancelAnnouncement(
  { db, changed }: Pick<Announcing, 'db' | 'changed'>,
  id: number,
): Promise<{ canceled: number; sent: number }> {
  const { rows } = await sql<{
    mail_id: number
    canceled: number
    rest: number
    sent: number
  }>`with unsent as (
      update mail_recipients r set state = 'canceled' from articles a
      where a.id = ${id} and r.mail_id = a.mail_id and r.state in ('held', 'waiting', 'stopped') and r.attempts = 0
      returning r.id)
    select a.mail_id, count(u.id) as canceled, count(*) filter (where u.id is null) as rest,
      count(*) filter (where u.id is null and r.state in ('sending', 'sent')) as sent
    from articles a join mail_recipients r on r.mail_id = a.mail_id left join unsent u on u.id = r.id
    where a.id = ${id} group by 1`.execute(db)
  const [{ mail_id, canceled, rest, sent } = { mail_id: 0, canceled: 0, rest: 0, sent: 0 }] = rows
  if (canceled === 0) return { canceled, sent }
  const isUnsent = rest === 0
  await sql`update mails set stopped_at = coalesce(stopped_at, now()), called_off_at = ${isUnsent ? sql`now()` : null}
    where id = ${mail_id}`.execute(db)
  // No one has received the email, so the next publication counts as the first.
  if (isUnsent)
    await touchRecords({ db }, { table: 'articles' }, id, { announced_at: null }, { keepsVersion: true })
  changed('mails', [mail_id])
  return { canceled, sent }
}

const customers = (count: number) => (count === 1 ? '1 customer' : `${count} customers`)

/** Says what became of the email of an article whose publication was undone; undefined if it had none. */
export function canceledText({ canceled, sent }: { canceled: number; sent: number }): string | undefined {
  if (sent === 0) return canceled === 0 ? undefined : 'Its email was canceled before anyone received it.'
  const kept = `Its email was already sent to ${customers(sent)}, which can’t be undone`
  return canceled === 0 ? `${kept}.` : `${kept}; it was canceled for ${customers(canceled)}.`
}

/** Returns the text about the announcement to append to the success message after publishing. */
export const announcementSuffix = (count: number | undefined): string =>
  count === undefined
    ? ''
    : count === 0
      ? ' No one is subscribed, so no email was sent.'
      : ` Sending an email to ${customers(count)}.`

/** The column of `r` that says whether publishing the article now would send its email. */
export const announcesColumn = `r.send_email = 1 and r.published = 0 and r.first_published_at is null and r.announced_at is null as announces`

/** Returns published articles flagged for staff, limited to the kinds that the viewer can read. */
export async function findShown(db: Db, product_id: number | undefined, viewer: Viewer): Promise<Shown[]> {
  const kinds = [
    ...(can(viewer, 'all_posts_list') ? ['post'] : []),
    ...articleKindNames.filter((name) => can(viewer, articleKindRow(name).key)),
  ]
  const products = product_id === undefined ? [...viewer.products] : [product_id]
  if (kinds.length === 0 || products.length === 0) return []
  return db
    .selectFrom('articles as a')
    .select(['a.kind as type', 'a.id', 'a.title', 'a.short_description', 'a.product_id'])
    .select(sql<string>`a.published_at`.as('published_at'))
    .select(
      sql<string>`case a.kind when 'post' then '/posts/' else '/' || a.kind || '/' end || a.slug`.as(
        'address',
      ),
    )
    .where('a.show_in_admin', '=', 1)
    .where('a.published', '=', 1)
    .where('a.deleted_at', 'is', null)
    .where('a.kind', 'in', kinds)
    .where('a.product_id', 'in', products)
    .orderBy('a.published_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(mostShown)
    .execute()
}
