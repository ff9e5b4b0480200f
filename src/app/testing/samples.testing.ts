import { globSync } from 'node:fs'
import { join } from 'node:path'
import type { RawBuilder } from 'kysely'
import type { TestApp } from '#app/testing/start.testing.ts'
import type { RecordType } from '#shared/records.ts'

/*
 * What each feature declares for the tests of all features, in its `samples.testing.ts`: requests into which
 * hostile strings are inserted, and changes of its records.
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
  /** Path of the field that gets a string, for requests whose other fields depend on it. */
  field?: string
}

export type Samples = Record<string, (ids: SampleIds) => Sample | Promise<Sample>>

/** A record of a type, for the tests of what all record types have. */
export interface RecordSample {
  /** Two fields that are changed, each with the values that it gets in turn; a type can have only one. */
  fields: readonly (readonly [name: string, first: unknown, second: unknown])[]
  /** Inserts the record with this ID, unless `plant` inserts one of the type. */
  insert?: (id: number, by: number) => RawBuilder<unknown>
}

export type RecordSamples = { readonly [Type in RecordType]?: RecordSample }

/** Returns a sample whose fields are texts. */
export const textFields = (...names: string[]): RecordSample => ({
  fields: names.map((name) => [name, `First ${name}`, `Second ${name}`]),
})

const root = join(import.meta.dirname, '../..')

interface Registered {
  samples?: Samples
  records?: RecordSamples
  /**
   * Fields that don't accept free text (such as addresses, codes, and HTML), matched by their path in the
   * request.
   */
  notFree?: RegExp
}

/** Loads what the features declare. */
const registered = (): Promise<Registered[]> =>
  Promise.all(
    globSync('features/**/samples.testing.ts', { cwd: root }).map(
      async (file) => (await import(join(root, file))) as Registered,
    ),
  )

/**
 * Returns the samples of all features and of the platform, and a predicate for the fields that accept free
 * text.
 */
export async function allSamples(): Promise<{ samples: Samples; isFree: (field: string) => boolean }> {
  const found = await registered()
  return {
    samples: Object.assign({}, ...found.map(({ samples }) => samples), ownSamples) as Samples,
    isFree: (field) => !found.some(({ notFree }) => notFree?.test(field)),
  }
}

/** Returns the samples of all record types. */
export async function recordSamples(): Promise<RecordSamples> {
  return Object.assign({}, ...(await registered()).map(({ records }) => records)) as RecordSamples
}

let views = 0
/** Names of views differ. */
const nextName = () => `View ${++views}`
const newView = () => ({ list: 'leads', path: '/demo-leads', name: nextName(), address: {} })

const ownSamples: Samples = {
  'POST /admin/general/notes/{a}/{b}': ({ lead }) => ({
    input: { note: 'Hello' },
    params: { a: 'lead', b: String(lead) },
  }),
  'POST /admin/general/notes/{a}/{b}/{id}': async ({ lead, started }) => {
    const { data } = await started
      .as('super_admin')
      .post(`/admin/general/notes/lead/${lead}`, { note: 'Hello' })
    return { input: { note: 'Hello' }, params: { a: 'lead', b: String(lead), id: String(data.id) } }
  },
  'POST /admin/records/{type}/restore': () => ({
    input: { search: 'nothing' },
    params: { type: 'contract' },
  }),
  'GET /admin/records/{type}/trash': () => ({ input: {}, params: { type: 'contract' } }),
  'POST /admin/reads': () => ({ input: { reads: [{ path: '/common/team/all', query: '' }] } }),
  'PUT /admin/views/{id}': async ({ started }) => {
    const { id } = await started.as('super_admin').post('/admin/views', newView())
    return { input: { version: 1, name: nextName() }, params: { id: String(id) } }
  },
  'POST /admin/views/{id}/default': () => ({ input: { is_default: true } }),
  'POST /admin/views': () => ({ input: newView() }),
}
