import type { FastifyReply } from 'fastify'
import type { EndpointShape } from '#shared/endpoint.ts'
import type { HttpServices } from '#server/http/context.ts'
import { pageType, policyOfPage, renderPage, type HtmlPage } from '#server/http/page.ts'

/** Returns a response as the text that is sent, and stored for a repeated request. */
export const textOf = ({ answers }: EndpointShape, result: unknown): string =>
  answers ? renderPage(result as HtmlPage) : result === undefined ? '' : JSON.stringify(result)

/** Returns the content security policy of a page; undefined for a response that is not one. */
export const policyOf = ({ answers }: EndpointShape, result: unknown): string | undefined =>
  answers && policyOfPage(result as HtmlPage)

export function sendText(
  { answers }: EndpointShape,
  reply: FastifyReply,
  text: string,
  policy: string | undefined,
): FastifyReply {
  if (policy !== undefined) void reply.header('Content-Security-Policy', policy)
  return reply.type(answers ? pageType : 'application/json; charset=utf-8').send(text)
}

/** Returns a response, validated against its contract in tests and development. */
export function checked(app: HttpServices, endpoint: EndpointShape, result: unknown): unknown {
  return app.checkReplies && endpoint.response ? endpoint.response.parse(result) : result
}
