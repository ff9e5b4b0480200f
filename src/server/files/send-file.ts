import { basename, dirname } from 'node:path'
import send from '@fastify/send'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { fileTypes } from '#shared/file-kinds.ts'
import type { Files } from '#server/files/files.ts'
import { HttpError, notFound } from '#server/http/errors.ts'

interface StoredFile {
  name: string
  kind: string
  mime: string
  stored_name: string
  small_name: string | null
  wide_name?: string | null
  /** The file as it was sent, in place of which a JPEG is shown. */
  original_name?: string | null
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
  const original = (download && file.original_name) || undefined
  const path = store.pathOf(original ?? other ?? file.stored_name)
  if (path === undefined) throw notFound('File not found.')
  const sent = await send(request.raw, basename(path), {
    root: dirname(path),
    acceptRanges: other === undefined,
    cacheControl: false,
    contentType: false,
    etag: false,
    lastModified: false,
  })
  if (sent.type !== 'file') {
    if (sent.statusCode !== 416) throw notFound('File not found.')
    void reply.header('Content-Range', sent.headers['Content-Range'])
    throw new HttpError(416, 'The requested range isn’t available.')
  }
  const isShown = file.kind === 'image' && !download
  return reply
    .code(sent.statusCode)
    .headers(sent.headers)
    .header('Content-Security-Policy', "sandbox; default-src 'none'")
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cache-Control', signed ? 'private, max-age=300' : 'no-store')
    .header('Content-Disposition', disposition(isShown ? 'inline' : 'attachment', nameOf(file, original)))
    .type(
      original !== undefined
        ? fileTypes.heic.mime
        : other !== undefined
          ? 'image/webp'
          : file.mime === 'text/plain' || file.mime === 'text/csv'
            ? `${file.mime}; charset=utf-8`
            : file.mime,
    )
    .send(sent.stream)
}

const nameOf = ({ name }: StoredFile, original: string | undefined) =>
  original === undefined ? name : name.replace(/\.jpg$/, '.heic')

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
