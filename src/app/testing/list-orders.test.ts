import { CompiledQuery, sql, type KyselyPlugin } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { startTestApp } from '#app/testing/start.testing.ts'
import { ContractFilters } from '#features/admin/customer-contracts/contract.ts'
import { contractReads } from '#features/admin/customer-contracts/server/contracts.queries.ts'
import { FaqFilters } from '#features/cms/articles/faqs/contract.ts'
import { findFaqs } from '#features/cms/articles/faqs/server/faqs.queries.ts'
import { KindFilters } from '#features/cms/articles/kinds/contract.ts'
import { articleKinds } from '#features/cms/articles/kinds/server/kinds.queries.ts'
import { PostFilters } from '#features/cms/articles/posts/contract.ts'
import { postReads } from '#features/cms/articles/posts/server/posts.queries.ts'
import { QuickTaskQuery } from '#features/crm/quick-tasks/contract.ts'
import { quickTaskReads } from '#features/crm/quick-tasks/server/quick-tasks.queries.ts'
import { unpreparedMark } from '#server/db/connection.ts'
import type { Db } from '#server/db/db.ts'
import { permissions } from '#shared/access.ts'
import type { Viewer } from '#shared/endpoint.ts'

const howMany = 3000
const viewer: Viewer = { id: 1, role_id: 0, permissions: new Set(permissions), products: [1, 2, 3, 4] }

async function addRows(db: Db) {
  await sql`insert into article_categories (kind, title, slug, product_id) values
    ('post', 'Linen', 'linen', 1), ('faq', 'Washing', 'washing', null), ('faq', 'Folding', 'folding', null)`.execute(
    db,
  )
  await sql`insert into articles (kind, product_id, slug, title, category, published, published_at, author_id)
    select kind, 1, kind || '-' || i, 'Towel ' || i,
      case kind when 'post' then (select id from article_categories where kind = 'post' limit 1) end,
      i % 2, case i % 2 when 1 then now() - i * interval '1 hour' end, 1
    from unnest(array['post', 'case-study', 'event']) kind, generate_series(1, ${howMany}::int) i`.execute(db)
  await sql`insert into faqs (slug, title, category_id, order_number, author_id)
    select 'faq-' || c.id || '-' || i, 'What does part ' || i || ' do?', c.id, i, 1
    from article_categories c, generate_series(1, ${howMany}::int) i where c.kind = 'faq'`.execute(db)
  await sql`insert into customer_contracts (title, due_date) select 'Rental ' || i, date '2026-01-01' + i
    from generate_series(1, ${howMany}::int) i`.execute(db)
  await sql`insert into quick_tasks (title, due_date, person, created_by) select 'Call ' || i,
    date '2026-01-01' + i, 1, 1 from generate_series(1, ${howMany}::int) i`.execute(db)
  // As in operation: otherwise, a search by trigrams is cheap or expensive depending on whether autovacuum came by.
  for (const table of ['articles', 'article_categories', 'faqs', 'customer_contracts', 'quick_tasks'])
    await sql`vacuum (analyze) ${sql.table(table)}`.execute(db)
}

interface PlanNode {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}
const nodesOf = (plan: PlanNode): PlanNode[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
const rowsOf = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']

/** Returns how many rows the busiest node reads in the plan of the page that a function queries. */
async function mostRead(db: Db, find: (db: Db) => unknown): Promise<number> {
  const statements: CompiledQuery[] = []
  const capture: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      statements.push(db.getExecutor().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await find(db.withPlugin(capture))
  const [page, ...others] = statements.filter(({ sql: text }) => / limit \$\d+ offset /.test(text))
  expect([page?.sql, others]).toEqual([expect.any(String), []])
  // A frequent statement is planned once for all values (`generic`), so both plans count, unless it is never prepared.
  const isPrepared = !page!.sql.includes(unpreparedMark)
  return db.connection().execute(async (one) => {
    let most = 0
    await sql`prepare page as ${sql.raw(page!.sql)}`.execute(one)
    const values = page!.parameters.map((value) => pg.escapeLiteral(toLiteral(value)))
    for (const mode of ['force_custom_plan', ...(isPrepared ? ['force_generic_plan'] : [])]) {
      await sql`set plan_cache_mode = ${sql.raw(mode)}`.execute(one)
      const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (analyze, format json)
        execute page${sql.raw(values.length ? `(${values.join(', ')})` : '')}`.execute(one)
      most = Math.max(most, ...nodesOf(rows[0]!['QUERY PLAN'][0].Plan).map(rowsOf))
    }
    await sql`deallocate page`.execute(one)
    return most
  })
}

const toLiteral = (value: unknown) => (Array.isArray(value) ? `{${value.join(',')}}` : String(value))

const lists: Record<string, (db: Db) => unknown> = {
  'posts, searched': (db) => postReads.page(db, PostFilters.parse({ product_id: 1, search: 'tow' }), viewer),
  'case studies, searched': (db) =>
    articleKinds['case-study'].reads.page(db, KindFilters.parse({ product_id: 1, search: 'tow' }), viewer),
  FAQs: (db) => findFaqs(db, FaqFilters.parse({}), viewer),
  'FAQs, third page': (db) => findFaqs(db, FaqFilters.parse({ page: 3 }), viewer),
  'FAQs, searched': (db) => findFaqs(db, FaqFilters.parse({ search: 'par' }), viewer),
}
for (const direction of ['asc', 'desc'] as const) {
  const articleColumns = ['id', 'title', 'published_at', 'updated_at'] as const
  for (const column of articleColumns)
    lists[`posts by ${column} ${direction}`] = (db) =>
      postReads.page(db, PostFilters.parse({ product_id: 1, column, direction }), viewer)
  for (const column of [...articleColumns, 'starts'])
    lists[`events by ${column} ${direction}`] = (db) =>
      articleKinds.event.reads.page(db, KindFilters.parse({ product_id: 1, column, direction }), viewer)
  for (const column of articleColumns)
    lists[`case studies by ${column} ${direction}`] = (db) =>
      articleKinds['case-study'].reads.page(
        db,
        KindFilters.parse({ product_id: 1, column, direction }),
        viewer,
      )
  for (const column of ['id', 'title', 'due_date'])
    lists[`contracts by ${column} ${direction}`] = (db) =>
      contractReads.page(db, ContractFilters.parse({ column, direction }), viewer)
  for (const column of ['id', 'due_date'])
    lists[`quick tasks by ${column} ${direction}`] = (db) =>
      quickTaskReads.page(db, QuickTaskQuery.parse({ list: 'all', column, direction }), {
        ...viewer,
        today: '2026-03-16',
      })
}

test('a page of twenty does not read all rows of its list, in any order', { timeout: 60_000 }, async () => {
  const { db } = await startTestApp()
  await addRows(db)
  const read: Record<string, number> = {}
  for (const [name, find] of Object.entries(lists)) read[name] = await mostRead(db, find)
  expect(Object.entries(read).filter(([, rows]) => rows > 200)).toEqual([])
  // Control: a column that is never empty, sorted as if it could be.
  const asIfEmpty = (one: Db) =>
    one
      .selectFrom('articles')
      .select('id')
      .where('kind', '=', 'post')
      .where('product_id', '=', 1)
      .where('deleted_at', 'is', null)
      .orderBy('id', (by) => by.desc().nullsLast())
      .limit(20)
      .offset(0)
      .execute()
  expect(await mostRead(db, asIfEmpty)).toBe(howMany)
})
