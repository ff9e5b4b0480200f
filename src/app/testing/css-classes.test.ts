import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/*
 * A class that is missing from a CSS module is silently undefined, and the component is rendered without its
 * styles.
 */

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const importOf = /^import (\w+) from '#((?:web|features|app)\/.+\.module\.css)'$/gm
const classesIn = (css: string) =>
  new Set(css.replaceAll(/\/\*[^]*?\*\//g, '').match(/(?<=\.)[a-zA-Z][\w-]*/g))

/** Returns the classes that a source file uses, by CSS module. */
function namedBy(source: string): { css: string; names: string[] }[] {
  return [...source.matchAll(importOf)].map(([, name, css]) => ({
    css: `src/${css}`,
    names: [
      ...source
        .replaceAll(/^import .*$/gm, '')
        .matchAll(new RegExp(`\\b${name}(?:\\.(\\w+)|\\['([\\w-]+)'\\])`, 'g')),
    ].map(([, plain, quoted]) => plain ?? quoted!),
  }))
}

const sources = globSync('src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.d.ts'))
const missing = (of: readonly (readonly [file: string, source: string])[]) =>
  of.flatMap(([file, source]) =>
    namedBy(source).flatMap(({ css, names }) =>
      names
        .filter((name) => !classesIn(read(css)).has(name))
        .map((name) => `${file}: ${name} is not in ${css}`),
    ),
  )

test('every class used by a component is in its CSS module', () => {
  expect(missing(sources.map((file) => [file, read(file)]))).toEqual([])
  // The control.
  const planted = `import classes from '#web/list/cells.module.css'\n<i className={classes.action} /><i className={classes.nothingLikeIt} />`
  expect(missing([['planted', planted]])).toEqual([
    'planted: nothingLikeIt is not in src/web/list/cells.module.css',
  ])
})
