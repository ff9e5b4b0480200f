import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { HttpError } from '#server/http/errors.ts'
import { refuseMethod } from '#server/http/routes.ts'

/**
 * Serves the built web client: immutable, precompressed assets, and an uncached `index.html` for every path
 * that is not a file, because routing happens in the client. Unknown API paths get a JSON 404 response, and unknown
 * methods of known ones a 405.
 * @param folder if undefined, only the API is served.
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
        void reply.header(
          'Cache-Control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
      },
    })
  }
  let page: Promise<Page> | undefined
  http.setNotFoundHandler(async (request, reply) => {
    if (request.address) refuseMethod(reply, request.address.allowed)
    const asks = request.method === 'GET' || request.method === 'HEAD'
    const path = request.url.split('?', 1)[0]!
    if (!folder || !asks || path.startsWith('/api/') || path === '/api' || path.startsWith('/assets/'))
      throw new HttpError(404, 'Page not found.')
    page ??= readPage(folder).catch((error: unknown) => {
      page = undefined
      throw error
    })
    const { html, filesOf } = await page
    return reply
      .header('Cache-Control', 'no-store')
      .header('Link', filesOf(path).map(asLink).join(', '))
      .type('text/html; charset=utf-8')
      .send(html)
  })
}

interface Page {
  html: string
  /**
   * Returns the files that the page at a path needs. They are announced in a Link header so that the browser
   * doesn't have to discover them one by one.
   */
  filesOf: (path: string) => string[]
}

async function readPage(folder: string): Promise<Page> {
  const [html, early] = await Promise.all(
    ['index.html', 'early.json'].map((name) => readFile(join(folder, name), 'utf8')),
  )
  const { every, panel, pages } = JSON.parse(early!) as {
    every: string[]
    panel: string[]
    pages: Record<string, string[]>
  }
  // The remaining pages need the panel; signed-out visitors are redirected to the login page, which loads without it.
  return {
    html: html!,
    filesOf: (path) => (path === '/login' ? every : [...every, ...panel, ...(pages[path] ?? [])]),
  }
}

/**
 * Formats a file as an entry in the Link header, with the same CORS mode as the links in the built page; with
 * a different mode, the file would be fetched twice.
 */
function asLink(file: string): string {
  if (file.endsWith('.css')) return `<${file}>; rel=preload; as=style; crossorigin`
  if (file.startsWith('/assets/')) return `<${file}>; rel=modulepreload; crossorigin`
  return `<${file}>; rel=preload; as=script`
}
