import { readFileSync, writeFileSync } from 'node:fs'
import { endpoints } from '#app/server/features.ts'
import { version } from '#app/server/version.ts'
import { describeApi } from '#server/http/openapi.ts'

/*
 * `npm run openapi` writes docs/openapi.json from the contracts; with --check it only reports whether the file is up to date.
 */

const file = 'docs/openapi.json'
const text = `${JSON.stringify(describeApi(endpoints, version), null, 2)}\n`
if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  console.error(`${file} is out of date. Run npm run openapi to regenerate it.`)
  process.exit(1)
}
