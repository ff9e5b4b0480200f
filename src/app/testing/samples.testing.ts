import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '#app/testing/start.testing.ts'

/*
 * Requests into which hostile strings are inserted; a feature that stores text adds its own in its
 * `samples.testing.ts`.
 */

export interface Sample {
  /** Input that the strings are inserted into, built separately for each string. */
  input: object
  /** Values for the parameters in the path. */
  params?: Record<string, string>
  /** Query string, for requests that also have a body. */
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
  /**
   * Fields that don't accept free text (such as addresses, codes, and HTML), matched by their path in the
   * request.
   */
  notFree?: RegExp
}

/**
 * Returns the samples of all features and of the platform, and a predicate for the fields that accept free
 * text.
 */
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
