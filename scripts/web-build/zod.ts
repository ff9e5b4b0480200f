import type { Plugin } from 'vite'

/**
 * Leaves out the parts of zod that the browser never uses but tree shaking keeps: the JSON schema functions,
 * which methods of every schema refer to, and the English messages, which shared/input-errors.ts replaces.
 */
export function zodWithoutUnusedParts(): Plugin {
  return {
    name: 'zod-without-unused-parts',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /zod\/v4\/(core\/(json-schema-processors|to-json-schema)|locales\/en)\.js$/ },
      handler(code, id) {
        if (id.endsWith('en.js')) return { code: 'export default () => ({})', map: null }
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name)
        return { code: names.map((name) => `export const ${name} = () => undefined`).join('\n'), map: null }
      },
    },
  }
}
