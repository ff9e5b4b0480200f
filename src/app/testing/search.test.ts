import { sql, type RawBuilder } from 'kysely'
import { expect, test } from 'vitest'
import { endpoints } from '#app/server/features.ts'
import { requestsOf } from '#app/testing/id-fields.testing.ts'
import { plant, plantedTables } from '#app/testing/planted.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'
import { textFieldsOf, withValue } from '#app/testing/text-fields.testing.ts'
import { matchesSearch } from '#server/record/list.ts'
import { changesSomething } from '#shared/endpoint.ts'
import { searchText } from '#shared/search-text.ts'

const planted = { id: 1100, product: 1, mark: 'Côte Müller', slug: 'own-record' }

test('every search ignores accents, case, and the order of words', { timeout: 120_000 }, async () => {
  const started = await startTestApp()
  const { as, db } = started
  const people = { by: as('super_admin').id, to: as('admin').id }
  await plant(db, { ...planted, ...people })
  await plant(db, { ...planted, id: 1300, slug: 'in-trash', ...people })
  for (const [table, id] of Object.entries(plantedTables))
    await sql`update ${sql.table(table)} set deleted_at = now(), deleted_by = ${people.by}
      where ${sql.ref(id)} between 1300 and 1320`.execute(db)
  await db.updateTable('staff').set({ last_name: 'Côte Müller' }).where('user_name', '=', 'qa').execute()
  await sql`insert into notifications (subject) values ('Côte Müller')`.execute(db)
  await sql`insert into post_tags (name, slug) values ('Côte Müller', 'cote')`.execute(db)
  await sql`insert into article_categories (id, kind, title, slug) overriding system value
    values (1200, 'faq', 'Côte Müller', 'cote')`.execute(db)
  await sql`insert into faqs (title, slug, category_id, author_id)
    values ('Côte Müller', 'cote', 1200, ${as('admin').id})`.execute(db)
  const searched = new Set<string>()
  for (const endpoint of endpoints) {
    const field = textFieldsOf(endpoint).find(({ path }) => /(^|\.)(search|q)$/.test(path))
    if (!field || changesSomething(endpoint)) continue
    for (const { method, path, query, body } of requestsOf(endpoint, {
      own: planted,
      foreign: planted,
      staff: as('crm').id,
    }).slice(0, endpoint.path.includes('{type}') ? undefined : 1)) {
      const finds = async (text: string) => {
        const given = { query, body: body ?? {} }
        given[field.place] = withValue(given[field.place], field.path, text) as Record<string, string>
        const reply = await as('super_admin').send(
          method,
          `${path}?${new URLSearchParams(given.query)}`,
          body && given.body,
        )
        return reply.status === 200 && reply.text.includes('Côte Müller')
      }
      if (!(await finds('Côte Müller'))) continue
      searched.add(path)
      expect([path, await finds('mulLER cote'), await finds('muller paris')]).toEqual([path, true, false])
    }
  }
  expect([...searched].toSorted()).toMatchSnapshot()
})

test('a ß is found by ss, and the browser compares texts as the database does', async () => {
  const { db } = await startTestApp()
  await sql`insert into organizations (name) values ('Hotel Weißstraße'), ('Hotel Gross')`.execute(db)
  for (const search of ['weissstrasse', 'Weißstrasse', 'WEIẞSTRASSE hotel', 'groß']) {
    const { rows } = await sql`select name from organizations o
      where ${matchesSearch('o.search', search)}`.execute(db)
    expect([search, rows]).toEqual([
      search,
      [{ name: search === 'groß' ? 'Hotel Gross' : 'Hotel Weißstraße' }],
    ])
  }
  const texts = [
    'Weißstraße',
    'GROẞ',
    'Côte Müller',
    'Łódź',
    'Ærø',
    'Işık',
    'Đorđe',
    'Þór',
    'Ísafjörður',
    'a\u200Bb',
  ]
  const { rows } = await sql<{ text: string }>`select search_text(text) as text
    from unnest(${texts}::text[]) with ordinality as t (text, place) order by place`.execute(db)
  expect(texts.map(searchText)).toEqual(rows.map(({ text }) => text))
})

test('every search column has an index that a search of several words uses', async () => {
  const { db } = await startTestApp()
  const { rows: columns } = await sql<{ table: string }>`select table_name as table
    from information_schema.columns where column_name = 'search' and table_schema = 'public' order by 1`.execute(
    db,
  )
  const { rows: indexes } = await sql<{ table: string }>`select tablename as table from pg_indexes
    where indexdef like '%USING gin (search gin_trgm_ops)%' order by 1`.execute(db)
  expect(indexes).toEqual(columns)
  expect(columns.length).toBeGreaterThan(12)

  await sql`insert into organizations (name) select 'Company ' || md5(i::text) from generate_series(1, 5000::int) i`.execute(
    db,
  )
  await sql`vacuum (analyze) organizations`.execute(db)
  const planOf = async (condition: RawBuilder<unknown>) =>
    JSON.stringify(
      (await sql`explain select from organizations o where o.deleted_at is null and ${condition}`.execute(db))
        .rows,
    )
  const plan = await planOf(matchesSearch('o.search', 'Müller Côte'))
  expect(plan).toContain('Bitmap Index Scan on organizations_search')
  expect(plan).toContain("Index Cond: ((search ~~ '%muller%'::text) AND (search ~~ '%cote%'::text))")
  // Control: a condition that no index supports.
  expect(await planOf(sql`lower(o.name) like '%muller%'`)).not.toContain('organizations_search')
})
