import type { IModule } from 'dependency-cruiser'

const largest = 3

/**
 * Returns the pairs of feature folders that import each other, and the groups of more than three that all lead to
 * each other. A feature folder is one that has `contract.ts`, `server/`, or `web/`. Imports of types and dynamic
 * imports count; those of tests and demo data don't.
 */
export function findFolderCycles(modules: readonly IModule[], paths: readonly string[]): string[] {
  const imports = importsOfFolders(modules, paths)
  const folders = [...imports.keys()].toSorted()
  const pairs = folders.flatMap((one) =>
    folders
      .filter((other) => one < other && imports.get(one)!.has(other) && imports.get(other)!.has(one))
      .map((other) => `folders-import-each-other: ${one} <-> ${other}`),
  )
  return [...pairs, ...cyclesIn(imports).map((cycle) => `folders-are-a-cycle: ${cycle.join(', ')}`)]
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
