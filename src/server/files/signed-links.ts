import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { FileRef } from '#shared/files.ts'
import type { Clock } from '#server/clock.ts'
import { bearerToken, hashToken, type SignedIn } from '#server/http/session.ts'

/** Signs file URLs for the session that made the request. */
export type Links = (file: {
  id: number
  kind: string
  small_name: string | null
}) => Pick<FileRef, 'url' | 'small_url' | 'download_url'>

const step = 60
const life = 300

/**
 * Signs a file URL. The key is the hash of the session's token: available to both the database and the
 * request, gone when the session ends, and the same in all processes.
 */
const signatureOf = (tokenHash: Buffer, file: number, session: number, expires: number) =>
  createHmac('sha256', tokenHash).update(`file ${file} ${session} ${expires}`).digest('base64url')

/**
 * Returns a signer for URLs that are valid for four to five minutes; URLs signed within the same minute are
 * identical, so that refreshes reuse cached images.
 */
export function linksFor({
  request,
  viewer,
  clock,
}: {
  request: FastifyRequest
  viewer: SignedIn
  clock: Clock
}): Links {
  const tokenHash = hashToken(bearerToken(request.headers.authorization) ?? '')
  const expires = (Math.floor(clock.now().getTime() / 1000 / step) + life / step) * step
  return ({ id, kind, small_name }) => {
    const signature = signatureOf(tokenHash, id, viewer.session_id, expires)
    const url = `/api/files/${id}?session=${viewer.session_id}&expires=${expires}&signature=${signature}`
    return {
      url: kind === 'image' ? url : `${url}&download=1`,
      small_url: small_name === null ? null : `${url}&small=1`,
      download_url: `${url}&download=1`,
    }
  }
}

/** Returns whether a URL was signed for this file and session and has not expired. */
export function isSigned(
  tokenHash: Buffer,
  sent: { file: number; session: number; expires: number; signature: string },
  now: Date,
): boolean {
  const right = Buffer.from(signatureOf(tokenHash, sent.file, sent.session, sent.expires))
  const given = Buffer.from(sent.signature)
  return right.length === given.length && timingSafeEqual(right, given) && sent.expires * 1000 > now.getTime()
}
