import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
let server: ViteDevServer
beforeAll(async () => {
  const inDevelopment = { host: '127.0.0.1', port: 0, hmr: false, watch: null } as const
  server = await createServer({
    root,
    configFile: join(root, 'vite.config.ts'),
    cacheDir: 'dist/showcase-test',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: inDevelopment,
  })
  await server.listen()
})
afterAll(() => server.close())

const pageAt = async (path: string) => {
  const headers = { Accept: 'text/html' }
  return (await fetch(new URL(path, server.resolvedUrls!.local[0]), { headers })).text()
}

test('the development server shows the shared parts at /dev/parts, and the panel elsewhere', async () => {
  expect(await pageAt('/dev/parts')).toContain('showcase.testing.tsx')
  expect(await pageAt('/dev/parts?theme=dark')).toContain('showcase.testing.tsx')
  expect(await pageAt('/dev/other')).toContain('/src/app/browser/main.tsx')
})
