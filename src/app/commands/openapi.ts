import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { endpoints } from '#app/server/features.ts'
import { version } from '#app/server/version.ts'
import { describeApi, describePaths } from '#server/http/openapi.ts'

/*
 * `npm run openapi` writes the description of the API to dist/openapi.json, which a running panel serves at
 * /api/openapi.json, and a digest of it to docs/api.txt: a line per operation, so that the diff of a change
 * shows which operations it changes. With --check it only reports whether the digest is up to date.
 */

/** Method, path, who may call the operation, and a hash of everything that is described of it. */
const digest = Object.entries(describePaths(endpoints))
  .flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => {
      const hash = createHash('sha256').update(JSON.stringify(operation)).digest('hex').slice(0, 8)
      const { description = '' } = operation as { description?: string }
      return `${path} ${method.toUpperCase()} ${hash} ${description}\n`
    }),
  )
  .join('')

const file = 'docs/api.txt'
if (!process.argv.includes('--check')) {
  writeFileSync(file, digest)
  mkdirSync('dist', { recursive: true })
  writeFileSync('dist/openapi.json', `${JSON.stringify(describeApi(endpoints, version), null, 2)}\n`)
} else if (readFileSync(file, 'utf8') !== digest) {
  console.error(`${file} is out of date. Run npm run openapi to regenerate it.`)
  process.exit(1)
}
