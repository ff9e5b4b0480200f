import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Wanted } from '#app/commands/import-leads.ts'

/*
 * `npm run import -- leads FILE.csv`: what the page does, through the same functions, on the database of the settings,
 * whether the panel is running or not. The columns are mapped by their headers.
 */

const usage = 'Usage: npm run import -- leads FILE.csv [--dry-run] [--product=1] [--as=USER_NAME]'
/** Whose message is the one line to print. */
const foreseen = ['ImportError', 'HttpError', 'SettingsError', 'EmbeddedError']

function readWanted(): Wanted | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'dry-run': { type: 'boolean', default: false }, product: { type: 'string', default: '1' }, as: { type: 'string' } },
    })
    const [what, file, ...more] = positionals
    if (what === 'leads' && file !== undefined && !more.length && /^[1-4]$/.test(values.product))
      return { file, dryRun: values['dry-run'], product: Number(values.product), userName: values.as }
  } catch {
    // An option that there is not; the usage says which there are.
  }
  return undefined
}

async function main(wanted: Wanted): Promise<void> {
  enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/compiled'))
  const { importLeads } = await import('#app/commands/import-leads.ts')
  if (!(await importLeads(wanted))) process.exitCode = 1
}

function giveUp(words: string): void {
  process.stderr.write(`${words}\n`)
  process.exitCode = 1
}

const wanted = readWanted()
if (!wanted) giveUp(usage)
else
  await main(wanted).catch((error: unknown) => {
    if (!(error instanceof Error)) return giveUp(String(error))
    giveUp(foreseen.includes(error.name) ? error.message : (error.stack ?? error.message))
  })
