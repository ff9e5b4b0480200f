import { expect, test, vi } from 'vitest'

const url = 'http://collector:4318'

test.each([
  [{}, false],
  [{ OTEL_SERVICE_NAME: 'panel', OTEL_TRACES_SAMPLER: 'always_on' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_SDK_DISABLED: 'true' }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: url }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: url }, true],
  [{ OTEL_TRACES_EXPORTER: 'console' }, true],
])('with %j, the code of OpenTelemetry is loaded: %s', async (env, isLoaded) => {
  const load = vi.fn<() => never>(() => ({ openTracing: () => ({}) }) as never)
  vi.resetModules()
  vi.doMock(import('#server/tracing/open-telemetry.ts'), load)
  const { startTracing, tracing } = await import('#server/tracing/tracing.ts')
  await startTracing({ ...env }, '1.0.0')
  expect([load.mock.calls.length, tracing() !== undefined]).toEqual(isLoaded ? [1, true] : [0, false])
})
