import type { FastifyInstance } from 'fastify'

/** Records what takes time, as spans of OpenTelemetry. */
export interface Tracing {
  /** Records each request; the spans of its statements belong to it. */
  traceRequests: (http: FastifyInstance) => void
  /** Begins the span of an SQL statement; returns the function that ends it. */
  traceStatement: (text: string) => (error?: Error | null) => void
  /** Records a job. */
  traceJob: <T>(queue: string, work: () => Promise<T>) => Promise<T>
  /** Sends what is left. */
  stop: () => Promise<void>
}

let opened: Tracing | undefined

/** Returns the tracing of this process; undefined, as by default, if it is off. */
export const tracing = (): Tracing | undefined => opened

/**
 * Starts tracing if the usual environment variables say where traces go (docs/running.md, "Watch"). Otherwise, not
 * even its code is loaded.
 */
export async function startTracing(env: NodeJS.ProcessEnv, version: string): Promise<void> {
  const isWanted =
    env['OTEL_EXPORTER_OTLP_ENDPOINT'] ||
    env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] ||
    env['OTEL_TRACES_EXPORTER']
  if (!isWanted || env['OTEL_TRACES_EXPORTER'] === 'none' || env['OTEL_SDK_DISABLED'] === 'true') return
  env['OTEL_SERVICE_NAME'] ??= 'admin-panel'
  const { openTracing } = await import('#server/tracing/open-telemetry.ts')
  opened = openTracing(version)
}
