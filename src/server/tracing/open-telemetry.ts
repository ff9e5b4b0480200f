import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { Context, Span } from '@opentelemetry/api'
import { startNodeSdk } from '@opentelemetry/sdk-node'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { urlOf } from '#server/http/server.ts'
import type { Tracing } from '#server/tracing/tracing.ts'

/*
 * Spans by the semantic conventions of OpenTelemetry. They have no values: paths without their query, and statements
 * with placeholders.
 */

const tracer = () => trace.getTracer('admin-panel')

/** Starts the SDK, which reads its own environment variables (OTEL_*), for traces only. */
export function openTracing(version: string): Tracing {
  const sdk = startNodeSdk({
    metricReaders: [],
    logRecordProcessors: [],
    resourceAttributes: { 'service.version': version },
  })
  return { traceRequests, traceStatement, traceJob, stop: () => sdk.shutdown() }
}

function traceRequests(http: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, Context>()
  http.addHook('onRequest', (request, _reply, done) => {
    const caller = propagation.extract(ROOT_CONTEXT, request.headers)
    const route = urlOf(request)
    const span = tracer().startSpan(
      route === undefined ? request.method : `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: {
          'http.request.method': request.method,
          'url.path': request.url.split('?', 1)[0]!,
          'admin_panel.request_id': request.id,
          ...(route === undefined ? {} : { 'http.route': route }),
        },
      },
      caller,
    )
    request.traceId = span.spanContext().traceId
    contexts.set(request, trace.setSpan(caller, span))
    context.with(contexts.get(request)!, done)
  })
  // A body arrives in the context of its connection.
  http.addHook('preValidation', (request, _reply, done) =>
    context.with(contexts.get(request) ?? ROOT_CONTEXT, done),
  )
  http.addHook('onResponse', (request, reply, done) => {
    const span = trace.getSpan(contexts.get(request) ?? ROOT_CONTEXT)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (reply.statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

function traceStatement(text: string): (error?: Error | null) => void {
  const [operation = ''] = /[a-z]+/i.exec(text.replace(/\/\*.*?\*\//g, '')) ?? []
  const span = tracer().startSpan(operation.toLowerCase(), {
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation.toLowerCase(),
      'db.query.text': text,
    },
  })
  return (error) => end(span, error)
}

async function traceJob<T>(queue: string, work: () => Promise<T>): Promise<T> {
  const span = tracer().startSpan(`process ${queue}`, {
    kind: SpanKind.CONSUMER,
    attributes: { 'messaging.system': 'pg-boss', 'messaging.destination.name': queue },
  })
  return context.with(trace.setSpan(ROOT_CONTEXT, span), work).then(
    (result) => {
      end(span)
      return result
    },
    (error: Error) => {
      end(span, error)
      throw error
    },
  )
}

/** Ends a span. An error's message can have values, so only its code is recorded. */
function end(span: Span, error?: (Error & { code?: unknown }) | null): void {
  if (error) {
    span.setAttribute('error.type', typeof error.code === 'string' ? error.code : error.name)
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
