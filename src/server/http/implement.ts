import type { EndpointShape } from '#shared/endpoint.ts'
import type { Handler, HttpServices, Preparation } from '#server/http/context.ts'
import { assertProductsDeclared } from '#server/http/product-scope.ts'

/**
 * Registers an endpoint's handler. The platform handles the session, access, parsing, the transaction,
 * auditing, idempotency, and live events, in this order: session → access → parse → access again if the body was
 * slow → handler → response.
 */
export function implement<E extends EndpointShape, A extends HttpServices>(
  app: A,
  endpoint: E,
  handler: Handler<E, A>,
): void {
  assertProductsDeclared(endpoint)
  app.implemented.push({ endpoint, handler, prepare: undefined })
}

/**
 * Like `implement`, but for endpoints with slow work, such as hashing or image processing, that must not hold
 * a transaction open. The handler receives the result as `prepared`.
 */
export function implementPrepared<E extends EndpointShape, A extends HttpServices, Prepared>(
  app: A,
  endpoint: E,
  prepare: Preparation<E, A, Prepared>,
  handler: Handler<E, A, Prepared>,
): void {
  assertProductsDeclared(endpoint)
  app.implemented.push({ endpoint, handler, prepare })
}
