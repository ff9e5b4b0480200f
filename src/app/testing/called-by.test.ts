import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EndpointShape } from '#shared/endpoint.ts'

const source = join(import.meta.dirname, '../..')

/** Endpoints that the browser calls without naming them like `leads.list`. */
const indirect = [
  'platform.config',
  'platform.joinChannel',
  // By its signed URL.
  'files.show',
  // From a bundle without schemas, which sign-in loads.
  'session.login',
  // As one of the actions of an email.
  'mails.stop',
  'mails.resume',
  // As followUps.listByTab and onboardings.listByTab.
  'byTab.list',
  // By discipline.
  'taskNumbers.development',
  'taskNumbers.designer',
]

/** Returns the endpoints that are declared in a group, such as `leads.list`; those of kinds are functions. */
async function groupedEndpoints(): Promise<[name: string, one: EndpointShape][]> {
  const files = globSync(
    ['features/**/*contract.ts', 'shared/{*.contract,files,drafts,mails}.ts', 'app/server/*.contract.ts'],
    { cwd: source },
  )
  const modules = await Promise.all(
    files.map(async (file) => (await import(join(source, file))) as Record<string, unknown>),
  )
  return modules
    .flatMap((module) => Object.entries(module))
    .flatMap(([group, value]) =>
      Object.entries(typeof value === 'object' ? (value ?? {}) : {})
        .filter(([, one]: [string, unknown]) => Object.hasOwn(Object(one) as object, 'path'))
        .map(([name, one]): [string, EndpointShape] => [`${group}.${name}`, one as EndpointShape]),
    )
}

test('an endpoint is called by a page of the panel, or says who else calls it', async () => {
  const browser = globSync('{web,features/**/web,app/browser}/**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !/\.(test|testing)\./.test(file))
    .map((file) => readFileSync(join(source, file), 'utf8'))
    .join('\n')
  const named = new Set(browser.match(/\b\w+\s*\.\w+\b/g)?.map((name) => name.replaceAll(/\s/g, '')))
  const all = await groupedEndpoints()
  expect(all.length).toBeGreaterThan(200)
  const isCalled = (name: string) => named.has(name) || indirect.includes(name)
  const wrong = all.filter(([name, { calledBy }]) => isCalled(name) === (calledBy !== undefined))
  expect(wrong.map(([name]) => name)).toEqual([])
  expect(indirect.filter((name) => named.has(name) || !all.some(([one]) => one === name))).toEqual([])
})
