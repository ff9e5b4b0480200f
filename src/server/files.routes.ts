import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { files } from '#shared/files.ts'
import { HttpError, notAllowed, notFound, notSignedIn } from '#server/http/errors.ts'
import { implement, type App } from '#server/http/implement.ts'
import { columns, isSigned, linksFor, readable, storeFiles, toRef } from '#server/record-files.ts'

/** Files that somebody sent ahead and put to no record: enough for every form, too few to fill a disk. */
const mostStaged = 100

export function fileRoutes(app: App): void {
  implement(app, files.stage, async (_input, context) => {
    const { db, viewer } = context
    const { count } = await db
      .selectFrom('files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('uploaded_by', '=', viewer.id)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('file_links').select('id').whereRef('file_id', '=', 'files.id'))))
      .executeTakeFirstOrThrow()
    if (count >= mostStaged) throw new HttpError(429, 'Too many files are waiting to be saved. Save or leave the forms that are open.', { retryAfter: 3600 })
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
    if (!file) throw notFound('File')
    if (!(await readable(app.files, db, [file.id], found.viewer)).has(file.id)) throw notAllowed()

    const isSmall = query.small !== undefined && file.small_name !== null
    const path = app.files.pathOf(isSmall ? file.small_name! : file.stored_name)
    const size = path === undefined ? undefined : (await stat(path).catch(() => undefined))?.size
    if (path === undefined || size === undefined) throw notFound('File')
    const isShown = file.kind === 'image' && query.download === undefined
    const range = isSmall ? undefined : rangeOf(request.headers.range, size)
    void reply
      .header('Content-Security-Policy', "sandbox; default-src 'none'")
      .header('X-Content-Type-Options', 'nosniff')
      .header('Cache-Control', 'private, max-age=300')
      .header('Content-Disposition', disposition(isShown ? 'inline' : 'attachment', file.name))
      .header('Accept-Ranges', 'bytes')
      .type(isSmall ? 'image/webp' : file.mime === 'text/plain' || file.mime === 'text/csv' ? `${file.mime}; charset=utf-8` : file.mime)
    if (range === 'none')
      return reply.code(416).header('Content-Range', `bytes */${size}`).type('application/json').send({ message: 'There is no such part of this file.' })
    const { start, end } = range ?? { start: 0, end: size - 1 }
    if (range) void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
    return reply.header('Content-Length', String(end - start + 1)).send(createReadStream(path, { start, end }))
  })
}

/** The one part that a player asks for; several at once get the whole file. */
function rangeOf(header: string | undefined, size: number): { start: number; end: number } | 'none' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start <= end ? { start, end } : 'none'
}

/** The name in plain signs for old programs, and as it is. */
function disposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
