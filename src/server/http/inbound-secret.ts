import { timingSafeEqual } from 'node:crypto'
import { HttpError, notFound } from '#server/http/errors.ts'

/** @throws HttpError 404 if no secret is configured, 401 if it does not match. */
export function demandInboundSecret(secret: string | undefined, headers: Record<string, unknown>): void {
  if (secret === undefined) throw notFound('This page doesn’t exist.')
  const sent = headers['x-inbound-secret']
  const [one, other] = [Buffer.from(typeof sent === 'string' ? sent : ''), Buffer.from(secret)]
  if (one.length !== other.length || !timingSafeEqual(one, other))
    throw new HttpError(401, 'The X-Inbound-Secret is incorrect.')
}
