import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { sql } from 'kysely'
import { slugFrom } from '#features/cms/articles/rules.ts'
import { addDays, type PlainDate } from '#shared/dates.ts'
import type { Db } from '#server/db/db.ts'
import type { Files } from '#server/files/files.ts'
import { capitalize } from '#shared/capitalize.ts'

const tree: Record<number, readonly (readonly [title: string, parent?: string])[]> = {
  1: [
    ['Linen care'],
    ['Washing', 'Linen care'],
    ['Ironing', 'Linen care'],
    ['Company news'],
    ['Sustainability'],
    ['Customer stories'],
  ],
  3: [['Maintenance'], ['Rental', 'Maintenance'], ['Safety']],
  4: [['Reports'], ['Forecasts', 'Reports'], ['Product news']],
}
const tagNames = [
  'Towels',
  'Bedding',
  'Hotels',
  'Hospitals',
  'Water',
  'Energy',
  'RFID',
  'Logistics',
  'Training',
  'Spring',
  'Checklist',
  'Interview',
]

const subjects = [
  'bed linen',
  'bath towels',
  'table linen',
  'workwear',
  'a rental fleet',
  'stock counts',
  'night shifts',
  'the ironing line',
  'delivery routes',
  'demand reports',
]
const frames = [
  (subject: string) => `Five ways to make ${subject} last longer`,
  (subject: string) => `What we learned about ${subject} this year`,
  (subject: string) => `A short guide to ${subject}`,
  (subject: string) => `Why hotels are rethinking ${subject}`,
  (subject: string) => `${capitalize(subject)}: frequently asked questions`,
  (subject: string) => `Saving water with ${subject}`,
]
const senders = ['Zoe Aalto', 'Liam Berg', 'Noor Haddad', 'Ana Costa', 'Piotr Zielinski']
const remarks = [
  'Thanks, this helped us a lot.',
  'Do you have numbers for smaller properties?',
  'We do the same, and it works well.',
  'Where can I read more about this?',
  'BUY CHEAP WATCHES NOW',
]
const colors = ['#2f6f73', '#8a5a2b', '#40508f', '#7a3e5d', '#4d7a3a', '#8f4436', '#31618a', '#6d6a2c']

/**
 * Seeds 60 posts with categories, tags, comments, and images, always identical for the same day; does nothing
 * if any article exists.
 */
export async function seedArticles(db: Db, today: PlainDate, files?: Files): Promise<void> {
  const pictures = files
    ? await Promise.all(colors.map((color, index) => drawPicture(files, color, index)))
    : []
  const work = async (tx: Db) => {
    await sql`lock table articles in share row exclusive mode`.execute(tx)
    if (await tx.selectFrom('articles').select('id').limit(1).executeTakeFirst()) return
    const staff = await tx
      .selectFrom('staff')
      .select(['id', 'user_name'])
      .where('user_name', 'in', ['editor', 'admin', 'super_admin', 'designer'])
      .execute()
    const idOf = (name: string) => staff.find(({ user_name }) => user_name === name)?.id ?? staff[0]?.id
    const editor = idOf('editor')
    if (editor === undefined) return
    const admin = idOf('admin') ?? editor
    const categories = await seedCategories(tx, editor)
    const tags = await tx
      .insertInto('post_tags')
      .values(tagNames.map((name) => ({ name, slug: slugFrom(name) })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute()
    const media = await seedMedia(tx, pictures, editor)
    const rows = postsOf(today, { editor, admin, categories, media })
    const posts = await tx
      .insertInto('articles')
      .values(rows)
      .returning(['id', 'product_id', 'body'])
      .execute()
    const links = posts.flatMap(({ id }, turn) =>
      [0, 1, 2]
        .slice(0, turn % 4)
        .map((step) => ({ article_id: id, tag_id: tags[(turn + step * 5) % tags.length]!.id })),
    )
    if (tags.length)
      await tx
        .insertInto('post_tag_links')
        .values(links)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await tx.insertInto('post_comments').values(commentsOf(posts, today)).execute()
    if (media.length) await linkPictures(tx, posts, media, editor)
  }
  await (db.isTransaction ? work(db) : db.transaction().execute(work))
}

interface Material {
  editor: number
  admin: number
  categories: Awaited<ReturnType<typeof seedCategories>>
  media: Awaited<ReturnType<typeof seedMedia>>
}

/** Returns one post for each frame and subject. */
function postsOf(today: PlainDate, { editor, admin, categories, media }: Material) {
  const products = Object.keys(tree).map(Number)
  return frames.flatMap((frame, round) =>
    subjects.map((subject, index) => {
      const turn = round * subjects.length + index
      const product_id = turn % 3 === 2 ? products[1 + (index % 2)]! : products[0]!
      const own = categories.filter((category) => category.product_id === product_id)
      const title = frame(subject)
      const isPublished = turn % 4 !== 3
      const at = `${addDays(today, turn * 5 - 305)}T09:${String(turn % 60).padStart(2, '0')}:00Z`
      return {
        kind: 'post',
        product_id,
        slug: slugFrom(title),
        title,
        category: own[turn % own.length]!.id,
        body: bodyOf(subject, turn, media),
        caption: turn % 3 === 0 ? `About ${subject}` : '',
        short_description: `What you need to know about ${subject}, in five minutes.`,
        meta_title: turn % 5 === 0 ? '' : title,
        meta_description:
          turn % 5 === 0 ? '' : `Practical tips on ${subject} for the teams who deal with it every day.`,
        featured: turn % 9 === 0 ? 1 : 0,
        show_in_admin: turn % 12 === 0 ? 1 : 0,
        published: isPublished ? 1 : 0,
        published_at: isPublished ? at : null,
        first_published_at: isPublished ? at : null,
        author_id: turn % 5 === 4 ? admin : editor,
        created_by: editor,
        created_at: at,
        updated_at: at,
      }
    }),
  )
}

/** Returns the comments on the posts, oldest first. */
function commentsOf(posts: readonly { id: number }[], today: PlainDate) {
  const comments = posts.flatMap(({ id }, turn) =>
    Array.from({ length: (turn * 7) % 5 }, (_, index) => ({
      post_id: id,
      sender_name: senders[(turn + index) % senders.length]!,
      sender_email: `${slugFrom(senders[(turn + index) % senders.length]!)}@example.com`,
      body: remarks[(turn + index) % remarks.length]!,
      state: (turn + index) % remarks.length === 4 ? 2 : index % 2,
      created_at: `${addDays(today, -1 - ((turn + index) % 40))}T12:00:00Z`,
    })),
  )
  return comments.toSorted((a, b) => a.created_at.localeCompare(b.created_at))
}

async function seedCategories(db: Db, editor: number) {
  const made: { id: number; product_id: number; title: string }[] = []
  for (const [product, titles] of Object.entries(tree)) {
    const product_id = Number(product)
    for (const [title, parent] of titles) {
      const parent_id = made.find((one) => one.product_id === product_id && one.title === parent)?.id ?? null
      const values = {
        kind: 'post',
        product_id,
        title,
        slug: slugFrom(title),
        parent_id,
        description: `Posts about ${title.toLowerCase()}.`,
        created_by: editor,
      }
      const { id } = await db
        .insertInto('article_categories')
        .values(values)
        .returning('id')
        .executeTakeFirstOrThrow()
      made.push({ id, product_id, title })
    }
  }
  const moderated = made.filter(({ title }) => title === 'Washing' || title === 'Sustainability')
  await db
    .insertInto('category_moderators')
    .values(moderated.map(({ id }) => ({ category_id: id, staff_id: editor })))
    .execute()
  return made
}

interface Picture {
  stored_name: string
  small_name: string
  name: string
  bytes: number
  sha256: Buffer
}

/** Draws an image of cloth in a single color, so that the seed needs no image files. */
async function drawPicture(files: Files, color: string, index: number): Promise<Picture> {
  const folds = Array.from({ length: 9 }, (_, fold) => {
    const x = fold * 150 - 60 + ((index * 37) % 60)
    return `<path d="M${x} 0 C ${x + 90} 220, ${x - 60} 430, ${x + 40} 675" stroke="#fff" stroke-opacity="${0.1 + (fold % 3) * 0.06}" stroke-width="${26 + (fold % 4) * 12}" fill="none"/>`
  })
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="675"><rect width="1200" height="675" fill="${color}"/>${folds.join('')}</svg>`
  const bytes = await sharp(Buffer.from(drawing)).jpeg({ quality: 80 }).toBuffer()
  const small = await sharp(bytes).resize({ width: 320 }).webp({ quality: 80 }).toBuffer()
  return {
    stored_name: await files.store(bytes, '.jpg'),
    small_name: await files.store(small, '.webp'),
    name: `cloth-${index + 1}.jpg`,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
  }
}

interface SeededMedium {
  id: number
  file_id: number
}

async function seedMedia(db: Db, pictures: readonly Picture[], editor: number): Promise<SeededMedium[]> {
  if (!pictures.length) return []
  const files = await db
    .insertInto('files')
    .values(
      pictures.map((picture) => ({
        ...picture,
        kind: 'image',
        mime: 'image/jpeg',
        width: 1200,
        height: 675,
        uploaded_by: editor,
      })),
    )
    .returning('id')
    .execute()
  const media = await db
    .insertInto('media')
    .values(
      files.map(({ id }, index) => ({
        product_id: 1,
        file_id: id,
        alt: index % 3 === 2 ? '' : `Folded cloth, ${index + 1}`,
        created_by: editor,
      })),
    )
    .returning(['id', 'file_id'])
    .execute()
  await db
    .insertInto('file_links')
    .values(
      media.map(({ id, file_id }) => ({
        file_id,
        record_type: 'media',
        record_id: id,
        role: 'media',
        created_by: editor,
      })),
    )
    .execute()
  return media
}

/** Picks images in rotation, leaving two of them unused. */
const used = (media: readonly SeededMedium[], turn: number) => media[turn % Math.max(1, media.length - 2)]

function bodyOf(subject: string, turn: number, media: readonly SeededMedium[]): string {
  const picture = turn % 4 === 0 ? used(media, turn) : undefined
  return [
    `<p>No one thinks about ${subject} until something goes wrong. We asked the people who deal with it every day where they would start.</p>`,
    '<h2>Where to start</h2>',
    `<ul><li><p>Take inventory.</p></li><li><p>Measure for <strong>two weeks</strong>.</p></li><li><p>Change one thing at a time.</p></li></ul>`,
    picture ? `<img data-file-id="${picture.file_id}" alt="Folded cloth" />` : '',
    '<h2>The results</h2>',
    `<table><tbody><tr><th><p>Measure</p></th><th><p>Before</p></th><th><p>After</p></th></tr><tr><td><p>Losses</p></td><td><p>${4 + (turn % 5)} %</p></td><td><p>${1 + (turn % 3)} %</p></td></tr></tbody></table>`,
    '<blockquote><p>We stopped guessing.</p></blockquote>',
    '<p>Learn more in <a href="https://example.com/guides">our guides</a>.</p>',
  ].join('')
}

async function linkPictures(
  db: Db,
  posts: readonly { id: number; product_id: number; body: string }[],
  media: readonly SeededMedium[],
  editor: number,
): Promise<void> {
  const links = posts.flatMap(({ id, body }, turn) => {
    const { file_id } = used(media, turn)!
    const roles = body.includes('data-file-id') ? ['inline', 'image'] : ['image']
    return roles.map((role) => ({ file_id, record_type: 'post', record_id: id, role, created_by: editor }))
  })
  await db.insertInto('file_links').values(links).execute()
}
