import type { Samples } from '#app/testing/samples.testing.ts'

/** A day. */
export const notFree = /^effective_on$/

export const samples: Samples = {
  'POST /admin/termsandconditions/store': () => ({ input: { value: '<p>Terms</p>' } }),
}
