import { messages, session } from '#features/panel/session/contract.ts'
import { writePicture } from '#features/panel/session/server/staff-record.queries.ts'
import { invalid, notFound } from '#server/http/errors.ts'
import {
  implement,
  implementPrepared,
  type App,
  type Handler,
  type Preparation,
} from '#server/http/implement.ts'
import { processAvif, processImage } from '#server/image-queue.ts'

const preparePicture: Preparation<typeof session.uploadPicture, Buffer> = (_input, { file }) =>
  squarePicture(file.bytes)

const uploadPicture =
  (app: App): Handler<typeof session.uploadPicture, Buffer> =>
  async (_input, { db, viewer, record, afterCommit, onRollback, prepared }) => {
    const picture = await app.files.store(prepared, '.webp')
    onRollback(() => void app.files.remove(picture).catch(() => {}))
    const before = await db
      .selectFrom('staff')
      .select('picture')
      .where('id', '=', viewer.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await writePicture(db, viewer.id, picture)
    record({ target: 'staff', id: viewer.id, before, after: { picture } })
    const old = before.picture
    if (old) afterCommit(() => void app.files.remove(old).catch(() => {}))
    return { message: messages.profileUpdated, avatar: picture }
  }

const sendPicture =
  (app: App): Handler<typeof session.picture> =>
  async ({ params }, { db, reply }) => {
    const known = await db
      .selectFrom('staff')
      .select('id')
      .where('picture', '=', params.name)
      .executeTakeFirst()
    const bytes = known && (await app.files.read(params.name))
    if (!bytes) throw notFound('Profile picture not found.')
    return reply
      .header('Content-Security-Policy', "sandbox; default-src 'none'")
      .header('Cache-Control', 'private, max-age=31536000, immutable')
      .type('image/webp')
      .send(bytes)
  }

export function pictureRoutes(app: App): void {
  implementPrepared(app, session.uploadPicture, preparePicture, uploadPicture(app))
  implement(app, session.picture, sendPicture(app))
}

const pictureSide = 256

const mostPixels = 25_000_000

const pictureFormats = new Set(['png', 'jpeg', 'webp', 'gif', 'heif'])

/** Converts an image to a 256-pixel WebP square without metadata. */
async function squarePicture(bytes: Buffer): Promise<Buffer> {
  try {
    // Load the library only when the first image is processed, which makes startup a tenth of a second
    // faster.
    const { default: sharp } = await import('sharp')
    const image = sharp(bytes, { limitInputPixels: mostPixels, failOn: 'error' })
    const { format } = await image.metadata()
    if (!pictureFormats.has(format ?? '')) throw new Error('another format')
    const square = () =>
      image.rotate().resize(pictureSide, pictureSide, { fit: 'cover' }).webp({ quality: 85 }).toBuffer()
    return await (format === 'heif' ? processAvif(square) : processImage(square))
  } catch {
    throw invalid('file', 'Upload a PNG, JPG, WebP, GIF, or AVIF image of up to 25 megapixels.')
  }
}
