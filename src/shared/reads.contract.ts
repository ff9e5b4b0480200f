import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { text } from '#shared/schemas.ts'

/** Most reads in one request. */
export const mostReads = 25

/** A call of an endpoint that only reads and has no parameters in its path. */
const Read = z.object({
  /** Without `/api`. */
  path: text(200),
  /** The query string, without a question mark. */
  query: text(4000).default(''),
  /** Only of a POST that reads. */
  body: z.record(z.string(), z.unknown()).optional(),
  /** The X-Permission header of a separate request: never trusted. */
  permission: text(100).optional(),
})

export const reads = {
  together: endpoint({
    method: 'POST',
    reads: true,
    path: '/admin/reads',
    summary: 'Get the replies of several reads in one request, each checked as a separate call.',
    access: 'signed-in',
    body: z.object({ reads: z.array(Read).min(1).max(mostReads) }),
    response: z.object({
      /** In the order of the reads: the status and the body that the call would have. */
      replies: z.array(z.object({ status: z.number().int(), body: z.unknown() })),
    }),
  }),
}
