import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { HttpError, notFound } from '#server/http/errors.ts'
import type { Throttle } from '#server/http/throttle.ts'

/**
 * Checks a gateway's shared secret. Only wrong secrets are counted, so that no one can lock out a gateway at
 * the same IP address.
 * @throws HttpError 404 if no secret is configured, 401 if it does not match, 429 after too many wrong
 * secrets from an IP address.
 */
export async function demandInboundSecret(
  secret: string | undefined,
  request: Pick<FastifyRequest, 'headers' | 'ip'>,
  wrongOnes: Throttle | undefined,
): Promise<void> {
  if (secret === undefined) throw notFound('This page doesn’t exist.')
  const sent = request.headers['x-inbound-secret']
  const [one, other] = [Buffer.from(typeof sent === 'string' ? sent : ''), Buffer.from(secret)]
  if (one.length === other.length && timingSafeEqual(one, other)) return
  await wrongOnes?.consume(request.ip)
  throw new HttpError(401, 'The X-Inbound-Secret is incorrect.')
}
