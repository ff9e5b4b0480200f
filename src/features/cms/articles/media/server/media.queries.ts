import { sql } from 'kysely'
import type { Reply, Viewer } from '#shared/endpoint.ts'
import type { media, MediaFilters, Medium } from '#features/cms/articles/media/contract.ts'
import type { Db } from '#server/db/db.ts'
import { toRef, type Links } from '#server/files/record-files.ts'
import { conditionsOf, handledElsewhere, matchesSearch } from '#server/record/list.ts'

interface MediumRow extends Omit<Medium, 'file' | 'places'> {
  file_id: number
  name: string
  kind: string
  bytes: number
  small_name: string | null
}

/** Returns where images are used, by file, not counting the library itself. */
async function placesOf(db: Db, files: readonly number[]): Promise<Map<number, Medium['places']>> {
  const { rows } = await sql<{ file_id: number } & Medium['places'][number]>`
    select l.file_id, l.record_type as type, l.record_id as id, l.role, coalesce(
      case when l.record_type = 'category' then (select c.title from article_categories c where c.id = l.record_id)
           when l.record_type = 'faq' then (select q.title from faqs q where q.id = l.record_id)
           else a.title end, l.record_type || ' ' || l.record_id) as name,
      case when l.record_type = 'faq' then coalesce((select '/faqs/' || q.id from faqs q where q.id = l.record_id and q.deleted_at is null), '')
           when a.deleted_at is not null then '' when a.kind = 'post' then '/posts/' || a.id else coalesce('/' || a.kind || '/' || a.id, '') end as address
    from file_links l left join articles a on a.id = l.record_id and a.kind = l.record_type
    where l.file_id = any(${files}::int[]) and l.deleted_at is null and l.record_type <> 'media' order by l.id`.execute(
    db,
  )
  const found = new Map<number, Medium['places']>()
  for (const { file_id, ...place } of rows) found.set(file_id, [...(found.get(file_id) ?? []), place])
  return found
}

const isUsed = sql`exists (select from file_links l where l.file_id = m.file_id and l.deleted_at is null and l.record_type <> 'media')`
const columns = sql`m.id, m.product_id, m.alt, m.decorative, m.created_at, f.width, f.height, m.file_id, f.name, f.kind, f.bytes, f.small_name`

async function asMedia(db: Db, rows: readonly MediumRow[], links: Links): Promise<Medium[]> {
  const places = await placesOf(
    db,
    rows.map(({ file_id }) => file_id),
  )
  return rows.map(({ file_id, name, kind, bytes, small_name, ...row }) => ({
    ...row,
    file: toRef(links, { id: file_id, name, kind, bytes, small_name }),
    places: places.get(file_id) ?? [],
  }))
}

/** Returns a page of the library; `skipRecord` takes precedence over `page`. */
export async function findMedia(
  db: Db,
  filters: MediaFilters,
  viewer: Viewer,
  links: Links,
): Promise<Reply<typeof media.list>> {
  const { page, limit, skipRecord, product_id, show } = filters
  const shown = { unused: sql`not ${isUsed}`, 'without-alt': sql`m.alt = '' and not m.decorative` }
  const conditions = conditionsOf<Omit<MediaFilters, 'limit' | 'skipRecord'>>(filters, {
    product_id: handledElsewhere,
    search: (search) => matchesSearch(sql`search_text(f.name || ' ' || m.alt)`, search),
    show: handledElsewhere,
  })
  const own = sql`m.product_id = any(${product_id === undefined ? viewer.products : [product_id]}::int[])`
  const found = sql.join([own, ...conditions], sql` and `)
  const [{ rows }, { rows: counted }] = await Promise.all([
    sql<MediumRow>`select ${columns} from media m join files f on f.id = m.file_id
      where ${found} and ${show ? shown[show] : sql`true`} order by m.id desc limit ${limit} offset ${skipRecord ?? (page - 1) * limit}`.execute(
      db,
    ),
    sql<
      Reply<typeof media.list>['counts']
    >`select count(*) as "all", count(*) filter (where ${shown.unused}) as unused,
      count(*) filter (where ${shown['without-alt']}) as "without-alt"
      from media m join files f on f.id = m.file_id where ${found}`.execute(db),
  ])
  const counts = counted[0]!
  return { data: await asMedia(db, rows, links), total: counts[show ?? 'all'], per_page: limit, counts }
}

/** Returns media belonging to the viewer's products by ID, sorted by ID. */
export async function getMedia(
  db: Db,
  ids: readonly number[],
  viewer: Viewer,
  links: Links,
): Promise<Medium[]> {
  const { rows } = await sql<MediumRow>`select ${columns} from media m join files f on f.id = m.file_id
    where m.id = any(${ids}::int[]) and m.product_id = any(${viewer.products}::int[]) order by m.id`.execute(
    db,
  )
  return asMedia(db, rows, links)
}

/** Returns a product's image with identical content, if there is one. */
export async function findSame(db: Db, product_id: number, sha256: Buffer): Promise<number | undefined> {
  const row = await db
    .selectFrom('media as m')
    .innerJoin('files as f', 'f.id', 'm.file_id')
    .select('m.id')
    .where('m.product_id', '=', product_id)
    .where('f.sha256', '=', sha256)
    .executeTakeFirst()
  return row?.id
}
