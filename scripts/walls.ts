// Checks the module boundaries in the source tree, and that the tree was actually read.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'

const { default: configuration } = (await import(
  join(import.meta.dirname, '..', '.dependency-cruiser.mjs')
)) as { default: IConfiguration }

/**
 * Returns the imports in a tree that cross a boundary, as readable messages, and the counts that show whether
 * the tree was read.
 */
export async function findBreaches(
  root: string,
  options = configuration.options,
): Promise<{ breaches: string[]; files: number; imports: number }> {
  const { output } = (await cruise(['src'], {
    ...options,
    baseDir: root,
    validate: true,
    ruleSet: { forbidden: configuration.forbidden ?? [] },
  })) as { output: ICruiseResult }
  const read = output.modules.filter(({ source }) => isOurs(source))
  const there = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    isOurs(join('src', path)),
  )
  const edges = read.reduce((sum, { dependencies }) => sum + dependencies.length, 0)

  const breaches = output.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`)
  if (read.length < there.length)
    breaches.push(`not-read: ${read.length} of ${there.length} files were read; is @swc/core there?`)
  if (edges === 0) breaches.push('not-read: no import was found in any file; is @swc/core there?')
  return { breaches, files: read.length, imports: edges }
}

const isOurs = (path: string) => /^src[\\/].*\.tsx?$/.test(path) && !path.endsWith('.d.ts')

if (import.meta.main) {
  const { breaches, files, imports } = await findBreaches(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.error(breach)
  console.log(`${files} files, ${imports} imports, ${breaches.length} across a boundary`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}
