import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const src = join(import.meta.dirname, '..', '..')
const styles = join(src, '..', 'node_modules', '@mantine', 'core', 'styles')

/** Returns the components of `@mantine/core` that code uses, and those whose styles it imports. */
function mantineIn(code: string): { used: string[]; styled: string[] } {
  const imports = [...code.matchAll(/import \{([^}]*)\} from '@mantine\/core'/g)].map(([, names]) => names!)
  const used = imports.flatMap((names) => names.split(',').map((name) => name.trim()))
  const styled = [...code.matchAll(/'@mantine\/core\/styles\/(\w+)\.css'/g)].map(([, name]) => name!)
  return { used: used.filter((name) => existsSync(join(styles, `${name}.css`))), styled }
}

/** Returns the components that are used in one of these files, but have their styles in none. */
function unstyledIn(files: readonly string[]): string[] {
  const found = files.map(mantineIn)
  const styled = new Set(found.flatMap((file) => file.styled))
  return [...new Set(found.flatMap(({ used }) => used))].filter((name) => !styled.has(name))
}

test('each component of Mantine has its styles', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => readFileSync(join(src, path), 'utf8'))
  expect(files.length).toBeGreaterThan(1000)
  expect(unstyledIn(files)).toEqual([])
})

test('a component without styles would be seen', () => {
  const page = "import { Box, Radio } from '@mantine/core'"
  expect(unstyledIn([page])).toEqual(['Radio'])
  expect(unstyledIn([page, "import '@mantine/core/styles/Radio.css'"])).toEqual([])
})
