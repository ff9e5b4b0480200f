import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { endpointsWithoutSchemas, fieldsWithoutSchemas } from './endpoints.ts'
import { zodWithoutUnusedParts } from './zod.ts'

const root = join(import.meta.dirname, '../..')

/** Builds a module with the plugins of the panel's build, and returns what it exports. */
async function built(code: string): Promise<Record<string, unknown>> {
  const entry = join(root, 'src/web/built.testing.ts')
  const [bundle] = (await build({
    root,
    configFile: false,
    logLevel: 'error',
    plugins: [
      {
        name: 'entry',
        enforce: 'pre',
        resolveId: (id: string) => (id === entry ? id : undefined),
        load: (id: string) => (id === entry ? code : undefined),
      },
      fieldsWithoutSchemas(),
      endpointsWithoutSchemas(),
      zodWithoutUnusedParts(),
    ],
    build: {
      write: false,
      minify: false,
      lib: { entry, formats: ['es'], fileName: 'built' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  } as never)) as unknown as { output: { code: string }[] }[]
  return import(`data:text/javascript,${encodeURIComponent(bundle!.output[0]!.code)}`)
}

test('a form in the built panel says the same about a missing value as the server', async () => {
  const code = `
    import { NewUser } from '#features/crm/users/contract.ts'
    import { errorsOf } from '#web/form/errors.ts'
    export const errors = [undefined, NaN, 0, null].map((organization_id) =>
      errorsOf(NewUser, { first_name: 'Zoe', organization_id }).organization_id)
    export const others = errorsOf(NewUser, {})`
  expect(await built(code)).toMatchObject({
    errors: Array.from({ length: 4 }, () => 'This field is required.'),
    others: { organization_id: 'This field is required.', first_name: 'This field is required.' },
  })
})
