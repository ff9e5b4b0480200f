import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cssVariables } from '#web/theme.ts'

/*
 * A custom property that is set nowhere makes its declaration invalid, and the element is drawn without it: progress
 * bars were empty for that reason.
 */

const root = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const filesOf = (kind: string) => globSync(`src/**/*.${kind}`, { cwd: root }).map(read)

const styles = filesOf('css').join('\n')
const { variables, light, dark } = cssVariables({} as never)
const set = new Set([
  ...Object.keys({ ...variables, ...light, ...dark }),
  ...(styles.match(/--[\w-]+(?=\s*:)/g) ?? []),
  // Set by Mantine’s modal.
  '--mb-padding',
  // Set by a component, on its element.
  ...filesOf('tsx').flatMap((source) => source.match(/(?<=['"[])--[\w-]+/g) ?? []),
])

/** Returns the custom properties that styles use and nothing sets; those of Mantine are its own. */
const unsetIn = (css: string) =>
  [...new Set(css.match(/(?<=var\(\s*)--[\w-]+/g))].filter(
    (name) => !name.startsWith('--mantine-') && !set.has(name),
  )

test('every custom property that styles use is set somewhere', () => {
  expect(unsetIn(styles)).toEqual([])
  // The control.
  expect(unsetIn('a { color: var(--text); background: var(--not-set) }')).toEqual(['--not-set'])
})
