import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { endpoints } from '#app/server/features.ts'
import { version } from '#app/server/version.ts'
import { describeApi, describePaths } from '#server/http/openapi.ts'

/*
 * `npm run openapi` writes the description of the API to dist/openapi.json, which a running panel serves at
 * /api/openapi.json, and a digest of it to docs/openapi.json: a line per path with its methods, who may call them,
 * and a hash of everything else, so that the diff of a change shows the operations that it changes. With --check it
 * only reports whether the digest is up to date.
 */

const hashOf = (operation: unknown) =>
  createHash('sha256').update(JSON.stringify(operation)).digest('hex').slice(0, 8)

const lines = Object.entries(describePaths(endpoints)).map(([path, operations]) => {
  const digested = Object.entries(operations).map(([method, operation]) => {
    const { description = '' } = operation as { description?: string }
    return [method, { description, 'x-hash': hashOf(operation) }] as const
  })
  return `    ${JSON.stringify(path)}: ${JSON.stringify(Object.fromEntries(digested))}`
})
const head = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Admin Panel', version },
  servers: [{ url: '/api' }],
})
const digest = `${head.slice(0, -1)},\n  "paths": {\n${lines.join(',\n')}\n  }\n}\n`

const file = 'docs/openapi.json'
if (!process.argv.includes('--check')) {
  writeFileSync(file, digest)
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/openapi.json', `${JSON.stringify(describeApi(endpoints, version), null, 2)}\n`)
} else if (readFileSync(file, 'utf8') !== digest) {
  console.error(`${file} is out of date. Run npm run openapi to regenerate it.`)
  process.exit(1)
}
