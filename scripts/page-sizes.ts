// Checks how much code each page of the built web client loads before it can be shown: the compressed scripts
// and styles of the entry, the frame, and the page with everything they import. Parts that load later (chat,
// dialogs, editors) are not counted.
import { readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { frame, pagesWithoutFrame } from '../src/app/browser/early-pages.ts'
import { boardLimits, boards, hasLimits, limitsOf, type Limits } from './web-build/limits.ts'

interface Module {
  file: string
  css?: string[]
  imports?: string[]
  isEntry?: boolean
  isDynamicEntry?: boolean
}

/** Pages with a form, which show the field for files immediately. */
const withForm = /(NewTicket|Requests|Kind|MetaTags|Documents|NewTerms|Templates)Page$/
/** Parts that no page loads before it is shown. */
const late = /RichTextEditor|Plots|PdfPreview/
const lateWithoutForm = /FilesField/

const folder = join(import.meta.dirname, '..', 'dist', 'web')
const modules = JSON.parse(readFileSync(join(folder, 'modules.json'), 'utf8')) as Record<string, Module>
const start = Object.keys(modules).filter((name) => modules[name]!.isEntry)
const pages = Object.keys(modules).filter(
  (name) =>
    modules[name]!.isDynamicEntry &&
    hasLimits(name) &&
    // A board is checked with the list whose layout it is.
    !Object.values(boards).some((board) => name === `src/${board}`),
)
if (start.length === 0 || pages.length < 30)
  throw new Error('The list of the modules in the build is incomplete.')

const problems = [
  ...pages.toSorted().flatMap((page) => check(page)),
  ...Object.entries(boards).flatMap(([page, board]) => check(`src/${page}`, `src/${board}`)),
]
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0

function check(page: string, board?: string): string[] {
  const isAlone = pagesWithoutFrame.some((name) => page === `src/${name}`)
  const files = filesOf([...start, ...(isAlone ? [] : [`src/${frame}`]), page, ...(board ? [board] : [])])
  const scripts = files.filter((file) => file.endsWith('.js'))
  const styles = files.filter((file) => file.endsWith('.css'))
  const found: Limits = { js: sizeOf(scripts), css: sizeOf(styles), requests: files.length }
  const limits = board ? boardLimits : limitsOf(page, isAlone)
  const name = `${basename(page, '.tsx')}${board ? ' with its board' : ''}`
  console.log(`${name}: ${found.js} bytes of script, ${found.css} of style, ${found.requests} files`)
  return [
    ...(['js', 'css', 'requests'] as const)
      .filter((what) => found[what] > limits[what])
      .map((what) => `${name} exceeds its limit of ${what}: ${found[what]} instead of ${limits[what]}.`),
    ...scripts
      .filter(
        (file) => late.test(file) || (!withForm.test(basename(page, '.tsx')) && lateWithoutForm.test(file)),
      )
      .map((file) => `${name} loads ${file} before it is shown.`),
  ]
}

/** Returns the files of modules and of everything that they import. */
function filesOf(names: readonly string[]): string[] {
  for (const name of names) if (!modules[name]) throw new Error(`The build has no module ${name}.`)
  const seen = new Set<string>()
  const todo = [...names]
  for (let name = todo.pop(); name !== undefined; name = todo.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    todo.push(...(modules[name]?.imports ?? []))
  }
  return [...new Set([...seen].flatMap((name) => [modules[name]!.file, ...(modules[name]!.css ?? [])]))]
}

/** Returns the bytes of files as the server sends them. */
function sizeOf(files: readonly string[]): number {
  return files.reduce((bytes, file) => bytes + statSync(join(folder, `${file}.br`)).size, 0)
}
