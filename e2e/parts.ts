import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'

const root = join(import.meta.dirname, '..')
const types: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
}

/** Builds a page with shared parts from its HTML in this folder; returns its folder and a cleanup function. */
export async function buildParts(html = 'parts.html'): Promise<{ folder: string; remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'admin-panel-parts-'))
  await build({
    root,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    plugins: [react({ compiler: true })],
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2023',
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      rolldownOptions: { input: join(import.meta.dirname, html) },
    },
  })
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/**
 * Opens the page at the panel's own URL, under the panel's own content security policy, and with the panel's
 * server as its backend.
 */
export async function openParts(page: Page, folder: string, html = ''): Promise<void> {
  await servePage(page, folder, 'e2e/parts.html', '/parts.html')
  await page.goto(`/parts.html#${encodeURIComponent(html)}`)
}

/** Opens the page that shows all shared parts, built from `showcase.html`, at its address in development. */
export async function openShowcase(page: Page, folder: string): Promise<void> {
  await servePage(page, folder, 'e2e/showcase.html', '/dev/parts')
  await page.goto('/dev/parts')
}

async function servePage(page: Page, folder: string, html: string, path: string): Promise<void> {
  const policy = (await page.request.get('/login')).headers()['content-security-policy'] ?? ''
  const serve = (name: string) => ({
    contentType: types[extname(name)]!,
    headers: { 'Content-Security-Policy': policy },
    body: readFileSync(join(folder, name)),
  })
  await page.route(`**${path}*`, (route) => route.fulfill(serve(html)))
  await page.route('**/assets/**', (route) => {
    const name = new URL(route.request().url()).pathname.slice(1)
    return route.fulfill(serve(name))
  })
}
