import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { startPanel } from '#app/testing/chat-run.testing.ts'
import { databaseUrlOf, openRealSession } from '#app/testing/process.testing.ts'
import { startTestApp } from '#app/testing/start.testing.ts'

interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: { key: string; value: object }[]
}

/** Starts a collector, which keeps the spans that it receives. */
async function startCollector(): Promise<{ url: string; received: string[]; spans: () => Span[] }> {
  const received: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(body)
      response.setHeader('content-type', 'application/json').end('{}')
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const spans = () =>
    received.flatMap((body) =>
      (JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }).resourceSpans.flatMap(
        ({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans),
      ),
    )
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, spans }
}

test('with OTEL_EXPORTER_OTLP_ENDPOINT, requests and their statements are traced, without values; otherwise nothing is sent', async () => {
  const { app, db, as } = await startTestApp()
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-tracing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const token = await openRealSession(db, as('admin').id)
  const collector = await startCollector()
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const use = async (env: Record<string, string>) => {
    const panel = await startPanel(databaseUrlOf(app.pool.options), join(folder, 'data'), env)
    onTestFinished(() => panel.kill())
    const address = `${panel.origin}/api/common/quick-task`
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    }
    const body = JSON.stringify({ title: 'A very private title' })
    const answers = [
      await fetch(address, { method: 'POST', headers, body }),
      await fetch(`${address}?search=private`, { headers }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    await panel.stop()
  }

  await use({})
  expect(collector.received).toEqual([])

  await use({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' })
  const own = collector.spans().filter((span) => span.traceId === traceId)
  const [request] = own.filter(({ name }) => name === 'POST /api/common/quick-task')
  expect(request).toMatchObject({ parentSpanId: 'b7ad6b7169203331' })
  expect(request!.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 200 } })
  const statements = own.filter(({ parentSpanId }) => parentSpanId === request!.spanId)
  expect(statements.map(({ name }) => name)).toEqual(expect.arrayContaining(['select', 'insert', 'commit']))
  expect(collector.received.join()).toContain('admin-panel')
  for (const secret of ['private', token]) expect(collector.received.join()).not.toContain(secret)
}, 120_000)
