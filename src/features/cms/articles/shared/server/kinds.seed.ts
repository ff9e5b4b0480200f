import { sql } from 'kysely'
import { slugFrom } from '#features/cms/articles/rules.ts'
import { articleKindNames, articleKindRow, hasPart } from '#shared/article-kinds.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'
import { capitalize } from '#shared/capitalize.ts'

const subjects = [
  'Hotel Morvale',
  'the city hospital',
  'two rental fleets',
  'night shifts',
  'bath towels',
  'the ironing line',
  'delivery routes',
  'stock counts',
]
const frames = [
  (subject: string) => `What changed for ${subject}`,
  (subject: string) => `${capitalize(subject)} by the numbers`,
  (subject: string) => `Working with ${subject}`,
]

const tree: readonly (readonly [title: string, parent?: string])[] = [
  ['Getting started'],
  ['Signing in', 'Getting started'],
  ['Washing and drying'],
  ['Deliveries'],
  ['Invoices'],
  ['Reports', 'Invoices'],
]
const questions = [
  'How do I get started with',
  'Who can change',
  'Where do I find',
  'What does it cost to change',
  'How often should we check',
  'Can I export',
  'Who gets notified about',
  'How do I undo a change to',
]
const things = [
  'the weekly plan',
  'a delivery address',
  'the list of articles',
  'our main contact',
  'the monthly report',
  'a lost bag',
  'the wash program',
  'an invoice',
]

/**
 * Seeds articles of every kind in all products, and FAQs, with one category large enough for several pages;
 * does nothing if any exist.
 */
export async function seedKindsAndFaqs(db: Db, today: PlainDate): Promise<void> {
  const staff = await db
    .selectFrom('staff')
    .select(['id', 'user_name'])
    .where('user_name', 'in', ['editor', 'admin'])
    .execute()
  const editor = staff.find(({ user_name }) => user_name === 'editor')?.id ?? staff[0]?.id
  if (editor === undefined) return
  const admin = staff.find(({ user_name }) => user_name === 'admin')?.id ?? editor
  const work = async (tx: Db) => {
    await sql`lock table faqs in share row exclusive mode`.execute(tx)
    if (await tx.selectFrom('faqs').select('id').limit(1).executeTakeFirst()) return
    await seedKinds(tx, today, editor, admin)
    await seedFaqs(tx, today, editor, admin)
  }
  await (db.isTransaction ? work(db) : db.transaction().execute(work))
}

async function seedKinds(db: Db, today: PlainDate, editor: number, admin: number): Promise<void> {
  const rows = articleKindNames.flatMap((kind, which) =>
    frames.flatMap((frame, round) =>
      subjects.map((subject, index) => {
        const turn = round * subjects.length + index
        const title = frame(subject)
        const isPublished = (turn + which) % 4 !== 3
        const at = `${addDays(today, turn * 6 - 150)}T09:${String(turn).padStart(2, '0')}:00Z`
        return {
          kind,
          // Most articles are in product 1, with some in each of the other products.
          product_id: turn % 3 === 2 ? 2 + ((index + which) % 3) : 1,
          slug: slugFrom(title),
          title,
          body: `<p>This ${articleKindRow(kind).one} is about ${subject}.</p><h2>How it started</h2><ul><li><p>Less waste</p></li><li><p>Shorter trips</p></li></ul><p>After three months, no one wanted to go back.</p>`,
          short_description: `What you can learn from ${subject}.`,
          meta_title: turn % 5 === 0 ? '' : title,
          meta_description: turn % 5 === 0 ? '' : `${title}: the essentials in five minutes.`,
          ...(hasPart(kind, 'time') ? timeOf(addDays(today, turn * 6 - 60), turn) : {}),
          featured: turn % 7 === 0 ? 1 : 0,
          published: isPublished ? 1 : 0,
          published_at: isPublished ? at : null,
          first_published_at: isPublished ? at : null,
          author_id: turn % 5 === 4 ? admin : editor,
          created_by: editor,
          created_at: at,
          updated_at: at,
        }
      }),
    ),
  )
  await db
    .insertInto('articles')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const timeOf = (day: PlainDate, turn: number) => ({
  starts: `${day}T${String(9 + (turn % 8)).padStart(2, '0')}:00`,
  ends: `${day}T${String(10 + (turn % 8)).padStart(2, '0')}:30`,
  zone: turn % 2 ? 'Europe/Berlin' : 'US/Eastern',
  place: turn % 2 ? 'Hall 2, Messe Frankfurt' : 'https://meet.example.com/linen',
})

async function seedFaqs(db: Db, today: PlainDate, editor: number, admin: number): Promise<void> {
  const ids = new Map<string, number>()
  for (const [title, parent] of tree) {
    const values = {
      kind: 'faq',
      slug: slugFrom(title),
      title,
      parent_id: parent === undefined ? null : ids.get(parent)!,
      description: `Questions about ${title.toLowerCase()}.`,
      created_by: admin,
    }
    ids.set(
      title,
      (await db.insertInto('article_categories').values(values).returning('id').executeTakeFirstOrThrow()).id,
    )
  }
  await db
    .insertInto('category_moderators')
    .values({ category_id: ids.get('Deliveries')!, staff_id: editor })
    .execute()
  const rows = questions.flatMap((question, round) =>
    things.map((thing, index) => {
      const turn = round * things.length + index
      const title = `${question} ${thing}?`
      const isPublished = turn % 5 !== 4
      const at = `${addDays(today, turn - 90)}T08:00:00Z`
      // Three quarters of the FAQs go into the same category, so that it spans several pages.
      const [category] = tree[turn % 4 === 3 ? turn % tree.length : 2]!
      return {
        slug: slugFrom(title),
        title,
        body: `<p>Open the page for ${thing} and choose <strong>Edit</strong>. Your whole team sees the change right away.</p>`,
        video: turn % 11 === 0 ? 'https://example.com/videos/first-steps.mp4' : '',
        category_id: ids.get(category)!,
        order_number: turn + 1,
        published: isPublished ? 1 : 0,
        published_at: isPublished ? at : null,
        first_published_at: isPublished ? at : null,
        author_id: turn % 6 === 5 ? admin : editor,
        created_by: editor,
        created_at: at,
        updated_at: at,
      }
    }),
  )
  await db.insertInto('faqs').values(rows).execute()
}
