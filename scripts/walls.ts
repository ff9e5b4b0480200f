// Checks the module boundaries in the source tree, that only the record kit writes to the tables of records,
// which feature folders import each other, and that the tree was actually read.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cruise, type IConfiguration, type ICruiseResult } from 'dependency-cruiser'
import { findFolderCycles } from './feature-folders.ts'

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
  breaches.push(...findRecordWrites(root, there), ...findFolderCycles(read, there))
  if (edges === 0) breaches.push('not-read: no import was found in any file; is @swc/core there?')
  return { breaches, files: read.length, imports: edges }
}

/** Statements that write to the table of a record without the record kit, each with its reason. */
const allowedWrites = new Map([
  // The types of goods are stored by name; renaming one is not a change of the leads that have it.
  ['features/crm/leads/record/server/lists.ts', 'leads'],
  // A comment that a website sends twice is stored once; until a moderator sees it, it has no author.
  ['features/cms/articles/comments/server/comments.routes.ts', 'post_comments'],
  // An article that names a tag that doesn't exist creates it; the history of the article says so.
  ['features/cms/articles/tags/server/tags.queries.ts', 'post_tags'],
])
/** Code that fills a database instead of changing records. */
const isFilling = (path: string) =>
  /\.(test|testing|seed)\.tsx?$|^server[\\/](record|db)[\\/]/.test(path) || /^app[\\/]testing/.test(path)

/** Returns the statements in a tree that write to the table of a record without the record kit. */
function findRecordWrites(root: string, paths: readonly string[]): string[] {
  const read = (path: string) => readFileSync(join(root, 'src', path), 'utf8')
  const generated = 'server/db/tables.ts'
  if (!paths.includes(generated)) return []
  const tables = recordTablesIn(read(generated))
  if (!tables.length) return [`not-read: no table of records was found in ${generated}`]
  const write = new RegExp(
    `(?:(?:updateTable|insertInto)\\(\\s*'|\\b(?:update|insert into) )(${tables.join('|')})\\b(?! is )`,
    'g',
  )
  return paths.flatMap((path) =>
    isFilling(path)
      ? []
      : [...read(path).matchAll(write)]
          .filter(([, table]) => allowedWrites.get(path.replaceAll('\\', '/')) !== table)
          .map(
            ([, table]) =>
              `records-are-written-by-the-kit: ${path} → ${table} (use createRecord, changeRecord, or touchRecords)`,
          ),
  )
}

/** Returns the tables of records: those whose rows have a version and can be in the trash. */
function recordTablesIn(generated: string): string[] {
  const records = [...generated.matchAll(/export interface (\w+) \{\n([^}]*)\}/g)]
    .filter(([, , columns]) => /\bversion: /.test(columns!) && /\bdeleted_at: /.test(columns!))
    .map(([, name]) => name)
  return [...generated.matchAll(/^ {2}(\w+): (\w+);$/gm)].flatMap(([, table, type]) =>
    records.includes(type) ? [table!] : [],
  )
}

const isOurs = (path: string) => /^src[\\/].*\.tsx?$/.test(path) && !path.endsWith('.d.ts')

if (import.meta.main) {
  const { breaches, files, imports } = await findBreaches(join(import.meta.dirname, '..'))
  for (const breach of breaches) console.error(breach)
  console.log(`${files} files, ${imports} imports, ${breaches.length} across a boundary`)
  process.exitCode = breaches.length > 0 ? 1 : 0
}
