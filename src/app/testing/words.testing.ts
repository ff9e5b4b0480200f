import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree } from 'vite'

/** Text meant for people: a comment, a string, JSX text, or a line of Markdown. */
export type Text = { file: string; line: number; text: string }

const root = join(import.meta.dirname, '../../..')
// The glossary and this test quote the idioms; tables.ts is generated.
const skipped = /^src\/app\/testing\/words\.|^docs\/words\.md$|db\/tables\.ts$/

/** Returns every text in the project: code in src, e2e, bench, and scripts, and the Markdown files. */
export function allTexts(): Text[] {
  const read = (pattern: string) =>
    globSync(pattern, { cwd: root })
      .filter((file) => !skipped.test(file))
      .map((file) => [file, readFileSync(join(root, file), 'utf8')] as const)
  return [
    ...read('{src,e2e,bench,scripts}/**/*.{ts,tsx,mjs}').flatMap(([file, source]) => codeTexts(file, source)),
    ...read('src/**/*.css').flatMap(([file, source]) => cssTexts(file, source)),
    ...read('{README.md,ARCHITECTURE.md,docs/**/*.md}').flatMap(([file, source]) =>
      markdownTexts(file, source),
    ),
  ]
}

/**
 * Returns comments, strings, and JSX texts. A string without a space or a capital letter is a key and is left
 * out.
 */
export function codeTexts(file: string, source: string): Text[] {
  const { program, comments, errors } = parseSync(file, source)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  const found: Text[] = []
  const lineAt = lineFinder(source)
  const add = (at: number, text: string) => {
    if (/\s|^\p{Lu}\p{Ll}/u.test(text.trim())) found.push({ file, line: lineAt(at), text })
  }
  for (const { start, value } of joinLineComments(source, comments)) add(start, withoutCode(value))
  const sqlTemplates = new Set<ESTree.TemplateLiteral>()
  const notText = new Set<ESTree.Node>()
  new Visitor({
    ImportDeclaration: ({ source: from }) => notText.add(from),
    ExportNamedDeclaration: ({ source: from }) => from && notText.add(from),
    ExportAllDeclaration: ({ source: from }) => notText.add(from),
    ImportExpression: ({ source: from }) => notText.add(from),
    TaggedTemplateExpression: ({ tag, quasi }) => {
      if (/^sql\b/.test(source.slice(tag.start, tag.end))) sqlTemplates.add(quasi)
    },
    Literal: (node) => {
      if (typeof node.value === 'string' && !notText.has(node)) add(node.start, node.value)
    },
    TemplateLiteral: (node) => {
      const text = node.quasis.map(({ value }) => value.cooked ?? value.raw).join('…')
      if (!sqlTemplates.has(node)) add(node.start, text)
      // In SQL, people only ever see the quoted values.
      else for (const [, value] of text.matchAll(/'([^']+)'/g)) add(node.start, value!)
    },
    JSXText: ({ start, value }) => add(start, value.replaceAll(/\s+/g, ' ')),
  }).visit(program)
  return found
}

type Comment = { type: string; start: number; end: number; value: string }

/** Joins consecutive line comments, because a sentence can continue on the next line. */
function joinLineComments(source: string, comments: readonly Comment[]): Comment[] {
  const joined: Comment[] = []
  for (const comment of comments) {
    const value = comment.value.replaceAll(/^\s*\*+ ?/gm, '').replaceAll(/\s+/g, ' ')
    const last = joined.at(-1)
    const continues =
      last?.type === 'Line' && comment.type === 'Line' && /^\n *$/.test(source.slice(last.end, comment.start))
    if (continues) joined[joined.length - 1] = { ...last, end: comment.end, value: `${last.value}${value}` }
    else joined.push({ ...comment, value })
  }
  return joined
}

function cssTexts(file: string, source: string): Text[] {
  const lineAt = lineFinder(source)
  return [...source.matchAll(/\/\*([^]*?)\*\//g)].map(({ 1: text = '', index }) => ({
    file,
    line: lineAt(index),
    text: withoutCode(text),
  }))
}

/** Returns the lines of a Markdown file, excluding code blocks. */
export function markdownTexts(file: string, source: string): Text[] {
  const prose = source.replaceAll(/^```[^]*?^```/gm, (block) => block.replaceAll(/[^\n]/g, ''))
  return prose.split('\n').map((text, index) => ({ file, line: index + 1, text: withoutCode(text) }))
}

const withoutCode = (text: string) =>
  text
    .replaceAll(/`[^`]*`/g, '`code`')
    .replaceAll(/https?:[^\s)]+/g, 'URL')
    .replaceAll(/\]\([^)]*\)/g, ']')

function lineFinder(source: string): (offset: number) => number {
  return (offset) => source.slice(0, offset).split('\n').length
}
