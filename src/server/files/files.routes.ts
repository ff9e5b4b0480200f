import { contentsOfFiles } from '#shared/file-contents.contract.ts'
import { listableAs } from '#shared/file-kinds.ts'
import { files } from '#shared/files.ts'
import { HttpError, notAllowed, notFound, notSignedIn } from '#server/http/errors.ts'
import type { App } from '#server/app.ts'
import { implement } from '#server/http/implement.ts'
import { listContents } from '#server/files/contents/list-contents.ts'
import { widest } from '#server/files/inspect-file.ts'
import { columns, readable, storeFiles, toRef, wideNameOf } from '#server/files/record-files.ts'
import { isSigned, linksFor } from '#server/files/signed-links.ts'
import { sendFile } from '#server/files/send-file.ts'

/**
 * Maximum number of files per admin user that are uploaded but not attached to a record: enough for every
 * form, too few to fill a disk.
 */
const mostStaged = 100

export function fileRoutes(app: App): void {
  implement(app, files.stage, async (_input, context) => {
    const { db, viewer } = context
    const { count } = await db
      .selectFrom('files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('uploaded_by', '=', viewer.id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('file_links').select('id').whereRef('file_id', '=', 'files.id'))),
      )
      .executeTakeFirstOrThrow()
    if (count >= mostStaged)
      throw new HttpError(429, 'Too many files are waiting to be saved. Save or close your open forms.', {
        retryAfter: 3600,
      })
    const [stored] = await storeFiles(app.files, context, context.files.file)
    if (!stored) throw new Error('A file that is required was not received')
    return { data: toRef(linksFor(context), stored) }
  })

  implement(app, files.refs, async ({ query }, context) => {
    const { db, viewer } = context
    const may = await readable(app.files, db, query.ids, viewer)
    if (may.size === 0) return { data: [] }
    const rows = await db
      .selectFrom('files')
      .select(columns)
      .where('id', 'in', [...may])
      .orderBy('id')
      .execute()
    const links = linksFor(context)
    return { data: rows.map((row) => toRef(links, row)) }
  })

  implement(app, files.show, async ({ params, query }, { db, reply, request, clock }) => {
    const { session = '', expires = '', signature = '' } = query
    if (!/^\d{1,9}$/.test(session) || !/^\d{1,15}$/.test(expires)) throw notSignedIn()
    const found = await app.sessions.findById(Number(session))
    const sent = { file: params.id, session: Number(session), expires: Number(expires), signature }
    if (!found || !isSigned(found.token_hash, sent, clock.now())) throw notSignedIn()
    const file = await db.selectFrom('files').selectAll().where('id', '=', params.id).executeTakeFirst()
    if (!file) throw notFound('File not found.')
    if (!(await readable(app.files, db, [file.id], found.viewer)).has(file.id)) throw notAllowed()

    const isOld =
      query.wide !== undefined &&
      file.kind === 'image' &&
      file.wide_name === null &&
      (file.width ?? 0) > widest
    const wide_name = isOld ? await wideNameOf(app.files, db, file.id) : file.wide_name
    return sendFile(
      app.files,
      request,
      reply,
      { ...file, wide_name },
      {
        small: query.small !== undefined,
        wide: query.wide !== undefined,
        download: query.download !== undefined,
      },
    )
  })

  implement(app, contentsOfFiles.list, async ({ params }, { db, viewer }) => {
    const file = await db
      .selectFrom('files')
      .select(['id', 'name', 'stored_name'])
      .where('id', '=', params.id)
      .executeTakeFirst()
    const type = file && listableAs(file.name)
    const path = file && app.files.pathOf(file.stored_name)
    if (!type || path === undefined) throw notFound('File not found.')
    if (!(await readable(app.files, db, [file.id], viewer)).has(file.id)) throw notAllowed()
    return { data: await listContents(path, type) }
  })
}
