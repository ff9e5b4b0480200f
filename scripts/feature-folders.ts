import type { IModule } from 'dependency-cruiser'

/** Feature folders that import each other, directly or through others. */
export interface FolderCycles {
  /** Two folders that import each other, with the reason. */
  pairs: Readonly<Record<string, string>>
  /** Groups of more than three folders that all lead to each other. */
  cycles: readonly (readonly string[])[]
}

/** The pairs and cycles that exist. These lists can only get shorter. */
export const knownCycles: FolderCycles = {
  pairs: {
    'admin/staff <-> panel/session':
      'Edit Profile is an update of an admin user, whose sessions and invitations the staff pages end',
    'cms/articles/categories <-> cms/articles/faq-categories':
      'categories of posts and of FAQs share queries and components',
    'crm/quick-tasks <-> tasks/tasks': 'My tasks lists both, and a quick task can be about a task',
    'crm/support <-> tasks/tasks': 'a ticket becomes a task, which shows its conversation',
  },
  cycles: [],
}

const largest = 3

/**
 * Returns the pairs and cycles of feature folders that are not listed, and those that are listed but do not
 * exist. A feature folder is one that has `contract.ts`, `server/`, or `web/`. Imports of types and dynamic
 * imports count; those of tests and demo data don't.
 */
export function findFolderCycles(
  modules: readonly IModule[],
  paths: readonly string[],
  known: FolderCycles,
): string[] {
  const imports = importsOfFolders(modules, paths)
  const folders = [...imports.keys()].toSorted()
  const pairs = folders.flatMap((one) =>
    folders
      .filter((other) => one < other && imports.get(one)!.has(other) && imports.get(other)!.has(one))
      .map((other) => `${one} <-> ${other}`),
  )
  const cycles = cyclesIn(imports).map((cycle) => cycle.join(', '))
  return [
    ...difference('folders-import-each-other', pairs, Object.keys(known.pairs)),
    ...difference(
      'folders-are-a-cycle',
      cycles,
      known.cycles.map((cycle) => cycle.toSorted().join(', ')),
    ),
  ]
}

function difference(rule: string, found: readonly string[], listed: readonly string[]): string[] {
  return [
    ...found.filter((one) => !listed.includes(one)).map((one) => `${rule}: ${one}`),
    ...listed
      .filter((one) => !found.includes(one))
      .map((one) => `${rule}: ${one} no longer exists; remove it from scripts/feature-folders.ts`),
  ]
}

/** Returns for each feature folder those that it imports. */
function importsOfFolders(
  modules: readonly IModule[],
  paths: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Set(
    paths.flatMap((path) => {
      const folder = /^features\/(.+?)\/(?:server|web)\/|^features\/(.+)\/contract\.ts$/.exec(slashed(path))
      return folder ? [(folder[1] ?? folder[2])!] : []
    }),
  )
  const folderOf = (path: string): string | undefined => {
    let folder = slashed(path).replace(/^src\/(features\/)?/, '')
    while (folder && !folders.has(folder)) folder = folder.slice(0, Math.max(folder.lastIndexOf('/'), 0))
    return folder || undefined
  }
  const imports = new Map<string, Set<string>>([...folders].map((folder) => [folder, new Set<string>()]))
  for (const { source, dependencies } of modules) {
    const from = folderOf(source)
    if (from === undefined || /\.(test|testing|seed)\.tsx?$/.test(source)) continue
    for (const { resolved } of dependencies) {
      const to = folderOf(resolved)
      if (to !== undefined && to !== from) imports.get(from)!.add(to)
    }
  }
  return imports
}

const slashed = (path: string) => path.replaceAll('\\', '/')

/** Returns the groups of more than three folders in which each leads to each. */
function cyclesIn(imports: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const reached = new Map([...imports.keys()].map((folder) => [folder, reachedFrom(folder, imports)]))
  const cycles = [...reached].map(([folder, others]) =>
    [...others].filter((other) => reached.get(other)!.has(folder)).toSorted(),
  )
  return cycles.filter((cycle, index) => {
    const same = cycles.findIndex((other) => other.join() === cycle.join())
    return cycle.length > largest && same === index
  })
}

function reachedFrom(start: string, imports: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>()
  const waiting = [start]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop())
    for (const next of imports.get(folder) ?? [])
      if (!reached.has(next)) {
        reached.add(next)
        waiting.push(next)
      }
  return reached
}
