import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '#app/testing/start.testing.ts'

/*
 * Requests into which hostile texts are put; a feature that stores texts adds its own in its `samples.testing.ts`.
 */

export interface Sample {
  /** Input that the texts are put into, built for each. */
  input: object
  /** Values for the braces of the path. */
  params?: Record<string, string>
  /** Query string, in addition to a body. */
  query?: string
}

export interface SampleIds {
  lead: number
  question: number
  started: TestApp
}

export type Samples = Record<string, (ids: SampleIds) => Sample | Promise<Sample>>

const root = join(import.meta.dirname, '../..')

interface Registered {
  samples: Samples
  /** Fields that take no free text (addresses, codes as texts, HTML), matched by their place in the request. */
  notFree?: RegExp
}

/** Returns the samples of all features and of the platform, and a predicate for the fields that take free text. */
export async function allSamples(): Promise<{ samples: Samples; isFree: (field: string) => boolean }> {
  const files = globSync('features/**/samples.testing.ts', { cwd: root })
  const found = await Promise.all(files.map(async (file) => (await import(join(root, file))) as Registered))
  return {
    samples: Object.assign({}, ...found.map(({ samples }) => samples), ownSamples) as Samples,
    isFree: (field) => !found.some(({ notFree }) => notFree?.test(field)),
  }
}

const ownSamples: Samples = {
  'POST /admin/general/notes/{a}/{b}': ({ lead }) => ({
    input: { note: 'Hello' },
    params: { a: 'lead', b: String(lead) },
  }),
  'POST /admin/records/{type}/restore': () => ({
    input: { search: 'nothing' },
    params: { type: 'contract' },
  }),
  'GET /admin/records/{type}/trash': () => ({ input: {}, params: { type: 'contract' } }),
  'POST /admin/views': () => ({ input: { list: 'leads', path: '/demo-leads', name: 'Mine', address: {} } }),
}
