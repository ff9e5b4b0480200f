import { receivedMails } from '#shared/received-mails.ts'
import { loadImages } from '#features/crm/emails/server/images.ts'
import {
  findReceivedOn,
  getReceived,
  isReadable,
  remoteImagesIn,
  searchMails,
} from '#features/crm/emails/server/received.queries.ts'
import type { Db } from '#server/db/db.ts'
import { notFound } from '#server/http/errors.ts'
import type { App, Handler } from '#server/app.ts'
import { implement, implementPrepared } from '#server/http/implement.ts'
import { linksFor } from '#server/files/signed-links.ts'

const listOfRecord: Handler<typeof receivedMails.ofRecord> = async ({ params }, { app, db, viewer }) => {
  if (!(await app.mail.access.isReadable(db, params, viewer))) throw notFound('Record not found.')
  return { data: await findReceivedOn(db, app.records.all(), viewer, params.type, params.id) }
}

const showReceived: Handler<typeof receivedMails.show> = async ({ params: { id } }, context) => ({
  data: await getReceived(context.app, context.db, context.viewer, id, linksFor(context)),
})

const findPlaceOf = (db: Db, id: number) =>
  db.selectFrom('received_mails').select(['record_type', 'record_id']).where('id', '=', id).executeTakeFirst()

export function receivedRoutes(app: App): void {
  app.files.registerReadCheck('received_mail', async (db, id, viewer) => {
    const mail = await findPlaceOf(db, id)
    return mail !== undefined && isReadable(app, db, mail, viewer)
  })
  implement(app, receivedMails.ofRecord, listOfRecord)
  implement(app, receivedMails.show, showReceived)
  // The images are loaded before the handler, because it holds a connection to the database.
  implementPrepared(
    app,
    receivedMails.images,
    async ({ params: { id } }, context) => {
      const { html } = await getReceived(app, context.db, context.viewer, id, () => ({
        url: '',
        small_url: null,
        download_url: '',
      }))
      return loadImages(remoteImagesIn(html), app.outside)
    },
    async (_input, { prepared }) => prepared,
  )
  implement(app, receivedMails.search, async ({ query }, { db, viewer }) =>
    searchMails(db, app.records.all(), viewer, query),
  )
}
