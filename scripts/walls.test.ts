import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBreaches } from './walls.ts'

const root = join(import.meta.dirname, '..')
let tree: string

beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'admin-panel-walls-'))
  cpSync(join(root, 'package.json'), join(tree, 'package.json'))
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  for (const path of [
    'shared/dates.ts',
    'server/db.ts',
    'server/record/kinds.ts',
    'web/Page.tsx',
    'app/server/server.ts',
    'app/testing/start.testing.ts',
    'features/crm/leads/contract.ts',
    'features/crm/leads/rules.ts',
    'features/crm/leads/record/server/leads.queries.ts',
    'features/crm/leads/record/server/leads.routes.ts',
    'features/crm/leads/list/web/LeadsPage.tsx',
  ]) {
    write(path, 'export const here = 1')
  }
  // Allowed imports, so that the test would notice a rule that forbids everything.
  write(
    'features/admin/staff/contract.ts',
    "import '#shared/dates.ts'\nimport '#features/crm/leads/contract.ts'\nimport '#features/crm/leads/rules.ts'\nimport 'zod'",
  )
  write(
    'features/admin/staff/server/staff.routes.ts',
    "import '#server/db.ts'\nimport '#features/admin/staff/contract.ts'\nimport '#features/crm/leads/record/server/leads.queries.ts'\nimport '#features/crm/leads/rules.ts'\nimport 'node:fs'",
  )
  write(
    'features/admin/staff/server/staff.routes.test.ts',
    "import '#app/testing/start.testing.ts'\nimport 'vitest'",
  )
  write(
    'features/admin/staff/web/StaffPage.tsx',
    "import '#web/Page.tsx'\nimport '#features/crm/leads/contract.ts'\nimport '#features/admin/staff/contract.ts'\nimport 'react'",
  )
  write('web/parts/Panel.module.css', '.panel { margin: 0 }')
  write('web/parts/Panel.tsx', "import '#web/parts/Panel.module.css'")
  write('app/server/main.ts', "import '#features/admin/staff/server/staff.routes.ts'\nimport '#server/db.ts'")
})
afterEach(() => rmSync(tree, { recursive: true }))

function write(path: string, text: string): void {
  const file = join(tree, 'src', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${text}\n`)
}

async function brokenWalls(): Promise<string[]> {
  const { breaches } = await findBreaches(tree)
  return breaches.map((breach) => breach.slice(0, breach.indexOf(':')))
}

test('a tree that respects the module boundaries has no violation', async () => {
  expect((await findBreaches(tree)).breaches).toEqual([])
})

test.each([
  ['shared/roles.ts', '#server/db.ts', 'shared-is-neutral'],
  ['shared/roles.ts', 'node:fs', 'shared-is-neutral'],
  ['shared/roles.ts', 'react', 'shared-is-neutral'],
  ['server/jobs.ts', '#features/crm/leads/contract.ts', 'server-knows-no-feature'],
  ['server/jobs.ts', '#app/server/server.ts', 'server-knows-no-feature'],
  ['server/http/routes.ts', '#server/record/kinds.ts', 'http-knows-no-record'],
  ['web/Shell.tsx', '#features/crm/leads/list/web/LeadsPage.tsx', 'web-knows-no-feature'],
  ['web/Shell.tsx', '#server/db.ts', 'web-knows-no-feature'],
  ['web/Shell.tsx', 'node:fs', 'browser-has-no-node'],
  [
    'features/tasks/tasks/contract.ts',
    '#features/crm/leads/record/server/leads.queries.ts',
    'contracts-are-neutral',
  ],
  ['features/tasks/tasks/rules.ts', '#server/db.ts', 'contracts-are-neutral'],
  ['features/tasks/tasks/rules.ts', 'node:crypto', 'contracts-run-everywhere'],
  ['features/tasks/tasks/server/tasks.routes.ts', '#app/server/server.ts', 'features-know-no-app'],
  ['features/tasks/tasks/server/tasks.routes.test.ts', '#app/server/server.ts', 'features-know-no-app'],
  [
    'features/tasks/tasks/server/tasks.routes.ts',
    '#features/crm/leads/record/server/leads.routes.ts',
    'features-ask-by-query',
  ],
  ['features/tasks/tasks/server/tasks.routes.ts', '#web/Page.tsx', 'server-needs-no-web'],
  [
    'features/tasks/tasks/server/tasks.routes.ts',
    '#features/tasks/tasks/web/TasksPage.tsx',
    'server-needs-no-web',
  ],
  ['features/tasks/tasks/web/TasksPage.tsx', '#server/db.ts', 'web-needs-no-server'],
  [
    'features/tasks/tasks/web/TasksPage.tsx',
    '#features/crm/leads/list/web/LeadsPage.tsx',
    'pages-know-contracts',
  ],
  ['features/tasks/tasks/web/TasksPage.tsx', '#features/crm/leads/rules.ts', 'pages-know-contracts'],
  // The same imports, one folder deeper.
  [
    'features/tasks/tasks/board/contract.ts',
    '#features/crm/leads/record/server/leads.queries.ts',
    'contracts-are-neutral',
  ],
  ['features/tasks/tasks/board/columns.rules.ts', '#server/db.ts', 'contracts-are-neutral'],
  [
    'features/tasks/tasks/board/server/board.routes.ts',
    '#features/crm/leads/record/server/leads.routes.ts',
    'features-ask-by-query',
  ],
  [
    'features/tasks/tasks/board/server/board.routes.ts',
    '#features/tasks/tasks/web/TasksPage.tsx',
    'server-needs-no-web',
  ],
  ['features/tasks/tasks/board/web/Board.tsx', '#server/db.ts', 'web-needs-no-server'],
  ['features/tasks/tasks/board/web/Board.tsx', 'node:fs', 'browser-has-no-node'],
  [
    'features/tasks/tasks/board/web/Board.tsx',
    '#features/crm/leads/list/web/LeadsPage.tsx',
    'pages-know-contracts',
  ],
  ['app/browser/router.tsx', '#server/db.ts', 'browser-app-needs-no-server'],
  ['app/server/wiring.ts', '#app/testing/start.testing.ts', 'tests-are-not-shipped'],
  ['app/server/wiring.ts', 'vitest', 'no-development-packages'],
  ['web/list/Rows.tsx', '#web/parts/Panel.module.css', 'styles-stay-in-their-folder'],
  ['web/parts/menu/Menu.tsx', '#web/parts/Panel.module.css', 'styles-stay-in-their-folder'],
  ['features/tasks/tasks/web/TasksPage.tsx', '#web/parts/Panel.module.css', 'styles-stay-in-their-folder'],
  ['app/server/wiring.ts', '#shared/nowhere.ts', 'everything-is-there'],
])('%s cannot import %s', async (file, imported, wall) => {
  write('features/tasks/tasks/web/TasksPage.tsx', '')
  write(file, `import '${imported}'`)
  expect(await brokenWalls()).toContain(wall)
})

test('only the record kit writes to the tables of records', async () => {
  write(
    'server/db/tables.ts',
    'export interface Leads {\n  version: number;\n  deleted_at: string;\n}\nexport interface Notes {\n  id: number;\n}\nexport interface Database {\n  leads: Leads;\n  notes: Notes;\n}',
  )
  write('server/record/write.ts', 'export const here = sql`update leads set version = 2`')
  const route = 'features/crm/leads/record/server/leads.routes.ts'
  for (const [text, breaches] of [
    ["db.updateTable('leads').set({ version: 2 })", 1],
    ["db\n  .updateTable(\n  'leads').set({ version: 2 })", 1],
    ['sql`update leads set version = 2`', 1],
    ["db.insertInto('leads').values({ version: 2 })", 1],
    ['sql`insert into leads (version) values (2)`', 1],
    ["import { here } from '#server/record/write.ts'\nexport const there = here", 1],
    ["db.updateTable('notes').set({ id: 2 })", 0],
    ['// An update of leads', 0],
  ] as const) {
    write(route, text)
    const found = (await brokenWalls()).filter((one) => one === 'records-are-written-by-the-kit')
    expect([text, found.length]).toEqual([text, breaches])
  }
})

test('the check fails if it read no files', async () => {
  const { breaches } = await findBreaches(tree, { exclude: { path: 'features' } })
  expect(breaches.join()).toContain('not-read')
})

test('a type import crosses a boundary as well', async () => {
  write('shared/roles.ts', "import type { here } from '#server/db.ts'\nexport type Here = typeof here")
  expect(await brokenWalls()).toContain('shared-is-neutral')
})

test('two files that import each other are a cycle', async () => {
  write('shared/a.ts', "import { b } from '#shared/b.ts'\nexport const a = () => b")
  write('shared/b.ts', "import { a } from '#shared/a.ts'\nexport const b = () => a")
  expect(await brokenWalls()).toContain('no-circles')
})

const leads = 'features/crm/leads/list'
const staff = 'features/admin/staff'

test.each([
  ["import '#features/admin/staff/contract.ts'", 'an import'],
  ["import type { here } from '#features/admin/staff/contract.ts'\nexport type Here = typeof here", 'a type'],
  ["export const load = () => import('#features/admin/staff/contract.ts')", 'a dynamic import'],
  ["export { here } from '#features/admin/staff/contract.ts'", 'an export'],
])('two feature folders cannot import each other: %s (%s)', async (text) => {
  write(`${staff}/server/more.ts`, "import '#features/crm/leads/list/contract.ts'")
  write(`${leads}/contract.ts`, 'export const here = 1')
  expect(await brokenWalls()).toEqual([])
  write(`${leads}/rules.ts`, text)
  expect(await brokenWalls()).toEqual(['folders-import-each-other'])
})

test('tests and demo data may use any feature folder', async () => {
  write(`${staff}/server/more.ts`, "import '#features/crm/leads/list/contract.ts'")
  write(`${leads}/contract.ts`, 'export const here = 1')
  for (const file of ['list.test.ts', 'list.testing.ts', 'list.seed.ts'])
    write(`${leads}/server/${file}`, "import '#features/admin/staff/contract.ts'")
  expect(await brokenWalls()).toEqual([])
})

test('at most three feature folders can be a cycle', async () => {
  const link = (from: string, to: string) => {
    write(`features/crm/${from}/contract.ts`, 'export const here = 1')
    write(`features/crm/${from}/rules.ts`, `import '#features/crm/${to}/contract.ts'`)
  }
  link('a', 'b')
  link('b', 'c')
  link('c', 'a')
  link('d', 'a')
  expect(await brokenWalls()).toEqual([])
  link('c', 'd')
  expect(await brokenWalls()).toEqual(['folders-are-a-cycle'])
})
