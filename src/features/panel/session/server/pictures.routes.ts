import { session } from '#features/panel/session/contract.ts'
import { profileMessages } from '#features/admin/staff/input.contract.ts'
import { writePicture } from '#features/admin/staff/server/staff-record.queries.ts'
import { profilePicture } from '#shared/profile-picture.contract.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler, Preparation } from '#server/app.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'
import { squareOf } from '#server/files/inspect-file.ts'

const preparePicture: Preparation<typeof session.uploadPicture, Buffer> = (_input, { files }) =>
  squareOf(files.file[0]!)

const uploadPicture: Handler<typeof session.uploadPicture, Buffer> = async (
  _input,
  { app, db, viewer, audit, afterCommit, onRollback, prepared },
) => {
  const picture = await app.files.store(prepared, '.webp')
  onRollback(() => void app.files.remove(picture).catch(() => {}))
  const before = await db
    .selectFrom('staff')
    .select('picture')
    .where('id', '=', viewer.id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  await writePicture(db, viewer.id, picture)
  audit({ target: 'staff', id: viewer.id, before, after: { picture } })
  const old = before.picture
  if (old) afterCommit(() => void app.files.remove(old).catch(() => {}))
  return { message: profileMessages.updated, avatar: picture }
}

const sendPicture: Handler<typeof profilePicture> = async ({ params }, { app, db, reply }) => {
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
  implementPrepared(app, session.uploadPicture, preparePicture, uploadPicture)
  implement(app, profilePicture, sendPicture)
}
