import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Files } from '#server/files.ts'
import { notFound } from '#server/http/errors.ts'

interface StoredFile {
  name: string
  kind: string
  mime: string
  stored_name: string
  small_name: string | null
  wide_name?: string | null
}

/**
 * Sends a stored file, or the range of it that a media player requests. Images are displayed inline;
 * everything else is downloaded. A signed URL is valid for one file and one session, so the browser can cache
 * the response; responses to unsigned URLs are not cached.
 * @throws HttpError 404 if the file is missing from the disk.
 */
export async function sendFile(
  store: Files,
  request: FastifyRequest,
  reply: FastifyReply,
  file: StoredFile,
  {
    small = false,
    wide = false,
    download = false,
    signed = true,
  }: { small?: boolean; wide?: boolean; download?: boolean; signed?: boolean } = {},
): Promise<FastifyReply> {
  // An image that lacks the requested version is sent in its original form.
  const other = (small ? file.small_name : wide ? file.wide_name : null) ?? undefined
  const path = store.pathOf(other ?? file.stored_name)
  const size = path === undefined ? undefined : (await stat(path).catch(() => undefined))?.size
  if (path === undefined || size === undefined) throw notFound('File not found.')
  const isShown = file.kind === 'image' && !download
  const range = other !== undefined ? undefined : rangeOf(request.headers.range, size)
  void reply
    .header('Content-Security-Policy', "sandbox; default-src 'none'")
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', signed ? 'private, max-age=300' : 'no-store')
    .header('Content-Disposition', disposition(isShown ? 'inline' : 'attachment', file.name))
    .header('Accept-Ranges', 'bytes')
    .type(
      other !== undefined
        ? 'image/webp'
        : file.mime === 'text/plain' || file.mime === 'text/csv'
          ? `${file.mime}; charset=utf-8`
          : file.mime,
    )
  if (range === 'none')
    return reply
      .code(416)
      .header('Content-Range', `bytes */${size}`)
      .type('application/json')
      .send({ message: 'The requested range isn’t available.' })
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) void reply.code(206).header('Content-Range', `bytes ${start}-${end}/${size}`)
  return reply.header('Content-Length', String(end - start + 1)).send(createReadStream(path, { start, end }))
}

/** Parses the range that a media player requests; a request for several ranges gets the whole file. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'none' | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start <= end ? { start, end } : 'none'
}

/**
 * Formats a Content-Disposition header that contains the file name twice: in ASCII for old clients, and in
 * full in UTF-8.
 */
function disposition(how: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${how}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
