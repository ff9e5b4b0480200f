import { sql } from 'kysely'
import { media } from '#features/cms/articles/media/contract.ts'
import { findMedia, findSame, getMedia } from '#features/cms/articles/media/server/media.queries.ts'
import { can } from '#shared/access.ts'
import { conflict, HttpError, notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { attachFiles, detachFiles } from '#server/files/record-files.ts'
import { linksFor } from '#server/files/signed-links.ts'

const listMedia: Handler<typeof media.list> = ({ query }, context) =>
  findMedia(context.db, query, context.viewer, linksFor(context))

const uploadMedia: Handler<typeof media.upload> = async ({ params: { x: product_id } }, context) => {
  const { app, db, viewer, audit, files, refusedFiles } = context
  if (!files.attachment.length)
    throw new HttpError(422, Object.values(refusedFiles)[0]?.[0] ?? 'Choose a file.', {
      errors: refusedFiles,
    })
  // Serialized, so that an image sent twice concurrently is stored only once.
  await sql`select pg_advisory_xact_lock(hashtext(${`media ${product_id}`}))`.execute(db)
  const stored: { id: number; index: number; was_there: boolean }[] = []
  const places = acceptedIndexes(files.attachment.length, Object.keys(refusedFiles))
  for (const [at, file] of files.attachment.entries()) {
    const index = places[at]!
    const same = await findSame(db, product_id, file.sha256)
    if (same !== undefined) {
      stored.push({ id: same, index, was_there: true })
      continue
    }
    const { id: media_id } = await sql<{
      id: number
    }>`select nextval(pg_get_serial_sequence('media', 'id'))::int as id`
      .execute(db)
      .then(({ rows }) => rows[0]!)
    const [file_id] = await attachFiles(
      app.files,
      context,
      { files: [file] },
      { type: 'media', id: media_id, role: 'media' },
    )
    await sql`insert into media (id, product_id, file_id, created_by) overriding system value values (${media_id}, ${product_id}, ${file_id!}, ${viewer.id})`.execute(
      db,
    )
    audit({ target: 'media', id: media_id, after: { name: file.name } })
    stored.push({ id: media_id, index, was_there: false })
  }
  const found = await getMedia(
    db,
    stored.map(({ id }) => id),
    viewer,
    linksFor(context),
  )
  const images = stored.map((one) => ({ ...found.find(({ id }) => id === one.id)!, ...one }))
  const refused = Object.keys(refusedFiles).length
  const uploaded = `${images.length} ${images.length === 1 ? 'image' : 'images'} uploaded`
  return {
    message: refused ? `${uploaded}, ${refused} rejected.` : `${uploaded}.`,
    images,
    errors: refusedFiles,
  }
}

const deleteMedia: Handler<typeof media.remove> = async ({ body: { ids } }, context) => {
  const { db, viewer, audit } = context
  await sql`select from media where id = any(${ids}::int[]) order by id for update`.execute(db)
  const found = await getMedia(db, ids, viewer, linksFor(context))
  if (!found.length) throw notFound('Image not found.')
  const used = found.filter(({ places }) => places.length > 0)
  if (used.length) {
    const names = used.map(
      ({ file, places }) => `${file.name} (${places.map(({ type, name }) => `${type} ${name}`).join(', ')})`,
    )
    throw conflict(`These images are in use and can’t be deleted: ${names.join('; ')}.`, {
      places: used.map(({ id, places }) => ({ id, places })),
    })
  }
  for (const { id, file } of found) {
    await detachFiles(context, { type: 'media', id, role: 'media' })
    audit({ target: 'media', id, before: { name: file.name }, after: { name: null } })
  }
  await db
    .deleteFrom('media')
    .where(
      'id',
      'in',
      found.map(({ id }) => id),
    )
    .execute()
  return { message: `${found.length} ${found.length === 1 ? 'image' : 'images'} deleted.` }
}

const describeImage: Handler<typeof media.describe> = async ({ params: { id }, body }, context) => {
  const { db, viewer, audit } = context
  const [before] = await getMedia(db, [id], viewer, linksFor(context))
  if (!before) throw notFound('Image not found.')
  await db.updateTable('media').set(body).where('id', '=', id).execute()
  audit({ target: 'media', id, before: { alt: before.alt, decorative: before.decorative }, after: body })
  return { message: 'Image details saved.' }
}

export function mediaRoutes(app: App): void {
  app.files.registerReadCheck('media', async (db, id, viewer) => {
    if (!can(viewer, 'media_list')) return false
    const row = await db.selectFrom('media').select('product_id').where('id', '=', id).executeTakeFirst()
    return row !== undefined && viewer.products.includes(row.product_id)
  })
  implement(app, media.list, listMedia)
  implement(app, media.upload, uploadMedia)
  implement(app, media.remove, deleteMedia)
  implement(app, media.describe, describeImage)
}

/** Returns the positions of the accepted files among all uploaded files. */
function acceptedIndexes(good: number, refused: readonly string[]): number[] {
  const bad = new Set(refused.map((field) => Number(field.split('.')[1])))
  const places: number[] = []
  for (let place = 0; places.length < good; place += 1) if (!bad.has(place)) places.push(place)
  return places
}
