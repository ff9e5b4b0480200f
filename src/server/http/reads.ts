import type { z } from 'zod'
import { changesSomething } from '#shared/endpoint.ts'
import { reads } from '#shared/reads.contract.ts'
import { assertAccess, isDecided } from '#server/http/access.ts'
import type { HttpServices, Implemented } from '#server/http/context.ts'
import { asHttpError, notFound } from '#server/http/errors.ts'
import { implement } from '#server/http/implement.ts'
import { cleanLargeHtml } from '#server/html/html-clean-large.ts'
import { parse } from '#server/http/parse.ts'
import { checkProducts } from '#server/http/product-scope.ts'
import { checked } from '#server/http/reply.ts'
import { parseQuery } from '#server/http/server.ts'
import type { SignedIn } from '#server/http/session.ts'

type Read = z.output<typeof reads.together.body>['reads'][number]

/** Answers several reads in one request, so that a page that opens with many of them doesn't wait for each. */
export function readRoutes(app: HttpServices): void {
  implement(app, reads.together, async ({ body }, context) => ({
    replies: await Promise.all(
      body.reads.map(async (read) => {
        try {
          return { status: 200, body: await answer(app, read, context) }
        } catch (error) {
          const known = asHttpError(error)
          if (!known) throw error
          return { status: known.status, body: { message: known.message, errors: known.errors } }
        }
      }),
    ),
  }))
}

/** Runs the checks and the handler of one read, in the same order as for a separate request. */
async function answer(
  app: HttpServices,
  { path, query, body }: Read,
  context: { viewer: SignedIn },
): Promise<unknown> {
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

/** Whether an endpoint reads and answers JSON, without files or secrets, and is called with such a body. */
const isOpenTo = ({ endpoint, prepare }: Implemented, body: Read['body']): boolean =>
  endpoint.method === (body ? 'POST' : 'GET') &&
  !changesSomething(endpoint) &&
  endpoint !== reads.together &&
  endpoint.response !== undefined &&
  !endpoint.answers &&
  !endpoint.inboundSecret &&
  !endpoint.files &&
  !prepare
