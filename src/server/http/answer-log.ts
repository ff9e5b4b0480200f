import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pino, type Logger } from 'pino'

declare module 'fastify' {
  interface FastifyRequest {
    /** Action of an endpoint that those who watch security look for. */
    security: string | undefined
    /** Changes of a write, as in the audit log, but without values. */
    audited: { act: string; records: string[] } | undefined
    /** Number of the request's trace, if there is one. */
    traceId: string | undefined
  }
}

/** Probes and scrapes come every few seconds. Only those that are refused are logged. */
const unlogged = new Set(['/api/health', '/api/ready', '/api/metrics'])
const refusals = new Set([401, 403, 429])

/**
 * Logs the answers of the API. Lines that matter for security have `security`. With AUDIT_LOG, these and all changes
 * are also written to that file, which a log shipper can send elsewhere.
 */
export function logAnswers(
  http: FastifyInstance,
  isApi: (request: FastifyRequest) => boolean,
  auditLog: string | undefined,
): void {
  const audit = auditLog === undefined ? undefined : openAuditLog(http, auditLog)
  http.decorateRequest('security', undefined)
  http.decorateRequest('audited', undefined)
  http.addHook('onResponse', (request, reply, done) => {
    const security = securityOf(request, reply)
    if (isApi(request) && (security !== undefined || !unlogged.has(request.routeOptions.url ?? ''))) {
      const line = { ...lineOf(request, reply), ...(security === undefined ? {} : { security }) }
      request.log.info(line, 'answered')
      if (audit && (request.audited || security !== undefined))
        audit.info({ ...line, ...request.audited }, 'answered')
    }
    done()
  })
}

const lineOf = (request: FastifyRequest, reply: FastifyReply) => ({
  request_id: request.id,
  trace_id: request.traceId,
  address: request.ip,
  method: request.method,
  path: request.url.split('?', 1)[0],
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime * 10) / 10,
  staff: request.viewer?.id,
})

function securityOf(request: FastifyRequest, reply: FastifyReply): string | undefined {
  if (request.security !== undefined) return request.security
  if (refusals.has(reply.statusCode)) return 'Refused'
  return String(reply.getHeader('content-type')).startsWith('text/csv') ? 'Exported' : undefined
}

/** Each line is written before the next one, so that a kill loses none. */
function openAuditLog(http: FastifyInstance, path: string): Logger {
  const file = pino.destination({ dest: path, mkdir: true, sync: true, mode: 0o600 })
  file.on('error', (error: Error) => http.log.error({ err: error }, 'could not write the audit log'))
  http.addHook('onClose', async () => file.end())
  return pino({ base: null, timestamp: pino.stdTimeFunctions.isoTime }, file)
}
