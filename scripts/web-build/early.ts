import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'
import { earlyPages, frame } from '../../src/app/browser/early-pages.ts'

/** Files that the browser fetches together with the HTML. */
interface Early {
  /** Files of every page, the sign-in page included. */
  every: string[]
  /** Additional files of the frame around all pages behind the login. */
  panel: string[]
  /** Additional files of a page, by its path. */
  pages: Record<string, string[]>
}

/** Inlines the icon: it is half a kilobyte, which is not worth a request. */
export function iconInPage(): Plugin {
  return {
    name: 'icon-in-page',
    apply: 'build',
    transformIndexHtml: async (html) =>
      html.replace('/favicon.png', `data:image/png;base64,${await readFile('public/favicon.png', 'base64')}`),
  }
}

/**
 * Prepares the files that the first page needs. Writes `early.json`, from which `src/app/server/client.ts`
 * announces them with the HTML, and marks their scripts for Chromium, which then compiles all their functions
 * in the background instead of one by one while the page waits (docs/decisions/007-render-the-first-page-once.md).
 * Other browsers see a comment. `isEarly` tells whether a file is among them.
 */
export function earlyFiles(): { plugin: Plugin; isEarly: (file: string) => boolean } {
  let folder = ''
  let early: Early | undefined
  let scripts: ReadonlySet<string> = new Set()
  return {
    isEarly: (file) => scripts.has(file),
    plugin: {
      name: 'early-files',
      apply: 'build',
      configResolved: ({ root, build }) => {
        folder = resolve(root, build.outDir)
      },
      generateBundle: {
        order: 'pre',
        handler: (_, bundle) => {
          scripts = scriptsOf(bundle)
        },
      },
      transformIndexHtml: {
        order: 'post',
        handler(html, { bundle = {} }) {
          const every = [...html.matchAll(/(?:src|href)="(\/(?:early\.js|assets\/[^"]+))"/g)].map(
            ([, file]) => file!,
          )
          early = earlyOf(bundle, every)
        },
      },
      // V8 reads the comment only before the first statement, and Vite adds its own statements first.
      writeBundle: {
        order: 'post',
        handler: async (_, bundle) => {
          for (const name of scripts) {
            // Vite removes an entry that only imports other files.
            if (!(name in bundle)) continue
            const file = join(folder, name)
            await writeFile(file, `//# allFunctionsCalledOnLoad\n${await readFile(file, 'utf8')}`)
          }
          await writeFile(join(folder, 'early.json'), JSON.stringify(early))
        },
      },
    },
  }
}

const chunksOf = (bundle: Rolldown.OutputBundle) =>
  Object.values(bundle).filter((output) => output.type === 'chunk')

function chunkOf(bundle: Rolldown.OutputBundle, module: string): Rolldown.OutputChunk {
  const found = chunksOf(bundle).find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}`))
  if (!found) throw new Error(`The build has no chunk of ${module}.`)
  return found
}

/** Returns a chunk and everything that it imports. */
function closureOf(bundle: Rolldown.OutputBundle, start: Rolldown.OutputChunk): Set<Rolldown.OutputChunk> {
  const found = new Set<Rolldown.OutputChunk>()
  const todo = [start]
  for (let chunk = todo.pop(); chunk; chunk = todo.pop()) {
    if (found.has(chunk)) continue
    found.add(chunk)
    for (const name of chunk.imports) {
      const imported = bundle[name]
      if (imported?.type === 'chunk') todo.push(imported)
    }
  }
  return found
}

/** Returns the names of the scripts that the entry, the frame, and the early pages need. */
function scriptsOf(bundle: Rolldown.OutputBundle): Set<string> {
  const starts = [
    ...chunksOf(bundle).filter(({ isEntry }) => isEntry),
    ...[frame, ...Object.values(earlyPages)].map((module) => chunkOf(bundle, module)),
  ]
  return new Set(starts.flatMap((start) => [...closureOf(bundle, start)].map(({ fileName }) => fileName)))
}

function earlyOf(bundle: Rolldown.OutputBundle, every: string[]): Early {
  const filesOf = (module: string, known: readonly string[]): string[] => {
    const files = [...closureOf(bundle, chunkOf(bundle, module))].flatMap((chunk) => [
      `/${chunk.fileName}`,
      ...[...(chunk.viteMetadata?.importedCss ?? [])].map((style) => `/${style}`),
    ])
    return [...new Set(files)].filter((file) => !known.includes(file))
  }
  const panel = filesOf(frame, every)
  const pages = Object.entries(earlyPages).map(([path, module]) => [
    path,
    filesOf(module, [...every, ...panel]),
  ])
  return { every, panel, pages: Object.fromEntries(pages) as Record<string, string[]> }
}
