import { readFileSync, writeFileSync } from 'node:fs'
import { registerFeatures } from '#app/server/features.ts'
import { platform, version } from '#app/server/server.ts'
import type { App, Implemented } from '#server/http/implement.ts'
import { describeApi } from '#server/http/openapi.ts'

/*
 * `npm run openapi` writes docs/openapi.json from the contracts; with --check it only says whether the file still fits.
 */

const file = 'docs/openapi.json'

/** Every endpoint that the features implement, read off without a server or a database. */
export function allEndpoints() {
  const implemented: Implemented[] = []
  // Registering looks at nothing but the list; what features do at that time with the rest of the app, they do to a stand-in.
  const anything: unknown = new Proxy(() => {}, { get: (_target, name) => (name === 'then' ? undefined : anything), apply: () => anything })
  registerFeatures({
    implemented,
    live: anything,
    jobs: anything,
    files: anything,
    mail: anything,
    records: anything,
    settings: anything,
    pool: anything,
    db: anything,
  } as unknown as App)
  return [...implemented.map(({ endpoint }) => endpoint), ...Object.values(platform)]
}

if (import.meta.main) {
  const text = `${JSON.stringify(describeApi(allEndpoints(), version), null, 2)}\n`
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} does not fit the contracts any more: npm run openapi writes it anew.`)
    process.exit(1)
  }
}
