import type { z } from 'zod'
import { changesSomething, type EndpointShape } from '#shared/endpoint.ts'
import { reads } from '#shared/reads.contract.ts'
import { assertAccess, isDecided } from '#server/http/access.ts'
import type { HttpServices, Implemented, ReadContext } from '#server/http/context.ts'
import { asHttpError, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'
import { parse } from '#server/http/parse.ts'
import { checkProducts } from '#server/http/product-scope.ts'
import { checked } from '#server/http/reply.ts'
import { parseQuery } from '#server/http/server.ts'

type Read = z.output<typeof reads.together.body>['reads'][number]
type Context = ReadContext<EndpointShape, HttpServices>

/** As many as a browser sends at a time, so that one page doesn't take all connections to the database. */
const mostAtOnce = 6

/**
 * Answers several reads in one request, so that a page that opens with many of them doesn't wait for each
 * (docs/decisions/025-reads-in-one-request.md). One that fails leaves the others as they are.
 */
export function readRoutes(app: HttpServices): void {
  implement(app, reads.together, async ({ body }, context) => {
    const replies: { status: number; body: unknown }[] = []
    const todo = body.reads.entries()
    const work = async () => {
      for (const [index, read] of todo) replies[index] = await replyTo(app, read, context)
    }
    await Promise.all(Array.from({ length: mostAtOnce }, work))
    return { replies }
  })
}

async function replyTo(app: HttpServices, read: Read, context: Context) {
  try {
    return { status: 200, body: await answer(app, read, context) }
  } catch (error) {
    const known = asHttpError(error)
    const { request } = context
    if (!known)
      request.log.error({ err: error, request_id: request.id, path: `/api${read.path}` }, 'a request failed')
    // Its line in the log is that of a refused request, as it would be for a separate call.
    if (known?.status === 403) request.security = 'Refused'
    const { status = 500, message = 'Something went wrong on our end.', errors } = known ?? {}
    return { status, body: { message, errors } }
  }
}

/** Runs the checks and the handler of one read, in the same order as for a separate request. */
async function answer(app: HttpServices, { path, query, body }: Read, context: Context): Promise<unknown> {
  const one = app.implemented.find((found) => found.endpoint.path === path && isOpenTo(found, body))
  if (!one) throw notFound('This page doesn’t exist.')
  const { endpoint } = one
  assertAccess(endpoint, context.viewer)
  const input = parse(endpoint, { params: {}, query: Object.fromEntries(parseQuery(query)), body })
  if (isDecided(endpoint.access)) assertAccess(endpoint, context.viewer, input)
  checkProducts(endpoint, context.viewer, input)
  await cleanLargeHtml(input.body)
  return checked(app, endpoint, await one.handler(input, context))
}

/** Whether an endpoint of signed-in users only reads, answers JSON, and is called with such a body. */
const isOpenTo = ({ endpoint, prepare }: Implemented, body: Read['body']): boolean =>
  endpoint.method === (body ? 'POST' : 'GET') &&
  !changesSomething(endpoint) &&
  endpoint !== reads.together &&
  endpoint.access !== 'public' &&
  endpoint.response !== undefined &&
  !endpoint.params &&
  !endpoint.answers &&
  !endpoint.inboundSecret &&
  !endpoint.security &&
  !endpoint.files &&
  !prepare
