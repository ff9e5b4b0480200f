import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpError } from '#server/http/errors.ts'

/**
 * Serves the built web client: assets for ever and precompressed, `index.html` anew each time and for every path that is
 * no file, because the client routes are the client's; 404 as JSON for unknown paths of the API.
 * @param folder none: only the API is served.
 */
export function serveClient(http: FastifyInstance, folder: string | undefined): void {
  if (folder) {
    void http.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        void reply.header('Cache-Control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  let page: Promise<string> | undefined
  http.setNotFoundHandler(async (request, reply) => {
    const asks = request.method === 'GET' || request.method === 'HEAD'
    const path = request.url.split('?', 1)[0]!
    if (!folder || !asks || path.startsWith('/api/') || path === '/api' || path.startsWith('/assets/'))
      throw new HttpError(404, 'There is nothing at this address.')
    page ??= readFile(join(folder, 'index.html'), 'utf8').catch((error: unknown) => {
      page = undefined
      throw error
    })
    return reply
      .header('Cache-Control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(await page)
  })
}
