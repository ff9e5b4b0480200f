import { brotliCompressSync, constants } from 'node:zlib'
import { basename, extname } from 'node:path'
import { build, type Plugin, type PluginOption, type Rolldown } from 'vite'
import { boardLimits, boards, hasLimits, limitsOf, shareOf, wholeLimits, type Limits } from './limits.ts'
import {
  busyPages,
  busyParts,
  frame,
  pagesWithoutFrame,
  partsAfterPage,
  startPage,
} from '../../src/app/browser/early-pages.ts'

/*
 * Decides which modules share a file. The bundler on its own makes a file for each set of modules that the
 * same pages use: no page loads a line too many, but each loads over a hundred files. Here files are merged,
 * the most profitable pair first, as long as the requests saved outweigh the extra bytes. How many bytes a request is
 * worth decides which files end up together, and a small change of the code can move a page across its limit. So
 * several values are tried, and the plan is taken whose fullest page has the most room.
 */

/** Bytes that a page may load in vain to save one request: the values that are tried. */
const requestBytes = [7200, 8400, 9600]
/** Bytes that merging two files saves because they are compressed together. */
const mergedBytes = 184
/**
 * Weight of a page or dialog that loads a file. The entry weighs most because every page waits for it, then the page
 * after sign-in, which has parts of most areas.
 */
const weights = { entry: 30, startPage: 6, busyPage: 5, page: 1, dialog: 0.2 }

/** Modules that are never merged with others, because most pages that the others belong to never show them. */
const alone = /\/web\/(files\/FilesField\.tsx|form\/useDraftForm\.ts)$/

type Chunk = Rolldown.OutputChunk
/** A file that the browser loads: one or more of the bundler's chunks. */
interface Part {
  chunks: Chunk[]
  /** Compressed size of its script and styles. */
  bytes: number
  /** Compressed size of its styles alone. */
  styles: number
  imports: Set<Part>
  /** The pages and dialogs that load the part, one bit each. */
  usedBy: Int32Array
  /** Whether the part keeps its own file, for example because it begins a page or dialog. */
  isFixed: boolean
}
interface Root {
  weight: number
  loads: ReadonlySet<Chunk>
  /** The limits of what it loads, for a page. */
  limits?: Limits
}
interface Size {
  script: number
  styles: number
}

/**
 * Plans the chunks before a build; `nameOf` then returns the chunk of a module, or null if only one page or dialog uses
 * it. Not planned with the configuration, which tools read without building.
 */
export function plannedChunks(plugins: () => PluginOption[]): {
  plugin: Plugin
  nameOf: (id: string) => string | null
} {
  let names: ReadonlyMap<string, string> = new Map()
  return {
    plugin: {
      name: 'planned-chunks',
      apply: 'build',
      async configResolved() {
        names = await planChunks(plugins())
      },
    },
    nameOf: (id) => names.get(id) ?? null,
  }
}

/** Returns the name of the chunk for each module that several pages or dialogs use, by the module's ID. */
async function planChunks(plugins: PluginOption[]): Promise<ReadonlyMap<string, string>> {
  const output = await bundleOnce(plugins)
  const chunks = output.filter((file) => file.type === 'chunk')
  const sizes = sizesOf(output)
  const roots = rootsOf(chunks)
  const weigh = weigher(roots)
  const plans = requestBytes.map((worth) => {
    const parts = partsOf(chunks, roots, sizes)
    for (let pair = bestPair(parts, weigh, worth); pair; pair = bestPair(parts, weigh, worth))
      merge(parts, ...pair)
    return { parts, share: largestShare(parts, roots) }
  })
  const [best] = plans.toSorted((one, other) => one.share - other.share)
  return namesOf(best!.parts)
}

/** Returns the share of its limits that the fullest page uses. */
const largestShare = (parts: ReadonlySet<Part>, roots: readonly Root[]): number =>
  Math.max(
    ...roots.flatMap(({ limits }, index) => {
      if (!limits) return []
      const found = { js: 0, css: 0, requests: 0 }
      for (const { usedBy, bytes, styles } of parts)
        if (usedBy[index >> 5]! & (1 << (index & 31))) {
          found.js += bytes - styles
          found.css += styles
          found.requests += styles > 0 ? 2 : 1
        }
      return shareOf(found, limits)
    }),
  )

async function bundleOnce(plugins: PluginOption[]): Promise<Rolldown.OutputBundle[string][]> {
  const bundled = await build({
    configFile: false,
    logLevel: 'error',
    plugins,
    build: { write: false, target: 'es2023', assetsInlineLimit: 0, modulePreload: false },
  })
  if (!('output' in bundled)) throw new Error('Expected one bundle.')
  return bundled.output
}

/** Returns the compressed size of each chunk with its styles. */
function sizesOf(output: readonly Rolldown.OutputBundle[string][]): Map<Chunk, Size> {
  const compressed = (text: string | Uint8Array) =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length
  const styles = new Map(
    output.flatMap((file) =>
      file.type === 'asset' && file.fileName.endsWith('.css')
        ? [[file.fileName, compressed(file.source)] as const]
        : [],
    ),
  )
  return new Map(
    output.flatMap((file) =>
      file.type === 'chunk'
        ? [
            [
              file,
              {
                script: compressed(file.code),
                styles: [...(file.viteMetadata?.importedCss ?? [])].reduce(
                  (sum, name) => sum + (styles.get(name) ?? 0),
                  0,
                ),
              },
            ] as const,
          ]
        : [],
    ),
  )
}

/**
 * Returns the entry, the pages with everything that they load, the busy ones also with the parts after them, and what
 * loads later with what it adds.
 */
function rootsOf(chunks: readonly Chunk[]): Root[] {
  const named = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const closure = (chunk: Chunk, found = new Set<Chunk>()): Set<Chunk> => {
    if (found.has(chunk)) return found
    found.add(chunk)
    for (const name of chunk.imports) if (named.has(name)) closure(named.get(name)!, found)
    return found
  }
  const entry = chunks.find(({ isEntry }) => isEntry)!
  const frameChunk = chunks.find((chunk) => begins(chunk, frame))
  if (!frameChunk) throw new Error(`The bundle has no chunk of ${frame}.`)
  const start = closure(entry)
  const behindLogin = closure(frameChunk, new Set(start))
  const pages = new Set([...start].flatMap(({ dynamicImports }) => dynamicImports))
  const rootOf = (chunk: Chunk): Root => {
    const module = chunk.facadeModuleId!
    const limits = (isAlone: boolean) => (hasLimits(module) ? { limits: limitsOf(module, isAlone) } : {})
    if (pagesWithoutFrame.some((page) => begins(chunk, page)))
      return { weight: weights.entry, loads: closure(chunk, new Set(start)), ...limits(true) }
    if (pages.has(chunk.fileName)) {
      const isBusy = busyPages.some((page) => begins(chunk, page))
      return {
        weight: begins(chunk, startPage) ? weights.startPage : isBusy ? weights.busyPage : weights.page,
        loads: closure(chunk, new Set(behindLogin)),
        ...limits(false),
      }
    }
    return {
      weight: busyParts.some((part) => begins(chunk, part)) ? weights.busyPage : weights.dialog,
      loads: new Set([...closure(chunk)].filter((one) => !behindLogin.has(one))),
    }
  }
  const together = (modules: readonly string[], weight: number, limits: Limits): Root => ({
    weight,
    loads: chunks
      .filter((chunk) => modules.some((one) => begins(chunk, one)))
      .reduce((loads, chunk) => closure(chunk, loads), new Set(behindLogin)),
    limits,
  })
  return [
    { weight: weights.entry, loads: start },
    ...Object.entries(partsAfterPage).map(([page, parts]) =>
      together([page, ...parts], weights.busyPage, wholeLimits),
    ),
    // Lists and boards are weighed by themselves; together they only have limits.
    ...Object.entries(boards).map((both) => together(both, 0, boardLimits)),
    ...chunks.filter((chunk) => chunk.isDynamicEntry && chunk !== frameChunk).map(rootOf),
  ]
}

const begins = ({ facadeModuleId }: Chunk, module: string) =>
  facadeModuleId?.endsWith(`/src/${module}`) ?? false

function partsOf(
  chunks: readonly Chunk[],
  roots: readonly Root[],
  sizes: ReadonlyMap<Chunk, Size>,
): Set<Part> {
  const parts = new Map(
    chunks.map((chunk): [string, Part] => {
      const usedBy = new Int32Array(Math.ceil(roots.length / 32))
      for (const [index, { loads }] of roots.entries())
        if (loads.has(chunk)) usedBy[index >> 5]! |= 1 << (index & 31)
      const isFixed = chunk.facadeModuleId !== null || Object.keys(chunk.modules).some((id) => alone.test(id))
      const { script, styles } = sizes.get(chunk)!
      return [
        chunk.fileName,
        { chunks: [chunk], bytes: script + styles, styles, imports: new Set(), usedBy, isFixed },
      ]
    }),
  )
  for (const chunk of chunks)
    for (const name of chunk.imports) {
      const imported = parts.get(name)
      if (imported) parts.get(chunk.fileName)!.imports.add(imported)
    }
  return new Set(parts.values())
}

type Weigh = (usedBy: (word: number) => number) => number

/** Returns a function that adds the weights of a mask's pages and dialogs. */
function weigher(roots: readonly Root[]): Weigh {
  const words = Math.ceil(roots.length / 32)
  return (maskOf) => {
    let sum = 0
    for (let word = 0; word < words; word += 1)
      for (let bits = maskOf(word); bits !== 0;) {
        const bit = 31 - Math.clz32(bits)
        sum += roots[word * 32 + bit]!.weight
        bits &= ~(1 << bit)
      }
    return sum
  }
}

/** Returns everything that a part imports, directly or through others. */
function importsOf(part: Part): Set<Part> {
  const found = new Set<Part>()
  const todo = [...part.imports]
  for (let next = todo.pop(); next; next = todo.pop()) {
    if (found.has(next)) continue
    found.add(next)
    todo.push(...next.imports)
  }
  return found
}

/** Returns the two parts whose merging saves most, or undefined if no merging saves anything. */
function bestPair(parts: ReadonlySet<Part>, weigh: Weigh, worth: number): [Part, Part] | undefined {
  const reached = new Map([...parts].map((part) => [part, importsOf(part)]))
  const movable = [...parts].filter(({ isFixed }) => !isFixed)
  let best: [Part, Part] | undefined
  let most = 0
  for (const [index, one] of movable.entries())
    for (const other of movable.slice(index + 1)) {
      const saved = savedBy(one, other, { atLeast: most, reached, weigh, worth })
      if (saved <= most) continue
      most = saved
      best = [one, other]
    }
  return best
}

interface Weighing {
  /** A smaller saving is returned as 0. */
  atLeast: number
  /** What each part imports, directly or through others. */
  reached: ReadonlyMap<Part, ReadonlySet<Part>>
  weigh: Weigh
  /** The bytes that a request is worth. */
  worth: number
}

/** Returns the bytes that merging saves, including what the pages of one part load because of the other. */
function savedBy(one: Part, other: Part, { atLeast, reached, weigh, worth }: Weighing): number {
  const both = weigh((word) => one.usedBy[word]! & other.usedBy[word]!)
  if (both === 0) return 0
  let saved =
    both * worth -
    weigh((word) => other.usedBy[word]! & ~one.usedBy[word]!) * one.bytes -
    weigh((word) => one.usedBy[word]! & ~other.usedBy[word]!) * other.bytes
  if (saved <= atLeast || isBetween(one, other, reached) || isBetween(other, one, reached)) return 0
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    for (const imported of reached.get(from)!)
      if (imported !== to)
        saved -= weigh((word) => to.usedBy[word]! & ~imported.usedBy[word]!) * (imported.bytes + worth)
  return saved
}

/** Whether a third part is imported by one and imports the other: merged, they would import each other. */
const isBetween = (one: Part, other: Part, reached: ReadonlyMap<Part, ReadonlySet<Part>>): boolean =>
  reached.get(one)!.has(other) &&
  [...one.imports].some((part) => part !== other && reached.get(part)!.has(other))

function merge(parts: Set<Part>, one: Part, other: Part): void {
  parts.delete(other)
  one.chunks.push(...other.chunks)
  one.bytes += other.bytes - mergedBytes
  one.styles += other.styles
  for (const part of other.imports) one.imports.add(part)
  for (const part of parts) if (part.imports.delete(other)) part.imports.add(one)
  one.imports.delete(one)
  for (const part of [one, ...importsOf(one)])
    for (const word of part.usedBy.keys()) part.usedBy[word]! |= one.usedBy[word]! | other.usedBy[word]!
}

/** Names each part by its largest module. */
function namesOf(parts: ReadonlySet<Part>): Map<string, string> {
  const names = new Map<string, string>()
  const taken = new Map<string, number>()
  for (const { chunks, isFixed } of parts) {
    if (isFixed) continue
    const modules = chunks.flatMap((chunk) => Object.entries(chunk.modules))
    const [largest] = modules.toSorted(
      ([, one], [, other]) => other.renderedLength - one.renderedLength,
    )[0] ?? ['empty']
    const stem =
      /node_modules\/((?:@[^/]+\/)?[^/]+)/
        .exec(largest)?.[1]
        ?.replace(/^@|\//g, (sign) => (sign === '/' ? '-' : '')) ?? basename(largest, extname(largest))
    const count = (taken.get(stem) ?? 0) + 1
    taken.set(stem, count)
    for (const [id] of modules) names.set(id, count === 1 ? `part-${stem}` : `part-${stem}-${count}`)
  }
  return names
}
