import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownMigrations } from '#server/db/migrate.ts'

/*
 * While a process of the next version migrates, processes of this version answer requests. So a migration must not
 * hold a lock for long, or take away what they use (docs/upgrading.md). One that has to says why, on a line
 * `-- long lock: …`.
 */

/** The first migration that is checked. */
const first = '0257'

const rules: [pattern: RegExp, instead: string][] = [
  [/\balter column \S+ (?:set data )?type\b/, 'a new column, filled in batches'],
  [/\balter column \S+ set not null\b/, 'a check that is added as not valid, and validated later'],
  [
    /\badd column (?:if not exists )?\S+(?:(?!,|;|\bdefault\b|\bgenerated\b)[\s\S])*\bnot null\b(?![^,;]*\b(?:default|generated)\b)/,
    'a default',
  ],
  [/\badd (?:constraint \S+ )?(?:check|foreign key)\b(?![^;]*\bnot valid\b)/, 'not valid'],
  [
    /\b(?:drop column|drop table|rename (?:column|to))\b/,
    'a later version that no longer needs the old name',
  ],
]

function faultsOf(sql: string): string[] {
  const text = sql.toLowerCase()
  if (/^-- long lock: \S/m.test(text)) return []
  const code = text.replace(/--.*$/gm, '')
  const own = new Set([...code.matchAll(/\bcreate table (?:if not exists )?(\w+)/g)].map(([, name]) => name))
  const indexed = [...code.matchAll(/\bcreate (?:unique )?index\b[^;]*?\bon (\w+)/g)].map(([, name]) => name)
  return [
    ...rules.filter(([pattern]) => pattern.test(code)).map(([, instead]) => instead),
    ...indexed.filter((name) => !own.has(name)).map((name) => `an index on ${name}, whose writers wait`),
  ]
}

test('no migration holds a lock for long, or takes away what the version before uses', () => {
  const names = readdirSync(ownMigrations).filter((name) => name >= first)
  const faults = names.flatMap((name) =>
    faultsOf(readFileSync(join(ownMigrations, name), 'utf8')).map((fault) => `${name}: ${fault}`),
  )
  expect(faults).toEqual([])
})

test.each([
  ['alter table leads alter column phone type text;', ['a new column, filled in batches']],
  [
    'alter table leads alter column phone set not null;',
    ['a check that is added as not valid, and validated later'],
  ],
  ['alter table leads add column size int not null;', ['a default']],
  ['alter table leads add column size int not null default 0, add column b int;', []],
  ['alter table leads add constraint a check (size > 0);', ['not valid']],
  ['alter table leads add constraint a check (size > 0) not valid;', []],
  ['alter table leads drop column size;', ['a later version that no longer needs the old name']],
  ['create index on leads (size);', ['an index on leads, whose writers wait']],
  ['create table sizes (id int); create index sizes_id on sizes (id);', []],
  ['-- long lock: the table has ten rows\ncreate index on roles (name);', []],
])('%s', (sql, faults) => {
  expect(faultsOf(sql)).toEqual(faults)
})
