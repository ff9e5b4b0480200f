import type { FastifyRequest } from 'fastify'
import { allows, type EndpointShape, type Input } from '#shared/endpoint.ts'
import { isZone } from '#shared/zones.ts'
import type { HttpServices, Implemented } from '#server/http/context.ts'
import { notAllowed, notSignedIn } from '#server/http/errors.ts'
import { demandInboundSecret } from '#server/http/inbound-secret.ts'
import { checkProducts } from '#server/http/product-scope.ts'
import { bearerToken, type SignedIn } from '#server/http/session.ts'

declare module 'fastify' {
  interface FastifyRequest {
    viewer: SignedIn | undefined
    /** Whether the body was still arriving when the caller was found. */
    hasSlowBody: boolean
  }
}

/** Checks the session and access before any part of the body is read. */
export async function authorize(
  app: HttpServices,
  { endpoint }: Implemented,
  request: FastifyRequest,
): Promise<void> {
  if (endpoint.inboundSecret)
    await demandInboundSecret(
      app.settings.inboundSecret,
      request,
      app.settings.rateLimits ? app.wrongSecrets : undefined,
    )
  if (endpoint.access === 'public') return
  await findCaller(app, request)
  assertAccess(endpoint, request.viewer)
}

async function findViewer(
  app: HttpServices,
  { headers }: FastifyRequest,
  options?: { isUse: boolean },
): Promise<SignedIn | undefined> {
  const found = await app.sessions.find(bearerToken(headers.authorization), options)
  const zone = headers['x-time-zone']
  return found && typeof zone === 'string' && isZone(zone) ? { ...found, zone } : found
}

/** Finds the caller, who must be known before the body is read. */
export async function findCaller(app: HttpServices, request: FastifyRequest): Promise<void> {
  request.viewer = await findViewer(app, request)
  request.hasSlowBody = !request.raw.complete
}

/**
 * Checks the session and access again, because they may have ended while the body was arriving, which can take
 * a minute, or during slow preparations.
 */
export async function assertStillAllowed(
  app: HttpServices,
  { endpoint, prepare }: Implemented,
  request: FastifyRequest,
  input: Input,
): Promise<void> {
  if (!request.viewer || !(request.hasSlowBody || prepare)) return
  request.viewer = await findViewer(app, request, { isUse: false })
  assertAccess(endpoint, request.viewer, input)
  checkProducts(endpoint, request.viewer, input)
}

const nothing: Input = { params: {}, query: {}, body: {} }
/** Whether access depends on the input. */
export const isDecided = (access: EndpointShape['access']) => typeof access === 'object' && 'allows' in access

/** @throws HttpError 401 without a session, 403 without the permission. */
export function assertAccess(endpoint: EndpointShape, viewer: SignedIn | undefined, input?: Input): void {
  if (endpoint.access === 'public') return
  if (!viewer) throw notSignedIn()
  // Access that depends on the input is decided after parsing.
  if (!input && isDecided(endpoint.access)) return
  if (!allows(endpoint.access, viewer, input ?? nothing)) throw notAllowed()
}
