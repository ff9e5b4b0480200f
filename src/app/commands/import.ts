import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Wanted } from '#app/commands/import-leads.ts'

/*
 * `npm run import -- leads FILE.csv`: imports leads into the configured database through the same functions
 * as the Import page, whether or not the panel is running. Columns are mapped by their headers.
 */

const usage =
  'Usage: npm run import -- leads FILE.csv [--dry-run] [--product=1] [--as=USER_NAME] [--dates=day|month]'
/** Names of expected errors. For these, only the message is printed, without a stack trace. */
const foreseen = ['ImportError', 'HttpError', 'SettingsError', 'EmbeddedError']

function readWanted(): Wanted | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        product: { type: 'string', default: '1' },
        as: { type: 'string' },
        dates: { type: 'string' },
      },
    })
    const [what, file, ...more] = positionals
    const { dates, product } = values
    const isOrder = dates === undefined || dates === 'day' || dates === 'month'
    if (what === 'leads' && file !== undefined && !more.length && /^[1-4]$/.test(product) && isOrder)
      return { file, dryRun: values['dry-run'], product: Number(product), userName: values.as, dates }
  } catch {
    // Unknown option; the caller prints the usage.
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
